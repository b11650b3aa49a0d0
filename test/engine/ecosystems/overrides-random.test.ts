import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatOf } from '../../../server/src/engine/ecosystems/manifest-formats.ts';
import { overrideIn } from '../../../server/src/engine/ecosystems/overrides.ts';
import type { FileTexts, Forced, TextEdit } from '../../../server/src/engine/model/graph/override.ts';
import { type Random, randomFrom } from '../../tools/soak/random.ts';

/*
 * Overrides written into files of every form: each text that is written can be read, has the wanted version once, and
 * keeps what was there.
 */

const ROUNDS = 300;

const npmOverrides = [
  {},
  { a: '1.0.0' },
  { qs: '6.11.0' },
  { qs: '5.0.0' },
  { qs: '>=6 <8' },
  { qs: '$qs' },
  { qs: 'file:../qs' },
  { 'qs@^6': '6.5.0' },
  { 'body>qs': '1.0.0', '**/qs': '5.0.0' },
  { body: '1.0.0' },
  { ['__proto__']: '1.0.0' },
];

function packageJson(random: Random): string {
  const pick = random.of;
  const members = {
    name: 'x',
    dependencies: pick([{}, { express: '^4' }, { qs: '^6.0.0' }]),
    ...pick([
      {},
      { overrides: pick(npmOverrides) },
      { overrides: { body: { '.': '1.0.0' }, express: { qs: '5.0.0' } } },
    ]),
    ...pick([{}, { resolutions: pick(npmOverrides) }]),
    ...pick([{}, { pnpm: {} }, { pnpm: { overrides: pick(npmOverrides) } }, { pnpm: { overrides: 5 } }]),
    ...pick([{}, { packageManager: 'pnpm@8.0.0' }, { packageManager: 'pnpm@11.0.0' }]),
  };
  return JSON.stringify(members, null, pick([0, 2, '\t']));
}

const workspaces = [
  '',
  'overrides:',
  'overrides: {}',
  'overrides: { a: 1.0.0 }',
  'overrides: { qs: 5.0.0, body>qs: 5.0.0 }',
  'overrides:\n  qs: 6.11.0',
  "overrides:\n    'qs': '5.0.0' # old\n    # and\n    \"body>qs\": 1.0.0",
  'overrides:\n  qs@^6: |\n    5.0.0',
  'overrides:\n  qs:\n    a: 1.0.0',
  'overrides: {\n  a: 1.0.0,\n}',
  'overrides: &o\n  a: 1.0.0',
  'overrides: text',
];
const endings = ['', 'catalog:\n  a: 1.0.0', '# end', 'a: |\n  text', '---\nb: 2', '...'];

function workspaceYaml({ of: pick }: Random): string {
  return `${pick(['', 'packages:\n  - "a/*"\n'])}${pick(workspaces)}\n${pick(endings)}`;
}

const projects = [
  '',
  '[project]\nname = "app"\n',
  '[project]\nreadme = """\n[tool.uv]\n[tool.pdm.resolution.overrides]\n"""\n',
];
const tables = [
  '',
  '[tool.uv]',
  '[tool.uv] # c\nmanaged = true # d',
  '[tool.uv]\noverride-dependencies = []',
  '[tool.uv]\noverride-dependencies = ["a==1",]',
  '[tool.uv]\noverride-dependencies = ["a-b>=1,<9"]',
  '[tool.uv]\noverride-dependencies = ["A.B == 6.11.0"]',
  '[tool.uv]\noverride-dependencies = ["a-b @ https://acme.example/a.whl"]',
  '[tool.uv]\noverride-dependencies = [\n  "a==1", # c\n  "b==1" # d\n]',
  '[tool.uv.sources]\na = { path = "a" }',
  '[tool]\nuv = { managed = true }',
  'tool.uv.managed = true',
  '[tool.pdm.resolution.overrides]',
  '[tool.pdm.resolution.overrides]\na = "==1.0"',
  '[tool.pdm.resolution.overrides]\na-b = ">=1,<9"',
  '[tool.pdm.resolution.overrides]\na-b = "https://acme.example/a.whl"',
  '[tool.pdm.resolution]\noverrides = { a = "1" }',
  '[tool.pdm.resolution]\noverrides.a = "1"',
];

function pyproject({ of: pick }: Random): string {
  return `${pick(projects)}${pick(tables)}\n${pick(['', '[tool.black]\nline-length = 100', '# end'])}`;
}

const properties = [
  '',
  '<PropertyGroup />',
  '<PropertyGroup>\n    <ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally>\n  </PropertyGroup>',
  '<PropertyGroup><CentralPackageTransitivePinningEnabled>false</CentralPackageTransitivePinningEnabled></PropertyGroup>',
  '<PropertyGroup><CentralPackageTransitivePinningEnabled /></PropertyGroup>',
  '<PropertyGroup Condition="x">\n    <A>1</A>\n  </PropertyGroup>',
];
const items = [
  '',
  '<ItemGroup />',
  '<ItemGroup>\n    <!-- c -->\n  </ItemGroup>',
  '<ItemGroup><PackageVersion Include="a" Version="1" /></ItemGroup>',
  '<ItemGroup>\n    <PackageVersion Include="QS" Version="6.11.0" /> <!-- c -->\n  </ItemGroup>',
  '<ItemGroup>\n    <PackageVersion Include="qs" Version="$(QsVersion)" />\n  </ItemGroup>',
];

