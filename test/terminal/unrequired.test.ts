import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Files, startHiding, testHidden, testPlain } from './hidden.ts';

/* Poetry, PDM and `uv sync --frozen` install what their lockfile has, whether the manifest requires it or not. */

const run = await startHiding();

const entry = (name: string, lines = ''): string => `[[package]]\nname = "${name}"\nversion = "1.0.0"\n${lines}\n\n`;
const poetry = (entries: string, dependencies = 'fine = "1.0.0"'): Files => ({
  'pyproject.toml': `[tool.poetry.dependencies]\n${dependencies}\n`,
  'poetry.lock': `${entries}[metadata]\nlock-version = "2.1"\npython-versions = ">=3.10"\n`,
});
const project = (dependencies = '"fine==1.0.0"', more = ''): string =>
  `[project]\nname = "a"\nversion = "1"\ndependencies = [${dependencies}]\n${more}`;
const pdm = (entries: string, manifest = project()): Files => ({
  'pyproject.toml': `${manifest}\n[tool.pdm]\n`,
  'pdm.lock': `[metadata]\ngroups = ["default"]\n\n${entries}`,
});
const uv = (own: string, entries: string, manifest = project()): Files => ({
  'pyproject.toml': manifest,
  'uv.lock': `version = 1\n\n${entry('a', `source = { virtual = "." }\n${own}`)}${entries}`,
});
const requires = (...names: readonly string[]): string =>
  `dependencies = [\n${names.map((it) => `    { name = "${it}" },\n`).join('')}]`;
const member = {
  'b/pyproject.toml': '[project]\nname = "b"\nversion = "1"\ndependencies = ["outer==1.0.0"]\n',
};
const workspace = '[tool.uv.workspace]\nmembers = ["b"]\n';
const twoMembers = (more: string): Files => ({
  ...uv(requires('fine'), '', project(undefined, workspace)),
  ...member,
  'uv.lock': `version = 1\n\n[manifest]\nmembers = ["a", "b"]\n\n${entry('a', `source = { virtual = "." }\n${requires('fine')}`)}${entry('b', `source = { virtual = "b" }\n${requires('outer', ...(more ? [more] : []))}`)}${['evil', 'fine', 'outer'].map((it) => entry(it)).join('')}`,
});

testHidden(
  {
    'Poetry, one more package': poetry(entry('evil') + entry('fine')),
    'Poetry, two that require each other': poetry(
      entry('evil', '\n[package.dependencies]\nouter = "*"') +
        entry('fine') +
        entry('outer', '\n[package.dependencies]\nevil = "*"'),
    ),
    'Poetry, what a package requires nowhere': poetry(
      entry('evil') +
        entry('fine', '\n[package.dependencies]\nevil = {version = "*", markers = "python_version < \\"2\\""}'),
      'python = ">=3.10"\nfine = "1.0.0"',
    ),
    'Poetry, what an extra requires that nobody asks for': poetry(
      `${entry('evil')}${entry('fine', '\n[package.dependencies]\nevil = {version = "*", optional = true}\n\n[package.extras]\nx = ["evil"]')}`,
    ),
    'Poetry, another version beside the one that is required': poetry(
      entry('fine') + entry('fine').replace('1.0.0', '0.9.0'),
    ),
    'PDM, one more package': pdm(entry('evil') + entry('fine')),
    'uv, the project requires one more': uv(requires('fine', 'evil'), entry('evil') + entry('fine')),
    'uv, a member requires one more': twoMembers('evil'),
    'uv, a group of one more': uv(
      `${requires('fine')}\n\n[package.dev-dependencies]\ndev = [\n    { name = "evil" },\n]`,
      entry('evil') + entry('fine'),
    ),
  },
  run,
);

testPlain(
  {
    'Poetry, what a package requires': poetry(
      entry('fine', '\n[package.dependencies]\nouter = {version = "*", markers = "sys_platform == \'win32\'"}') +
        entry('outer'),
    ),
    'Poetry, what an extra of a package requires': poetry(
      `${entry('fine', '\n[package.extras]\nx = ["outer (>=1)"]')}${entry('outer')}`,
      'fine = { version = "1.0.0", extras = ["x"] }',
    ),
    'Poetry, another spelling': poetry(entry('Fine')),
    'Poetry, groups': poetry(
      entry('fine') + entry('outer'),
      'fine = "1.0.0"\n\n[tool.poetry.group.dev.dependencies]\nouter = "1.0.0"',
    ),
    'Poetry, two versions of two lines': poetry(
      entry('fine') + entry('fine').replace('1.0.0', '0.9.0'),
      'fine = [\n  { version = "1.0.0", markers = "os_name == \'nt\'" },\n  { version = "0.9.0", markers = "os_name != \'nt\'" },\n]',
    ),
    'PDM, what a package requires': pdm(
      entry('fine', 'dependencies = [\n    "outer[x]>=1; extra == \'x\'",\n]') + entry('outer'),
    ),
    'PDM, groups': pdm(
      entry('fine') + entry('outer'),
      project(undefined, '[dependency-groups]\ndev = ["outer==1.0.0"]\n'),
    ),
    'uv, extras': uv(
      `${requires('fine')}\n\n[package.optional-dependencies]\nx = [\n    { name = "outer" },\n]`,
      entry('fine') + entry('outer'),
      project(undefined, '[project.optional-dependencies]\nx = ["outer==1.0.0"]\n'),
    ),
    'uv, groups': uv(
      `${requires('fine')}\n\n[package.dev-dependencies]\ndev = [\n    { name = "outer" },\n]`,
      entry('fine') + entry('outer'),
      project(undefined, '[dependency-groups]\ndev = ["outer==1.0.0"]\n'),
    ),
    'uv, a workspace': twoMembers(''),
  },
  run,
);

test('the reason names the package', async () => {
  const { error } = await run(poetry(entry('evil') + entry('fine')));
  assert.match(error, /poetry\.lock:2.*it installs evil 1\.0\.0, which nothing requires/s);
});
