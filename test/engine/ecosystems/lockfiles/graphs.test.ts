import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countBrought } from '../../../../server/src/engine/analysis/brought.ts';
import { lockfileFormats } from '../../../../server/src/engine/ecosystems/lockfile-formats.ts';
import { pyproject } from '../../../../server/src/engine/ecosystems/python/pyproject.ts';
import {
  edgeKinds,
  type GraphOfLockfile,
  type LockedGraph,
} from '../../../../server/src/engine/model/graph/locked-graph.ts';

/*
 * Lockfiles of every kind, and what was read from them: the direct dependencies of each manifest, then what each package
 * requires. A kind of requirement other than `runtime` is in brackets.
 */

interface Picture {
  readonly what: string;
  readonly lockfile: string;
  readonly text: string;
  readonly graph: string;
}

const pictures: readonly Picture[] = [
  {
    what: 'npm: the nearest node_modules, an alias, peers, a member of the workspace',
    lockfile: 'package-lock.json',
    text: JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': {
          dependencies: { a: '^1', old: 'npm:lodash@3' },
          devDependencies: { tool: '1' },
          workspaces: ['packages/*'],
        },
        'node_modules/a': {
          version: '1.0.0',
          dependencies: { lodash: '^4', member: '*' },
          optionalDependencies: { fsevents: '2', absent: '1' },
          peerDependencies: { react: '*', vue: '*' },
          peerDependenciesMeta: { vue: { optional: true } },
        },
        'node_modules/a/node_modules/lodash': { version: '4.17.21' },
        'node_modules/fsevents': { version: '2.3.3', optional: true, os: ['darwin'] },
        'node_modules/lodash': { version: '2.0.0' },
        'node_modules/member': { resolved: 'packages/member', link: true },
        'node_modules/old': { name: 'lodash', version: '3.10.1' },
        'node_modules/react': { version: '18.2.0', peer: true },
        'node_modules/tool': { version: '1.0.0', dev: true, dependencies: { tool: '1', lodash: '2' } },
        'node_modules/vue': { version: '3.0.0' },
        'packages/member': {
          name: 'member',
          version: '1.0.0',
          dependencies: { lodash: '5' },
          devDependencies: { tool: '1' },
        },
        'packages/member/node_modules/lodash': { version: '5.0.0' },
      },
    }),
    graph: `
      '' → a 1.0.0, lodash 3.10.1 as old, tool 1.0.0 (dev)
      'packages/member' → lodash 5.0.0, tool 1.0.0 (dev)
      a 1.0.0 → fsevents 2.3.3 (optional), lodash 4.17.21, member 1.0.0, react 18.2.0 (peer), vue 3.0.0 (optionalPeer)
      tool 1.0.0 → tool 1.0.0, lodash 2.0.0
      member 1.0.0 → lodash 5.0.0, tool 1.0.0 (dev)
    `,
  },
  {
    what: 'npm, version 1: packages inside of others',
    lockfile: 'package-lock.json',
    text: JSON.stringify({
      lockfileVersion: 1,
      requires: true,
      dependencies: {
        a: {
          version: '1.0.0',
          requires: { lodash: '^4', b: '1' },
          dependencies: { lodash: { version: '4.17.21' }, b: { version: '1.0.0', requires: { lodash: '^4' } } },
        },
        c: { version: '1.0.0', requires: { lodash: '3' } },
        lodash: { version: '3.10.1' },
      },
    }),
    graph: `
      a 1.0.0 → lodash 4.17.21, b 1.0.0
      b 1.0.0 → lodash 4.17.21
      c 1.0.0 → lodash 3.10.1
    `,
  },
  {
    what: 'npm: a required package is missing',
    lockfile: 'package-lock.json',
    text: '{ "packages": { "": { "dependencies": { "a": "1" } }, "node_modules/a": { "version": "1.0.0", "dependencies": { "gone": "1" } } } }',
    graph: `
      '' → a 1.0.0
      partial
    `,
  },
  {
    what: 'yarn, the first version',
    lockfile: 'yarn.lock',
    text: `# yarn lockfile v1

"@scope/a@^1.0.0", "@scope/a@^1.1.0":
  version "1.1.0"
  resolved "https://registry.example/@scope/a/-/a-1.1.0.tgz#0a"
  dependencies:
    any ""
    old "npm:lodash@3"
    lodash "^4.17.0"
  optionalDependencies:
    fsevents "^2"

any@*, any@:
  version "1.0.0"

fsevents@^2:
  version "2.3.3"

lodash@^4.17.0:
  version "4.17.21"

"old@npm:lodash@3":
  version "3.10.1"
`,
    graph: `
      @scope/a 1.1.0 → any 1.0.0, lodash 3.10.1, lodash 4.17.21, fsevents 2.3.3 (optional)
    `,
  },
  {
    what: 'yarn, later versions: members, optional packages, a patch',
    lockfile: 'yarn.lock',
    text: `__metadata:
  version: 8

"a@npm:^1.0.0":
  version: 1.0.0
  resolution: "a@npm:1.0.0"
  dependencies:
    "@scope/b": "npm:^2.0.0"
    resolve: "npm:^1.0.0"
    fsevents: "npm:^2"
  peerDependencies:
    react: "*"
  dependenciesMeta:
    fsevents:
      optional: true
  conditions: os=darwin
  languageName: node
  linkType: hard

"@scope/b@npm:^2.0.0":
  version: 2.0.0
  resolution: "@scope/b@npm:2.0.0"
  languageName: node
  linkType: hard

"fsevents@npm:^2":
  version: 2.3.3
  resolution: "fsevents@npm:2.3.3"

"member@workspace:*, member@workspace:packages/member":
  version: 0.0.0-use.local
  resolution: "member@workspace:packages/member"
  dependencies:
    a: "npm:^1.0.0"
  languageName: unknown
  linkType: soft

"resolve@npm:^1.0.0":
  version: 1.22.8
  resolution: "resolve@npm:1.22.8"

"resolve@patch:resolve@npm%3A^1.0.0#optional!builtin<compat/resolve>":
  version: 1.22.8
  resolution: "resolve@patch:resolve@npm%3A1.22.8#optional!builtin<compat/resolve>::version=1.22.8&hash=c3c19d"

"root@workspace:.":
  version: 0.0.0-use.local
  resolution: "root@workspace:."
  dependencies:
    member: "workspace:*"
`,
    graph: `
      'packages/member' → a 1.0.0
      '' → member
      a 1.0.0 → @scope/b 2.0.0, resolve 1.22.8, fsevents 2.3.3 (optional)
      member → a 1.0.0
      root → member
    `,
  },
  {
    what: 'pnpm 9: peers, aliases, links, a long key',
    lockfile: 'pnpm-lock.yaml',
    text: `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      member:
        specifier: workspace:*
        version: link:packages/member
      old:
        specifier: npm:lodash@3
        version: lodash@3.10.1
      react-dom:
        specifier: ^18.2.0
        version: 18.2.0(react@18.2.0)
    devDependencies:
      forked:
        specifier: github:owner/forked
        version: https://codeload.example/owner/forked/tar.gz/0a1b

  packages/member:
    dependencies:
      long:
        specifier: ^1.0.0
        version: 1.0.0(react@18.2.0)

packages:

  forked@https://codeload.example/owner/forked/tar.gz/0a1b:
    resolution: {tarball: https://codeload.example/owner/forked/tar.gz/0a1b}
    version: 0.5.0

  fsevents@2.3.3:
    resolution: {integrity: sha512-AA==}
    os: [darwin]

  lodash@3.10.1:
    resolution: {integrity: sha512-AA==}

  long@1.0.0:
    resolution: {integrity: sha512-AA==}
    peerDependencies:
      react: '*'
    peerDependenciesMeta:
      react:
        optional: true

  react-dom@18.2.0:
    resolution: {integrity: sha512-AA==}
    peerDependencies:
      react: ^18.2.0

  react@18.2.0:
    resolution: {integrity: sha512-AA==}

snapshots:

  forked@https://codeload.example/owner/forked/tar.gz/0a1b:
    dependencies:
      old: lodash@3.10.1

  fsevents@2.3.3:
    optional: true

  lodash@3.10.1: {}

  ? long@1.0.0(react@18.2.0)
  : dependencies:
      react: 18.2.0
    optionalDependencies:
      fsevents: 2.3.3

  react-dom@18.2.0(react@18.2.0):
    dependencies:
      react: 18.2.0

  react@18.2.0: {}
`,
    graph: `
      '' → member, lodash 3.10.1 as old, react-dom 18.2.0, forked 0.5.0 (dev)
      'packages/member' → long 1.0.0
      forked 0.5.0 → lodash 3.10.1
      long 1.0.0 → react 18.2.0 (optionalPeer), fsevents 2.3.3 (optional)
      react-dom 18.2.0 → react 18.2.0 (peer)
      member → long 1.0.0
    `,
  },
  {
    what: 'pnpm 5: a single package',
    lockfile: 'pnpm-lock.yaml',
    text: `lockfileVersion: 5.4

specifiers:
  react-dom: ^18.2.0

dependencies:
  react-dom: 18.2.0_react@18.2.0

packages:

  /react-dom/18.2.0_react@18.2.0:
    resolution: {integrity: sha512-AA==}
    peerDependencies:
      react: ^18.2.0
    dependencies:
      '@scope/a': 1.0.0
      react: 18.2.0
    dev: false

  /@scope/a/1.0.0:
    resolution: {integrity: sha512-AA==}
    dev: false

  /react/18.2.0:
    resolution: {integrity: sha512-AA==}
    dev: false
`,
    graph: `
      '' → react-dom 18.2.0
      react-dom 18.2.0 → @scope/a 1.0.0, react 18.2.0 (peer)
    `,
  },
  {
    what: 'pnpm 6',
    lockfile: 'pnpm-lock.yaml',
    text: `lockfileVersion: '6.0'

dependencies:
  react-dom:
    specifier: ^18.2.0
    version: 18.2.0(react@18.2.0)

packages:

  /react-dom@18.2.0(react@18.2.0):
    resolution: {integrity: sha512-AA==}
    dependencies:
      old: /lodash@3.10.1
      react: 18.2.0

  /lodash@3.10.1:
    resolution: {integrity: sha512-AA==}

  /react@18.2.0:
    resolution: {integrity: sha512-AA==}
`,
    graph: `
      '' → react-dom 18.2.0
      react-dom 18.2.0 → lodash 3.10.1, react 18.2.0
    `,
  },
  {
    what: 'bun',
    lockfile: 'bun.lock',
    text: `{
  "lockfileVersion": 1,
  "workspaces": {
    "": {
      "name": "root",
      "dependencies": { "webpack": "^5", "member": "workspace:*", },
    },
    "packages/member": { "name": "member", "devDependencies": { "acorn": "7" } },
  },
  "packages": {
    "@scope/a": ["@scope/a@1.0.0", "", { "dependencies": { "acorn": "^9" } }, "sha512-abc,}=="],
    "@scope/a/acorn": ["acorn@9.0.0", "", {}, "sha512-AA=="],
    "acorn": ["acorn@7.4.1", "", {}, "sha512-AA=="],
    "forked": ["forked@github:owner/forked#0a1b", { "dependencies": { "acorn": "^7" } }, "owner-forked-0a1b"],
    "member": ["member@workspace:packages/member"],
    "webpack": ["webpack@5.90.0", "", { "dependencies": { "@scope/a": "1", "acorn": "^8", "forked": "*" }, "peerDependencies": { "react": "*" }, "optionalPeers": ["react"] }, "sha512-AA=="],
    "webpack/acorn": ["acorn@8.11.3", "", {}, "sha512-AA=="],
  }
}
`,
    graph: `
      '' → webpack 5.90.0, member
      'packages/member' → acorn 7.4.1 (dev)
      @scope/a 1.0.0 → acorn 9.0.0
      forked github:owner/forked#0a1b → acorn 7.4.1
      member → acorn 7.4.1 (dev)
      webpack 5.90.0 → @scope/a 1.0.0, acorn 8.11.3, forked github:owner/forked#0a1b
    `,
  },
  {
    what: 'deno, version 5',
    lockfile: 'deno.lock',
    text: JSON.stringify({
      version: '5',
      specifiers: { 'npm:chalk@4': '4.1.2', 'npm:react-dom@18': '18.3.1_react@18.3.1' },
      npm: {
        'ansi-styles@4.3.0': { integrity: 'sha512-AA==', dependencies: ['color@2.0.1', 'old@npm:lodash@3.10.1'] },
        'chalk@4.1.2': { dependencies: ['ansi-styles'] },
        'color@1.0.0': {},
        'color@2.0.1': {},
        'lodash@3.10.1': {},
        'react-dom@18.3.1_react@18.3.1': { dependencies: ['react'], optionalDependencies: ['fsevents'] },
        'react@18.3.1': {},
      },
      workspace: {
        dependencies: ['npm:chalk@4'],
        members: { app: { packageJson: { dependencies: ['npm:react-dom@18'] } } },
      },
    }),
    graph: `
      '' → chalk 4.1.2
      'app' → react-dom 18.3.1
      ansi-styles 4.3.0 → color 2.0.1, lodash 3.10.1
      chalk 4.1.2 → ansi-styles 4.3.0
      react-dom 18.3.1 → react 18.3.1
    `,
  },
  {
    what: 'deno, version 3',
    lockfile: 'deno.lock',
    text: JSON.stringify({
      version: '3',
      packages: {
        specifiers: { 'npm:chalk@4': 'npm:chalk@4.1.2' },
        npm: { 'chalk@4.1.2': { dependencies: { old: 'lodash@3.10.1' } }, 'lodash@3.10.1': { dependencies: {} } },
      },
      workspace: { dependencies: ['npm:chalk@4'] },
    }),
    graph: `
      '' → chalk 4.1.2
      chalk 4.1.2 → lodash 3.10.1
    `,
  },
  {
    what: 'Cargo: several versions and sources of one name, a cycle of tests',
    lockfile: 'Cargo.lock',
    text: `version = 3

[[package]]
name = "app"
version = "0.1.0"
dependencies = [
 "rand 0.7.3",
 "rand 0.8.5 (registry+https://registry.example/index)",
 "rand 0.8.5 (git+https://git.example/rand)",
 "serde",
]

[[package]]
name = "rand"
version = "0.7.3"
source = "registry+https://registry.example/index"

[[package]]
name = "rand"
version = "0.8.5"
source = "git+https://git.example/rand#0a1b"

[[package]]
name = "rand"
version = "0.8.5"
source = "registry+https://registry.example/index"
dependencies = [
 "serde",
]

[[package]]
name = "serde"
version = "1.0.197"
source = "registry+https://registry.example/index"
dependencies = ["app"]

[[patch.unused]]
name = "unused"
version = "1.0.0"
`,
    graph: `
      app 0.1.0 → rand 0.7.3, rand 0.8.5, rand 0.8.5 (git), serde 1.0.197
      rand 0.8.5 → serde 1.0.197
    `,
  },
  {
    what: 'uv: extras, groups, a member, one package in two versions',
    lockfile: 'uv.lock',
    text: `version = 1
requires-python = ">=3.9"

[manifest]
members = ["app", "member"]

[[package]]
name = "app"
version = "0.1.0"
source = { virtual = "." }
dependencies = [
    { name = "httpx", extra = ["socks"] },
    { name = "member" },
    { name = "numpy", version = "1.26.4", source = { registry = "https://registry.example/simple" }, marker = "python_full_version < '3.10'" },
    { name = "numpy", version = "2.0.0", source = { registry = "https://registry.example/simple" }, marker = "python_full_version >= '3.10'" },
]

[package.optional-dependencies]
docs = [
    { name = "idna" },
]

[package.dev-dependencies]
dev = [
    { name = "httpx" },
]

[package.metadata]
requires-dist = [{ name = "httpx", extras = ["socks"] }]

[[package]]
name = "httpx"
version = "0.27.0"
source = { registry = "https://registry.example/simple" }
dependencies = [
    { name = "idna" },
]
wheels = [
    { url = "https://registry.example/httpx.whl", hash = "sha256:00" },
]

[package.optional-dependencies]
socks = [
    { name = "socksio", marker = "sys_platform == 'linux'" },
]

[[package]]
name = "idna"
version = "3.7"
source = { registry = "https://registry.example/simple" }

[[package]]
name = "member"
version = "0.1.0"
source = { editable = "packages/member" }
dependencies = [
    { name = "idna" },
]

[[package]]
name = "numpy"
version = "1.26.4"
source = { registry = "https://registry.example/simple" }

[[package]]
name = "numpy"
version = "2.0.0"
source = { registry = "https://registry.example/simple" }

[[package]]
name = "socksio"
version = "1.0.0"
source = { registry = "https://registry.example/simple" }
`,
    graph: `
      '' → httpx 0.27.0, member 0.1.0, numpy 1.26.4, numpy 2.0.0, idna 3.7 (optional), httpx 0.27.0 (dev)
      'packages/member' → idna 3.7
      app 0.1.0 → httpx 0.27.0, member 0.1.0, numpy 1.26.4 if python_full_version < '3.10', numpy 2.0.0 if python_full_version >= '3.10'
      httpx 0.27.0 → idna 3.7
      member 0.1.0 → idna 3.7
      httpx 0.27.0 → idna 3.7, socksio 1.0.0 (optional) if sys_platform == 'linux'
    `,
  },
  {
    what: 'Poetry: extras, an optional package, several requirements of one',
    lockfile: 'poetry.lock',
    text: `[[package]]
name = "Requests"
version = "2.31.0"
optional = false
files = [
    {file = "requests.whl", hash = "sha256:00"},
]

[package.dependencies]
idna = ">=2.5,<4"
PySocks = {version = ">=1.5.6", optional = true, markers = "extra == \\"socks\\""}
colorama = {version = "*", markers = "sys_platform == \\"win32\\""}
numpy = [
    {version = ">=1.22,<2", markers = "python_version < \\"3.11\\""},
    {version = ">=2", markers = "python_version >= \\"3.11\\""},
]

[package.extras]
socks = ["PySocks (>=1.5.6,!=1.5.7)"]
unused = ["absent"]

[[package]]
name = "celery"
version = "5.4.0"

[package.dependencies]
requests = {version = ">=2", extras = ["socks"]}

[[package]]
name = "idna"
version = "3.7"

[[package]]
name = "numpy"
version = "1.26.4"

[[package]]
name = "numpy"
version = "2.0.0"

[[package]]
name = "pysocks"
version = "1.7.1"
optional = true

[package.source]
type = "git"
url = "https://git.example/pysocks"

[metadata]
lock-version = "2.0"
`,
    graph: `
      requests 2.31.0 → idna 3.7, numpy 1.26.4 if python_version < "3.11", numpy 2.0.0 if python_version >= "3.11"
      celery 5.4.0 → requests 2.31.0
      requests 2.31.0 → pysocks 1.7.1 (git, optional) if extra == "socks"
      requests 2.31.0 → idna 3.7, numpy 1.26.4 if python_version < "3.11", numpy 2.0.0 if python_version >= "3.11", pysocks 1.7.1 (git, optional) if extra == "socks"
    `,
  },
  {
    what: 'PDM: an entry for each set of extras',
    lockfile: 'pdm.lock',
    text: `[metadata]
groups = ["default", "dev"]

[[package]]
name = "app"
version = "1.0.0"
groups = ["default"]
dependencies = [
    "uvicorn[standard]>=0.30 ; python_version >= \\"3.8\\"",
]

[[package]]
name = "h11"
version = "0.14.0"
groups = ["default"]

[[package]]
name = "httptools"
version = "0.6.1"
groups = ["default"]

[[package]]
name = "uvicorn"
version = "0.30.1"
groups = ["default"]
dependencies = [
    "h11>=0.8",
]

[[package]]
name = "uvicorn"
version = "0.30.1"
extras = ["standard"]
groups = ["default"]
dependencies = [
    "httptools>=0.5.0",
    "uvicorn==0.30.1",
]
`,
    graph: `
      app 1.0.0 → uvicorn 0.30.1 if python_version >= "3.8"
      uvicorn 0.30.1 → h11 0.14.0
      uvicorn 0.30.1 → httptools 0.6.1 (optional)
      uvicorn 0.30.1 → h11 0.14.0, httptools 0.6.1 (optional)
    `,
  },
  {
    what: 'pylock.toml with requirements',
    lockfile: 'pylock.toml',
    text: `lock-version = "1.0"

[[packages]]
name = "flask"
version = "3.0.3"
dependencies = [{ name = "click" }, { name = "forked", version = "1.0" }]

[[packages]]
name = "click"
version = "8.1.7"
dependencies = []

[[packages]]
name = "forked"
version = "1.0"

[packages.vcs]
type = "git"
`,
    graph: `
      flask 3.0.3 → click 8.1.7, forked 1.0 (git)
    `,
  },
  {
    what: 'pylock.toml without',
    lockfile: 'pylock.toml',
    text: '[[packages]]\nname = "flask"\nversion = "3.0.3"\n',
    graph: 'unrecorded',
  },
  {
    what: 'Pipenv',
    lockfile: 'Pipfile.lock',
    text: '{"default":{"flask":{"version":"==3.0.3"}}}',
    graph: 'unrecorded',
  },
  {
    what: 'Gradle',
    lockfile: 'gradle.lockfile',
    text: 'org.yaml:snakeyaml:1.33=compileClasspath\n',
    graph: 'unrecorded',
  },
  {
    what: 'NuGet: packages of each framework, and of a runtime',
    lockfile: 'packages.lock.json',
    text: JSON.stringify({
      version: 1,
      dependencies: {
        'net8.0': {
          Serilog: { type: 'Transitive', resolved: '2.10.0' },
          'Serilog.Sinks.File': { type: 'Direct', resolved: '5.0.0', dependencies: { serilog: '2.10.0' } },
          core: { type: 'Project', dependencies: { Serilog: '[2.10.0, )' } },
        },
        'net8.0/linux-x64': {
          'Serilog.Sinks.File': { type: 'Direct', resolved: '5.0.0', dependencies: { Serilog: '2.10.0' } },
        },
        net472: {
          Serilog: { type: 'Direct', resolved: '2.9.0' },
        },
      },
    }),
    graph: `
      '' → serilog.sinks.file 5.0.0, core, serilog 2.9.0
      serilog.sinks.file 5.0.0 → serilog 2.10.0
      core → serilog 2.10.0
      serilog.sinks.file 5.0.0 → serilog 2.10.0
    `,
  },
  {
    what: 'NuGet: the result of a restore',
    lockfile: 'obj/project.assets.json',
    text: JSON.stringify({
      version: 3,
      targets: {
        '.NETCoreApp,Version=v8.0': {
          'Serilog/2.10.0': { type: 'package' },
          'Serilog.Sinks.File/5.0.0': { type: 'package', dependencies: { Serilog: '2.10.0' } },
          'core/1.0.0': { type: 'project', dependencies: { 'Serilog.Sinks.File': '5.0.0' } },
        },
      },
      projectFileDependencyGroups: { 'net8.0': ['core >= 1.0.0', 'Serilog.Sinks.File >= 5.0.0'] },
    }),
    graph: `
      '' → core 1.0.0, serilog.sinks.file 5.0.0
      serilog.sinks.file 5.0.0 → serilog 2.10.0
      core 1.0.0 → serilog.sinks.file 5.0.0
    `,
  },
];