function packagesProps({ of: pick }: Random): string {
  const parts = pick([0, 1]) ? [pick(properties), pick(items)] : [pick(items), pick(properties)];
  const between = pick(['\n  ', '']);
  return pick([`<Project>${between}${parts.join(between)}\n</Project>`, '<Project />', '<Project></Project>']);
}

const switched =
  '<Project><PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally></PropertyGroup></Project>';

/** The files of a project, by the lockfile that decides about the tool. */
const projectsOf: Readonly<Record<string, (random: Random) => Readonly<Record<string, string>>>> = {
  'package-lock.json': (random) => ({ 'package.json': packageJson(random) }),
  'yarn.lock': (random) => ({ 'package.json': packageJson(random), 'yarn.lock': random.of(['', '__metadata:\n']) }),
  'bun.lock': (random) => ({ 'package.json': packageJson(random) }),
  'pnpm-lock.yaml': (random) => ({
    'package.json': packageJson(random),
    'pnpm-workspace.yaml': workspaceYaml(random),
    'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
  }),
  'uv.lock': (random) => ({ 'pyproject.toml': pyproject(random) }),
  'pdm.lock': (random) => ({ 'pyproject.toml': pyproject(random) }),
  'packages.lock.json': (random) => ({
    'Directory.Packages.props': packagesProps(random),
    'Directory.Build.props': switched,
    'a.csproj': '<Project />',
  }),
};

for (const [lockfile, project] of Object.entries(projectsOf)) {
  test(`whatever the files of ${lockfile} are like, an override is written once and keeps the rest`, () => {
    let written = 0;
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const random = randomFrom(seed);
      const pick = random.of;
      const newline = pick(['\n', '\r\n']);
      const [before, after] = [pick(['', '\uFEFF']), pick(['', newline])];
      const texts = new Map(
        Object.entries(project(random)).map(([name, text]) => [
          name,
          `${before}${text.replaceAll('\n', newline)}${after}`,
        ]),
      );
      const forced: Forced = {
        name: lockfile === 'uv.lock' || lockfile === 'pdm.lock' ? 'a-b' : pick(['qs', '@scope/qs', '__proto__']),
        version: '6.11.0',
        wanted: pick(['6.12.0', '8.0.0-rc.1', '8.0.0']),
        others: pick([[], ['5.0.0'], ['6.1.0']]),
        requiredBy: pick([[], ['body'], ['body', '@scope/x', '__proto__']]),
      };
      const override = overrideIn(lockfile, forced, texts);
      if (!override.ok) continue;
      written++;
      const text = texts.get(override.file) ?? '';
      const result = applied(text, override.edits);
      const shown = `seed ${seed}: ${JSON.stringify({ forced, text, result }, null, 1)}`;
      const [old, read] = [text, result].map((it) => formatOf(override.file)?.parse(it));
      assert.deepEqual(read?.problems, old?.problems, shown);
      assert.ok(result.includes(forced.wanted), shown);
      if (newline === '\r\n' && text.includes(newline)) assert.doesNotMatch(result, /(?<!\r)\n/, shown);
      const kept = override.edits.reduce((all, it) => all - (it.span.end - it.span.start), text.length);
      assert.ok(kept >= text.length - 60, shown);
      assert.equal(twice(lockfile, forced, texts, override.file, result), result, shown);
    }
    assert.ok(written > ROUNDS / 4, `${written} of ${ROUNDS} were written`);
  });
}

/** The file after the same override once more, as with a lockfile that was not written since. */
function twice(lockfile: string, forced: Forced, texts: FileTexts, file: string, text: string): string {
  const again = overrideIn(lockfile, forced, new Map([...texts, [file, text]]));
  return again.ok && again.file === file ? applied(text, again.edits) : text;
}

test('no character of a name or version ends the text that it is written into', () => {
  const hostile = [
    'a"b',
    "a'b",
    'a\nb',
    'a$b',
    'a`b',
    'a\\b',
    'a b',
    'a<b',
    'a&b',
    'a]b',
    'a{b',
    'a#b',
    'a\u2028b',
    'a\0b',
    '',
  ];
  const forced: Forced = { name: 'qs', version: '6.11.0', wanted: '6.12.0', others: ['6.1.0'], requiredBy: ['body'] };
  const texts = new Map([
    ['package.json', '{}'],
    ['pyproject.toml', ''],
    ['a.csproj', '<Project></Project>'],
  ]);
  for (const lockfile of Object.keys(projectsOf)) {
    assert.ok(overrideIn(lockfile, forced, texts).ok, lockfile);
    for (const it of hostile) {
      for (const other of [{ name: it }, { version: it }, { wanted: it }, { requiredBy: [it] }]) {
        assert.ok(!overrideIn(lockfile, { ...forced, ...other }, texts).ok, `${lockfile} ${JSON.stringify(other)}`);
      }
    }
  }
});

function applied(text: string, edits: readonly TextEdit[]): string {
  const inOrder = edits.toSorted((a, b) => a.span.start - b.span.start);
  let [result, at] = ['', 0];
  for (const { span, newText } of inOrder) {
    assert.ok(span.start >= at, 'edits overlap');
    result += text.slice(at, span.start) + newText;
    at = span.end;
  }
  return result + text.slice(at);
}
