import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeRice } from '../../server/src/connected/link-safety/rice.ts';
import { hashOf } from '../../server/src/engine/links/expressions.ts';
import { readListFile } from '../../server/src/stand-ins/link-safety/list-file.ts';
import { encodeRice } from '../../server/src/stand-ins/link-safety/rice-encoder.ts';
import { createLinkSafetyService } from '../../server/src/stand-ins/link-safety/service.ts';
import { entriesOf } from '../harness/link-service.ts';

const kinds = { threatTypes: ['MALWARE'], platformTypes: ['ANY_PLATFORM'], threatEntryTypes: ['URL'] };

function ask(path: string, body: unknown, key?: string) {
  const service = createLinkSafetyService({
    entries: entriesOf({ list: 'MALWARE', expression: 'unsafe.example/' }),
    ...(key !== undefined && { key: 'opensesame' }),
  });
  const target = `/v4/${path}${key ? `?key=${key}` : ''}`;
  const method = body === undefined ? 'GET' : 'POST';
  const reply = service.answer({ method, target, body: typeof body === 'string' ? body : JSON.stringify(body) });
  return reply?.kind === 'json'
    ? { status: reply.status ?? 200, body: reply.body as Record<string, unknown> }
    : undefined;
}

test('the lists are named, and a path of another service is left to it', () => {
  assert.deepEqual(ask('threatLists', undefined)?.body, {
    threatLists: ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE'].map((threatType) => ({
      threatType,
      platformType: 'ANY_PLATFORM',
      threatEntryType: 'URL',
    })),
  });
  assert.equal(ask('other', undefined), undefined);
});

test('errors have the form of the service', () => {
  const list = { threatType: 'CSD_WHITELIST', platformType: 'ANY_PLATFORM', threatEntryType: 'URL' };
  const many = Array.from({ length: 501 }, () => ({ url: 'http://a.example/' }));
  const refused: readonly (readonly [path: string, body: unknown, status: number, key?: string])[] = [
    ['threatLists', {}, 404],
    ['threatMatches:find', undefined, 404],
    ['threatMatches:find', '{', 400],
    ['threatMatches:find', [], 400],
    ['threatMatches:find', {}, 400],
    ['threatMatches:find', { threatInfo: { ...kinds, threatEntries: many } }, 400],
    ['threatMatches:find', { threatInfo: { ...kinds, threatTypes: [], threatEntries: [] } }, 400],
    ['fullHashes:find', { threatInfo: { ...kinds, threatEntries: [{ hash: 'AAA=' }] } }, 400],
    ['threatListUpdates:fetch', {}, 400],
    ['threatListUpdates:fetch', { listUpdateRequests: [list] }, 400],
    ['threatLists', undefined, 403, ''],
    ['threatLists', undefined, 400, 'wrong'],
  ];
  for (const [path, body, status, key] of refused) {
    const answer = ask(path, body, key);
    assert.equal(answer?.status, status, JSON.stringify([path, body, key]).slice(0, 100));
    const error = answer?.body['error'] as Record<string, unknown>;
    assert.deepEqual([error['code'], typeof error['message'], typeof error['status']], [status, 'string', 'string']);
  }
  assert.equal(ask('threatLists', undefined, 'opensesame')?.status, 200);
});

test('a match names its list and the address that was asked for', () => {
  const url = 'https://www.unsafe.example/a?b';
  const entry = {
    threatType: 'MALWARE',
    platformType: 'ANY_PLATFORM',
    threatEntryType: 'URL',
    cacheDuration: '300.000s',
  };
  const threatEntries = [{ url }, { url: 'https://safe.example/' }, { url: 'no address' }];
  assert.deepEqual(ask('threatMatches:find', { threatInfo: { ...kinds, threatEntries } })?.body, {
    matches: [{ ...entry, threat: { url } }],
  });
  const others = { ...kinds, threatTypes: ['SOCIAL_ENGINEERING'] };
  assert.deepEqual(ask('threatMatches:find', { threatInfo: { ...others, threatEntries } })?.body, {});
  const hash = hashOf('unsafe.example/');
  const prefixes = [{ hash: hash.subarray(0, 4).toString('base64') }];
  assert.deepEqual(ask('fullHashes:find', { threatInfo: { ...kinds, threatEntries: prefixes } })?.body, {
    matches: [{ ...entry, threat: { hash: hash.toString('base64') } }],
    negativeCacheDuration: '300.000s',
  });
});

test('ascending numbers survive Rice coding', () => {
  for (const values of [
    [0],
    [4294967295],
    [0, 1, 2, 3],
    [5, 4294967295],
    Array.from({ length: 999 }, (_, at) => at * at),
  ]) {
    const coded = encodeRice(values) as Record<string, unknown>;
    const decoded = decodeRice({
      firstValue: Number(coded['firstValue']),
      riceParameter: Number(coded['riceParameter'] ?? 0),
      numEntries: Number(coded['numEntries'] ?? 0),
      encodedData: Buffer.from(String(coded['encodedData'] ?? ''), 'base64'),
    });
    assert.deepEqual(decoded && [...decoded], values);
  }
});

test('a mistake in a list file is reported with its line', () => {
  const valid = '{"list": "MALWARE", "expression": "a.example/"}';
  const mistakes: readonly (readonly [line: string, reason: RegExp])[] = [
    ['{', /^line 3: not JSON$/],
    ['[]', /^line 3: not an object$/],
    ['{"expression": "a.example/"}', /list/],
    ['{"list": "malware", "expression": "a.example/"}', /list/],
    ['{"list": "MALWARE"}', /url, expression or hash/],
    ['{"list": "MALWARE", "hash": "abc"}', /url, expression or hash/],
    ['{"list": "MALWARE", "url": "mailto:a@b.example"}', /url, expression or hash/],
    ['{"list": "MALWARE", "expression": "a.example/", "prefixSize": 3}', /prefixSize/],
  ];
  for (const [line, reason] of mistakes) {
    const read = readListFile(`# comment\n${valid}\r\n${line}\n`);
    assert.equal(read.kind, 'invalid', line);
    assert.match(read.kind === 'invalid' ? read.reason : '', reason);
  }
  const read = readListFile(`\n# comment\n${valid}\n`);
  assert.deepEqual(read.kind === 'entries' && read.entries, [
    { list: 'MALWARE/ANY_PLATFORM/URL', hash: hashOf('a.example/').toString('hex'), prefixSize: 4 },
  ]);
});
