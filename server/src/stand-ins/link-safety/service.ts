import { createHash } from 'node:crypto';
import { isRecord } from '../../engine/base/text.ts';
import { canonicalUrl } from '../../engine/links/canonical-url.ts';
import { expressionsOf, hashOf } from '../../engine/links/expressions.ts';
import { isSameSecret } from '../../service/callers.ts';
import type { Reply } from '../../service/replies.ts';
import type { ServiceRequest } from '../../service/routes.ts';
import type { UnsafeEntry } from './list-file.ts';
import { encodeRice } from './rice-encoder.ts';

export interface LinkSafetyServiceOptions {
  readonly entries: readonly UnsafeEntry[];
  /** Sent as `minimumWaitDuration` of updates and of hashes, in ms. Absent: none is sent. */
  readonly minimumWait?: number;
  /** Of matches and of prefixes without a match, in ms. */
  readonly cacheDuration?: number;
  /** What `key` of the query must be. Absent: not checked. */
  readonly key?: string;
  /** Sends checksums that are wrong, to try what a client does then. */
  readonly hasWrongChecksums?: boolean;
}

/** The lookup service over a file of lists. */
export interface LinkSafetyService {
  readsBody(request: Pick<ServiceRequest, 'method' | 'target'>): boolean;
  /** Undefined for the path of another service. */
  answer(request: ServiceRequest): Reply | undefined;
  /** The lists from now on. Clients with former ones get the changes. */
  replace(entries: readonly UnsafeEntry[]): void;
}

/** Served even if they are empty: what clients request unless they choose. */
const usualLists = ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE'].map((it) => `${it}/ANY_PLATFORM/URL`);

/** Former versions for which changes are sent; older ones get the whole list. */
const MAX_VERSIONS = 32;

/** Source: documentation of the lookup service. */
const MAX_ENTRIES = 500;
const CACHE_DURATION = 300_000;

/** Prefixes of one list in hexadecimal digits, in ascending order, by list. */
type Version = ReadonlyMap<string, readonly string[]>;

