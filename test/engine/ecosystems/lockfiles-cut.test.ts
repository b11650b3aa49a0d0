import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockfileFormats } from '../../../server/src/engine/ecosystems/lockfile-formats.ts';
import { problemsInLockfile } from '../../../server/src/engine/ecosystems/shared/lockfile.ts';

/* Lockfiles as their tools write them, whole and cut off after any line: what is left says so where an entry is missing. */

const crates = ['a', 'b', 'evil'];
const whole: Readonly<Record<string, string>> = {
  'Cargo.lock': `# made by cargo\nversion = 4\n\n${crates
    .map(
      (name, at) =>
        `[[package]]\nname = "${name}"\nversion = "1.0.0"\nsource = "registry+https://registry.example"\nchecksum = "00"\n${at === 0 ? 'dependencies = [\n "b",\n "evil",\n]\n' : ''}`,
    )
    .join('\n')}`,
  'uv.lock': `version = 1\n\n${crates
    .map(
      (name, at) =>
        `[[package]]\nname = "${name}"\nversion = "1.0.0"\nsource = { registry = "https://registry.example/simple" }\n${at === 0 ? 'dependencies = [\n    { name = "b" },\n    { name = "evil" },\n]\n' : ''}sdist = { url = "https://registry.example/${name}-1.0.0.tar.gz", hash = "sha256:00" }\n`,
    )
    .join('\n')}`,
  'poetry.lock': `# made by Poetry\n\n${crates
    .map(
      (name) =>
        `[[package]]\nname = "${name}"\nversion = "1.0.0"\noptional = false\nfiles = [\n    {file = "${name}-1.0.0-py3-none-any.whl"},\n]\n`,
    )
    .join('\n')}\n[metadata]\nlock-version = "2.1"\ncontent-hash = "00"\n`,
  'pnpm-lock.yaml': `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      a:\n        specifier: ^1.0.0\n        version: 1.0.0\n\npackages:\n\n${crates
    .map((name) => `  ${name}@1.0.0:\n    resolution: {integrity: sha512-00}\n`)
    .join('\n')}\nsnapshots:\n\n${crates
    .map(
      (name, at) => `  ${name}@1.0.0${at === 0 ? ':\n    dependencies:\n      b: 1.0.0\n      evil: 1.0.0' : ': {}'}\n`,
    )
    .join('\n')}`,
  'yarn.lock': `# yarn lockfile v1\n\n\n${crates
    .map(
      (name, at) =>
        `${name}@^1.0.0:\n  version "1.0.0"\n  resolved "https://registry.example/${name}.tgz#00"\n  integrity sha512-00\n${at === 0 ? '  dependencies:\n    b "^1.0.0"\n    evil "^1.0.0"\n' : ''}`,
    )
    .join('\n')}`,
};

function gaps(id: string, text: string): number {
  const format = lockfileFormats.find((it) => it.id === id);
  assert.ok(format);
  return problemsInLockfile(format.parse(text), text, id).length;
}

