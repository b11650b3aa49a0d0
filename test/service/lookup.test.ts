import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type StartedService, startService } from '../harness/service.ts';

const digest = {
  MD5: '9'.repeat(32),
  SHA1: 'b447f6670a0455bbfeedd11392eff330ea097548',
  SHA256: 'fb'.repeat(32),
  SHA512: 'ff'.repeat(64),
};
const file = { hashes: digest, artifact: 'a.file' };

let service: StartedService;
before(async () => {
  service = await startService({
    'NPM @a/b': { versions: { '1.0.0': file, '1.0.1': {} } },
    'CARGO crate': { versions: { '2.0.0': file } },
    'MAVEN g:a': { versions: { '3.0': file } },
    'NUGET Pack': { versions: { '4.0.0': { hashes: digest } } },
    'GO example.org/m': { versions: { 'v1.0.0': file } },
    'PYPI wheel': { versions: { '1.0': file } },
    'NPM copies': {
      versions: Object.fromEntries(
        Array.from({ length: 1001 }, (_, it) => [`1.0.${it}`, { hashes: { MD5: '1'.repeat(32) } }]),
      ),
    },
  });
});
after(() => service.close());

async function get(path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${service.url}/v3alpha/${path}`);
  return { status: response.status, text: await response.text() };
}

interface Result {
  readonly version: { readonly purl: string };
  readonly artifacts?: readonly { readonly url: string }[];
}

async function results(query: string): Promise<Result[]> {
  const { status, text } = await get(`query?${query}`);
  assert.equal(status, 200, text);
  return JSON.parse(text).results;
}

function hash(type: keyof typeof digest, encoding: 'base64' | 'base64url' = 'base64'): string {
  const value = Buffer.from(digest[type], 'hex').toString(encoding);
  return `hash.type=${type}&hash.value=${encodeURIComponent(value)}`;
}

for (const type of Object.keys(digest) as (keyof typeof digest)[]) {
  test(`a file is found by its ${type} in the four systems that hold files`, async () => {
    const found = await results(hash(type));
    assert.deepEqual(found.map((it) => [it.version.purl, it.artifacts]).sort(), [
      ['pkg:cargo/crate@2.0.0', [{ url: 'https://registry.example/cargo/crate/a.file' }]],
      ['pkg:maven/g/a@3.0', [{ url: 'https://registry.example/maven/g%3Aa/a.file' }]],
      ['pkg:npm/%40a/b@1.0.0', [{ url: 'https://registry.example/npm/%40a%2Fb/a.file' }]],
      ['pkg:nuget/pack@4.0.0', []],
    ]);
  });
}

test('either alphabet of base64 is understood', async () => {
  assert.equal((await results(hash('SHA256', 'base64url'))).length, 4);
});

test('a version is found by its key, without artifacts', async () => {
  const found = await results('versionKey.system=NPM&versionKey.name=%40a%2Fb&versionKey.version=1.0.1');
  assert.deepEqual(
    found.map((it) => [it.version.purl, it.artifacts]),
    [['pkg:npm/%40a/b@1.0.1', undefined]],
  );
  assert.deepEqual(await results('versionKey.system=NPM&versionKey.name=nowhere&versionKey.version=1'), []);
});

test('a hash and a key together find what meets both', async () => {
  const key = (version: string) => `versionKey.system=NPM&versionKey.name=%40a%2Fb&versionKey.version=${version}`;
  assert.equal((await results(`${hash('SHA1')}&${key('1.0.0')}`)).length, 1);
  assert.deepEqual(await results(`${hash('SHA1')}&${key('1.0.1')}`), []);
  assert.deepEqual(await results(`${hash('SHA1')}&${key('9')}`), []);
});

test('at most 1000 versions are answered', async () => {
  const value = encodeURIComponent(Buffer.from('1'.repeat(32), 'hex').toString('base64'));
  assert.equal((await results(`hash.type=MD5&hash.value=${value}`)).length, 1000);
});

test('a query that says too little, or nothing that can be read, is 400', async () => {
  const bad: readonly [string, string][] = [
    ['', 'a hash or a versionKey is required'],
    ['hash.type=SHA1', 'hash.value: expected base64, percent-encoded'],
    ['hash.value=AAAA', 'hash.type: expected one of MD5, SHA1, SHA256, SHA512'],
    ['hash.type=CRC&hash.value=AAAA', 'hash.type: expected one of MD5, SHA1, SHA256, SHA512'],
    ['hash.type=SHA1&hash.value=AAAA', 'hash.value: expected the 20 bytes of SHA1'],
    ['hash.type=SHA1&hash.value=a+b', 'hash.value: expected base64, percent-encoded'],
    ['versionKey.system=NPM&versionKey.name=x', 'versionKey: system, name and version are all required'],
    ['versionKey.system=PEAR&versionKey.name=x&versionKey.version=1', 'versionKey.system: unknown'],
  ];
  for (const [query, text] of bad) assert.deepEqual(await get(`query?${query}`), { status: 400, text }, query);
});

test('a purl finds a package, or one version of it', async () => {
  const one = JSON.parse((await get(`purl/${encodeURIComponent('pkg:npm/%40a/b@1.0.0')}`)).text);
  assert.deepEqual(Object.keys(one), ['version']);
  assert.deepEqual(one.version.versionKey, { system: 'NPM', name: '@a/b', version: '1.0.0' });
  const all = JSON.parse((await get(`purl/${encodeURIComponent('pkg:nuget/PACK')}`)).text);
  assert.deepEqual(Object.keys(all), ['package']);
  assert.equal(all.package.purl, 'pkg:nuget/pack');
});

test('a purl with qualifiers, with a subpath, or of another type is 400', async () => {
  const bad = [
    ['pkg:maven/g/a@3.0?type=jar', 'it has qualifiers'],
    ['pkg:npm/%40a/b@1.0.0#lib', 'it has a subpath'],
    ['pkg:gem/rails', 'the service does not support the type gem'],
    ['rails', 'it does not start with pkg: and a type'],
  ];
  for (const [purl = '', reason] of bad) {
    const text = `not a purl of a package or version: ${reason}`;
    assert.deepEqual(await get(`purl/${encodeURIComponent(purl)}`), { status: 400, text });
  }
});
