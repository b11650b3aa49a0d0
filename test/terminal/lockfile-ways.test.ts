import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/* A finding in a lockfile says where it changes: the line of the manifest, and the way from there. */

const service = await startServiceForFile({
  'NPM outer': { versions: ['1.0.0'] },
  'NPM inner': { versions: ['1.0.0', '1.1.0'] },
  'advisory GHSA-a': {
    cvss3Score: 9,
    affected: [{ system: 'NPM', name: 'inner', ranges: [{ introduced: '0', fixed: '1.1.0' }] }],
  },
});
const files = {
  'package.json': '{\n  "dependencies": {\n    "outer": "^1.0.0"\n  }\n}\n',
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { outer: '^1.0.0' } },
      'node_modules/outer': { version: '1.0.0', dependencies: { inner: '^1.0.0' } },
      'node_modules/inner': { version: '1.0.0' },
    },
  }),
};

async function check(...args: readonly string[]): Promise<string> {
  const folder = folderWith(files);
  try {
    const { out } = await runHere(['check', 'package-lock.json', ...args], folder.path, { baseUrl: service.url });
    return out;
  } finally {
    folder.remove();
  }
}

const way = /Required in package\.json, line 3: outer → inner 1\.0\.0/;

for (const format of ['table', 'markdown']) {
  test(`as ${format}`, async () => {
    assert.match(await check(`--format=${format}`), way);
  });
}

test('as json', async () => {
  const [finding] = JSON.parse(await check('--format=json')).findings;
  assert.deepEqual(finding.required, {
    path: 'package.json',
    line: 3,
    way: [
      { name: 'outer', version: '1.0.0' },
      { name: 'inner', version: '1.0.0' },
    ],
    text: 'Required in package.json, line 3: outer → inner 1.0.0',
  });
});

test('as sarif', async () => {
  const [result] = JSON.parse(await check('--format=sarif')).runs[0].results;
  assert.match(result.message.text, way);
  const [related] = result.relatedLocations;
  assert.match(related.message.text, way);
  assert.equal(related.physicalLocation.artifactLocation.uri, 'package.json');
  assert.equal(related.physicalLocation.region.startLine, 3);
});
