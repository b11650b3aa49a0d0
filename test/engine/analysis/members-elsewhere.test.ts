import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownIn, type Texts } from './members-lab.ts';

/*
 * What a workspace takes from a folder, or puts in the place of what is published: by what, the files, the one that asks
 * first, and what of it nobody else is asked about. As npm 11, pnpm 12, yarn 4, bun 1.4, Cargo 1.95, uv 0.13, Go 1.26 and
 * pip 23, PDM 2.29 and Pipenv 2026.10 resolve it without a registry at hand.
 */

const asks = { lib: '^1.0.0', core: '^1.0.0', lodash: '^4.17.21' };
const app = JSON.stringify({ name: 'app', dependencies: asks });
const lib = JSON.stringify({ name: 'lib', version: '1.0.0', dependencies: { core: '^1.0.0' } });
const core = JSON.stringify({ name: 'core', version: '1.0.0' });

function root(said: object): string {
  return JSON.stringify({ name: 'root', private: true, workspaces: ['packages/*'], ...said });
}

const npm: readonly (readonly [string, Texts, readonly string[]])[] = [
  [
    'a folder, for all of the workspace, and those at the end of its own paths',
    {
      'packages/app/package.json': app,
      'package.json': root({ dependencies: { lib: 'file:./lib' } }),
      'lib/package.json': JSON.stringify({ name: 'lib', dependencies: { core: 'link:../core' } }),
      'core/package.json': core,
    },
    ['lib', 'core'],
  ],
  [
    'a folder beside another one',
    {
      'lib/package.json': lib,
      'package.json': '{ "dependencies": { "lib": "file:lib", "core": "file:core" } }',
      'core/package.json': core,
    },
    ['core'],
  ],
  [
    'overrides of npm and bun, whatever version they are for, but not those below another package',
    {
      'packages/app/package.json': app,
      'package.json': root({ overrides: { 'lib@^1': 'github:acme/lib', x: { lodash: 'file:./x' } } }),
    },
    ['lib'],
  ],
  [
    'resolutions of yarn',
    {
      'packages/app/package.json': app,
      'package.json': root({ resolutions: { 'lib@npm:^1.0.0': 'portal:./lib', 'core/lodash': 'link:./x' } }),
      'lib/package.json': lib,
    },
    ['lib'],
  ],
  [
    'overrides of pnpm, in either file',
    {
      'packages/app/package.json': app,
      'pnpm-workspace.yaml': 'packages: ["packages/*"]\noverrides:\n  lib: link:./lib\n',
      'package.json': '{ "pnpm": { "overrides": { "core": "link:./core" } } }',
    },
    ['lib', 'core'],
  ],
  [
    'overrides of pnpm in a project without a workspace',
    { 'package.json': app, 'pnpm-workspace.yaml': 'overrides:\n  lib: link:./lib\n' },
    ['lib'],
  ],
  [
    'a workspace of yarn within another',
    {
      'packages/app/package.json': app,
      'package.json': root({}),
      'packages/inner/package.json': '{ "workspaces": ["*"] }',
      'packages/inner/lib/package.json': lib,
    },
    ['lib'],
  ],
  [
    'not the workspace at whose root a path ends',
    {
      'examples/package.json': JSON.stringify({ dependencies: { ...asks, root: 'file:..' } }),
      'package.json': root({}),
      'packages/lib/package.json': lib,
    },
    [],
  ],
  [
    'what was installed is no folder of the workspace',
    {
      'package.json': JSON.stringify({ dependencies: { ...asks, x: 'link:../node_modules/lodash' } }),
      'node_modules/lodash/package.json': '{ "name": "lodash" }',
    },
    [],
  ],
  [
    'directories beside the root',
    {
      'root/app/package.json': app,
      'root/package.json': '{ "workspaces": ["app", "../libs/*"] }',
      'libs/lib/package.json': lib,
    },
    ['lib'],
  ],
  [
    "yarn's catalogs ask for members",
    {
      '.yarnrc.yml': 'catalog:\n  lib: ^1.0.0\n  lodash: ^4.0.0\n',
      'package.json': root({}),
      'packages/lib/package.json': lib,
    },
    ['lib'],
  ],
];

