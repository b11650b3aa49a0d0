import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createFolders } from '../../../server/src/connected/scheduling/folders.ts';
import { canonicalOrigin, originIn } from '../../../server/src/engine/git/origin.ts';

const scratch = mkdtempSync(join(tmpdir(), 'origin-'));
after(() => rmSync(scratch, { recursive: true }));

test('all ways to clone a repository have one origin, without credentials', () => {
  for (const it of [
    'https://code.example/team/app.git',
    'https://name:opensesame@Code.example/team/app.git/',
    'http://code.example:8080/team/app',
    'git@code.example:team/app.git',
    'code.example:/team/app',
    'ssh://git@code.example:2222/team/app.git',
    'git://code.example/team/app',
  ])
    assert.equal(canonicalOrigin(it, '/work'), 'code.example/team/app', it);
  assert.equal(canonicalOrigin('/srv/git/app.git', '/work'), '/srv/git/app');
  assert.equal(canonicalOrigin('file:///srv/git/app.git/', '/work'), '/srv/git/app');
  assert.equal(canonicalOrigin('../app.git', '/work/clone'), '/work/app');
  assert.equal(canonicalOrigin('https://[', '/work'), undefined);
});

test('the settings of git are read as git reads them', () => {
  const of = (...lines: readonly string[]) => originIn(lines.join('\n'));
  assert.equal(of('[remote "upstream"]', 'url = a', '[Remote "origin"]', '\turl = b # c', 'url = d'), 'b');
  assert.equal(of('[remote "origin"] url = "a b;c" ; d'), 'a b;c');
  assert.equal(of('[remote "origin"]', '; url = a', 'pushurl = b', '[branch "x"]', 'url = c'), undefined);
  assert.equal(of('[remote "origin"]', 'url ='), undefined);
});

test('clones of one repository are one folder, others are not, and paths count without an origin', async () => {
  const uriOf = (...parts: readonly string[]) => pathToFileURL(join(scratch, ...parts)).href;
  const clone = (name: string, origin?: string) => {
    mkdirSync(join(scratch, name, '.git'), { recursive: true });
    writeFileSync(join(scratch, name, '.git', 'config'), origin ? `[remote "origin"]\n\turl = ${origin}\n` : '');
  };
  clone('one', 'git@code.example:team/app.git');
  clone('two', 'https://x:y@code.example/team/app');
  clone('other', 'https://code.example/team/other');
  clone('local');
  mkdirSync(join(scratch, 'plain'));
  const { folderOf, folderAt } = createFolders(() => {});
  const all = await Promise.all(
    [
      ['one', 'app', 'package.json'],
      ['two', 'pom.xml'],
      ['other', 'pom.xml'],
      ['local', 'pom.xml'],
      ['plain', 'pom.xml'],
    ].map((it) => folderOf(uriOf(...it))),
  );
  const [one, two, ...others] = all;
  assert.equal(one?.id, two?.id);
  assert.equal(one?.root, `${uriOf('one')}/`);
  assert.equal(new Set(others.map((it) => it.id)).size, 3);
  assert.ok(all.every((it) => /^[0-9a-v]{52}$/.test(it.id)));
  const workspace = await folderOf(uriOf('plain', 'deep', 'pom.xml'), uriOf('plain'));
  assert.deepEqual(workspace, all[4]);
  assert.deepEqual(folderAt(uriOf('one', 'app', 'package.json')), one);
});
