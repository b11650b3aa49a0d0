import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readUsage } from '../../../server/src/bin/user-ledger.ts';
import { catalog, manifest } from '../../editor/scratch.ts';
import { startServiceForFile } from '../../harness/file-service.ts';
import { startLsp } from '../../harness/lsp-client.ts';

const sqlite = process.getBuiltinModule('node:sqlite') !== undefined;
const scratch = mkdtempSync(join(tmpdir(), 'package-insights-counted-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
const service = await startServiceForFile(catalog);

/** Shows a manifest until its findings are there, and ends. */
async function session(name: string, environment: Readonly<Record<string, string>>): Promise<void> {
  const client = await startLsp({
    settings: { baseUrl: service.url },
    env: { ...process.env, PACKAGE_INSIGHTS_CACHE_DIR: join(scratch, name), ...environment },
  });
  await client.open('file:///workspace/package.json', manifest);
  await client.pushedUntil('file:///workspace/package.json', (all) => all.length === 2);
  // A request that is still under way when the server ends may not be counted.
  for (let before = -1; before !== service.requests.length; await new Promise((it) => setTimeout(it, 200)))
    before = service.requests.length;
  assert.equal(await client.stop(), 0);
}

test('while nothing is connected the language server counts nothing', { skip: !sqlite }, async () => {
  await session('off', {});
  assert.equal(existsSync(join(scratch, 'off', 'ledger-1.sqlite')), false);
});

test('with a connected service every request is counted, from the first one on', { skip: !sqlite }, async () => {
  const before = service.requests.length;
  await session('on', { PACKAGE_INSIGHTS_SCHEDULING_URL: 'https://calendar.example/v3' });
  const days = await readUsage(join(scratch, 'on'), '0', '9');
  const counted = days.flatMap((it) => (it.service === 'insights' ? [Number(it.usage.get(8) ?? 0n)] : []));
  assert.equal(
    counted.reduce((sum, it) => sum + it, 0),
    service.requests.length - before,
  );
});