const others: typeof npm = [
  [
    'what the configuration of Cargo includes',
    {
      'app/Cargo.toml': '[package]\nname = "app"\n[dependencies]\nlib = "1"\nfar = "1"\nserde = "1"\n',
      '.cargo/config.toml': 'include = ["more.toml", { path = "sub/most.toml", optional = true }]\n',
      '.cargo/more.toml': '[patch.crates-io]\nlib = { path = "lib" }\n',
      '.cargo/sub/most.toml': 'include = "../more.toml"\n[patch.crates-io]\nfar = { path = "far" }\n',
    },
    ['lib', 'far'],
  ],
  [
    'replacements in any module of a workspace of Go',
    {
      'b/go.mod': 'module acme.example/b\nrequire (\n\tacme.example/x v1.0.0\n\trsc.io/quote v1.5.2\n)\n',
      'go.work': 'use ./a\nuse ./b\n',
      'a/go.mod':
        'module acme.example/a\nreplace acme.example/x => ../x\nreplace rsc.io/quote => rsc.io/other v1.0.0\n',
    },
    ['acme.example/x'],
  ],
  [
    'what another member of a workspace of uv takes from a folder or a repository, and what its folders do',
    {
      'packages/app/pyproject.toml':
        '[project]\nname = "app"\ndependencies = ["lib", "far", "forked", "over", "requests"]\n',
      'pyproject.toml':
        '[tool.uv]\noverride-dependencies = ["over @ file:///over"]\n[tool.uv.workspace]\nmembers = ["packages/*"]\n',
      'packages/b/pyproject.toml':
        '[tool.uv.sources]\nlib = { path = "../../lib" }\nforked = { git = "https://host.example/forked" }\n',
      'lib/pyproject.toml': '[project]\nname = "lib"\n[tool.uv.sources]\nfar = { path = "../far" }\n',
    },
    ['lib', 'far', 'forked', 'over'],
  ],
  [
    'the members of an environment of Hatch',
    {
      'packages/a/pyproject.toml': '[project]\nname = "a"\ndependencies = ["b", "one", "old", "requests"]\n',
      'pyproject.toml':
        '[tool.hatch.envs.default]\nworkspace.members = ["packages/*", { path = "one" }]\nworkspace.exclude = ["packages/old"]\n',
      'packages/b/pyproject.toml': '[project]\nname = "b"\n',
      'packages/old/pyproject.toml': '[project]\nname = "old"\n',
      'one/pyproject.toml': '[project]\nname = "one"\n',
    },
    ['b', 'one'],
  ],
  [
    'a Pipfile, for the projects that it installs from folders, and by the names of these',
    {
      'lib/setup.py': 'setup(name="lib", install_requires=["core", "requests"])\n',
      Pipfile: '[packages]\nanything = {path = "./lib/"}\n[docs]\ncore = {git = "https://host.example/core"}\n',
    },
    ['core'],
  ],
  [
    'a Pipfile that names a project otherwise than it does',
    {
      Pipfile: '[packages]\nanything = {path = "./lib"}\nrequests = "*"\n[dev-packages]\nlib = "*"\n',
      'lib/setup.cfg': '[metadata]\nname = lib\n',
    },
    ['lib'],
  ],
  [
    'not a Pipfile that installs another project',
    {
      'other/pyproject.toml': '[project]\nname = "other"\ndependencies = ["core"]\n',
      Pipfile: '[packages]\nlib = {path = "./lib"}\ncore = {path = "./core"}\n',
    },
    [],
  ],
  [
    'a constraint of pip with an address',
    {
      'requirements.txt': 'acme-lib\nrequests\n-c constraints.txt\n',
      'constraints.txt': 'acme_lib @ file:///lib\nrequests==2.31.0\n',
    },
    ['acme-lib'],
  ],
];

for (const [title, texts, expected] of [...npm, ...others]) {
  test(`taken from elsewhere: ${title}`, async () => {
    assert.deepEqual(await ownIn(texts), expected);
  });
}