for (const [id, text] of Object.entries(whole)) {
  test(`${id}: whole, and without one of its packages`, () => {
    assert.equal(gaps(id, text), 0);
    assert.equal(gaps(id, text.replaceAll('\n', '\r\n')), 0, 'with CRLF');
    const lines = text.split('\n');
    const last = lines.findIndex(
      (it) =>
        it.includes(id === 'pnpm-lock.yaml' ? '  evil@1.0.0: {}' : 'evil') &&
        !it.startsWith(' "') &&
        !it.startsWith('    '),
    );
    // Before that nothing says that there is more.
    const first = lines.findIndex(
      (it) => /^(?: "b",| {4}\{ name = "b"| {2}b@| {4}b )/.test(it) || (id === 'poetry.lock' && it.startsWith('[[')),
    );
    for (let at = first + 1; at <= last; at++)
      assert.equal(gaps(id, `${lines.slice(0, at).join('\n')}\n`), 1, `after line ${at}: ${lines[at - 1]}`);
  });
}

test('a value that ends in the middle', () => {
  for (const id of ['Cargo.lock', 'uv.lock', 'poetry.lock', 'yarn.lock'])
    assert.equal(gaps(id, (whole[id] ?? '').replace(/\s*$/, '\nchecksum = "ab')), 1, id);
});

const later = `__metadata:\n  version: 8\n\n"a@npm:^1.0.0":\n  version: 1.0.0\n  resolution: "a@npm:1.0.0"\n  dependencies:\n    evil: "npm:^1.0.0"\n  languageName: node\n  linkType: hard\n\n"evil@npm:^1.0.0, evil@npm:>=1.0.0":\n  version: 1.0.0\n  resolution: "evil@npm:1.0.0"\n  languageName: node\n  linkType: hard\n`;

test('a lockfile of the later versions of yarn', () => {
  assert.equal(gaps('yarn.lock', later), 0);
  for (const end of ['"evil@npm', '  resolution: "evil', '  dependencies:', '  linkType: hard\n\n"'])
    assert.equal(gaps('yarn.lock', later.slice(0, later.indexOf(end))), 1, end);
});

test('an entry of megabytes is read', () => {
  assert.equal(gaps('yarn.lock', later + '  x: y\n'.repeat(4_000_000)), 0);
});

const locked = (packages: object): string => JSON.stringify({ lockfileVersion: 3, packages }, undefined, 2);
const a = { version: '1.0.0', dependencies: { evil: '^1.0.0' }, peerDependencies: { other: '*' } };

test('a lockfile of npm', () => {
  const root = { dependencies: { a: '^1.0.0' }, devDependencies: { b: '^1.0.0' }, optionalDependencies: { c: '1' } };
  const all = { '': root, 'node_modules/a': a, 'node_modules/b': {}, 'node_modules/a/node_modules/evil': {} };
  for (const id of ['package-lock.json', 'npm-shrinkwrap.json']) {
    assert.equal(gaps(id, locked(all)), 0);
    for (const key of Object.keys(all).slice(1)) {
      const { [key as keyof typeof all]: _, ...rest } = all;
      assert.equal(gaps(id, locked(rest)), 1, `${id} without ${key}`);
    }
  }
});

test('a lockfile of Gradle', () => {
  const text =
    '# made by Gradle\ncom.example:a:1.0.0=runtimeClasspath\ncom.example:evil:1.0.0=runtimeClasspath\nempty=\n';
  for (const id of ['gradle.lockfile', 'buildscript-gradle.lockfile']) {
    assert.equal(gaps(id, text), 0);
    assert.equal(gaps(id, text.replaceAll('\n', '\r\n')), 0, 'with CRLF');
    for (const end of ['com.example:evil', 'empty=']) assert.equal(gaps(id, text.slice(0, text.indexOf(end))), 1, end);
  }
});

const layouts: Readonly<Record<string, string>> = {
  'one line': 'package = [{ name = "evil", version = "1.0.0" }]\n',
  'blanks in brackets': '[[ package ]]\nname = "evil"\nversion = "1.0.0"\n',
  'a quoted header': '[["package"]]\nname = "evil"\nversion = "1.0.0"\n',
  'indented keys': '[[package]]\n  name = "evil"\n  version = "1.0.0"\n',
  'quoted keys': '[[package]]\n"name" = "evil"\n"version" = "1.0.0"\n',
  'an indented header': '[[package]]\nname = "a"\nversion = "1.0.0"\n  [[package]]\nname = "evil"\nversion = "1.0.0"\n',
  escapes: '[[package]]\nname = "ev\\u0069l"\nversion = "1.0.0"\n',
  'a text over lines': '[[package]]\nname = """evil"""\nversion = "1.0.0"\n',
};

for (const id of ['Cargo.lock', 'uv.lock', 'poetry.lock', 'pdm.lock']) {
  for (const [title, text] of Object.entries(layouts)) {
    test(`${id} in another layout of TOML is a gap: ${title}`, () => {
      assert.equal(gaps(id, `${text}${id === 'poetry.lock' ? '[metadata]\n' : ''}`), 1);
    });
  }
}

test('the lockfiles of the sample are whole', () => {
  const sample = join(import.meta.dirname, '..', '..', 'sample');
  for (const [id, path] of [
    ['Cargo.lock', 'rust'],
    ['uv.lock', 'python'],
    ['poetry.lock', 'python'],
    ['pdm.lock', 'python'],
    ['yarn.lock', 'npm'],
    ['pnpm-lock.yaml', 'npm'],
    ['package-lock.json', 'npm'],
    ['package-lock.json', '../..'],
    ['gradle.lockfile', 'gradle'],
  ] as const) {
    let text: string;
    try {
      text = readFileSync(join(sample, path, id), 'utf8');
    } catch {
      continue;
    }
    assert.equal(gaps(id, text), 0, id);
  }
});