for (const { what, lockfile, text, graph } of pictures) {
  test(`what packages require: ${what}`, () => {
    const drawn = (it: string) => draw(read(lockfile, it));
    assert.equal(drawn(text), outdented(graph));
    assert.equal(drawn(text.replaceAll('\n', '\r\n')), outdented(graph), 'with other line ends');
    assert.equal(drawn(`\uFEFF${text}`), outdented(graph), 'with a byte order mark');
  });
}

test('a lockfile that is cut off anywhere gives a part of its graph', () => {
  for (const { lockfile, text } of pictures) {
    const step = Math.max(1, Math.floor(text.length / 150));
    for (let end = 0; end < text.length; end += step) read(lockfile, text.slice(0, end));
  }
  for (const lockfile of new Set(pictures.map((it) => it.lockfile))) {
    for (const text of [
      'null',
      '[]',
      '{"packages":[],"dependencies":null,"npm":7}',
      '['.repeat(1e5),
      '{"a":'.repeat(1e5),
    ]) {
      assert.ok(read(lockfile, text));
    }
  }
});

test('a lockfile that cannot be read to its end gives a partial graph', () => {
  for (const lockfile of [
    'package-lock.json',
    'bun.lock',
    'deno.lock',
    'packages.lock.json',
    'obj/project.assets.json',
  ]) {
    const text = pictures.find((it) => it.lockfile === lockfile)?.text ?? '';
    assert.equal(graphOf(lockfile, text).isPartial, false, lockfile);
    assert.equal(graphOf(lockfile, text.trimEnd().slice(0, -1)).isPartial, true, lockfile);
  }
  const uv = pictures.find((it) => it.lockfile === 'uv.lock')?.text ?? '';
  assert.equal(graphOf('uv.lock', uv).isPartial, false);
  assert.equal(graphOf('uv.lock', uv.slice(0, uv.indexOf('{ name = "numpy"'))).isPartial, true);
});

