import { createHash } from 'node:crypto';
import { isRecord } from '../../engine/base/text.ts';
import { type Call, count } from './call.ts';
import { fullSyncRequired, invalid } from './errors.ts';

/** The order of a list: a number, then the id. */
export type Key = readonly [number, string];

/** What a request for a list is about. */
export interface Paging {
  readonly size: number;
  /** Only what has changed after this revision. */
  readonly since: number | undefined;
  /** The revision at the first page. */
  readonly revision: number;
  readonly after: Key | undefined;
  readonly scope: string;
}

const limits = {
  /** How long a sync token is valid, in ms. */
  syncToken: 30 * 86_400_000,
} as const;

/** Parameters of lists of events that exclude a sync token. */
export const exclusiveOfEvents = [
  'iCalUID',
  'orderBy',
  'privateExtendedProperty',
  'q',
  'sharedExtendedProperty',
  'timeMin',
  'timeMax',
  'updatedMin',
];

/** They change the form of an answer, or how much of it is returned. */
const passing = ['pageToken', 'syncToken', 'maxResults', 'alt', 'key', 'fields', 'prettyPrint', 'quotaUser', 'userIp'];

/**
 * @param scope what the tokens are for: the collection and what of it is listed
 * @throws `Refused`: 410 for a sync token that is too old or was issued for something else, 400 for such a page token
 */
export function readPaging(
  call: Call,
  scope: string,
  sizes: { readonly usual: number; readonly most: number },
): Paging {
  const size = Math.min(count(call, 'maxResults') ?? sizes.usual, sizes.most);
  const pageToken = call.parameters.get('pageToken');
  if (pageToken !== null) {
    const { query, since, revision, after } = readToken(pageToken);
    const isKey = Array.isArray(after) && typeof after[0] === 'number' && typeof after[1] === 'string';
    if (query !== queryOf(call, scope) || typeof revision !== 'number' || !isKey)
      throw invalid('Invalid page token value.', 'pageToken');
    const from = typeof since === 'number' ? since : undefined;
    return { size, since: from, revision, after: [after[0], after[1]], scope };
  }
  const newest = call.store.revision();
  const syncToken = call.parameters.get('syncToken');
  const since = syncToken === null ? undefined : readSyncToken(call, syncToken, scope, newest);
  return { size, since, revision: newest, after: undefined, scope };
}

function readSyncToken({ store, now }: Call, text: string, scope: string, newest: number): number {
  const { store: id, scope: issuedFor, revision, at } = readToken(text);
  const isValid = id === store.id && issuedFor === scope && typeof revision === 'number' && revision <= newest;
  if (!isValid || typeof at !== 'number' || at + limits.syncToken < now) throw fullSyncRequired();
  return revision;
}

/** @throws `Refused` if a parameter is given that excludes a sync token */
export function refuseWithSyncToken({ parameters }: Call, names: readonly string[]): void {
  if (!parameters.has('syncToken')) return;
  const found = names.find((it) => parameters.has(it));
  if (found !== undefined) throw invalid(`Sync token cannot be used with ${found}.`, found);
}

/** One page of what is listed, with the token of the next page or, on the last page, of the next listing. */
export function pageOf<T>(
  call: Call,
  { size, since, revision, after, scope }: Paging,
  entries: readonly { readonly key: Key; readonly value: T }[],
  canSync = true,
): { readonly values: readonly T[]; readonly tokens: object } {
  const sorted = entries.toSorted((a, b) => compare(a.key, b.key));
  const rest = after ? sorted.filter((it) => compare(it.key, after) > 0) : sorted;
  const page = rest.slice(0, size);
  const last = page.at(-1);
  const values = page.map((it) => it.value);
  if (last && rest.length > page.length) {
    const token = { query: queryOf(call, scope), revision, after: last.key, ...(since !== undefined && { since }) };
    return { values, tokens: { nextPageToken: writeToken(token) } };
  }
  if (!canSync) return { values, tokens: {} };
  return { values, tokens: { nextSyncToken: writeToken({ store: call.store.id, scope, revision, at: call.now }) } };
}

function compare(a: Key, b: Key): number {
  return a[0] - b[0] || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0);
}

function queryOf({ parameters, store }: Call, scope: string): string {
  const given = [...parameters].filter(([name]) => !passing.includes(name)).sort();
  return createHash('sha256')
    .update(JSON.stringify([store.id, scope, given]))
    .digest('base64url')
    .slice(0, 12);
}

function writeToken(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function readToken(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** The etag of a list: it changes with what the list contains. */
export function listEtag(body: object): string {
  return `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 16)}"`;
}