export function createLinkSafetyService(options: LinkSafetyServiceOptions): LinkSafetyService {
  const { cacheDuration = CACHE_DURATION } = options;
  const versions = new Map<number, Version>();
  let newest = 0;
  let entries: readonly UnsafeEntry[] = [];
  // States of an earlier run mean nothing to this one.
  const run = createHash('sha256').update(JSON.stringify(options.entries)).digest('hex').slice(0, 8);

  function replace(next: readonly UnsafeEntry[]): void {
    entries = next;
    newest++;
    versions.set(newest, versionOf(next));
    for (const old of versions.keys()) if (old <= newest - MAX_VERSIONS) versions.delete(old);
  }
  replace(options.entries);

  type Found = { readonly route: Route } | { readonly reply: Reply | undefined };

  /** The method of a request, or the reply without one. */
  function find({ method, target }: Pick<ServiceRequest, 'method' | 'target'>): Found {
    const { pathname, searchParams } = new URL(target, 'http://service.invalid');
    const route = routes.get(pathname);
    if (route === undefined) return { reply: undefined };
    if (method !== route.verb) return { reply: refuse(404, 'NOT_FOUND', 'Method not found.') };
    const key = searchParams.get('key');
    if (options.key !== undefined && key === null) {
      return { reply: refuse(403, 'PERMISSION_DENIED', 'The request is missing a valid API key.') };
    }
    if (options.key !== undefined && !isSameSecret(key ?? '', options.key)) {
      return { reply: refuse(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.') };
    }
    return { route };
  }

  function answer(request: ServiceRequest): Reply | undefined {
    const found = find(request);
    if ('reply' in found) return found.reply;
    const { route } = found;
    const { body } = request;
    if (route.verb === 'GET') return { kind: 'json', body: listThreatLists() };
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return refuse(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received.');
    }
    const result = isRecord(value) ? route.answer(value) : 'the body is not an object';
    return typeof result === 'string' ? refuse(400, 'INVALID_ARGUMENT', result) : { kind: 'json', body: result };
  }

  function readsBody(head: Pick<ServiceRequest, 'method' | 'target'>): boolean {
    const found = find(head);
    return 'route' in found && found.route.verb === 'POST';
  }

  type Answer = (body: Fields) => object | string;
  type Route = { readonly verb: 'GET' } | { readonly verb: 'POST'; readonly answer: Answer };
  const routes = new Map<string, Route>([
    ['/v4/threatLists', { verb: 'GET' }],
    ['/v4/threatListUpdates:fetch', { verb: 'POST', answer: fetchUpdates }],
    ['/v4/fullHashes:find', { verb: 'POST', answer: findFullHashes }],
    ['/v4/threatMatches:find', { verb: 'POST', answer: findThreatMatches }],
  ]);

  function listThreatLists(): object {
    return { threatLists: [...(versions.get(newest)?.keys() ?? [])].map(fieldsOf) };
  }

  function fetchUpdates({ listUpdateRequests }: Fields): object | string {
    if (!Array.isArray(listUpdateRequests) || listUpdateRequests.length === 0) return 'listUpdateRequests is required';
    const responses: object[] = [];
    for (const request of listUpdateRequests) {
      const name = isRecord(request) ? nameOf(request) : '';
      const current = versions.get(newest)?.get(name);
      if (!isRecord(request) || current === undefined) return `unknown list ${name}`;
      responses.push({ ...fieldsOf(name), ...changes(request, name, current) });
    }
    return { listUpdateResponses: responses, ...waitOf(options.minimumWait) };
  }

  function changes(request: Fields, name: string, current: readonly string[]): object {
    const { state, constraints } = request;
    const supported = isRecord(constraints) ? constraints['supportedCompressions'] : undefined;
    const isRice = Array.isArray(supported) && supported.includes('RICE');
    const [, former] =
      /^\w+ (\d+)$/.exec(typeof state === 'string' ? Buffer.from(state, 'base64').toString() : '') ?? [];
    const isOurs = typeof state === 'string' && Buffer.from(state, 'base64').toString() === `${run} ${former}`;
    const before = isOurs ? versions.get(Number(former))?.get(name) : undefined;
    const held = new Set(current);
    const known = new Set(before);
    const removals = (before ?? []).flatMap((it, at) => (held.has(it) ? [] : [at]));
    const additions = current.filter((it) => !known.has(it));
    const sum = createHash('sha256')
      .update(Buffer.from(current.join(''), 'hex'))
      .digest();
    if (options.hasWrongChecksums) sum[0] = (sum[0] ?? 0) ^ 1;
    return {
      responseType: before ? 'PARTIAL_UPDATE' : 'FULL_UPDATE',
      ...(removals.length > 0 && { removals: [indexSet(removals, isRice)] }),
      ...(additions.length > 0 && { additions: prefixSets(additions, isRice) }),
      newClientState: Buffer.from(`${run} ${newest}`).toString('base64'),
      checksum: { sha256: sum.toString('base64') },
    };
  }

  function findFullHashes({ threatInfo }: Fields): object | string {
    const asked = readInfo(threatInfo);
    if (typeof asked === 'string') return asked;
    const prefixes = asked.entries.map(({ hash }) => (typeof hash === 'string' ? Buffer.from(hash, 'base64') : none));
    if (prefixes.some((it) => it.length < 4 || it.length > 32)) return 'threatEntries: a hash has 4 to 32 bytes';
    const digits = prefixes.map((it) => it.toString('hex'));
    const found = unique(entries).filter(
      ({ list, hash }) =>
        asked.includes(list) && hash.length === 64 && digits.some((prefix) => hash.startsWith(prefix)),
    );
    const matches = found.map(({ list, hash }) => matchOf(list, { hash: Buffer.from(hash, 'hex').toString('base64') }));
    return {
      ...(matches.length > 0 && { matches }),
      ...waitOf(options.minimumWait),
      negativeCacheDuration: seconds(cacheDuration),
    };
  }

  function findThreatMatches({ threatInfo }: Fields): object | string {
    const asked = readInfo(threatInfo);
    if (typeof asked === 'string') return asked;
    const matches = asked.entries.flatMap(({ url }) => {
      const canonical = typeof url === 'string' ? canonicalUrl(url) : undefined;
      const hashes = new Set(canonical ? expressionsOf(canonical).map((it) => hashOf(it).toString('hex')) : []);
      const lists = entries.filter((it) => hashes.has(it.hash) && asked.includes(it.list)).map((it) => it.list);
      return [...new Set(lists)].map((list) => matchOf(list, { url }));
    });
    return matches.length > 0 ? { matches } : {};
  }

  function matchOf(list: string, threat: object): object {
    return { ...fieldsOf(list), threat, cacheDuration: seconds(cacheDuration) };
  }

  return { readsBody, answer, replace };
}

type Fields = Readonly<Record<string, unknown>>;

const none = Buffer.alloc(0);

function versionOf(entries: readonly UnsafeEntry[]): Version {
  const lists = new Map<string, Set<string>>(usualLists.map((it) => [it, new Set()]));
  for (const { list, hash, prefixSize } of entries) {
    const prefixes = lists.get(list) ?? new Set();
    prefixes.add(hash.slice(0, prefixSize * 2));
    lists.set(list, prefixes);
  }
  // An entry below a shorter prefix is redundant, and clients refuse lists that contain both.
  return new Map(
    [...lists].map(([name, prefixes]) => [
      name,
      [...prefixes].sort().reduce<string[]>((kept, it) => {
        const last = kept.at(-1);
        if (last === undefined || !it.startsWith(last)) kept.push(it);
        return kept;
      }, []),
    ]),
  );
}

/** Prefixes of 4 bytes as Rice coding where the client supports it; of other sizes never, as the contract has it. */
function prefixSets(prefixes: readonly string[], isRice: boolean): object[] {
  const sizes = [...new Set(prefixes.map((it) => it.length / 2))];
  return sizes.map((size) => {
    const some = prefixes.filter((it) => it.length / 2 === size);
    if (isRice && size === 4) {
      const values = some.map((it) => Buffer.from(it, 'hex').readUInt32LE()).sort((a, b) => a - b);
      return { compressionType: 'RICE', riceHashes: encodeRice(values) };
    }
    const rawHashes = Buffer.from(some.join(''), 'hex').toString('base64');
    return { compressionType: 'RAW', rawHashes: { prefixSize: size, rawHashes } };
  });
}

function indexSet(indices: readonly number[], isRice: boolean): object {
  return isRice
    ? { compressionType: 'RICE', riceIndices: encodeRice(indices) }
    : { compressionType: 'RAW', rawIndices: { indices } };
}

/** The entries of a request, and which lists it is about; a sentence for an invalid one. */
function readInfo(
  info: unknown,
): { readonly entries: readonly Fields[]; readonly includes: (list: string) => boolean } | string {
  if (!isRecord(info)) return 'threatInfo is required';
  const { threatTypes, platformTypes, threatEntryTypes, threatEntries } = info;
  if (!Array.isArray(threatEntries) || !threatEntries.every(isRecord)) return 'threatEntries is required';
  if (threatEntries.length > MAX_ENTRIES) return `threatEntries: at most ${MAX_ENTRIES}`;
  const kinds = [threatTypes, platformTypes, threatEntryTypes];
  if (!kinds.every((it) => Array.isArray(it) && it.length > 0)) {
    return 'threatTypes, platformTypes and threatEntryTypes are required';
  }
  const includes = (list: string): boolean =>
    list.split('/').every((part, at) => Array.isArray(kinds[at]) && kinds[at].includes(part));
  return { entries: threatEntries, includes };
}

function unique(entries: readonly UnsafeEntry[]): readonly UnsafeEntry[] {
  return [...new Map(entries.map((it) => [`${it.list} ${it.hash}`, it])).values()];
}

function nameOf({ threatType, platformType, threatEntryType }: Fields): string {
  return `${threatType}/${platformType}/${threatEntryType}`;
}

function fieldsOf(list: string): object {
  const [threatType, platformType, threatEntryType] = list.split('/');
  return { threatType, platformType, threatEntryType };
}

function waitOf(ms: number | undefined): object {
  return ms === undefined ? {} : { minimumWaitDuration: seconds(ms) };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(3)}s`;
}

function refuse(code: number, status: string, message: string): Reply {
  return { kind: 'json', status: code, body: { error: { code, message, status } } };
}