test('a lockfile that lost a required package gives a partial graph', () => {
  const whole = `version = 4\n\n[[package]]\nname = "app"\nversion = "1.0.0"\ndependencies = [\n "serde",\n]\n`;
  assert.equal(graphOf('Cargo.lock', whole).isPartial, true);
  const complete = `${whole}\n[[package]]\nname = "serde"\nversion = "1.0.0"\n`;
  assert.equal(graphOf('Cargo.lock', complete).isPartial, false);
});

test('extras that only the manifest records bring what they require', () => {
  const text = pictures.find((it) => it.lockfile === 'poetry.lock')?.text ?? '';
  const graph = graphOf('poetry.lock', text);
  const brought = (requirement: string) => {
    const [dependency] = pyproject.parse(`[project]\ndependencies = ["${requirement}"]\n`).dependencies;
    return dependency && countBrought(graph, [{ nodes: graph.direct(dependency, ''), version: '2.31.0' }]);
  };
  assert.deepEqual(brought('requests>=2'), [3]);
  assert.deepEqual(brought('requests[socks, absent]>=2'), [4]);
  const table = '[tool.poetry.dependencies]\nrequests = { version = "^2", extras = ["socks"] }\n';
  const [dependency] = pyproject.parse(table).dependencies;
  assert.deepEqual(
    dependency && countBrought(graph, [{ nodes: graph.direct(dependency, ''), version: '2.31.0' }]),
    [4],
  );
});

