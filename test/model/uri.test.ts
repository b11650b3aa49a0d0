import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileUri } from '../../server/src/model/uri.ts';

const paths = [
  ['/home/me/a b', 'file:///home/me/a%20b'],
  ['/100%/#1/é', 'file:///100%25/%231/%C3%A9'],
  ['C:\\Users\\me\\a b', 'file:///C:/Users/me/a%20b'],
  ['c:/projects/', 'file:///c:/projects/'],
] as const;

for (const [path, uri] of paths) test(`${path} is at ${uri}`, () => assert.equal(fileUri(path), uri));
