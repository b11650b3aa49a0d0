import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { LinkSafetyParts } from '../../../server/src/connected/link-safety/link-safety.ts';
import { hashOf } from '../../../server/src/engine/links/expressions.ts';
import {
  createMemoryStore,
  entriesOf,
  type Fault,
  jumpingClock,
  linkClient,
  startLinkService,
} from '../../harness/link-service.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const unsafe = 'https://downloads.unsafe.example/setup?id=1';
const safe = 'https://safe.example/docs/';
const listed = [
  { list: 'MALWARE', expression: 'unsafe.example/' },
  { list: 'SOCIAL_ENGINEERING', url: 'http://login.example/bank/' },
  { list: 'SOCIAL_ENGINEERING', url: 'http://login.example/shop/', prefixSize: 32 },
];

const ends: (() => Promise<void>)[] = [];
after(async () => {
  for (const end of ends) await end();
});

type ServiceOptions = Omit<Parameters<typeof startLinkService>[0], 'entries'>;

async function setUp(
  mode: LinkSafetyParts['mode'],
  given: {
    readonly lines?: readonly object[];
    readonly options?: ServiceOptions;
    readonly lists?: readonly string[];
  } = {},
) {
  const service = await startLinkService({ entries: entriesOf(...(given.lines ?? listed)), ...given.options });
  const client = linkClient(service.url, mode, given);
  ends.push(service.close, client.close);
  return { service, ...client, methods: () => service.seen.map((it) => it.method) };
}

for (const mode of ['lookup', 'private'] as const) {
  test(`${mode}: a listed link is suspected, another one is checked`, async () => {
    const { links, check, clock } = await setUp(mode);
    assert.deepEqual(links.stateOf(safe), { kind: 'unchecked' });
    const at = clock.now();
    assert.deepEqual(await check(safe), { kind: 'checked', at });
    assert.deepEqual(await check(unsafe), { kind: 'suspected', threats: ['MALWARE'], at });
    assert.deepEqual(await check('http://login.example/bank/index.html'), {
      kind: 'suspected',
      threats: ['SOCIAL_ENGINEERING'],
      at,
    });
    assert.deepEqual(await check('http://login.example/shop/#top'), {
      kind: 'suspected',
      threats: ['SOCIAL_ENGINEERING'],
      at,
    });
    assert.deepEqual(await check('http://login.example/'), { kind: 'checked', at });
  });

  test(`${mode}: what cannot be opened in a browser stays unchecked, without a request`, async () => {
    const { check, methods } = await setUp(mode);
    for (const url of [
      'mailto:a@b.example',
      'javascript:alert(1)',
      'not an address',
      'https://',
      'file:///etc/hosts',
    ]) {
      assert.deepEqual(await check(url), { kind: 'unchecked' }, url);
    }
    assert.deepEqual(
      methods().filter((it) => it !== 'threatListUpdates.fetch'),
      [],
    );
  });

  test(`${mode}: an address is checked for the host that a browser opens`, async () => {
    const { check } = await setUp(mode);
    for (const url of [
      'https://unsafe.example\\@safe.example/',
      'https://unsafe。example/',
      'https://UNSAFE.example:443/a',
      'https://safe.example@unsafe.example/',
      'https:/\\unsafe.example/',
    ]) {
      assert.equal((await check(url)).kind, 'suspected', url);
    }
  });

  test(`${mode}: the same link is requested once`, async () => {
    const { check, methods } = await setUp(mode);
    for (let at = 0; at < 3; at++) {
      await check(unsafe);
      await check(safe);
    }
    assert.deepEqual(
      methods(),
      mode === 'lookup' ? ['threatMatches.find', 'threatMatches.find'] : ['threatListUpdates.fetch', 'fullHashes.find'],
    );
  });

  test(`${mode}: nothing of before is shown after half an hour, and the next check renews it`, async () => {
    const { links, check, clock } = await setUp(mode, { options: { cacheDuration: 10 * HOUR } });
    await check(unsafe);
    await check(safe);
    clock.jump(30 * MINUTE);
    assert.deepEqual(links.stateOf(unsafe), { kind: 'unchecked' });
    assert.deepEqual(links.stateOf(safe), { kind: 'unchecked' });
    assert.equal((await check(safe)).kind, 'checked');
  });

  test(`${mode}: after the clock was set back, nothing of before is shown`, async () => {
    const { links, check, clock } = await setUp(mode);
    await check(unsafe);
    await check(safe);
    clock.jump(-2 * HOUR);
    assert.deepEqual([links.stateOf(unsafe), links.stateOf(safe)], [{ kind: 'unchecked' }, { kind: 'unchecked' }]);
    assert.equal((await check(safe)).kind, 'checked');
    assert.equal((await check(unsafe)).kind, 'suspected');
  });
}

