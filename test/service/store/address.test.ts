import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStoreAddress, shownAddress } from '../../../server/src/service/store/address.ts';

test('addresses of stores, and what is shown of them', () => {
  const shown = (text: string): string | undefined => {
    const address = readStoreAddress(text);
    return address && shownAddress(address);
  };
  assert.equal(shown('sqlite:kept.sqlite'), 'sqlite:kept.sqlite');
  assert.equal(shown('sqlite:///var/lib/kept.sqlite'), 'sqlite:/var/lib/kept.sqlite');
  assert.equal(
    shown('postgres://me:p%40ss:word@db.example:5432/insights?sslmode=require'),
    'postgres://me@db.example:5432/insights',
  );
  assert.equal(shown('postgresql://me:p@ss@db.example/insights?password=x'), 'postgresql://me@db.example/insights');
  assert.equal(shown('postgres://me@/insights?host=%2Frun%2Fpostgresql'), 'postgres://me@/insights');
  assert.equal(shown('postgres:///insights?host=/run/postgresql'), 'postgres:///insights');
  for (const it of ['', 'sqlite:', 'sqlite:a\0b', 'postgres:', 'postgres://', 'mysql://db/insights', 'kept.sqlite']) {
    assert.equal(readStoreAddress(it), undefined, it);
  }
});
