import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { inTurn } from './turn.ts';

const folder = mkdtempSync(join(tmpdir(), 'turn-'));
after(() => rmSync(folder, { recursive: true }));

test('who comes second begins when the first has ended, well or not', async () => {
  const path = join(folder, 'a');
  const told: string[] = [];
  let resolve = (): void => undefined;
  const release = new Promise<void>((it) => {
    resolve = it;
  });
  const first = inTurn(path, async () => {
    told.push('first begins');
    await release;
    told.push('first ends');
    throw new Error('badly');
  });
  const second = inTurn(path, async () => told.push('second begins'));
  resolve();
  await assert.rejects(first, /badly/);
  await second;
  assert.deepEqual(told, ['first begins', 'first ends', 'second begins']);
  assert.equal(existsSync(path), false);
});

test('a process that was killed in its turn blocks no other', async () => {
  const path = join(folder, 'b');
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(path, String(pid));
  assert.equal(await inTurn(path, async () => 'done'), 'done');
});
