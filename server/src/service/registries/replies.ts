import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { LruMap } from '../../engine/base/lru-map.ts';
import { isRecord } from '../../engine/base/text.ts';
import type { Clock } from '../../engine/model/ports.ts';
import type { RegistryReply, RegistryRequest, SendToRegistry } from '../../engine/model/registries/registry-client.ts';
import type { Transport } from '../../engine/registries/transport.ts';
import type { Store } from '../store/store.ts';

/** What registries have replied, compressed, by the request. */
export interface KeptReplies {
  read(id: string): Promise<string | undefined>;
  write(id: string, text: string, at: number): Promise<void>;
  /** Removes what is too old or too much. */
  prune(now: number): Promise<void>;
}

type Reply = Extract<RegistryReply, { readonly kind: 'reply' }>;

/** In characters. Longer replies are asked for anew. */
const MAX_TEXT = 16 * 1024 * 1024;
/** In characters, of all that is kept without a database. */
const MAX_IN_MEMORY = 64 * 1024 * 1024;
/** What a database keeps. A package takes some 10,000 characters. */
export const replyLimits = {
  characters: 512 * 1024 * 1024,
  /** In ms: what nothing has changed is asked for again once in a while. */
  age: 180 * 24 * 3_600_000,
  /** Written characters, after which it is pruned again. */
  pruneAfter: 64 * 1024 * 1024,
} as const;
/** Headers that something is read from later. */
const keptHeaders = ['etag', 'last-modified', 'content-type'] as const;

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

/**
 * A transport that asks for a reply which it has with what marks it (RFC 9110, 13.1), and not at all for what never
 * changes. Called only where a question is asked anew, so what is fresh costs nothing.
 */
export function rememberingTransport(transport: Transport, kept: KeptReplies, clock: Clock): Transport {
  async function ask(send: SendToRegistry, request: RegistryRequest): Promise<RegistryReply> {
    const id = createHash('sha256')
      .update(`${request.accept ?? ''}\n${request.url}`)
      .digest('hex');
    // A store that cannot be read is one without replies.
    const before = await kept.read(id).then(readReply, () => undefined);
    if (before && request.isConstant) return before;
    const conditions = before && conditionsOf(before);
    const reply = await send(conditions ? { ...request, conditions } : request);
    if (reply.kind !== 'reply') return reply;
    if (before && reply.status === 304) return before;
    if (isKept(reply, request)) await write(id, headOf(reply, request)).catch(() => undefined);
    return reply;
  }

  async function write(id: string, { headers, text, url }: Reply): Promise<void> {
    const some = Object.fromEntries(
      keptHeaders.flatMap((it) => (headers[it] === undefined ? [] : [[it, headers[it]]])),
    );
    const packed = (await pack(text, { level: 3 })).toString('base64');
    await kept.write(id, JSON.stringify({ url, headers: some, packed }), clock.now());
  }

  return {
    ...transport,
    sendTo(registry, signal) {
      const send = transport.sendTo(registry, signal);
      return (request) => ask(send, request);
    },
  };
}

/** Of a file of which only the first bytes were asked for: a registry may send all. */
function headOf(reply: Reply, { firstBytes }: RegistryRequest): Reply {
  return firstBytes === undefined ? reply : { ...reply, text: reply.text.slice(0, firstBytes) };
}

function isKept({ status, headers, text }: Reply, { isConstant, isOf }: RegistryRequest): boolean {
  const isPart = status === 206 && isConstant === true;
  if ((status !== 200 && !isPart) || text.length > MAX_TEXT || isOf?.(text) === false) return false;
  // A page for people, such as one to sign in, may stand in the place of everything.
  if (isConstant) return !/^text\/html\b/i.test(headers['content-type'] ?? '');
  return headers['etag'] !== undefined || headers['last-modified'] !== undefined;
}

function conditionsOf({ headers }: Reply): RegistryRequest['conditions'] {
  const { etag, 'last-modified': modified } = headers;
  if (etag !== undefined) return { 'if-none-match': etag };
  return modified === undefined ? undefined : { 'if-modified-since': modified };
}

async function readReply(given: string | undefined): Promise<Reply | undefined> {
  const value: unknown = given && JSON.parse(given);
  if (given === undefined || !isRecord(value)) return undefined;
  const { url, headers, packed } = value;
  if (typeof url !== 'string' || !isRecord(headers) || typeof packed !== 'string') return undefined;
  const text = (await unpack(Buffer.from(packed, 'base64'))).toString();
  const own = Object.entries(headers).filter((it): it is [string, string] => typeof it[1] === 'string');
  return { kind: 'reply', status: 200, headers: Object.fromEntries(own), text, url };
}

export function repliesInMemory(): KeptReplies {
  const kept = new LruMap<string, string>(MAX_IN_MEMORY, (it) => it.length);
  return {
    read: async (id) => kept.get(id),
    write: async (id, text) => kept.set(id, text),
    async prune() {},
  };
}

export function repliesIn(store: Pick<Store, 'read' | 'write' | 'pruneReplies'>): KeptReplies {
  let written = 0;
  const prune = (now: number): Promise<void> => {
    written = 0;
    return store.pruneReplies(now - replyLimits.age, replyLimits.characters);
  };
  return {
    async read(id) {
      const [answer] = await store.read([{ kind: 'reply', id }]);
      return answer?.body;
    },
    async write(id, body, at) {
      await store.write([{ fact: { kind: 'reply', id }, answer: { body, asOf: at, lifetime: 0 } }]);
      written += body.length;
      if (written > replyLimits.pruneAfter) await prune(at);
    },
    prune,
  };
}
