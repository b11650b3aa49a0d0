import { isRecord } from '../../engine/base/text.ts';
import type { ApiRequest } from '../../engine/model/connection.ts';
import type { PrefixPart } from './prefix-list.ts';
import { decodeRice } from './rice.ts';

/*
 * Requests and answers of the lookup service, version 4. An answer with a member that the service does not document is
 * not taken for one: a proxy that answers everything with JSON must not make links look safe.
 */

/** A list of the service, by the three parts of its name. */
export interface ThreatList {
  /** `MALWARE` */
  readonly threatType: string;
  /** `ANY_PLATFORM` */
  readonly platformType: string;
  /** `URL` */
  readonly threatEntryType: string;
}

/** `MALWARE/ANY_PLATFORM/URL` */
export function listName({ threatType, platformType, threatEntryType }: ThreatList): string {
  return `${threatType}/${platformType}/${threatEntryType}`;
}

/** @param name `MALWARE`, or all three parts */
export function threatListOf(name: string): ThreatList {
  const [threatType = '', platformType = 'ANY_PLATFORM', threatEntryType = 'URL'] = name.split('/');
  return { threatType, platformType, threatEntryType };
}

/** Source: documentation of the lookup service, threatMatches.find. Also kept to for hash prefixes. */
export const MAX_ENTRIES = 500;

export type Method = 'threatLists.list' | 'threatListUpdates.fetch' | 'fullHashes.find' | 'threatMatches.find';

/** The name and the version of this program, as the service requires. */
export interface ClientInfo {
  readonly clientId: string;
  readonly clientVersion: string;
}

export function listRequest(): ApiRequest {
  return { ...apiRequest('threatLists.list'), verb: 'GET' };
}

/** @param states by `listName`; absent for a list that is requested whole */
export function updateRequest(
  client: ClientInfo,
  lists: readonly ThreatList[],
  states: ReadonlyMap<string, Buffer>,
): ApiRequest {
  const listUpdateRequests = lists.map((list) => ({
    ...list,
    state: states.get(listName(list))?.toString('base64') ?? '',
    constraints: { supportedCompressions: ['RAW', 'RICE'] },
  }));
  return apiRequest('threatListUpdates.fetch', { client, listUpdateRequests });
}

/** @param prefixes 500 at most */
export function hashesRequest(
  client: ClientInfo,
  lists: readonly ThreatList[],
  states: readonly Buffer[],
  prefixes: readonly Buffer[],
): ApiRequest {
  const threatEntries = prefixes.map((it) => ({ hash: it.toString('base64') }));
  const clientStates = states.map((it) => it.toString('base64'));
  return apiRequest('fullHashes.find', { client, clientStates, threatInfo: { ...kindsOf(lists), threatEntries } });
}

/** @param urls 500 at most */
export function matchesRequest(client: ClientInfo, lists: readonly ThreatList[], urls: readonly string[]): ApiRequest {
  const threatEntries = urls.map((url) => ({ url }));
  return apiRequest('threatMatches.find', { client, threatInfo: { ...kindsOf(lists), threatEntries } });
}

function apiRequest(method: Method, body?: object): ApiRequest {
  return {
    connection: 'link-safety',
    method: `link-safety.${method}`,
    verb: 'POST',
    path: `v4/${method === 'threatLists.list' ? 'threatLists' : method.replace('.', ':')}`,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    units: 1,
  };
}

function kindsOf(lists: readonly ThreatList[]): object {
  return {
    threatTypes: [...new Set(lists.map((it) => it.threatType))],
    platformTypes: [...new Set(lists.map((it) => it.platformType))],
    threatEntryTypes: [...new Set(lists.map((it) => it.threatEntryType))],
  };
}

/** The change of one list. */
export interface ListUpdate {
  readonly list: ThreatList;
  readonly isPartial: boolean;
  readonly removals: readonly number[];
  readonly additions: readonly PrefixPart[];
  readonly state: Buffer;
  /** SHA-256 of the whole list afterwards. */
  readonly checksum: Buffer;
}

export interface UpdateAnswer {
  /** A list whose update is invalid has its name alone. */
  readonly updates: readonly (ListUpdate | { readonly list: ThreatList; readonly isPartial: 'invalid' })[];
  /** In ms. */
  readonly minimumWait?: number;
}

export interface ThreatMatch {
  readonly list: ThreatList;
  /** 32 bytes, or none for a match of an address. */
  readonly hash: Buffer;
  readonly url: string;
  /** In ms. */
  readonly cacheDuration: number;
}

export interface MatchesAnswer {
  readonly matches: readonly ThreatMatch[];
  /** In ms. */
  readonly minimumWait?: number;
}

export interface HashesAnswer extends MatchesAnswer {
  /** How long prefixes without a match have none, in ms. */
  readonly negativeCacheDuration: number;
}

/** Undefined for an answer that is not of this method. */
export function readLists(text: string): readonly ThreatList[] | undefined {
  const answer = answerWith(text, ['threatLists']);
  return answer && recordsIn(answer, 'threatLists')?.map(readList);
}

/** Undefined for an answer that is not of this method. */
export function readUpdates(text: string): UpdateAnswer | undefined {
  const answer = answerWith(text, ['listUpdateResponses', 'minimumWaitDuration']);
  const responses = answer && recordsIn(answer, 'listUpdateResponses');
  return responses && { updates: responses.map(readUpdate), ...waitIn(answer) };
}

