import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { manifestFormats } from '../../../../server/src/engine/ecosystems/manifest-formats.ts';
import { asExactRequirement } from '../../../../server/src/engine/ecosystems/shared/lockfile.ts';
import { versioning } from '../../../../server/src/engine/ecosystems/versioning.ts';
import { verbatim } from '../../../../server/src/engine/formats/text/literal.ts';
import { formatPurl } from '../../../../server/src/engine/model/purl.ts';
import { systems } from '../../../../server/src/engine/model/system.ts';
import '../../../harness/seed.ts';

const records = manifestFormats.filter((it) => it.record !== undefined);

/** What the files of such formats are made of. */
const piece = fc.constantFrom(
  ...['{', '}', '[', ']', '"', ':', ',', '\\', ' ', '  ', '\n', '\r\n', '\uFEFF', '=', '@', '/', '#', '<', '>', '?'],
  ...['"packages"', '"dependencies"', '"components"', '"version": "1.0.0"', '"node_modules/a"', '"purl"', '"@graph"'],
  ...['[[package]]', 'name = "a"', 'version = "1.0.0"', 'packages:', "'@a/b@1.0.0':", 'a@^1:', 'version "1.0.0"'],
  ...[
    '<components>',
    '<component>',
    '<purl>',
    'pkg:npm/a@1.0.0',
    'PackageName: a',
    'ExternalRef: PACKAGE-MANAGER purl ',
  ],
  ...['a/b v1.0.0 h1:', 'a:b:1.0=c', '<text>', '"resolved": "1.0.0"', '["a@1.0.0"'],
);

