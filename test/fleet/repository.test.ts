import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRepositoryList } from '../../server/src/fleet/repository.ts';

const read = (text: string) => readRepositoryList(text, '/base');
const reasonFor = (line: string): string | undefined => read(line).bad[0]?.reason;

test('each line is a folder, an archive or an address of git', () => {
  const { repositories, bad } = read(
    [
      '\uFEFF# ours',
      'services/billing',
      '',
      '  /abs/olute  ',
      'archives/legacy.tar.gz',
      'https://git.example/team/shop.git',
      'ssh://git@git.example/team/shop.git#release/2',
      'git@git.example:team/app.git',
      'file:///srv/git/lib.git',
    ].join('\r\n'),
  );
  assert.deepEqual(bad, []);
  assert.deepEqual(repositories, [
    { name: 'services/billing', source: { kind: 'directory', path: '/base/services/billing' } },
    { name: '/abs/olute', source: { kind: 'directory', path: '/abs/olute' } },
    { name: 'archives/legacy.tar.gz', source: { kind: 'archive', path: '/base/archives/legacy.tar.gz' } },
    {
      name: 'https://git.example/team/shop.git',
      source: { kind: 'git', address: 'https://git.example/team/shop.git' },
    },
    {
      name: 'ssh://git@git.example/team/shop.git#release/2',
      source: { kind: 'git', address: 'ssh://git@git.example/team/shop.git', branch: 'release/2' },
    },
    { name: 'git@git.example:team/app.git', source: { kind: 'git', address: 'git@git.example:team/app.git' } },
    { name: 'file:///srv/git/lib.git', source: { kind: 'git', address: 'file:///srv/git/lib.git' } },
  ]);
});

test('a bad line is reported by its number, and the rest goes on', () => {
  const { repositories, bad } = read('a\next::sh -c id\nb\na\n./a\n');
  assert.deepEqual(
    repositories.map((it) => it.name),
    ['a', 'b'],
  );
  assert.deepEqual(bad, [
    { line: 2, reason: 'a transport of git that runs programs is not allowed' },
    { line: 4, reason: 'it repeats line 1' },
    { line: 5, reason: 'it repeats line 1' },
  ]);
});

test('what git or ssh would read as an option or a program is refused', () => {
  for (const line of [
    '--upload-pack=touch /tmp/x',
    '-oProxyCommand=id',
    'ext::sh -c id',
    'fd::17',
    'remote-helper::https://git.example/x',
    'ssh://-oProxyCommand=id/x',
    'ssh://-oProxyCommand=id@git.example/x',
    'git@git.example:-x',
    'git://git.example/x',
    'http://git.example/x',
    'ftp://git.example/x',
    'https://git.example/x#--upload-pack=id',
    'https://git.example/x#a..b',
    'https://git.example/x#a:b',
    'https://git.example/x#+refs/heads/a:refs/heads/b',
    'https://git.example/x#a@{1}',
  ]) {
    assert.notEqual(reasonFor(line), undefined, line);
    assert.deepEqual(read(line).repositories, [], line);
  }
});

test('a credential in an address is refused, and no message repeats it', () => {
  for (const line of ['https://name:opensesame@git.example/x', 'https://opensesame@git.example/x']) {
    assert.match(reasonFor(line) ?? '', /credential/);
    assert.doesNotMatch(JSON.stringify(read(line)), /opensesame/);
  }
});

test('invisible characters and endless lines are refused', () => {
  for (const line of ['a\u0007b', 'a\u202Eb', 'a\u200Bb', 'x'.repeat(5000)])
    assert.notEqual(reasonFor(line), undefined);
});
