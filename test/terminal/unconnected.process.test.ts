import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cliSource } from '../harness/cli.ts';
import { folderWith, runScript } from './program.ts';

const folder = folderWith({ 'package.json': '{"dependencies": {"lodash": "4.17.15"}}' });
after(() => folder.remove());

/** The sources that a run of the program has loaded: Node's coverage lists them. */
async function loadedBy(args: readonly string[]): Promise<string> {
  const [name = ''] = args;
  const directory = join(folder.path, `coverage-${name}`);
  const cache = join(folder.path, 'cache');
  await runScript(cliSource, args, folder.path, { NODE_V8_COVERAGE: directory, PACKAGE_INSIGHTS_CACHE_DIR: cache });
  const texts = readdirSync(directory).map((it) => readFileSync(join(directory, it), 'utf8'));
  const loaded = texts.flatMap((it) => JSON.parse(it).result.map(({ url }: { readonly url: string }) => url));
  assert.ok(loaded.some((it) => it.endsWith('/server/src/bin/program.ts')));
  return loaded.join('\n');
}

test('while nothing is connected, nothing of connected services is loaded, and no ledger is made', async () => {
  const loaded = await loadedBy(['check', '--offline']);
  assert.doesNotMatch(
    loaded,
    /src\/(?:bin\/(?:connected|keyring)|connected\/(?:code-host|link-safety\/link-safety|audit\/listing))\b/,
  );
  assert.deepEqual(existsSync(join(folder.path, 'cache', 'ledger-1.sqlite')), false);
  // The look-out sees them once a person asks for them.
  assert.match(await loadedBy(['connections']), /src\/bin\/connected\.ts/);
});
