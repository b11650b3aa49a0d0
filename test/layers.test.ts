import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';

/*
 * Who may import whom. A room is a folder of server/src, or one of its two roots. This table is the architecture:
 * docs/architecture.md shows it, nothing is exempt from it, and it allows nothing that nobody does.
 */
const rooms: Readonly<Record<string, { readonly rooms: readonly string[]; readonly packages: readonly string[] }>> = {
  model: { rooms: [], packages: ['@vscode/l10n', 'packageurl-js'] },
  text: { rooms: ['model'], packages: ['jsonc-parser', 'yaml'] },
  versions: { rooms: ['model'], packages: ['@vscode/l10n', 'semver'] },
  manifests: { rooms: ['model', 'text', 'versions'], packages: ['@vscode/l10n'] },
  lockfiles: { rooms: ['model', 'text', 'versions'], packages: [] },
  registries: { rooms: ['model', 'text', 'manifests'], packages: [] },
  disk: { rooms: ['model', 'text'], packages: ['node:fs', 'node:fs/promises', 'node:path', 'node:url'] },
  net: { rooms: ['model'], packages: ['@vscode/l10n', 'undici', 'node:net', 'node:tls', 'node:zlib'] },
  cache: { rooms: ['model'], packages: ['node:sqlite', 'node:fs', 'node:path', 'node:url'] },
  insights: { rooms: ['model', 'versions', 'net', 'cache'], packages: ['@vscode/l10n'] },
  service: {
    rooms: ['model', 'versions'],
    packages: ['node:http', 'node:net', 'node:fs', 'node:path', 'node:zlib', 'node:crypto', 'node:util'],
  },
  licences: { rooms: ['model'], packages: ['spdx-expression-parse'] },
  project: { rooms: ['model', 'text', 'licences'], packages: ['@vscode/l10n'] },
  rules: { rooms: ['model', 'licences'], packages: ['@vscode/l10n'] },
  engine: {
    rooms: ['project', 'model', 'manifests', 'lockfiles', 'registries', 'versions', 'rules'],
    packages: ['@vscode/l10n', 'node:timers/promises'],
  },
  asking: {
    rooms: ['model', 'engine', 'manifests', 'versions'],
    packages: ['@vscode/l10n', 'node:crypto', 'node:fs', 'node:fs/promises', 'node:url'],
  },
  features: {
    rooms: ['asking', 'project', 'model', 'engine', 'text', 'versions', 'licences', 'rules'],
    packages: ['@vscode/l10n', 'vscode-languageserver'],
  },
  lsp: {
    rooms: ['project', 'asking', 'manifests', 'features', 'engine', 'model', 'text', 'report', 'survey'],
    packages: ['@vscode/l10n', 'vscode-languageserver', 'vscode-languageserver-textdocument', 'node:timers/promises'],
  },
  report: { rooms: ['model', 'licences'], packages: ['@vscode/l10n', 'get-east-asian-width', 'sarif', 'node:crypto'] },
  survey: {
    rooms: ['engine', 'model', 'manifests', 'text', 'report', 'disk'],
    packages: ['@vscode/l10n', 'node:path', 'node:fs', 'node:fs/promises', 'node:url', 'node:crypto', 'ignore'],
  },
  cli: {
    rooms: ['project', 'asking', 'engine', 'model', 'text', 'service', 'report', 'survey'],
    packages: ['@vscode/l10n', 'node:util', 'node:os', 'node:path', 'node:fs/promises', 'node:url', 'node:crypto'],
  },
  // The composition roots join everything.
  root: {
    rooms: [
      'project',
      'asking',
      'model',
      'registries',
      'text',
      'versions',
      'manifests',
      'lockfiles',
      'disk',
      'net',
      'cache',
      'insights',
      'service',
      'licences',
      'rules',
      'engine',
      'features',
      'lsp',
      'report',
      'survey',
      'cli',
    ],
    packages: [
      '@vscode/l10n',
      'vscode-languageserver',
      'node:path',
      'node:url',
      'node:util',
      'node:module',
      'node:fs',
      'node:process',
      'node:os',
    ],
  },
};

