import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import protobufjs from 'protobufjs';
import { createLinkSafetyService } from '../../../server/src/stand-ins/link-safety/service.ts';
import { entriesOf, linkClient, startLinkService } from '../../harness/link-service.ts';
import { goProgram } from '../../tools/go-program.ts';

/*
 * The client library that the vendor of the lookup service has published, against our service, and its answers against
 * those of our client. It speaks protobuf, and our service JSON; protobufjs translates, which follows the JSON mapping of
 * protobuf except for durations.
 */
const module = { path: 'github.com/google/safebrowsing', version: 'v0.0.0-20190624211811-bbf0d20d26b3' };
const folder = join(import.meta.dirname, 'go-client');
const program = await goProgram('lookup-client', module, join(folder, 'main.go'));
const skip = program === undefined ? 'Go or its module is missing: not tested here' : false;

const messages = await protobufjs.load(join(folder, 'messages.proto'));
const methods: Readonly<Record<string, readonly [request: string, answer: string]>> = {
  '/v4/threatListUpdates:fetch': ['FetchRequest', 'FetchResponse'],
  '/v4/fullHashes:find': ['FindRequest', 'FindResponse'],
};

const ends: (() => unknown)[] = [];
after(async () => {
  for (const end of ends) await end();
});

/** Our service in binary form, and the client of others connected to it. */
async function setUp(options: Parameters<typeof createLinkSafetyService>[0]) {
  const service = createLinkSafetyService(options);
  const kinds: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const target = request.url ?? '';
    const [asked = '', answered = ''] = methods[target.replace(/\?.*$/, '')] ?? [];
    const body = messages.lookupType(asked).toObject(messages.lookupType(asked).decode(Buffer.concat(chunks)), {
      bytes: String,
      enums: String,
      longs: String,
    });
    const reply = service.answer({ method: 'POST', target, body: JSON.stringify(body) });
    const value = reply?.kind === 'json' ? reply.body : {};
    for (const [, kind = ''] of JSON.stringify(value).matchAll(/"(?:responseType|compressionType)":"(\w+)"/g)) {
      kinds.push(kind);
    }
    const type = messages.lookupType(answered);
    const bytes = type.encode(type.fromObject(withDurations(value) as object)).finish();
    response.writeHead(reply?.kind === 'json' ? (reply.status ?? 200) : 404).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const log: string[] = [];
  const child = spawn(program ?? '', [url], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stderr.on('data', (it: Buffer) => log.push(it.toString()));
  ends.push(
    () => child.kill(),
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return { service, kinds, log, lookUp: questions(child) };
}

/** Durations have a text form of their own in JSON, for which protobufjs has no rule. */
function withDurations(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withDurations);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, it]) => {
      const isDuration = name.endsWith('Duration') && typeof it === 'string';
      return [name, isDuration ? { seconds: Math.floor(Number.parseFloat(it)) } : withDurations(it)];
    }),
  );
}

/** Addresses in one line: the program reads lines of less than 64 KiB. */
const LINE_SIZE = 200;

/** Each answer is `none`, `failed` or a threat type. */
function questions(child: ChildProcess): (urls: readonly string[]) => Promise<readonly string[]> {
  assert.ok(child.stdout && child.stdin);
  const { stdin } = child;
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (urls) => {
    const answers: string[] = [];
    for (let at = 0; at < urls.length; at += LINE_SIZE) {
      stdin.write(`${JSON.stringify(urls.slice(at, at + LINE_SIZE))}\n`);
      const line = await lines.next();
      assert.ok(!line.done, 'the program has ended');
      answers.push(...JSON.parse(line.value));
    }
    return answers;
  };
}

const listed = Array.from({ length: 400 }, (_, at) => ({
  list: at % 2 === 0 ? 'MALWARE' : 'SOCIAL_ENGINEERING',
  expression: `host${at}.example/${at % 5 === 0 ? '' : 'a/'}`,
  prefixSize: at % 7 === 0 ? 5 + (at % 27) : 4,
}));