for (const mode of ['lookup', 'private'] as const) {
  test(`${mode}: links are checked against the chosen lists alone`, async () => {
    const lines = [...listed, { list: 'SUSPICIOUS/WINDOWS/URL', expression: 'odd.example/' }];
    const { service, check } = await setUp(mode, { lines, lists: ['SOCIAL_ENGINEERING', 'SUSPICIOUS/WINDOWS/URL'] });
    assert.equal((await check(unsafe)).kind, 'checked');
    assert.equal((await check('http://login.example/bank/')).kind, 'suspected');
    assert.equal((await check('http://odd.example/')).kind, 'suspected');
    assert.doesNotMatch(service.seen.map((it) => it.body).join(), /MALWARE/);
  });

  test(`${mode}: without one of the chosen lists no link is checked, and nothing of it is sent`, async () => {
    const { check, methods } = await setUp(mode, { lists: ['MALWARE', 'API_ABUSE'] });
    assert.deepEqual(await check(unsafe), { kind: 'unchecked' });
    assert.deepEqual(await check(safe), { kind: 'unchecked' });
    assert.deepEqual(methods(), ['threatLists']);
  });
}

const faults: Readonly<Record<string, Fault>> = {
  'status 401': (response) => response.writeHead(401, { 'content-type': 'application/json' }).end('{}'),
  'status 403': (response) => response.writeHead(403, { 'content-type': 'application/json' }).end('{}'),
  'status 404': (response) => response.writeHead(404, { 'content-type': 'application/json' }).end('{}'),
  'status 429': (response) =>
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '3600' }).end('{}'),
  'status 500': (response) => response.writeHead(500, { 'content-type': 'application/json' }).end('{}'),
  'status 503 with a wait': (response) =>
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '120' }).end('{}'),
  'a redirect': (response) => response.writeHead(302, { location: 'https://elsewhere.example/' }).end(),
  'a page': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>'),
  'no answer': () => {},
  'a torn connection': (response) => response.socket?.destroy(),
  'half an answer': (response, answer) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length + 100 });
    response.write(answer.slice(0, 10));
    response.socket?.end();
  },
  'JSON of another service': (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}'),
  'an error with status 200': (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"error":{"code":500}}'),
  'a JSON list': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
  garbage: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('\x00\xff{{{'),
  'matches of another kind': (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"matches":"none"}'),
};

for (const mode of ['lookup', 'private'] as const) {
  for (const [name, fault] of Object.entries(faults)) {
    test(`${mode}: ${name} makes no link clickable, and nothing is sent until the wait is over`, async () => {
      const { service, links, check, clock } = await setUp(mode);
      service.fail(fault);
      assert.deepEqual(await check(safe), { kind: 'unchecked' });
      const sent = service.seen.length;
      assert.ok(sent > 0);
      service.fail(undefined);
      for (const minutes of [0, 5, 9]) {
        clock.jump(minutes * MINUTE);
        assert.deepEqual(await check(safe), { kind: 'unchecked' });
        assert.deepEqual(await check(unsafe), { kind: 'unchecked' });
      }
      assert.equal(service.seen.length, sent);
      clock.jump(HOUR);
      assert.equal((await check(safe)).kind, 'checked');
      assert.equal((await check(unsafe)).kind, 'suspected');
      links.close();
    });
  }

  test(`${mode}: waits double with each failure, up to a day`, async () => {
    const { service, check, clock } = await setUp(mode);
    service.fail(faults['status 404']);
    for (const minutes of [15, 30, 60, 120, 240, 480, 960, 1440, 1440]) {
      await check(safe);
      const sent = service.seen.length;
      clock.jump(minutes * MINUTE - 1);
      await check(safe);
      assert.equal(service.seen.length, sent, `${minutes}`);
      clock.jump(1);
    }
  });

  test(`${mode}: a wait from before the clock was set back by years ends`, async () => {
    const { service, check, clock } = await setUp(mode);
    service.fail(faults['status 404']);
    await check(safe);
    service.fail(undefined);
    clock.jump(-1000 * 24 * HOUR);
    assert.equal((await check(safe)).kind, 'checked');
  });
}

test('private: a failure of the question for hashes makes no suspect clickable', async () => {
  const { service, check } = await setUp('private');
  await check(safe);
  service.fail(faults['status 500']);
  assert.deepEqual(await check(unsafe), { kind: 'unchecked' });
  service.fail(undefined);
  const sent = service.seen.length;
  assert.deepEqual(await check(unsafe), { kind: 'unchecked' });
  assert.equal((await check(safe)).kind, 'checked');
  assert.equal(service.seen.length, sent);
});

