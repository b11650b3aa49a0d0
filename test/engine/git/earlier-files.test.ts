import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { filesBefore } from '../../../server/src/engine/git/earlier-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'earlier-'));
after(() => rmSync(folder, { recursive: true }));

// A repository of a stranger may name a program as the place of objects that it lacks. Older versions of git know only the second.
test('git fetches no missing object, in any version', { skip: process.platform === 'win32' }, async () => {
  const git = join(folder, 'git');
  const told = join(folder, 'lookup.txt');
  writeFileSync(
    git,
    `#!/bin/sh\necho "$GIT_NO_LAZY_FETCH-\${GIT_ALLOW_PROTOCOL-any}-$GIT_DIR" > '${told}'\necho abc\n`,
  );
  chmodSync(git, 0o755);
  const paths = { PATH: `${folder}:${process.env['PATH']}`, GIT_DIR: 'elsewhere' };
  await filesBefore(folder, [{ name: 'HEAD' }], () => true, paths);
  assert.equal(readFileSync(told, 'utf8'), '1--\n');
});
