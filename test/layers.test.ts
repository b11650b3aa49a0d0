import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';

/*
 * The walls: who may import whom of the folders of server/src. The rooms inside follow below. What the commands of a wall
 * share is in terminal/; bin/ joins all of them.
 */
const walls: Readonly<Record<string, readonly string[]>> = {
  engine: [],
  platform: ['engine'],
  terminal: ['engine'],
  editor: ['engine'],
  connected: ['engine', 'terminal', 'editor'],
  service: ['engine', 'terminal'],
  'stand-ins': ['engine', 'service'],
  fleet: ['engine', 'terminal'],
};

/*
 * Who may import whom. A room is a folder of server/src, in engine/ and connected/ a folder of theirs, each ecosystem is a
 * room of its own, and `bin` is the entry points. This table is the architecture: docs/architecture.md shows it, nothing is exempt from it, and it allows nothing
 * that no file uses.
 */
const rooms: Readonly<Record<string, { readonly rooms: readonly string[]; readonly packages: readonly string[] }>> = {
  'engine/base': { rooms: [], packages: ['@vscode/l10n'] },
  'engine/model': { rooms: ['engine/base'], packages: ['@vscode/l10n', 'packageurl-js'] },
  'engine/formats': { rooms: ['engine/base', 'engine/model'], packages: ['jsonc-parser', 'yaml'] },
  'engine/ecosystems/shared': {
    rooms: ['engine/base', 'engine/model', 'engine/formats'],
    packages: ['@vscode/l10n', 'semver'],
  },
  'engine/ecosystems/cargo': {
    rooms: ['engine/base', 'engine/model', 'engine/formats', 'engine/ecosystems/shared'],
    packages: ['@vscode/l10n', 'semver'],
  },
  'engine/ecosystems/go': {
    rooms: ['engine/model', 'engine/formats', 'engine/ecosystems/shared'],
    packages: ['@vscode/l10n'],
  },
  'engine/ecosystems/gradle': {
    rooms: ['engine/base', 'engine/model', 'engine/formats', 'engine/ecosystems/shared'],
    packages: ['@vscode/l10n'],
  },
  'engine/ecosystems/maven': {
    rooms: ['engine/base', 'engine/model', 'engine/formats', 'engine/ecosystems/shared'],
    packages: ['@vscode/l10n'],
  },
  'engine/ecosystems/npm': {
    rooms: ['engine/base', 'engine/model', 'engine/formats', 'engine/ecosystems/shared'],
    packages: ['@vscode/l10n', 'semver'],
  },
  'engine/ecosystems/nuget': {
    rooms: ['engine/base', 'engine/model', 'engine/formats', 'engine/ecosystems/shared'],
    packages: ['@vscode/l10n'],
  },
  'engine/ecosystems/python': {
    rooms: ['engine/base', 'engine/model', 'engine/formats', 'engine/ecosystems/shared'],
    packages: ['@vscode/l10n'],
  },
  'engine/ecosystems/sbom': {
    rooms: ['engine/model', 'engine/formats', 'engine/ecosystems/shared'],
    packages: ['@vscode/l10n'],
  },
  'engine/ecosystems': {
    rooms: [
      'engine/base',
      'engine/model',
      'engine/formats',
      'engine/ecosystems/shared',
      'engine/ecosystems/cargo',
      'engine/ecosystems/go',
      'engine/ecosystems/gradle',
      'engine/ecosystems/maven',
      'engine/ecosystems/npm',
      'engine/ecosystems/nuget',
      'engine/ecosystems/python',
      'engine/ecosystems/sbom',
    ],
    packages: ['@vscode/l10n'],
  },
  'engine/policy': {
    rooms: ['engine/base', 'engine/model', 'engine/formats'],
    packages: ['@vscode/l10n', 'spdx-expression-parse'],
  },
  'connected/api': { rooms: ['engine/base', 'engine/model'], packages: ['@vscode/l10n'] },
  'engine/git': {
    rooms: [],
    packages: ['ignore', 'node:child_process', 'node:fs', 'node:fs/promises', 'node:path', 'node:url', 'node:zlib'],
  },
  'engine/http': {
    rooms: ['engine/base', 'engine/model'],
    packages: ['@vscode/l10n', 'node:dns', 'node:net', 'node:tls', 'node:zlib', 'undici'],
  },
  'connected/link-safety': {
    rooms: ['engine/base', 'engine/model', 'engine/storage', 'engine/links'],
    packages: ['@vscode/l10n', 'node:crypto', 'node:sqlite'],
  },
  'connected/connections': {
    rooms: ['engine/model', 'connected/api', 'engine/http', 'connected/model'],
    packages: ['@vscode/l10n', 'node:crypto'],
  },
  'connected/code-host': { rooms: ['engine/base', 'engine/model', 'engine/facts'], packages: ['@vscode/l10n'] },
  'connected/scheduling': {
    rooms: [
      'engine/base',
      'engine/model',
      'engine/ecosystems',
      'connected/api',
      'engine/git',
      'engine/storage',
      'connected/model',
      'engine/analysis',
    ],
    packages: ['@vscode/l10n', 'node:crypto', 'node:http', 'node:path', 'node:sqlite', 'node:url'],
  },
  'connected/audit': {
    rooms: ['engine/base', 'engine/model', 'connected/api', 'connected/model'],
    packages: ['@vscode/l10n'],
  },
  'connected/deployments': {
    rooms: ['engine/base', 'engine/model', 'engine/formats', 'connected/api', 'connected/model', 'engine/facts'],
    packages: ['@vscode/l10n'],
  },
  'connected/requests': {
    rooms: ['engine/base', 'engine/model', 'engine/formats', 'connected/api', 'connected/model'],
    packages: ['@vscode/l10n', 'jsonc-parser'],
  },
  'engine/storage': {
    rooms: ['engine/model'],
    packages: ['node:fs', 'node:path', 'node:sqlite', 'node:timers/promises', 'node:url', 'pg'],
  },
  'connected/ledger': {
    rooms: ['engine/base', 'engine/model', 'engine/storage'],
    packages: ['@bufbuild/protobuf', 'node:sqlite'],
  },
  'connected/model': { rooms: ['engine/model'], packages: [] },
  'connected/terminal': {
    rooms: [
      'engine/base',
      'engine/model',
      'connected/api',
      'connected/scheduling',
      'connected/ledger',
      'connected/model',
      'engine/analysis',
      'engine/report',
      'terminal',
    ],
    packages: ['@vscode/l10n', 'node:fs/promises', 'node:path', 'node:url'],
  },
  'connected/editor': {
    rooms: [
      'engine/base',
      'engine/model',
      'engine/formats',
      'connected/scheduling',
      'connected/model',
      'engine/analysis',
      'engine/report',
      'editor',
    ],
    packages: ['@vscode/l10n', 'vscode-languageserver', 'vscode-languageserver-textdocument'],
  },
  'engine/registries': {
    rooms: [
      'engine/base',
      'engine/model',
      'engine/formats',
      'engine/ecosystems/shared',
      'engine/ecosystems/go',
      'engine/ecosystems/maven',
      'engine/ecosystems/nuget',
      'engine/ecosystems/python',
      'engine/ecosystems',
      'engine/policy',
      'engine/http',
      'engine/facts',
    ],
    packages: ['@vscode/l10n', 'node:zlib'],
  },
  'engine/facts': {
    rooms: ['engine/base', 'engine/model', 'engine/ecosystems', 'engine/http', 'engine/storage'],
    packages: ['@vscode/l10n', 'node:sqlite'],
  },
  'engine/analysis': {
    rooms: [
      'engine/base',
      'engine/model',
      'engine/ecosystems/shared',
      'engine/ecosystems/cargo',
      'engine/ecosystems/gradle',
      'engine/ecosystems/maven',
      'engine/ecosystems/nuget',
      'engine/ecosystems/python',
      'engine/ecosystems',
      'engine/policy',
    ],
    packages: ['@vscode/l10n'],
  },
  'engine/lookup': {
    rooms: [
      'engine/base',
      'engine/model',
      'engine/ecosystems/maven',
      'engine/ecosystems/npm',
      'engine/ecosystems',
      'engine/analysis',
    ],
    packages: ['@noble/hashes', '@vscode/l10n', 'node:crypto', 'node:fs', 'node:fs/promises', 'node:url'],
  },
  'engine/report': {
    rooms: [
      'engine/base',
      'engine/model',
      'engine/formats',
      'engine/ecosystems',
      'engine/policy',
      'engine/git',
      'engine/analysis',
    ],
    packages: [
      '@noble/hashes',
      '@vscode/l10n',
      'get-east-asian-width',
      'node:crypto',
      'node:fs/promises',
      'node:os',
      'node:path',
      'node:url',
      'sarif',
    ],
  },
  fleet: {
    rooms: [
      'engine/base',
      'engine/model',
      'engine/formats',
      'engine/ecosystems',
      'engine/git',
      'engine/storage',
      'engine/analysis',
      'engine/report',
      'terminal',
    ],
    packages: [
      '@vscode/l10n',
      'bullmq',
      'hyparquet-writer',
      'ioredis',
      'node:child_process',
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:os',
      'node:path',
      'node:stream',
      'node:timers/promises',
      'node:util',
      'node:zlib',
      'tar',
      'yauzl',
    ],
  },
  'engine/settings': { rooms: ['engine/base', 'engine/model'], packages: ['@vscode/l10n'] },
  'engine/links': { rooms: [], packages: ['node:crypto', 'node:url'] },
  editor: {
    rooms: [
      'engine/base',
      'engine/model',
      'engine/formats',
      'engine/ecosystems/shared',
      'engine/ecosystems',
      'engine/policy',
      'engine/analysis',
      'engine/lookup',
      'engine/report',
      'engine/settings',
    ],
    packages: ['@vscode/l10n', 'vscode-languageserver', 'vscode-languageserver-textdocument'],
  },
  terminal: {
    rooms: [
      'engine/base',
      'engine/model',
      'engine/formats',
      'engine/policy',
      'engine/analysis',
      'engine/lookup',
      'engine/report',
    ],
    packages: ['@vscode/l10n', 'node:crypto', 'node:fs/promises', 'node:path', 'node:url', 'node:util'],
  },
  platform: {
    rooms: [
      'engine/base',
      'engine/model',
      'engine/formats',
      'engine/ecosystems/shared',
      'engine/ecosystems/maven',
      'engine/ecosystems',
      'engine/git',
      'engine/facts',
    ],
    packages: [
      '@vscode/l10n',
      'node:child_process',
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:os',
      'node:path',
      'node:readline',
      'node:stream',
      'node:stream/consumers',
      'node:timers/promises',
      'node:url',
      'node:v8',
      'node:vm',
      'node:worker_threads',
      'node:zlib',
    ],
  },
  service: {
    rooms: [
      'engine/base',
      'engine/model',
      'engine/ecosystems',
      'engine/http',
      'engine/storage',
      'engine/registries',
      'engine/facts',
      'engine/report',
      'terminal',
    ],
    packages: [
      '@vscode/l10n',
      'ae-cvss-calculator',
      'ioredis',
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:http',
      'node:https',
      'node:net',
      'node:os',
      'node:path',
      'node:stream/consumers',
      'node:timers/promises',
      'node:util',
      'node:zlib',
      'prom-client',
      'yauzl',
    ],
  },
  'stand-ins': {
    rooms: ['engine/base', 'engine/model', 'engine/storage', 'engine/links', 'service'],
    packages: [
      'ajv',
      'chrono-node',
      'node:crypto',
      'node:http',
      'node:https',
      'node:net',
      'node:sqlite',
      'rrule-temporal',
      'temporal-polyfill',
      'yaml',
    ],
  },
  bin: {
    rooms: [
      'engine/base',
      'engine/model',
      'engine/ecosystems/shared',
      'engine/ecosystems',
      'engine/http',
      'connected/link-safety',
      'connected/connections',
      'connected/code-host',
      'connected/scheduling',
      'connected/audit',
      'connected/deployments',
      'connected/requests',
      'engine/storage',
      'connected/ledger',
      'connected/model',
      'connected/terminal',
      'connected/editor',
      'engine/registries',
      'engine/facts',
      'engine/lookup',
      'engine/report',
      'fleet',
      'engine/settings',
      'editor',
      'terminal',
      'platform',
      'service',
      'stand-ins',
    ],
    packages: [
      '@napi-rs/keyring',
      '@vscode/l10n',
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:module',
      'node:net',
      'node:path',
      'node:stream',
      'node:stream/consumers',
      'node:util',
      'node:v8',
      'node:worker_threads',
      'vscode-languageserver',
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
  const folders = relative(source, path).split(sep).slice(0, -1);
  const depth = folders[1] === 'ecosystems' ? 3 : folders[0] === 'engine' || folders[0] === 'connected' ? 2 : 1;
  return folders.slice(0, depth).join('/');
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
      if (name.endsWith('/package.json')) continue;
      if (name.startsWith('.')) {
        const target = roomOf(resolve(dirname(file), name));
        assert.ok(target === room || allowed.rooms.includes(target), `${room} must not import ${target}: ${name}`);
      } else {
        assert.ok(allowed.packages.includes(packageOf(name)), `${room} must not import ${name}`);
      }
    }
  });
}