test('private: only four bytes of a hash are sent, and only if a list has them', async () => {
  const { service, check } = await setUp('private');
  await check(safe);
  await check('http://login.example/shop/');
  const [update, hashes, ...others] = service.seen;
  assert.deepEqual([update?.method, hashes?.method, others], ['threatListUpdates.fetch', 'fullHashes.find', []]);
  const { threatInfo } = JSON.parse(hashes?.body ?? '');
  assert.deepEqual(threatInfo.threatEntries, [
    { hash: hashOf('login.example/shop/').subarray(0, 4).toString('base64') },
  ]);
  assert.doesNotMatch(service.seen.map((it) => it.body).join(), /example/);
});

test('private: a prefix without a known hash is checked by the answer', async () => {
  const hash = hashOf('safe.example/').toString('hex').slice(0, 8);
  const { check, methods } = await setUp('private', { lines: [{ list: 'MALWARE', hash }] });
  assert.equal((await check(safe)).kind, 'checked');
  assert.deepEqual(methods(), ['threatListUpdates.fetch', 'fullHashes.find']);
});

test('private: a minimal wait is kept, and lists become too old meanwhile', async () => {
  const { service, check, clock } = await setUp('private', { options: { minimumWait: 2 * HOUR } });
  assert.equal((await check(safe)).kind, 'checked');
  clock.jump(31 * MINUTE);
  assert.deepEqual(await check(safe), { kind: 'unchecked' });
  clock.jump(88 * MINUTE);
  assert.deepEqual(await check(safe), { kind: 'unchecked' });
  assert.equal(service.seen.length, 1);
  clock.jump(2 * MINUTE);
  assert.equal((await check(safe)).kind, 'checked');
});

test('private: changes of a list are applied', async () => {
  const many = Array.from({ length: 300 }, (_, at) => ({
    list: 'MALWARE',
    expression: `host${at}.example/`,
    prefixSize: at % 3 === 0 ? 5 : 4,
  }));
  const { service, check, clock } = await setUp('private', { lines: many.slice(0, 200) });
  assert.equal((await check('http://host7.example/')).kind, 'suspected');
  service.service.replace(entriesOf(...many.slice(10)));
  clock.jump(31 * MINUTE);
  assert.equal((await check('http://host7.example/')).kind, 'checked');
  assert.equal((await check('http://host150.example/')).kind, 'suspected');
  assert.equal((await check('http://host250.example/')).kind, 'suspected');
  const updates = service.seen.filter((it) => it.method === 'threatListUpdates.fetch');
  assert.equal(updates.length, 2);
  const states = JSON.parse(updates[1]?.body ?? '').listUpdateRequests.map((it: { state: string }) => it.state !== '');
  assert.deepEqual(states, [true, true, true]);
});

test('private: a list with a wrong checksum is thrown away and requested whole', async () => {
  const { service, check, clock, store } = await setUp('private');
  assert.equal((await check(safe)).kind, 'checked');
  service.fail((response, answer) => {
    const wrong = answer.replace(/"sha256":"[^"]*"/, `"sha256":"${Buffer.alloc(32).toString('base64')}"`);
    response.writeHead(200, { 'content-type': 'application/json' }).end(wrong);
  });
  clock.jump(31 * MINUTE);
  assert.deepEqual(await check(safe), { kind: 'unchecked' });
  assert.deepEqual(await check(unsafe), { kind: 'unchecked' });
  const states = service.seen
    .filter((it) => it.method === 'threatListUpdates.fetch')
    .map((it) => JSON.parse(it.body).listUpdateRequests[0].state !== '');
  // The second request follows at once, since the service requires no wait.
  assert.deepEqual(states, [false, true, false]);
  assert.ok(store);
  service.fail(undefined);
  assert.deepEqual(await check(safe), { kind: 'unchecked' });
  clock.jump(15 * MINUTE);
  assert.equal((await check(safe)).kind, 'checked');
  assert.equal((await check(unsafe)).kind, 'suspected');
});