test('records are read whatever they are made of, and what is found lies within them', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('');
      for (const { parse, id } of records) {
        for (const { nameSpan, requirement } of parse(text).dependencies) {
          const spans = [nameSpan, requirement.kind === 'literal' ? requirement.at.span : nameSpan];
          for (const { start, end } of spans) assert.ok(0 <= start && start < end && end <= text.length, id);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('what a record states reads as that version and no other, in every system', () => {
  const versions = {
    GO: 'v1.2.3',
    NPM: '1.2.3',
    CARGO: '1.2.3-rc.1+build',
    MAVEN: '1.0-jre',
    PYPI: '2.0rc1',
    NUGET: '1.2.3.4',
  };
  for (const system of systems) {
    const version = versions[system];
    const literal = asExactRequirement(system, verbatim(`"${version}"`, 1, version.length + 1));
    const reading = versioning[system].read(literal.text);
    assert.equal(reading.kind === 'pin' && reading.version, version, system);
    assert.equal(literal.encode(literal.text), version, system);
  }
});

test('every purl that is written is read from a bill of materials', () => {
  const bom = records.find((it) => it.id === 'bom.json');
  for (const [system, name] of [
    ['GO', 'golang.org/x/text'],
    ['NPM', '@babel/core'],
    ['CARGO', 'serde'],
    ['MAVEN', 'org.yaml:snakeyaml'],
    ['PYPI', 'zope-interface'],
    ['NUGET', 'newtonsoft.json'],
  ] as const) {
    const purl = `${formatPurl({ system, name }, '1.0+a')}?arch=x@y#sub/path`;
    const [found] = bom?.parse(JSON.stringify({ components: [{ purl }] })).dependencies ?? [];
    assert.deepEqual(found?.key, { system, name });
    assert.ok(found.requirement.kind === 'literal' && found.requirement.at.text.includes('1.0+a'));
  }
});

test('what a component says of its version counts where its purl says nothing', () => {
  const bom = records.find((it) => it.id === 'bom.json');
  const read = (component: object) =>
    bom?.parse(JSON.stringify({ components: [component] })).dependencies.map(({ requirement }) => requirement.kind);
  assert.deepEqual(read({ purl: 'pkg:npm/a', version: '1.0.0' }), ['literal']);
  assert.deepEqual(read({ purl: 'pkg:npm/a', version: '' }), []);
  assert.deepEqual(read({ purl: 'pkg:npm/a', version: 1 }), []);
});

/** One project in the words of each tool: what was published, forked, taken from a folder, and a member of it. */
const sameProject = {
  'package-lock.json': JSON.stringify({
    packages: {
      '': { name: 'app' },
      'node_modules/published': { version: '1.0.0' },
      'node_modules/forked': { version: '1.0.0', resolved: 'git+https://git.example/forked.git#0a1b' },
      'node_modules/lib': { resolved: '../lib', link: true },
      'node_modules/member': { resolved: 'packages/member', link: true },
      'packages/member': { version: '1.0.0' },
    },
  }),
  'yarn.lock': `"app@workspace:.":\n  version: 0.0.0-use.local\n  resolution: "app@workspace:."

"published@npm:^1.0.0":\n  version: 1.0.0\n  resolution: "published@npm:1.0.0"

"forked@https://git.example/forked.git#commit=0a1b":\n  version: 1.0.0

"lib@file:../lib::locator=app%40workspace%3A.":\n  version: 1.0.0

"member@workspace:packages/member":\n  version: 0.0.0-use.local\n  resolution: "member@workspace:packages/member"\n`,
  'pnpm-lock.yaml': `importers:\n\n  .:\n    dependencies:\n      member:\n        specifier: workspace:^
        version: link:packages/member\n\npackages:\n\n  published@1.0.0:\n    resolution: {}

  forked@git+https://git.example/forked.git#0a1b:\n    resolution: {}\n\n  lib@file:../lib:\n    resolution: {}\n`,
  'bun.lock': `{ "packages": {
    "published": ["published@1.0.0", "", {}, "sha512-0123"],
    "forked": ["forked@git+https://git.example/forked.git#0a1b", {}, "0a1b"],
    "lib": ["lib@file:../lib", {}],
    "member": ["member@workspace:packages/member"],
    "app": ["app@root:"],
  } }`,
  'Cargo.lock': ['app', 'published', 'forked', 'member']
    .map(
      (it) =>
        `[[package]]\nname = "${it}"\nversion = "1.0.0"\n${{ published: 'source = "registry+https://registry.example"\n', forked: 'source = "git+https://git.example/forked#0a1b"\n', app: 'dependencies = [\n "member",\n]\n' }[it] ?? ''}`,
    )
    .join('\n'),
  'uv.lock': Object.entries({
    app: 'virtual = "."',
    published: 'registry = "https://registry.example/simple"',
    forked: 'git = "https://git.example/forked#0a1b"',
    lib: 'directory = "../lib"',
    member: 'editable = "packages/member"',
  })
    .map(([name, source]) => `[[package]]\nname = "${name}"\nversion = "1.0.0"\nsource = { ${source} }\n`)
    .join('\n'),
  'packages.lock.json': JSON.stringify({
    dependencies: { 'net8.0': { published: { type: 'Direct', resolved: '1.0.0' }, member: { type: 'Project' } } },
  }),
  'project.assets.json': JSON.stringify({
    libraries: { 'published/1.0.0': { type: 'package' }, 'member/1.0.0': { type: 'project' } },
  }),
  'Pipfile.lock': JSON.stringify({
    default: {
      app: { editable: true, path: '.' },
      published: { version: '==1.0.0' },
      forked: { git: 'https://git.example/forked.git', ref: '0a1b' },
      lib: { path: '../lib' },
    },
  }),
};

test('what was not published is listed alike in every lockfile that can say it, and the root in none', () => {
  const kinds: Readonly<Record<string, string>> = {
    published: 'literal',
    forked: 'git',
    lib: 'path',
    member: 'workspace',
  };
  for (const [id, text] of Object.entries(sameProject)) {
    const found = records
      .find((it) => it.id === id)
      ?.parse(text)
      .dependencies.map(({ name, requirement: it }) => [name, it.kind === 'source' ? it.source : it.kind] as const);
    const expected = Object.entries(kinds).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text));
    assert.deepEqual(Object.fromEntries(found ?? []), Object.fromEntries(expected), id);
  }
});
