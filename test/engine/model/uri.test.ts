import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileUri, resolveUri } from '../../../server/src/engine/base/uri.ts';

const paths = [
  ['/home/me/a b', 'file:///home/me/a%20b'],
  ['/100%/#1/é', 'file:///100%25/%231/%C3%A9'],
  ['C:\\Users\\me\\a b', 'file:///C:/Users/me/a%20b'],
  ['/home/a\\b', 'file:///home/a%5Cb'],
  ['c:/projects/', 'file:///c:/projects/'],
] as const;

for (const [path, uri] of paths) test(`${path} is at ${uri}`, () => assert.equal(fileUri(path), uri));

test('half a character in a path is no reason to fail', () => {
  assert.equal(resolveUri('file:///a/', '../b\ud800.txt'), 'file:///b%EF%BF%BD.txt');
  assert.equal(fileUri('/a\udc00'), 'file:///a%EF%BF%BD');
});