for (const [room, { rooms: others, packages }] of Object.entries(rooms).filter(([room]) => room !== 'bin')) {
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

test('walls import each other as they may, and no two each other', () => {
  for (const [room, { rooms: others }] of Object.entries(rooms)) {
    const wallOf = (name: string): string => name.split('/')[0] ?? '';
    const own = wallOf(room);
    if (own === 'bin') continue;
    const foreign = others.map(wallOf).filter((it) => it !== own && !walls[own]?.includes(it));
    assert.deepEqual(foreign, [], room);
  }
});

test('no two rooms import each other, and no ecosystem another', () => {
  for (const [room, { rooms: others }] of Object.entries(rooms)) {
    assert.deepEqual(
      others.filter((it) => rooms[it]?.rooms.includes(room)),
      [],
      room,
    );
    if (!room.startsWith('engine/ecosystems/')) continue;
    assert.deepEqual(
      others.filter((it) => it.startsWith('engine/ecosystems/') && it !== 'engine/ecosystems/shared'),
      [],
      room,
    );
  }
});

/** The stages within a room: each may import the ones after it. */
const stages = [
  ['engine/facts/store', 'engine/facts/service', 'engine/facts/cache'],
  [
    'engine/analysis',
    'engine/analysis/evaluate',
    'engine/analysis/rules',
    'engine/analysis/load',
    'engine/analysis/link',
    'engine/analysis/members',
    'engine/analysis/privacy',
  ],
  ['engine/report/formats', 'engine/report/build', 'engine/report/scan'],
];

test('the stages of a room import each other one way', () => {
  for (const order of stages) {
    const stageOf = (path: string): number => order.indexOf(relative(source, dirname(path)).split(sep).join('/'));
    for (const file of files.filter((it) => stageOf(it) >= 0)) {
      for (const name of importsOf(file).filter((it) => it.startsWith('.'))) {
        const target = stageOf(resolve(dirname(file), name));
        assert.ok(target < 0 || target >= stageOf(file), `${relative(root, file)} must not import ${name}`);
      }
    }
  }
});

/** Files that still import each other in circles, below one folder. The list may only become shorter. */
const circles = {
  folder: 'engine/ecosystems/gradle',
  files: [
    'aliases.ts',
    'arguments.ts',
    'collections.ts',
    'definitions.ts',
    'dependencies.ts',
    'flow/branches.ts',
    'flow/cases.ts',
    'flow/loops.ts',
    'flow/order.ts',
    'script.ts',
    'value-functions.ts',
    'values.ts',
  ],
};

test('no files import each other in a circle, not even for their types', () => {
  const left = new Map(
    files.map((file) => {
      const targets = importsOf(file).filter((it) => it.startsWith('.'));
      return [file, targets.map((it) => resolve(dirname(file), it))] as const;
    }),
  );
  // What imports nothing that is left, or is imported by nothing that is left, is in no circle.
  for (let before = Number.NaN; before !== left.size; ) {
    before = left.size;
    const imported = new Set([...left.values()].flat());
    for (const [file, targets] of left)
      if (!imported.has(file) || !targets.some((it) => left.has(it))) left.delete(file);
  }
  assert.deepEqual(
    [...left.keys()].map((it) => relative(source, it)).toSorted(),
    circles.files.map((it) => join(circles.folder, it)),
  );
});

test('no folder of the sources holds more files than a reader takes in', () => {
  const counts = new Map<string, number>();
  for (const path of ['client/**/*.ts', 'server/**/*.ts'].flatMap((it) => globSync(it, { cwd: root }))) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  assert.deepEqual(
    [...counts].filter(([, count]) => count > 25),
    [],
  );
});

test('one file alone knows packageurl-js, and undici is imported by subpath', () => {
  for (const file of files) {
    for (const name of importsOf(file)) {
      if (name === 'packageurl-js') assert.equal(relative(source, file), join('engine', 'model', 'purl.ts'));
      assert.notEqual(name, 'undici', `${relative(root, file)} loads the whole of undici`);
    }
  }
});

/** The files that the language server in a browser consists of. */
function filesFrom(entry: string): ReadonlySet<string> {
  const reached = new Set([entry]);
  for (const file of reached) {
    for (const name of importsOf(file).filter((it) => it.startsWith('.') && it.endsWith('.ts')))
      if (!isTypeImport(file, name)) reached.add(resolve(dirname(file), name));
  }
  return reached;
}

function isTypeImport(file: string, name: string): boolean {
  const lines = readFileSync(file, 'utf8').match(new RegExp(`^(?:import|export) [^;]*?'${name}';`, 'gms')) ?? [];
  return lines.length > 0 && lines.every((it) => it.startsWith('import type '));
}

test('what the language server of a browser consists of imports nothing of Node, and uses no global of it', () => {
  const reached = filesFrom(join(source, 'bin', 'browser.ts'));
  assert.ok(reached.size > 300, `${reached.size} files`);
  for (const file of reached) {
    const code = readFileSync(file, 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    const ofNode = importsOf(file).filter((it) => it.startsWith('node:') && !isTypeImport(file, it));
    assert.deepEqual(ofNode, [], relative(root, file));
    assert.doesNotMatch(code, /\bBuffer\.|\bprocess\.|import\.meta\b|\brequire\(/, relative(root, file));
  }
});

test('only the entry points and platform/ read the environment', () => {
  for (const file of files.filter((it) => !['bin', 'platform'].includes(roomOf(it)))) {
    assert.doesNotMatch(readFileSync(file, 'utf8'), /process\.env|Date\.now\(/, relative(root, file));
  }
});

test('the client imports the server for its types alone', () => {
  for (const path of globSync('client/src/**/*.ts', { cwd: root })) {
    const code = readFileSync(join(root, path), 'utf8');
    for (const [line] of code.matchAll(/^import .*server\/src.*$/gm)) assert.match(line, /^import type /, path);
  }
});

test('the page of the report imports base, the model and the report alone', () => {
  for (const file of globSync('client/report-page/*.ts', { cwd: root }).map((it) => join(root, it))) {
    for (const name of importsOf(file)) {
      const target = resolve(dirname(file), name);
      assert.ok(
        dirname(target) === dirname(file) || ['engine/base', 'engine/model', 'engine/report'].includes(roomOf(target)),
        `${file}: ${name}`,
      );
    }
  }
});
