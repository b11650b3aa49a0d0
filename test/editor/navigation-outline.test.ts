import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentHighlight, DocumentSymbol, SymbolInformation } from 'vscode-languageserver';
import { marked, navigating } from './navigation.ts';

const outlines: Readonly<Record<string, readonly [text: string, outline: readonly string[]]>> = {
  'package.json': [
    '{\n"dependencies": {\n"lodash": "^4.17.15"\n},\n"devDependencies": {\n"a": "1",\n"b": "2"\n}\n}',
    ['dependencies', '  lodash ^4.17.15', 'devDependencies', '  a 1', '  b 2'],
  ],
  'pnpm-workspace.yaml': [
    'catalog:\n  react: ^18.2.0\ncatalogs:\n  old:\n    react: ^17.0.0\n',
    ['catalog', '  react ^18.2.0', 'catalogs old', '  react ^17.0.0'],
  ],
  'pom.xml': [
    '<project><groupId>w</groupId><artifactId>p</artifactId><version>1</version>\n<properties><a.version>1.0</a.version></properties>\n<dependencyManagement><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>${a.version}</version></dependency></dependencies></dependencyManagement>\n<dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId></dependency></dependencies></project>',
    ['properties', '  a.version 1.0', 'dependencyManagement', '  g:a ${a.version}', 'g:a'],
  ],
  'gradle/libs.versions.toml': [
    '[versions]\nkotlin = "1.9.22"\n[libraries]\na = { module = "g:a", version.ref = "kotlin" }\n[plugins]\nb = "id.b:1"\n',
    ['versions', '  kotlin 1.9.22', 'libraries', '  g:a kotlin', 'plugins', '  id.b 1'],
  ],
  'Directory.Packages.props': [
    '<Project><PropertyGroup><V>1.0</V></PropertyGroup><ItemGroup><PackageVersion Include="A" Version="$(V)" /></ItemGroup></Project>',
    ['properties', '  V 1.0', 'PackageVersion', '  A $(V)'],
  ],
  'requirements.txt': ['requests==2.31.0\nflask\n', ['requests ==2.31.0', 'flask']],
  'Cargo.toml': [
    '[dependencies]\nserde = "1"\n[dev-dependencies]\nrand = { version = "0.8" }\n',
    ['dependencies', '  serde 1', 'dev-dependencies', '  rand 0.8'],
  ],
  'go.mod': ['module w\nrequire example.com/a v1.0.0\n', ['require', '  example.com/a v1.0.0']],
};

function lines(symbols: readonly DocumentSymbol[], indent = ''): string[] {
  return symbols.flatMap(({ name, detail, children = [] }) => [
    `${indent}${name}${detail ? ` ${detail}` : ''}`,
    ...lines(children, `${indent}  `),
  ]);
}

for (const [name, [text, outline]] of Object.entries(outlines)) {
  test(`the outline of ${name} has its dependencies by section`, async (t) => {
    const { client, uri } = await navigating(t, { [name]: `¦${text}` });
    const symbols = await client.ask<DocumentSymbol[]>('textDocument/documentSymbol', uri);
    assert.deepEqual(lines(symbols), outline);
  });
}

test('every name lies in its range, and every child in its parent', async (t) => {
  for (const [name, [text]] of Object.entries(outlines)) {
    const { client, uri } = await navigating(t, { [name]: `¦${text}` });
    const check = ({ range, selectionRange, children = [] }: DocumentSymbol, parent?: DocumentSymbol): void => {
      assert.ok(!isBefore(selectionRange.start, range.start) && !isBefore(range.end, selectionRange.end), name);
      if (parent) assert.ok(!isBefore(range.start, parent.range.start) && !isBefore(parent.range.end, range.end), name);
      for (const it of children) check(it, { range } as DocumentSymbol);
    };
    for (const it of await client.ask<DocumentSymbol[]>('textDocument/documentSymbol', uri)) check(it);
  }
});

test('a client without a hierarchy gets a list with the sections as containers', async (t) => {
  const { client, uri } = await navigating(
    t,
    { 'package.json': '¦{ "devDependencies": { "a": "1" } }' },
    { capabilities: { textDocument: { documentSymbol: {} } } },
  );
  const [only, ...others] = await client.ask<SymbolInformation[]>('textDocument/documentSymbol', uri);
  assert.deepEqual([only?.name, only?.containerName, others], ['a', 'devDependencies', []]);
});

test('VS Code, which outlines JSON itself, gets none of ours there', async (t) => {
  const own = { textDocument: { documentSymbol: {} }, experimental: { packageInsightsCommands: true } };
  for (const [name, count] of [
    ['package.json', 0],
    ['pnpm-workspace.yaml', 1],
  ] as const) {
    const text = name === 'package.json' ? '{ "dependencies": { "a": "1" } }' : 'catalog:\n  a: 1\n';
    const { client, uri } = await navigating(t, { [name]: `¦${text}` }, { capabilities: own });
    assert.equal((await client.ask<unknown[]>('textDocument/documentSymbol', uri)).length, count, name);
  }
});

test('the places of a document that name the same property are marked, its definition as written', async (t) => {
  const text =
    '<project><groupId>w</groupId><artifactId>p</artifactId><version>1</version>\n<properties><v>1.0</v></properties>\n<dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>${¦v}</version></dependency></dependencies>\n<build><x>${v} ${version}</x></build></project>';
  const { client, uri, position, files } = await navigating(t, { 'pom.xml': text });
  const found = await client.ask<DocumentHighlight[]>('textDocument/documentHighlight', uri, { position });
  assert.deepEqual(
    found.map(({ kind, range }) => `${kind} ${range.start.line} ${marked(files.get(uri) ?? '', range)}`),
    ['3 1 v', '2 2 v', '2 3 v'],
  );
});

test('a place that is about nothing of ours has no marks', async (t) => {
  const { client, uri, position } = await navigating(t, { 'package.json': '{ "na¦me": "lodash" }' });
  assert.deepEqual(await client.ask('textDocument/documentHighlight', uri, { position }), []);
});

function isBefore(a: { line: number; character: number }, b: { line: number; character: number }): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}
