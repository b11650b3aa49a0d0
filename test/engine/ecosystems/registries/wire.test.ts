import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Hover } from 'vscode-languageserver';
import { fileUri } from '../../../../server/src/engine/base/uri.ts';
import { positionsIn } from '../../../../server/src/engine/formats/text/positions.ts';
import type { ReadMachine } from '../../../../server/src/engine/model/registry.ts';
import { diskFiles } from '../../../../server/src/platform/files.ts';
import { strictClient } from '../../../editor/strict-client.ts';
import { startServiceForFile } from '../../../harness/file-service.ts';
import { scriptedServer, status } from '../../../harness/scripted-server.ts';
import type { InlineCatalog } from '../../../harness/service.ts';
import { folderWith } from '../../../terminal/program.ts';
import { runHere } from '../../../terminal/terminal.ts';
import { askedCases } from './asked-cases.ts';
import { type PrivateCase, privateCases } from './cases.ts';
import { gradleCases } from './gradle-cases.ts';
import { ownCases } from './own-cases.ts';
import { partCases, unreadableCases } from './part-cases.ts';
import { sbomCases } from './sbom-cases.ts';
import { toolCases } from './tool-cases.ts';
import { otherwiseCases } from './written-otherwise.ts';

/** The well-known packages by which the public registries are told, and those of the cases. */
const catalog: InlineCatalog = {
  'NPM lodash': { versions: ['4.17.21'] },
  'NPM left-pad': { versions: ['1.3.0'] },
  'PYPI requests': { versions: ['2.31.0'] },
  'NUGET newtonsoft.json': { versions: ['13.0.3'] },
  'NUGET serilog': { versions: ['2.0.0'] },
  'MAVEN junit:junit': { versions: ['4.13.2'] },
  'MAVEN org.yaml:snakeyaml': { versions: ['1.0'] },
  'CARGO serde': { versions: ['1.0.0'] },
  'CARGO atty': { versions: ['0.2.14'] },
  'GO rsc.io/quote': { versions: ['v1.5.2'] },
};

const service = await startServiceForFile(catalog);

const allCases: readonly PrivateCase[] = [
  ...privateCases,
  ...toolCases,
  ...partCases,
  ...unreadableCases,
  ...sbomCases,
  ...ownCases,
  ...gradleCases,
  ...otherwiseCases,
  ...askedCases,
];

/** What a hover says, without what markdown needs. */
function unescaped({ contents }: Hover): string {
  return typeof contents === 'object' && 'value' in contents ? contents.value.replace(/\\(.)/g, '$1') : '';
}

/** All that the service was told since `from`, as it would be read in its log. */
function told(from: number): string {
  return service.requests
    .slice(from)
    .map(({ path, body }) => decodeURIComponent(`${path} ${body}`))
    .join('\n');
}

function machineOf({ machine = {}, variables = {} }: PrivateCase): ReadMachine {
  return async (system) => ({ variables: variables[system] ?? [], files: machine[system] ?? [] });
}

function hold(text: string, { asked }: PrivateCase): void {
  assert.doesNotMatch(text, /secret/i);
  for (const name of asked) assert.ok(text.includes(name), `${name} is looked up`);
}

describe('in the terminal', () => {
  for (const one of allCases) {
    test(one.title, async () => {
      const folder = folderWith(one.files);
      one.prepare?.(folder.path);
      const from = service.requests.length;
      const flags = one.settings?.publicRegistries.flatMap((it) => ['--public-registry', it]) ?? [];
      const { error } = await runHere(['check', '--all', '--base-url', service.url, ...flags], folder.path, {
        disk: (roots) => ({ ...diskFiles(() => roots), machine: machineOf(one) }),
      });
      folder.remove();
      hold(told(from), one);
      if (privateCases.includes(one))
        assert.match(error, /not looked up to keep names private: \d+ dependenc(?:y|ies) from /);
      assert.doesNotMatch(error, /failed/);
    });
  }
});

const literalActions = { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } };

