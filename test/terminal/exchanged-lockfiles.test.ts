import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Files, startHiding, testHidden, testPlain } from './hidden.ts';

/* A lockfile may have another package, a repository, an address or a folder in the place of the version that a manifest requires. */

const run = await startHiding();

const manifest = (version = '1.0.0') => ({
  'package.json': JSON.stringify({ name: 'a', dependencies: { fine: version } }),
});
const npm = (entry: object, version?: string): Files => ({
  ...manifest(version),
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { fine: version ?? '1.0.0' } },
      'node_modules/fine': { version: '1.0.0', ...entry },
    },
  }),
});
const bun = (entry: readonly unknown[], version?: string): Files => ({
  ...manifest(version),
  'bun.lock': JSON.stringify({
    lockfileVersion: 1,
    workspaces: { '': { dependencies: { fine: version ?? '1.0.0' } } },
    packages: { fine: entry },
  }),
});
const pnpm = (version: string, resolution = '{integrity: sha512-a}', specifier = '1.0.0'): Files => {
  const key = version.includes('@') ? version : `fine@${version}`;
  return {
    ...manifest(specifier),
    'pnpm-lock.yaml': `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      fine:\n        specifier: ${specifier}\n        version: ${version}\n\npackages:\n\n  ${key}:\n    resolution: ${resolution}\n    version: 1.0.0\n\nsnapshots:\n\n  ${key}: {}\n`,
  };
};
const yarn = (resolution: string, key = 'fine@npm:1.0.0'): Files => ({
  ...manifest(key.slice('fine@'.length).replace(/^npm:(?=\d)/, '')),
  'yarn.lock': `__metadata:\n  version: 8\n\n"a@workspace:.":\n  version: 0.0.0-use.local\n  resolution: "a@workspace:."\n  dependencies:\n    fine: "${key.slice('fine@'.length)}"\n  languageName: unknown\n  linkType: soft\n\n"${key}":\n  version: 1.0.0\n  resolution: "${resolution}"\n  languageName: node\n  linkType: hard\n`,
});
const entry = '[[package]]\nname = "fine"\nversion = "1.0.0"\n';
const poetry = (type: string, url: string): Files => ({
  'pyproject.toml': '[tool.poetry.dependencies]\nfine = "1.0.0"\n',
  'poetry.lock': `${entry}\n[package.source]\ntype = "${type}"\nurl = "${url}"\n\n[metadata]\nlock-version = "2.1"\n`,
});
const project = '[project]\nname = "a"\nversion = "1"\ndependencies = ["fine==1.0.0"]\n';
const pdm = (source: string, more = ''): Files => ({
  'pyproject.toml': `${project}[tool.pdm]\n${more}`,
  'pdm.lock': `[metadata]\ngroups = ["default"]\n\n${entry}${source}\n`,
});
const uv = (source: string, more = ''): Files => ({
  'pyproject.toml': project + more,
  'uv.lock': `version = 1\n\n[[package]]\nname = "a"\nversion = "1"\nsource = { virtual = "." }\ndependencies = [\n    { name = "fine" },\n]\n\n${entry}source = ${source}\n`,
});

/** A folder, and what stands before and behind it. */
const poetryTwice = (before: string, behind = ''): Files => ({
  'pyproject.toml': '[tool.poetry.dependencies]\nfine = "1.0.0"\n',
  'poetry.lock': `${before}${entry}\n[package.source]\ntype = "directory"\nurl = "x"\n${behind}\n[metadata]\nlock-version = "2.1"\n`,
});
/** @param named what the project says of the entry that it takes */
const uvTwice = (named: string, more = ''): Files => ({
  'pyproject.toml': project + more,
  'uv.lock': `version = 1\n\n[[package]]\nname = "a"\nversion = "1"\nsource = { virtual = "." }\ndependencies = [\n    { name = "fine"${named} },\n]\n\n${entry}\n${entry}source = { git = "${git}#00" }\n`,
});

const git = 'https://host.example/x.git';
const wheel = 'https://host.example/evil-1.0.0-py3-none-any.whl';

