import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { CatalogError, loadCatalog, readRecord } from '../../server/src/service/catalog/load.ts';
import { packageShape } from '../../server/src/service/catalog/shape.ts';

const lodash = {
  system: 'NPM',
  name: 'lodash',
  sources: { registry: 'npm view lodash' },
  from: ['registry'],
  versions: { '4.17.15': { publishedAt: '2019-07-19T02:28:46Z' } },
};

function expectFault(value: unknown, message: string | RegExp): void {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  assert.throws(() => readRecord('npm/lodash.json', text, packageShape), { name: 'CatalogError', message });
}

test('broken JSON is told by line and column', () => {
  expectFault('{ "system": "NPM",\n  "name" "lodash" }', "npm/lodash.json:2:10: Expected ':' after property name");
  expectFault('{ "system": "NPM",\n', 'npm/lodash.json:2:1: Expected double-quoted property name');
  expectFault('', 'npm/lodash.json:1:1: Unexpected end of JSON input');
});

test('a wrong field is told by its path', () => {
  const versions = (fields: object) => ({ ...lodash, versions: { '4.17.15': fields } });
  expectFault(
    versions({ publishedAt: '2019-07-19' }),
    'npm/lodash.json: versions["4.17.15"].publishedAt: expected an RFC 3339 time',
  );
  expectFault(
    versions({ publishedAt: '2019-13-19T02:28:46Z' }),
    'npm/lodash.json: versions["4.17.15"].publishedAt: expected an RFC 3339 time',
  );
  expectFault(
    versions({ links: [{ label: 'A', url: 'b' }, { label: 'A' }] }),
    'npm/lodash.json: versions["4.17.15"].links[1].url: expected it to be there',
  );
  expectFault(
    versions({ licences: [] }),
    /versions\["4\.17\.15"\]\.licences: expected one of the fields publishedAt, /,
  );
  expectFault({ ...lodash, system: 'PEAR' }, 'npm/lodash.json: system: expected one of the systems');
  expectFault([], 'npm/lodash.json: expected an object');
});

test('a catalog is read from its folders, and one that is missing is empty', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'catalog-'));
  try {
    await write(join(directory, 'npm', 'lodash.json'), JSON.stringify(lodash));
    await write(join(directory, 'npm', 'README.md'), 'no record');
    const catalog = await loadCatalog(directory);
    assert.deepEqual(catalog.version({ system: 'NPM', name: 'lodash', version: '4.17.15' })?.fields, {
      publishedAt: '2019-07-19T02:28:46Z',
    });
    await write(join(directory, 'advisories', 'GHSA-x.json'), '{}');
    await assert.rejects(
      loadCatalog(directory),
      new CatalogError('advisories/GHSA-x.json: id: expected it to be there'),
    );
  } finally {
    await rm(directory, { recursive: true });
  }
});

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
