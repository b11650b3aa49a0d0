import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import { type Ended, folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/* A lockfile may call an entry `fine` and name the archive of another package, which the client installs. */

const service = await startServiceForFile({
  'NPM lodash': { versions: ['4.17.21'] },
  'NPM outer': { versions: ['1.0.0'] },
  'NPM fine': { versions: ['1.0.0', '2.0.0'] },
  'NPM evil': { versions: ['1.0.0'] },
  'advisory GHSA-evil': {
    cvss3Score: 9.8,
    affected: [
      { system: 'NPM', name: 'evil', ranges: [{ introduced: '0' }] },
      { system: 'NPM', name: 'fine', ranges: [{ introduced: '0', fixed: '2.0.0' }] },
    ],
  },
});

const addresses = {
  'another package': 'https://registry.example/evil/-/evil-1.0.0.tgz',
  'another package before a query': 'https://registry.example/evil/-/evil-1.0.0.tgz?/fine/-/fine-2.0.0.tgz',
  'another package in escapes': 'https://registry.example/%65vil/-/%65vil-1.0.0.tgz',
  'another package behind a step back': 'https://registry.example/fine/../evil/-/x/../evil-1.0.0.tgz',
  'another version': 'https://registry.example/fine/-/fine-1.0.0.tgz',
};
const plain = 'https://registry.example/fine/-/fine-2.0.0.tgz';
const outer = { dependencies: { outer: '1.0.0' } };
const direct = { dependencies: { fine: '2.0.0' } };
const inner = { version: '1.0.0', dependencies: { fine: '2.0.0' } };

type Write = (address: string, isDirect: boolean) => Readonly<Record<string, string>>;

const clients: Readonly<Record<string, Write>> = {
  npm: (resolved, isDirect) => ({
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': isDirect ? direct : outer,
        ...(!isDirect && { 'node_modules/outer': inner }),
        'node_modules/fine': { version: '2.0.0', resolved },
      },
    }),
  }),
  yarn: (resolved, isDirect) => ({
    'yarn.lock': [
      '# yarn lockfile v1\n',
      `fine@2.0.0:\n  version "2.0.0"\n  resolved "${resolved}"\n`,
      ...(isDirect ? [] : ['outer@1.0.0:\n  version "1.0.0"\n  dependencies:\n    fine "2.0.0"\n']),
    ].join('\n'),
  }),
  pnpm: (tarball, isDirect) => ({
    'pnpm-lock.yaml': [
      "lockfileVersion: '9.0'",
      'importers:\n  .:\n    dependencies:',
      isDirect
        ? '      fine:\n        specifier: 2.0.0\n        version: 2.0.0'
        : '      outer:\n        specifier: 1.0.0\n        version: 1.0.0',
      'packages:',
      `  fine@2.0.0:\n    resolution: {integrity: sha512-a, tarball: ${tarball}}`,
      ...(isDirect ? [] : ['  outer@1.0.0:\n    resolution: {integrity: sha512-a}']),
      'snapshots:\n  fine@2.0.0: {}',
      ...(isDirect ? [] : ['  outer@1.0.0:\n    dependencies:\n      fine: 2.0.0']),
      '',
    ].join('\n'),
  }),
  bun: (address, isDirect) => ({
    'bun.lock': JSON.stringify({
      lockfileVersion: 1,
      workspaces: { '': isDirect ? direct : outer },
      packages: {
        fine: ['fine@2.0.0', address, {}, 'sha512-a'],
        ...(!isDirect && { outer: ['outer@1.0.0', '', { dependencies: { fine: '2.0.0' } }, 'sha512-a'] }),
      },
    }),
  }),
};

async function check(write: Write, address: string, isDirect: boolean): Promise<Ended> {
  const folder = folderWith({
    'package.json': JSON.stringify(isDirect ? direct : outer),
    ...write(address, isDirect),
  });
  try {
    return await runHere(['check', '--fail-on', 'advisory,advisory-below'], folder.path, { baseUrl: service.url });
  } finally {
    folder.remove();
  }
}

for (const [client, write] of Object.entries(clients)) {
  for (const isDirect of [false, true]) {
    const where = isDirect ? 'a dependency' : 'what a dependency brings';
    for (const [title, address] of Object.entries(addresses)) {
      test(`${client}: ${title} in the place of ${where} is found`, async () => {
        const { code, out } = await check(write, address, isDirect);
        assert.equal(code, 1, out);
      });
    }
    test(`${client}: the archive of ${where} itself is no finding`, async () => {
      const { code, out } = await check(write, plain, isDirect);
      assert.equal(code, 0, out);
    });
  }
}