describe('in the language server', () => {
  for (const one of allCases) {
    test(one.title, async () => {
      const folder = folderWith(one.files);
      one.prepare?.(folder.path);
      const [[name, content] = ['', '']] = Object.entries(one.files);
      const text = String(content);
      const root = fileUri(folder.path);
      const uri = `${root}/${name}`;
      const from = service.requests.length;
      const client = await strictClient({
        capabilities: { textDocument: { hover: {}, inlayHint: {}, completion: {}, codeAction: literalActions } },
        initialize: { workspaceFolders: [{ uri: root, name: 'folder' }] },
        settings: { baseUrl: service.url, ...one.settings },
        machine: machineOf(one),
      });
      await client.open(uri, text);
      const positions = positionsIn(text);
      for (const { index } of text.matchAll(/secret/gi)) {
        const position = positions.at(index + 2);
        const hover = await client.ask<Hover | null>('textDocument/hover', uri, { position });
        if (hover) assert.match(JSON.stringify(hover.contents), /Not looked up/);
        if (hover && one.reason)
          assert.ok(unescaped(hover).includes(`Not looked up: ${one.reason}.`), unescaped(hover));
        const end = text.indexOf('1', index);
        await client.ask('textDocument/completion', uri, { position: positions.at(end < 0 ? index : end + 1) });
      }
      for (const it of one.asked) {
        // A name may be put together from several places, and stand in several.
        const places = [...text.toLowerCase().matchAll(new RegExp(it.split(':').at(-1) ?? it, 'g'))];
        const hovers = await Promise.all(
          places.map(({ index }) =>
            client.ask<Hover | null>('textDocument/hover', uri, { position: positions.at(index + 1) }),
          ),
        );
        assert.match(JSON.stringify(hovers), /License/);
      }
      await client.ask('textDocument/inlayHint', uri, {
        range: { start: positions.at(0), end: positions.at(text.length) },
      });
      const range = { start: positions.at(0), end: positions.at(text.length) };
      await client.ask('textDocument/codeAction', uri, { range, context: { diagnostics: [] } });
      await client.ask('packageInsights/subjects', uri);
      await client.connection.sendRequest('packageInsights/report', {});
      await client.stop();
      folder.remove();
      hold(told(from), one);
    });
  }
});

test('a configuration that appears is heeded at once', async () => {
  const folder = folderWith({ 'package.json': '{ "dependencies": { "left-pad": "1.3.0" } }' });
  const root = fileUri(folder.path);
  const uri = `${root}/package.json`;
  const client = await strictClient({
    capabilities: { textDocument: { hover: {} }, workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
    initialize: { workspaceFolders: [{ uri: root, name: 'folder' }] },
    settings: { baseUrl: service.url },
    answer: () => null,
  });
  await client.open(uri, '{ "dependencies": { "left-pad": "1.3.0" } }');
  const hover = () => client.ask<Hover>('textDocument/hover', uri, { position: { line: 0, character: 23 } });
  assert.match(JSON.stringify(await hover()), /License/);
  folder.write('.npmrc', 'registry=https://npm.acme.example/');
  await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: `${root}/.npmrc`, type: 1 }],
  });
  assert.match(JSON.stringify(await hover()), /.npmrc takes it from the registry npm.acme.example/);
  await client.stop();
  folder.remove();
});

test('while the service does not say which registry is public, nothing is told to it that names one', async () => {
  const failing = await scriptedServer(status(500, 'internal error'));
  const files = {
    'package.json': '{ "dependencies": { "@secret/x": "1.0.0", "secret": "1.0.0" } }',
    '.npmrc': 'registry=https://registry.example/npm/',
  };
  const folder = folderWith(files);
  const { code } = await runHere(['check', '--base-url', failing.url, '--timeout', '5'], folder.path, {
    clock: {
      now: () => Date.now(),
      after: (ms, call) => clearTimeout.bind(undefined, setTimeout(call, Math.min(ms, 100))),
    },
  });
  folder.remove();
  await failing.close();
  assert.equal(code, 2);
  assert.ok(failing.arrived.length > 0);
  for (const { path, body } of failing.arrived) assert.doesNotMatch(decodeURIComponent(path + body), /secret/);
});