/** Undefined for an answer that is not of this method. */
export function readHashes(text: string): HashesAnswer | undefined {
  const answer = answerWith(text, ['matches', 'minimumWaitDuration', 'negativeCacheDuration']);
  const matches = answer && readMatches(answer);
  if (!matches) return undefined;
  return { matches, negativeCacheDuration: duration(answer['negativeCacheDuration']) ?? 0, ...waitIn(answer) };
}

/** Undefined for an answer that is not of this method. */
export function readUrlMatches(text: string): MatchesAnswer | undefined {
  const answer = answerWith(text, ['matches']);
  const matches = answer && readMatches(answer);
  return matches && { matches };
}

type Fields = Readonly<Record<string, unknown>>;

function answerWith(text: string, members: readonly string[]): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && Object.keys(value).every((it) => members.includes(it)) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Empty if the member is absent, as empty lists are in this service's answers. */
function recordsIn(fields: Fields, name: string): readonly Fields[] | undefined {
  const value = fields[name] ?? [];
  return Array.isArray(value) && value.every(isRecord) ? value : undefined;
}

function readList(fields: Fields): ThreatList {
  const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  return {
    threatType: text('threatType'),
    platformType: text('platformType'),
    threatEntryType: text('threatEntryType'),
  };
}

function readMatches(answer: Fields): readonly ThreatMatch[] | undefined {
  return recordsIn(answer, 'matches')?.map((it) => {
    const threat = isRecord(it['threat']) ? it['threat'] : {};
    return {
      list: readList(it),
      hash: bytes(threat['hash']) ?? Buffer.alloc(0),
      url: typeof threat['url'] === 'string' ? threat['url'] : '',
      cacheDuration: duration(it['cacheDuration']) ?? 0,
    };
  });
}

function readUpdate(fields: Fields): UpdateAnswer['updates'][number] {
  const list = readList(fields);
  const { responseType, checksum } = fields;
  const removals = recordsIn(fields, 'removals')?.map(readIndices);
  const additions = recordsIn(fields, 'additions')?.map(readPrefixes);
  const sum = isRecord(checksum) ? bytes(checksum['sha256']) : undefined;
  const state = bytes(fields['newClientState']);
  const isPartial = responseType === 'PARTIAL_UPDATE';
  const isInvalid =
    sum === undefined ||
    state === undefined ||
    (!isPartial && responseType !== 'FULL_UPDATE') ||
    (!isPartial && (removals?.length ?? 0) > 0);
  if (isInvalid || !removals?.every(isPresent) || !additions?.every(isPresent)) return { list, isPartial: 'invalid' };
  return { list, isPartial, removals: removals.flat(), additions, state, checksum: sum };
}

function readIndices(set: Fields): readonly number[] | undefined {
  const { compressionType, rawIndices, riceIndices } = set;
  if (compressionType === 'RICE') {
    const values = readRice(riceIndices);
    return values && [...values];
  }
  if (compressionType !== 'RAW' || !isRecord(rawIndices)) return undefined;
  const indices = rawIndices['indices'] ?? [];
  return Array.isArray(indices) && indices.every(Number.isInteger) ? indices : undefined;
}

function readPrefixes(set: Fields): PrefixPart | undefined {
  const { compressionType, rawHashes, riceHashes } = set;
  if (compressionType === 'RICE') {
    const values = readRice(riceHashes);
    if (values === undefined) return undefined;
    const all = Buffer.alloc(values.length * 4);
    // The numbers are the four bytes of a prefix, lowest first.
    for (const [at, value] of values.entries()) all.writeUInt32LE(value, at * 4);
    return { size: 4, bytes: all };
  }
  if (compressionType !== 'RAW' || !isRecord(rawHashes)) return undefined;
  const { prefixSize } = rawHashes;
  const all = bytes(rawHashes['rawHashes']);
  return typeof prefixSize === 'number' && all !== undefined ? { size: prefixSize, bytes: all } : undefined;
}

/** Zeros are absent in JSON, and numbers of 64 bits are texts. */
function readRice(value: unknown): Uint32Array | undefined {
  if (!isRecord(value)) return undefined;
  const number = (name: string): number => Number(value[name] ?? 0);
  const encodedData = bytes(value['encodedData'] ?? '');
  if (encodedData === undefined) return undefined;
  return decodeRice({
    firstValue: number('firstValue'),
    numEntries: number('numEntries'),
    riceParameter: number('riceParameter'),
    encodedData,
  });
}

function waitIn(answer: Fields): { readonly minimumWait?: number } {
  const minimumWait = duration(answer['minimumWaitDuration']);
  return minimumWait === undefined ? {} : { minimumWait };
}

/** `300s`, `593.440s` → ms */
function duration(value: unknown): number | undefined {
  const [, seconds] = typeof value === 'string' ? (/^(\d+(?:\.\d+)?)s$/.exec(value) ?? []) : [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/** Base64 with either alphabet. */
function bytes(value: unknown): Buffer | undefined {
  return typeof value === 'string' && /^[\w+/-]*={0,2}$/.test(value) ? Buffer.from(value, 'base64') : undefined;
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}
