import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileUri } from '../../../server/src/engine/base/uri.ts';
import { startServiceForFile } from '../../harness/file-service.ts';
import { startLsp } from '../../harness/lsp-client.ts';
import { folderWith, runProgram } from '../../terminal/program.ts';

/* What is off costs nothing: the bundle that asks private registries is not loaded. */

const service = await startServiceForFile({ 'NPM lodash': { versions: ['4.17.21'] } });
const manifest = '{ "dependencies": { "lodash": "4.17.21", "@secret/core": "1.0.0" } }';
const folder = folderWith({
  'home/.npmrc': '@secret:registry=http://127.0.0.1:9/\n',
  'work/package.json': manifest,
  'public/package.json': '{ "dependencies": { "lodash": "4.17.21" } }',
});
after(() => folder.remove());
const person = { HOME: `${folder.path}/home`, USERPROFILE: `${folder.path}/home` };
/** As sources, and as the bundle that tests of processes may run. */
const ours = /\/server\/src\/(?:bin\/private|engine\/registries\/[\w-]+)\.ts$|\/dist\/private\.js$/;
const entries = /\/(?:server\/src\/bin|dist)\/(?:program|server)\.[jt]s$/;
let runs = 0;

/** The modules of private registries that a process has loaded: Node's coverage lists them. */
async function loadedBy(run: (environment: Readonly<Record<string, string>>) => Promise<unknown>): Promise<string[]> {
  const directory = join(folder.path, `coverage-${++runs}`);
  await run({ ...person, NODE_V8_COVERAGE: directory });
  const texts = readdirSync(directory).map((it) => readFileSync(join(directory, it), 'utf8'));
  const urls: string[] = texts.flatMap((it) => JSON.parse(it).result.map(({ url }: { readonly url: string }) => url));
  assert.ok(urls.some((it) => entries.test(it)));
  return urls.filter((it) => ours.test(it));
}

async function edit(settings: object, environment: Readonly<Record<string, string>>): Promise<void> {
  const root = fileUri(`${folder.path}/work`);
  const client = await startLsp({
    folder: root,
    person: environment,
    capabilities: { textDocument: { hover: {} } },
    settings: { baseUrl: service.url, ...settings },
  });
  const uri = `${root}/package.json`;
  await client.open(uri, manifest);
  const position = { line: 0, character: manifest.indexOf('@secret') };
  for (;;) {
    const hover = await client.connection.sendRequest('textDocument/hover', { textDocument: { uri }, position });
    if (!JSON.stringify(hover).includes('Requesting')) break;
  }
  await client.stop();
}

test('an editor loads nothing of private registries while they are not asked', async () => {
  assert.deepEqual(await loadedBy((it) => edit({}, it)), []);
  assert.notDeepEqual(await loadedBy((it) => edit({ privateRegistries: 'ask' }, it)), []);
});

test('the terminal loads nothing of private registries unless it meets one and asks', async () => {
  const check = (at: string, ...more: readonly string[]) =>
    loadedBy((it) => runProgram(['check', at, '--base-url', service.url, ...more], folder.path, it));
  assert.deepEqual(await check('work'), []);
  assert.deepEqual(await check('public', '--ask-private-registries'), []);
  assert.notDeepEqual(await check('work', '--ask-private-registries'), []);
});
