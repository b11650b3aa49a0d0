import assert from 'node:assert/strict';
import { test } from 'node:test';
import { denoJson } from '../../../../server/src/engine/ecosystems/npm/deno-json.ts';
import { denoLock } from '../../../../server/src/engine/ecosystems/npm/lockfiles/deno-lock.ts';
import { lockedBy } from './locked.ts';

const imports = {
  chalk: 'npm:chalk@^5.3.0',
  it: 'npm:@scope/it_s@1',
  seven: 'npm:7zip-bin@^5/index.js',
  dom: 'npm:react-dom@18',
  any: 'npm:express',
  std: 'jsr:@std/assert@1',
  changed: 'npm:chalk@^4',
};

const expected = {
  chalk: '5.3.0',
  it: '1.0.0',
  seven: '5.2.0',
  dom: '18.3.1',
  any: '4.18.2',
  std: undefined,
  changed: undefined,
};

function locked(lock: unknown, importer = ''): Record<string, string | undefined> {
  const lockfile = denoLock.parse(JSON.stringify(lock));
  const { dependencies } = denoJson.parse(JSON.stringify({ imports }));
  return Object.fromEntries(dependencies.map((it) => [it.name, lockfile.locked(it, importer)]));
}

test('deno.lock: version 4 has versions for every importer', () => {
  const specifiers = {
    'jsr:@std/assert@1': '1.0.2',
    'npm:chalk@^5.3.0': '5.3.0',
    'npm:@scope/it_s@1': '1.0.0',
    'npm:7zip-bin@^5': '5.2.0',
    'npm:react-dom@18': '18.3.1_react@18.3.1',
    'npm:express@*': '4.18.2',
  };
  assert.deepEqual(locked({ version: '4', specifiers }), expected);
  assert.deepEqual(locked({ version: '4', specifiers }, 'packages/a'), expected);
  const dependencies = { chalk: '^5.3.0', old: 'npm:7zip-bin@^5' };
  assert.deepEqual(lockedBy(denoLock, JSON.stringify({ specifiers }), { dependencies }), {
    chalk: '5.3.0',
    old: '5.2.0',
  });
});

test('deno.lock: versions 2 and 3 say packages with their versions', () => {
  const three = {
    'npm:chalk@^5.3.0': 'npm:chalk@5.3.0',
    'npm:@scope/it_s@1': 'npm:@scope/it_s@1.0.0',
    'npm:7zip-bin@^5': 'npm:7zip-bin@5.2.0',
    'npm:react-dom@18': 'npm:react-dom@18.3.1_react@18.3.1',
    'npm:express': 'npm:express@4.18.2',
  };
  const two = Object.fromEntries(Object.entries(three).map((it) => it.map((text) => text.replace('npm:', ''))));
  assert.deepEqual(locked({ version: '3', packages: { specifiers: three } }), expected);
  assert.deepEqual(locked({ version: '2', npm: { specifiers: two } }), expected);
});

test('deno.lock: whatever else stands in a file is passed over', () => {
  const nothing = Object.fromEntries(Object.keys(expected).map((it) => [it, undefined]));
  for (const lock of [{}, [], 1, { specifiers: [] }, { npm: 1, packages: { specifiers: { 'npm:chalk@^5.3.0': 1 } } }]) {
    assert.deepEqual(locked(lock), nothing);
  }
});