test('a client of others takes our lists, their changes and our hashes', { skip }, async () => {
  const { service, lookUp, kinds, log } = await setUp({ entries: entriesOf(...listed.slice(0, 300)) });
  const urls = listed.map((it) => `http://${it.expression}b/c.html?d`);
  const expected = listed.map((it, at) => (at < 300 ? it.list : 'none'));
  assert.deepEqual(await lookUp(urls), expected, log.join(''));
  service.replace(entriesOf(...listed.slice(50)));
  // The client waits half a minute at the most between two updates.
  const changed = listed.map((it, at) => (at < 50 ? 'none' : it.list));
  const last = urls.slice(-1);
  for (let turn = 0; turn < 240 && (await lookUp(last))[0] !== changed.at(-1); turn++) {
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  // Asked for only now: an update while they are asked for would find one half in the lists before it.
  const found = await lookUp(urls);
  // Hashes of links that are not listed any more stay in its cache, as the service has allowed.
  assert.deepEqual(found.slice(50), changed.slice(50), log.join(''));
  assert.deepEqual([...new Set(kinds)].sort(), ['FULL_UPDATE', 'PARTIAL_UPDATE', 'RAW', 'RICE']);
  assert.doesNotMatch(log.join(''), /failure|invalid|mismatch/);
});

test('a client of others refuses our wrong checksums, as ours does', { skip }, async () => {
  const { log } = await setUp({ entries: entriesOf(...listed), hasWrongChecksums: true });
  while (!log.join('').includes('update failure')) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.match(log.join(''), /SHA256 mismatch/);
});

/** Spellings of addresses, of which some hide a listed one. */
function spellings(): readonly string[] {
  let state = 42;
  const any = <T>(...all: readonly T[]): T => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return all[Math.floor((state / 2 ** 31) * all.length)] as T;
  };
  const host = () => any('listed.example', 'other.example', '10.1.2.3', '167838211', '0x0a.1.515', 'm%C3%BCll.example');
  const part = () => any('a', '%61', 'b', '..', '.', '', '%2e%2e', '%252561', 'x y', '%20', ';p', '%C3%BC', 'A');
  return Array.from({ length: 3000 }, () => {
    const path = Array.from({ length: any(0, 1, 2, 3, 4, 5, 6) }, part).join('/');
    const end = any('', '/', '?q', '?q?r', '?', '#f', '?q#f', '/x.html', '/x.html?q=1');
    const before = any('', '', 'a.', 'a.b.', 'a.b.c.', 'A.', 'user@', '.', '%61.');
    return `${any('http', 'https')}://${before}${any('', 'w.')}${host()}${any('', '', ':80', '.', '..')}/${path}${end}`;
  });
}

test('our client and the one of others agree about thousands of spellings', { skip }, async () => {
  const entries = entriesOf(
    ...[
      'listed.example/a/b/',
      'a.listed.example/',
      'listed.example/?q',
      'listed.example/x.html',
      'b.c.other.example/',
    ].map((expression) => ({ list: 'MALWARE', expression })),
    ...['10.1.2.3/a/', 'xn--mll-hoa.example/', 'other.example/a', 'other.example/b/x.html?q=1'].map((expression) => ({
      list: 'UNWANTED_SOFTWARE',
      expression,
    })),
  );
  const { lookUp } = await setUp({ entries });
  const service = await startLinkService({ entries });
  const ours = linkClient(service.url, 'private');
  ends.push(service.close, ours.close);
  // At the end of a path, the other client removes the slash of /./ and /../, which browsers keep.
  const urls = spellings().filter(
    (it) => !/\/(?:\.|%2e|%252e){1,2}(?=[?#]|$)/i.test(it.replace(/^https?:\/\/[^/]*/, '')),
  );
  const theirs = await lookUp(urls);
  await ours.links.request(urls, 'asked');
  let suspected = 0;
  const differences = urls.flatMap((url, at) => {
    const state = ours.links.stateOf(url);
    const own = state.kind === 'suspected' ? state.threats[0] : state.kind === 'checked' ? 'none' : 'unchecked';
    if (state.kind === 'suspected') suspected++;
    return own === theirs[at] || own === 'unchecked' ? [] : [`${url}: ours ${own}, theirs ${theirs[at]}`];
  });
  assert.deepEqual(differences, []);
  assert.ok(suspected > 300, `${suspected}`);
});
