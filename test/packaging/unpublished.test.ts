import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse as parseYaml } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { withoutMissing } from '../tools/packing.ts';
import { root } from '../tools/paths.ts';

/*
 * No package registry has the program. Whoever took its name there would run code in the pipelines of our readers, so
 * nothing that people copy commands from names it to a package manager otherwise than as a file. This test and the
 * section “Install” of docs/terminal.md are what changes once it is published.
 */

/** What people read and copy from, and what package managers and hooks run. */
const read = [
  '*.md',
  'docs/**/*.{md,json}',
  '.pre-commit-hooks.yaml',
  '.github/**/*.{yml,yaml}',
  'package*.json',
  'l10n/*.json',
  'schemas/*.json',
  'client/src/**/*.ts',
  'server/src/**/*.{ts,md}',
];

/** Each with a command that it has to see. */
const ways = [
  {
    way: /\b(?:npx|bunx|pnpx|npm (?:exec|x)|(?:yarn|pnpm|bun|deno) (?:dlx|x)) /,
    seen: 'npx --yes package-insights check',
  },
  { way: /\b(?:npm|pnpm|yarn|bun) (?:i|install|add|ci|global add) /, seen: 'npm install --global package-insights' },
  { way: /additional_dependencies/, seen: "additional_dependencies: ['package-insights@0.1.0']" },
  { way: /\bnpm:(?=package-insights)/, seen: 'deno run npm:package-insights' },
  { way: /^\s*(?=")/, seen: '  "package-insights": "^0.1.0"' },
] as const;

/** The name where it is that of a package: not in a path, not an address, nor one of the program's own commands. */
const named = /(?:^|[\s'"[:=])package-insights(?:@[\w.^~-]+)?(?=["'\s\],;`]|$)/;

function installs(line: string): boolean {
  return ways.some(({ way }) => {
    const found = way.exec(line);
    if (!found) return false;
    // What follows `&&`, `;` or `|` is a command of its own.
    const [command = ''] = line.slice(found.index + found[0].length).split(/&&|;|\|/);
    const isEntry = way.source.startsWith('^');
    return isEntry ? /^"package-insights"\s*:\s*"[\^~>=\d*v]/.test(command) : named.test(command);
  });
}

test('no document, hook or text has the program installed by its name', () => {
  for (const { seen } of ways) assert.ok(installs(seen), seen);
  for (const file of ['npm install --global ./package-insights-0.1.0.tgz', 'npm pack && package-insights check'])
    assert.ok(!installs(file), file);
  const files = globSync(read, { cwd: root }).filter((it) => !it.startsWith('package-lock'));
  assert.ok(files.length > 300, `${files.length} files`);
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (installs(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  assert.deepEqual(found, []);
});

test('no text, message or package leads to a repository or a page of the program that nobody has published', () => {
  const files = globSync([...read, '.github/**/*', 'docs/**/*', 'client/report-page/*.ts'], { cwd: root });
  const texts = files.filter((it) => /\.(?:md|json|ya?ml|ts|service)$/.test(it));
  const found = texts.filter((it) => /[\w-]+\.[a-z]+\/package-insights\//.test(readFileSync(join(root, it), 'utf8')));
  assert.deepEqual(found, []);
  assert.deepEqual(
    ['repository', 'homepage', 'bugs'].filter((it) => it in manifest),
    [],
  );
});

test('a packed page has no link that leads nowhere, and keeps the others', () => {
  const page = [
    'See [cooldown](cooldown.md#own), [all files](manifests.md) and [here](#below).',
    '',
    '![Hints](pictures/hints-light.png)',
    '',
    '[A standard](https://standard.example)',
  ].join('\n');
  assert.equal(
    withoutMissing(page, (it) => it === 'cooldown.md'),
    'See [cooldown](cooldown.md#own), all files and [here](#below).\n\n[A standard](https://standard.example)',
  );
});

test('pre-commit installs the hook from its own repository, which builds the program there', () => {
  const hook = readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8');
  assert.match(hook, /^ {2}language: node$/m);
  const [, program] = /^ {2}entry: (\S+)/m.exec(hook) ?? [];
  assert.ok(Object.keys(manifest.bin).includes(program ?? ''), program);
  // What npm runs for a package from a repository; `prepack` it does not. Source: pacote, DirFetcher.
  assert.match(manifest.scripts.prepare, /esbuild\.mjs --production$/);
});

test('recipes name actions by the hash of a commit, and images by their digest, with the version', () => {
  const lines = globSync(['*.md', 'docs/**/*.{md,yaml}', 'docs/**/Containerfile', '.github/**/*.{yml,yaml}'], {
    cwd: root,
  }).flatMap((file) => readFileSync(join(root, file), 'utf8').split('\n'));
  const actions = lines.filter((it) => /^\s*(?:- )?uses:/.test(it));
  const images = lines.filter((it) => /^(?:\s*image:|FROM) (?!package-insights$)/.test(it));
  assert.ok(actions.length > 3 && images.length > 3);
  assert.deepEqual(
    [
      ...actions.filter((it) => !/uses: [\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(it)),
      ...images.filter((it) => !/:\d[\w.-]*@sha256:[\da-f]{64}$/.test(it)),
    ],
    [],
  );
});

test('a release runs commands of this repository, with no permission but those of its jobs', () => {
  const { permissions, jobs } = parseYaml(readFileSync(join(root, '.github', 'workflows', 'release.yml'), 'utf8'));
  assert.deepEqual(permissions, {});
  const steps = Object.values<{ steps: { run?: string; with?: Record<string, unknown> }[] }>(jobs).flatMap(
    (it) => it.steps,
  );
  const scripts = steps.flatMap(({ run }) => [...(run ?? '').matchAll(/npm run ([\w:-]+)/g)].map((it) => it[1] ?? ''));
  assert.ok(scripts.length > 0);
  assert.deepEqual(
    scripts.filter((it) => !Object.hasOwn(manifest.scripts, it)),
    [],
  );
  assert.ok(existsSync(join(root, '.ci', 'run')));
});