testHidden(
  {
    'npm, another package': npm({ name: 'evil' }),
    'npm, another package beside an address': npm({
      name: 'evil',
      resolved: 'https://registry.example/fine/-/fine-1.0.0.tgz',
    }),
    'npm, a repository': npm({ resolved: 'git+ssh://git@host.example/x.git#00' }),
    'npm, a file': npm({ resolved: 'file:x.tgz' }),
    'bun, another package': bun(['evil@1.0.0', '', {}, 'sha512-a']),
    'bun, a repository': bun(['fine@github:x/evil#00', {}, 'x-evil-00']),
    'bun, an address': bun(['fine@https://host.example/x.tgz', {}, 'sha512-a']),
    'pnpm, another package': pnpm('evil@1.0.0'),
    'pnpm, an address': pnpm('https://host.example/x.tgz', '{tarball: https://host.example/x.tgz}'),
    'pnpm, a repository under a version': pnpm('1.0.0', `{commit: '00', repo: ${git}, type: git}`),
    'pnpm, a folder under a version': pnpm('1.0.0', '{directory: x, type: directory}'),
    'pnpm, a file under a version': pnpm('1.0.0', '{integrity: sha512-a, tarball: file:x.tgz}'),
    'pnpm, an address on a line of its own': pnpm(
      '1.0.0',
      '\n      tarball: https://registry.example/evil/-/evil-1.0.0.tgz',
    ),
    'yarn, another package': yarn('evil@npm:1.0.0'),
    'yarn, another version': yarn('fine@npm:0.9.0'),
    'yarn, an address': yarn('fine@https://host.example/x.tgz'),
    'yarn, a repository': yarn(`fine@${git}#commit=00`),
    'Poetry, an address': poetry('url', wheel),
    'Poetry, a repository': poetry('git', git),
    'Poetry, a folder': poetry('directory', 'x'),
    'Poetry, two entries, one of a folder': poetryTwice(`${entry}\n`),
    'Poetry, two entries, the other way round': poetryTwice('', `\n${entry}`),
    'uv, two entries of which the project takes the repository': uvTwice(
      `, version = "1.0.0", source = { git = "${git}#00" }`,
    ),
    'uv, a source that holds nowhere': uv(
      '{ git = "https://host.example/x.git#00" }',
      `[tool.uv.sources]\nfine = { git = "${git}", marker = "python_version < '2'" }\n`,
    ),
    'uv, sources of which each may not hold': uv(
      '{ git = "https://host.example/x.git#00" }',
      `[tool.uv.sources]\nfine = [{ git = "${git}", marker = "python_version < '2'" }]\n`,
    ),
    'PDM, two entries': pdm(`\n${entry}git = "${git}"\nrevision = "00"`),
    'PDM, an address': pdm(`url = "${wheel}"`),
    'PDM, a repository': pdm(`git = "${git}"\nrevision = "00"`),
    'uv, an address': uv(`{ url = "${wheel}" }`),
    'uv, a repository': uv(`{ git = "${git}#00" }`),
    'uv, a folder': uv('{ directory = "x" }'),
    'uv, an editable folder': uv('{ editable = "x" }'),
    'uv, a folder without a build': uv('{ virtual = "x" }'),
  },
  run,
);

test('the reason names the dependency, the lockfile and the manifest', async () => {
  const { error } = await run(npm({ name: 'evil' }));
  assert.match(error, /package-lock\.json.*it takes fine from elsewhere than package\.json says/s);
});

test('a name of several lines stays in its line', async () => {
  const name = 'a\n::error::b\u202e';
  const { error } = await run({
    'package.json': JSON.stringify({ dependencies: { [name]: '1.0.0' } }),
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { [name]: '1.0.0' } },
        [`node_modules/${name}`]: { name: 'evil', version: '1.0.0' },
      },
    }),
  });
  assert.match(error, /it takes a[^\n\u202e]*error[^\n\u202e]*from elsewhere/);
});

testPlain(
  {
    'npm, the package': npm({}),
    'npm, an alias': npm({ name: 'fine' }, 'npm:fine@1.0.0'),
    'npm, a repository of the manifest': npm(
      { resolved: 'git+ssh://git@host.example/x.git#00' },
      'git+ssh://git@host.example/x.git',
    ),
    'bun, the package': bun(['fine@1.0.0', '', {}, 'sha512-a']),
    'bun, a repository of the manifest': bun(['fine@github:x/fine#00', {}, 'x-fine-00'], 'github:x/fine'),
    'pnpm, the package': pnpm('1.0.0'),
    'pnpm, an override': {
      ...pnpm('link:../x', undefined, 'link:../x'),
      ...manifest(),
      'pnpm-workspace.yaml': 'overrides:\n  fine: link:../x\n',
    },
    'yarn, the package': yarn('fine@npm:1.0.0'),
    'yarn, a repository of the manifest': yarn(`fine@${git}#commit=00`, `fine@${git}`),
    'Poetry, a repository of the manifest': {
      ...poetry('git', git),
      'pyproject.toml': `[tool.poetry.dependencies]\nfine = { git = "${git}" }\n`,
    },
    'Poetry, two entries of the manifest': {
      ...poetryTwice(`${entry}\n`),
      'pyproject.toml': `[tool.poetry.dependencies]\nfine = [\n  { version = "1.0.0", markers = "os_name == 'nt'" },\n  { path = "x", markers = "os_name != 'nt'" },\n]\n`,
    },
    'uv, two entries of which the project takes the published one': uvTwice(', version = "1.0.0"'),
    'uv, a repository of the manifest': uv(`{ git = "${git}#00" }`, `[tool.uv.sources]\nfine = { git = "${git}" }\n`),
    'uv, an override': uv(`{ git = "${git}#00" }`, `[tool.uv]\noverride-dependencies = ["fine @ git+${git}"]\n`),
    'PDM, an override': pdm(`url = "${wheel}"`, `[tool.pdm.resolution.overrides]\nfine = "${wheel}"\n`),
  },
  run,
);
