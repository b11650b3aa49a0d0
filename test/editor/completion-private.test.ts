import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askedNames } from '../harness/asked-names.ts';
import { fakeClock } from '../harness/fake-clock.ts';
import { type Act, json, scriptedServer } from '../harness/scripted-server.ts';
import { strictClient } from './strict-client.ts';

const answer: Act = (request, response) => {
  const { requests = [] } = request.body === '' ? {} : JSON.parse(request.body);
  const responses = requests.map((it: object) => ({ request: it }));
  return json(request.method === 'POST' ? { responses, nextPageToken: '' } : { versions: [] })(request, response);
};

/**
 * Types an entry as a person does without a pause, and asks for versions at each key.
 * @returns the names that were asked about before anybody paused
 */
async function typed(path: string, [before, after]: readonly [string, string], entry: string): Promise<string[]> {
  const server = await scriptedServer(answer);
  const clock = fakeClock();
  const client = await strictClient({
    settings: { baseUrl: server.url },
    clock,
    capabilities: {
      textDocument: { diagnostic: {}, completion: {} },
      workspace: { diagnostics: { refreshSupport: true } },
    },
  });
  const uri = `file:///workspace/${path}`;
  await client.open(uri, before + after);
  await client.ask('textDocument/diagnostic', uri);
  for (let end = 1; end <= entry.length; end++) {
    const text = before + entry.slice(0, end);
    await client.change(uri, end + 1, text + after);
    const lines = text.split('\n');
    const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
    const asking = client.ask('textDocument/completion', uri, { position });
    let isAnswered = false;
    asking.finally(() => {
      isAnswered = true;
    });
    // An answer that waits for the service has some ms for it; nobody pauses so long that a name counts as whole.
    for (let turn = 0; turn < 50 && !isAnswered; turn++) await clock.advance(1);
    await asking;
  }
  await client.stop();
  await server.close();
  return askedNames(server.arrived).filter((it) => /secret/i.test(it));
}

/** Entries that are private in the end, by the manifest: what stands around them, and what is typed. */
const private_: readonly (readonly [string, readonly [string, string], string])[] = [
  ['Cargo.toml', ['[dependencies]\n', '\n'], 'secret = { version = "1.0", registry = "acme" }'],
  ['Cargo.toml', ['[dependencies]\n', '\n'], 'secret = { version = "1.0", path = "../x" }'],
  ['Cargo.toml', ['[dependencies.secret]\n', '\n'], 'version = "1.0"'],
  ['pyproject.toml', ['[tool.poetry.dependencies]\n', '\n'], 'secret = { version = "1.0", source = "acme" }'],
  ['pyproject.toml', ['[project]\ndependencies = [', ']\n'], '"secret==1.0'],
  ['Pipfile', ['[packages]\n', '\n'], 'secret = { version = "*", index = "acme" }'],
  ['requirements.txt', ['', ''], 'secret @ https://host.example/x.whl'],
  ['requirements.txt', ['', ''], 'secret==1.0'],
  ['package.json', ['{ "dependencies": { ', ' } }'], '"other": "npm:@secret/x@1.0.0"'],
  ['go.mod', ['module m\n', '\n'], 'require host.example/secret v1.0.0'],
  [
    'pom.xml',
    ['<project><dependencies>', '</dependencies></project>'],
    '<dependency><groupId>org.secret</groupId><artifactId>x</artifactId><version>1.0</version><systemPath>x</systemPath></dependency>',
  ],
  ['build.gradle', ['dependencies {\n', '\n}\n'], "api 'org.secret:x:1.0'"],
  ['pnpm-workspace.yaml', ['catalog:\n  ', '\n'], 'secret: link:../x'],
  ['deno.json', ['{ "imports": { ', '" } }'], '"x": "npm:@secret/x@1'],
];

describe('an entry that may yet say where its package comes from is not asked about for its versions', () => {
  for (const [path, around, entry] of private_)
    test(`${path}: ${entry}`, async () => {
      assert.deepEqual(await typed(path, around, entry), []);
    });
});

describe('an entry whose form leaves no room for that is asked about as soon as its version is written', () => {
  for (const [path, around, entry] of [
    ['package.json', ['{ "dependencies": { ', '" } }'], '"secret": "^1'],
    ['Cargo.toml', ['[dependencies]\n', '"\n'], 'secret = "1'],
    ['pyproject.toml', ['[tool.poetry.dependencies]\n', '"\n'], 'secret = "^1'],
    [
      'a.csproj',
      ['<Project><ItemGroup>', '" /></ItemGroup></Project>'],
      '<PackageReference Include="secret" Version="1',
    ],
    ['pnpm-workspace.yaml', ['catalog:\n  ', '"\n'], 'secret: "^1'],
    ['pnpm-workspace.yaml', ['catalog:\n  ', '\n'], 'secret: ^1'],
    ['.yarnrc.yml', ['catalog:\n  ', '"\n'], 'secret: "^1'],
    ['global.json', ['{ "msbuild-sdks": { ', '" } }'], '"secret": "1'],
    ['.config/dotnet-tools.json', ['{ "tools": { ', '" } } }'], '"secret": { "version": "1'],
    [
      'a.nuspec',
      ['<package><metadata><dependencies>', '" /></dependencies></metadata></package>'],
      '<dependency id="secret" version="1',
    ],
  ] as const)
    test(`${path}: ${entry}`, async () => {
      assert.deepEqual(await typed(path, around, entry), ['secret']);
    });
});