test('one version of a package at several places is one release', () => {
  const { nodes, releases } = graphOf(
    'package-lock.json',
    JSON.stringify({
      packages: {
        'node_modules/a': { version: '1.0.0' },
        'node_modules/b/node_modules/a': { version: '1.0.0' },
        'node_modules/c/node_modules/a': { version: '1.0.0', resolved: 'git+https://git.example/a.git#0a1b' },
      },
    }),
  );
  assert.equal(nodes.length, 3);
  assert.deepEqual([...releases], [0, 0, 1]);
});

function read(lockfile: string, text: string): GraphOfLockfile {
  const format = lockfileFormats.find((it) => it.id === lockfile);
  assert.ok(format);
  return format.parse(text).graph();
}

function graphOf(lockfile: string, text: string): LockedGraph {
  const graph = read(lockfile, text);
  assert.ok(graph !== 'unrecorded');
  return graph;
}

function draw(graph: GraphOfLockfile): string {
  if (graph === 'unrecorded') return graph;
  const { nodes, importers, firstEdge, targets, kinds, conditions, isPartial } = graph;
  const lines: string[] = [];
  for (const [directory, roots] of importers) {
    const all = roots.map(({ name, kind, node }) => {
      const alias = nodes[node]?.name === name || nodes[node]?.source === 'workspace' ? '' : ` as ${name}`;
      return `${shown(node, kind)}${alias}`;
    });
    if (all.length > 0) lines.push(`'${directory}' → ${all.join(', ')}`);
  }
  for (const from of nodes.keys()) {
    const all: string[] = [];
    for (let edge = firstEdge[from] ?? 0; edge < (firstEdge[from + 1] ?? 0); edge++) {
      const condition = conditions.get(edge);
      const kind = edgeKinds[kinds[edge] ?? 0] ?? '';
      all.push(`${shown(targets[edge] ?? 0, kind)}${condition === undefined ? '' : ` if ${condition}`}`);
    }
    if (all.length > 0) lines.push(`${shown(from, 'runtime').replace(/ \(git\)$/, '')} → ${all.join(', ')}`);
  }
  if (isPartial) lines.push('partial');
  return lines.join('\n');

  function shown(node: number, kind: string): string {
    const { name = '', version = '', source } = nodes[node] ?? {};
    const marks = [source === 'git' && !version.includes(':') ? 'git' : '', kind === 'runtime' ? '' : kind].filter(
      Boolean,
    );
    return `${name} ${version}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`.trimEnd();
  }
}

function outdented(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((it) => it.trim())
    .join('\n');
}