const root = join(import.meta.dirname, '..');
const source = join(root, 'server', 'src');

/** `import … from 'x'`, `export … from 'x'`, `import 'x'`, `import('x')`, `require('x')`. */
const imports =
  /^(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"\n]+)['"]|^import\s*['"]([^'"\n]+)['"]|\b(?:import|require)\(\s*['"]([^'"\n]+)['"]/gm;

function importsOf(path: string): string[] {
  const code = readFileSync(path, 'utf8').replace(/^\s*(?:\/\/|\*).*$/gm, '');
  return [...code.matchAll(imports)].map((it) => it[1] ?? it[2] ?? it[3] ?? '');
}

function roomOf(path: string): string {
  const parts = relative(source, path).split(sep);
  return parts.length === 1 ? 'root' : (parts[0] ?? '');
}

function packageOf(name: string): string {
  if (name.startsWith('node:')) return name;
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The rows of the code map: names, what they hold, what they may import. */
const codeMap = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8')
  .split('\n')
  .filter((it) => it.startsWith('| `'))
  .map((it) =>
    it
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .filter((it) => it.length === 3);

const files = globSync('**/*.ts', { cwd: source }).map((it) => join(source, it));

for (const file of files) {
  const room = roomOf(file);
  test(`${relative(root, file)} imports what its room may`, () => {
    const allowed = rooms[room];
    assert.ok(allowed, `${room} is a room of the table`);
    for (const name of importsOf(file)) {
      // The program tells its own version.
      if (name === '../../package.json') continue;
      if (name.startsWith('.')) {
        const target = roomOf(resolve(dirname(file), name));
        assert.ok(target === room || allowed.rooms.includes(target), `${room} must not import ${target}: ${name}`);
      } else {
        assert.ok(allowed.packages.includes(packageOf(name)), `${room} must not import ${name}`);
      }
    }
  });
}

for (const [room, { rooms: others, packages }] of Object.entries(rooms).filter(([room]) => room !== 'root')) {
  test(`${room} imports all that it may, and docs/architecture.md says what`, () => {
    const own = files.filter((it) => roomOf(it) === room);
    const found = own.flatMap((file) =>
      importsOf(file).map((name) => (name.startsWith('.') ? roomOf(resolve(dirname(file), name)) : packageOf(name))),
    );
    assert.deepEqual(
      [...others, ...packages].filter((it) => !found.includes(it)),
      [],
    );
    const row = codeMap.find(([names]) => names?.includes(`\`${room}/\``));
    assert.deepEqual(row?.at(-1)?.replace('nothing', '').split(', ').filter(Boolean).toSorted(), others.toSorted());
  });
}

test('one file alone knows packageurl-js, and undici is imported by subpath', () => {
  for (const file of files) {
    for (const name of importsOf(file)) {
      if (name === 'packageurl-js') assert.equal(relative(source, file), join('model', 'purl.ts'));
      assert.notEqual(name, 'undici', `${relative(root, file)} loads the whole of undici`);
    }
  }
});

test('only the roots read the environment', () => {
  for (const file of files.filter((it) => roomOf(it) !== 'root')) {
    assert.doesNotMatch(readFileSync(file, 'utf8'), /process\.env|Date\.now\(/, relative(root, file));
  }
});

test('the client imports the server for its types alone', () => {
  for (const path of globSync('client/src/**/*.ts', { cwd: root })) {
    const code = readFileSync(join(root, path), 'utf8');
    for (const [line] of code.matchAll(/^import .*server\/src.*$/gm)) assert.match(line, /^import type /, path);
  }
});

test('the page of the report imports the model and the report alone', () => {
  for (const file of globSync('client/report/*.ts', { cwd: root }).map((it) => join(root, it))) {
    for (const name of importsOf(file)) {
      const target = resolve(dirname(file), name);
      assert.ok(dirname(target) === dirname(file) || ['model', 'report'].includes(roomOf(target)), `${file}: ${name}`);
    }
  }
});