test('private: invalid updates are thrown away', async () => {
  const change = (text: string, by: (update: Record<string, unknown>) => void): string => {
    const answer = JSON.parse(text);
    for (const it of answer.listUpdateResponses) by(it);
    return JSON.stringify(answer);
  };
  const changes: Readonly<Record<string, (update: Record<string, unknown>) => void>> = {
    'truncated Rice data': (it) => {
      for (const set of (it['additions'] ?? []) as { riceHashes?: { encodedData?: string } }[]) {
        if (set.riceHashes) set.riceHashes.encodedData = (set.riceHashes.encodedData ?? '').slice(0, -4);
      }
      if (!it['additions']) delete it['checksum'];
    },
    'no checksum': (it) => delete it['checksum'],
    'no state': (it) => delete it['newClientState'],
    'a partial update of no list': (it) => {
      it['responseType'] = 'PARTIAL_UPDATE';
    },
    'removals in a full update': (it) => {
      it['removals'] = [{ compressionType: 'RAW', rawIndices: { indices: [0] } }];
    },
    'an unknown compression': (it) => {
      it['additions'] = [{ compressionType: 'ZIP' }];
    },
    'prefixes of no size': (it) => {
      it['additions'] = [{ compressionType: 'RAW', rawHashes: { prefixSize: 0, rawHashes: 'AAAA' } }];
    },
    'another list': (it) => {
      it['threatType'] = 'CSD_WHITELIST';
    },
  };
  for (const [name, by] of Object.entries(changes)) {
    const { service, check } = await setUp('private');
    service.fail((response, answer) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(change(answer, by));
    });
    assert.deepEqual(await check(safe), { kind: 'unchecked' }, name);
    assert.deepEqual(await check(unsafe), { kind: 'unchecked' }, name);
  }
});

test('private: a service with fewer lists is asked for those that it has', async () => {
  const { service, check, methods } = await setUp('private');
  service.fail((response, answer) => {
    const { method, body } = service.seen.at(-1) ?? { method: '', body: '' };
    const isRefused = method === 'threatListUpdates.fetch' && body.includes('UNWANTED_SOFTWARE');
    const lists = JSON.stringify({ threatLists: JSON.parse(answer).threatLists?.slice(0, 2) });
    response
      .writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' })
      .end(method === 'threatLists' ? lists : answer);
  });
  assert.equal((await check(safe)).kind, 'checked');
  assert.equal((await check(unsafe)).kind, 'suspected');
  const update = 'threatListUpdates.fetch';
  assert.deepEqual(methods(), [update, 'threatLists', update, 'fullHashes.find']);
});

test('private: lists and waits outlast a restart', async () => {
  const clock = jumpingClock();
  const store = createMemoryStore();
  const service = await startLinkService({ entries: entriesOf(...listed), minimumWait: 20 * MINUTE });
  const before = linkClient(service.url, 'private', { clock, store });
  assert.equal((await before.check(safe)).kind, 'checked');
  const next = linkClient(service.url, 'private', { clock, store, holds: before.holds });
  ends.push(service.close, before.close, next.close);
  assert.equal((await next.check(safe)).kind, 'checked');
  assert.equal((await next.check(unsafe)).kind, 'suspected');
  clock.jump(19 * MINUTE);
  await next.check(safe);
  assert.deepEqual(
    service.seen.map((it) => it.method),
    ['threatListUpdates.fetch', 'fullHashes.find'],
  );
});

test('private: a list of another process that does not match its checksum is not used', async () => {
  const clock = jumpingClock();
  const kept = createMemoryStore();
  const store = {
    ...kept,
    write: (identity: string, name: string, list: Parameters<typeof kept.write>[2]) =>
      kept.write(identity, name, { ...list, checksum: Buffer.alloc(32) }),
  };
  const service = await startLinkService({ entries: entriesOf(...listed) });
  const before = linkClient(service.url, 'private', { clock, store });
  await before.check(safe);
  const next = linkClient(service.url, 'private', { clock, store, holds: before.holds });
  ends.push(service.close, before.close, next.close);
  service.fail(faults['status 500']);
  assert.deepEqual(await next.check(safe), { kind: 'unchecked' });
});

test('lookup: at most 500 addresses are in one request', async () => {
  const { service, links } = await setUp('lookup');
  const urls = Array.from({ length: 1001 }, (_, at) => `https://host${at}.example/`);
  await links.request(urls, 'background');
  assert.deepEqual(
    service.seen.map((it) => JSON.parse(it.body).threatInfo.threatEntries.length),
    [500, 500, 1],
  );
  assert.ok(urls.every((it) => links.stateOf(it).kind === 'checked'));
});

test('lookup: a match of an address that was not sent checks nothing', async () => {
  const { service, check } = await setUp('lookup');
  service.fail((response, answer) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(answer.replaceAll('"url":"https://', '"url":"http://')),
  );
  assert.deepEqual(await check(unsafe), { kind: 'unchecked' });
});

test('a match of a list that was not requested is no threat', async () => {
  const { service, check } = await setUp('lookup');
  service.fail((response, answer) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(answer.replaceAll('"MALWARE"', '"HIGH_CONFIDENCE_ALLOWLIST"')),
  );
  assert.equal((await check(unsafe)).kind, 'checked');
});

test('changes are announced, until it is closed', async () => {
  const { links, check, service } = await setUp('private');
  let changes = 0;
  links.onDidChange(() => changes++);
  await check(safe);
  const after = changes;
  assert.ok(after > 0);
  links.close();
  await check(unsafe);
  assert.equal(changes, after);
  assert.equal(service.seen.length, 1);
});
