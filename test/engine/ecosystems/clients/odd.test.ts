import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registryReaders } from '../../../../server/src/engine/ecosystems/registries.ts';
import type { AccessSource } from '../../../../server/src/engine/model/registries/access.ts';
import type { RegistryReader } from '../../../../server/src/engine/model/registries/registry-reader.ts';

/** Files and variables of npm's clients and of Cargo. */
const names: Readonly<Record<'NPM' | 'CARGO', readonly string[]>> = {
  NPM: [
    ...['.npmrc', '.yarnrc', '.yarnrc.yml', 'pnpm-workspace.yaml', 'bunfig.toml', 'NPM_CONFIG_REGISTRY'],
    ...['YARN_NPM_REGISTRY_SERVER', 'YARN_NPM_AUTH_IDENT', 'BUN_CONFIG_REGISTRY', 'BUN_CONFIG_TOKEN', 'YARN_REGISTRY'],
  ],
  CARGO: ['config.toml', 'credentials.toml', 'Cargo.toml', 'CARGO_REGISTRIES_A_INDEX', 'CARGO_REGISTRIES_A_TOKEN'],
};

const texts = [
  '',
  '=',
  '\0\uD800\uFEFF',
  '${'.repeat(3000),
  `registry=https://${'${A'.repeat(3000)}`,
  'registry=https://\n//:_authToken=x\n@:registry=::\n__proto__=1\n@__proto__:registry=https://a.example',
  `registry=https://a.example/${'a/'.repeat(3000)}\n//a.example/:_password=!!!\n//a.example/:username=%`,
  'npmScopes: &a { a: *a }\nnpmRegistryServer: *a\nnpmRegistries: [*a]',
  'registries: &r { "@a": *r, https://x: { scopes: *r } }',
  'npmScopes: 1\nnpmRegistries: x\nnpmAuthToken: { a: b }',
  '[install]\nregistry = [1]\n[install.scopes]\na = { url = 1 }\n"@a" = []',
  '[source.crates-io]\nreplace-with = "a"\n[source.a]\nreplace-with = "crates-io"\n[registries.a]\nindex = "a"',
  '[registries]\na = 1\n[registry]\nglobal-credential-providers = [[1]]\n[source]\nx = { registry = "%" }',
  '[dependencies]\ncore = { registry = "a" }\n[[dependencies]]\nregistry = 1',
];

test('no reader throws, whatever its files hold', () => {
  for (const [system, sourceNames] of Object.entries(names)) {
    const reader: RegistryReader = registryReaders[system as keyof typeof names];
    for (const name of sourceNames) {
      for (const text of texts) {
        for (const owner of ['machine', 'workspace'] as const) {
          for (const lockfile of ['', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock']) {
            const source: AccessSource = { name, label: name, text, owner };
            const inputs = { sources: [source], variable: () => '%', isTrusted: true, lockfiles: [lockfile] };
            const read = reader.accessTo(inputs);
            for (const asked of ['core', '@a/core', '@', '', '@/', '__proto__']) {
              for (const it of read({ name: asked, registries: ['a', '::', ''] })?.registries ?? []) {
                assert.equal(typeof it.address, 'string');
              }
            }
          }
        }
      }
    }
  }
});

test('an address never contains a password, whatever it looks like', () => {
  for (const address of [
    'https://a:secret@x.example',
    'ssh://a:secret@x',
    'a:secret@x//b:secret@y',
    'https://a:secret@[',
  ]) {
    const source: AccessSource = { name: '.npmrc', label: '.npmrc', text: `registry=${address}`, owner: 'workspace' };
    const inputs = { sources: [source], variable: () => undefined, isTrusted: true, lockfiles: [] };
    const [asked] = registryReaders.NPM.accessTo(inputs)({ name: 'core' })?.registries ?? [];
    assert.ok(asked);
    assert.doesNotMatch(JSON.stringify(asked), /secret/, address);
  }
});
