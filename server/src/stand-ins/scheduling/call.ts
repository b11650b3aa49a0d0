import { isRecord } from '../../engine/base/text.ts';
import { invalid, preconditionFailed, Refused, required } from './errors.ts';
import type { Message } from './message.ts';
import type { CalendarStore, Fields, Item } from './store.ts';
import { readInstant } from './times.ts';

/** One authorized request. */
export interface Call {
  readonly store: CalendarStore;
  /** In ms since the epoch. */
  readonly now: number;
  /** The email address of the user. */
  readonly caller: string;
  /** The values of the path, decoded. */
  readonly values: readonly string[];
  readonly parameters: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The address of the interface: `http://127.0.0.1:8080/scheduling/v3`. */
  readonly base: string;
  /** Path and query behind the name of the service. */
  readonly target: string;
  /** The text of the body. */
  readonly text: string;
  /** The collections that this call has changed. */
  readonly changed: Set<string>;
  /** Sent once the call is stored. */
  readonly messages: Message[];
  readonly defaultZone: string;
}

/** What a method answers. Without a body: 204. */
export interface Answer {
  readonly body?: object;
  readonly etag?: string;
  /** A text that is not JSON. */
  readonly text?: { readonly type: string; readonly content: string };
}

const limits = {
  /** Of a request, in bytes. */
  body: 1024 * 1024,
  /** Objects and lists within each other. */
  depth: 24,
} as const;

/** Writes an item, and remembers that its collection has changed. */
export function put(call: Call, collection: string, id: string, body: Fields, more: Partial<Item> = {}): Item {
  call.changed.add(collection);
  return call.store.put({ isDeleted: false, index: {}, ...more, collection, id, body, updated: call.now });
}

export function etagOf({ revision }: Pick<Item, 'revision'>): string {
  return `"${revision}"`;
}

/** @throws `Refused` with 412 if the request is for another version */
export function checkMatch({ headers }: Call, item: Item): void {
  const wanted = headers['if-match'];
  if (wanted === undefined || wanted.trim() === '*') return;
  const tags = wanted.split(',').map((it) => it.trim().replace(/^W\//, ''));
  if (!tags.includes(etagOf(item))) throw preconditionFailed();
}

/** @throws `Refused` for a body that is not a JSON object */
export function bodyOf({ text }: Call): Fields {
  if (Buffer.byteLength(text) > limits.body) throw new Refused(413, 'uploadTooLarge', 'The request is too large.');
  let value: unknown;
  try {
    value = JSON.parse(text === '' ? '{}' : text);
  } catch {
    throw new Refused(400, 'parseError', 'Parse Error');
  }
  if (!isRecord(value)) throw new Refused(400, 'parseError', 'Parse Error: expected an object');
  if (depthOf(value) > limits.depth) throw new Refused(400, 'parseError', 'Parse Error: too deep');
  return value;
}

/** Stops at the first level below the limit. */
function depthOf(value: object): number {
  let level: object[] = [value];
  for (let depth = 1; ; depth++) {
    level = level.flatMap((it) => Object.values(it).filter((inner) => typeof inner === 'object' && inner !== null));
    if (level.length === 0 || depth > limits.depth) return depth;
  }
}

/** @throws `Refused` if it is there and not a text */
export function textIn(body: Fields, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalid(`Invalid value for ${name}`);
  return value;
}

export function requiredText(body: Fields, name: string): string {
  const value = textIn(body, name);
  if (value === undefined || value === '') throw required(name);
  return value;
}

export function flag({ parameters }: Call, name: string): boolean | undefined {
  const value = parameters.get(name);
  if (value === null) return undefined;
  if (value !== 'true' && value !== 'false') throw invalid(`Invalid boolean value: '${value.slice(0, 60)}'.`, name);
  return value === 'true';
}

export function count({ parameters }: Call, name: string): number | undefined {
  const value = parameters.get(name);
  if (value === null) return undefined;
  if (!/^\d{1,9}$/.test(value) || Number(value) < 1)
    throw invalid(`Invalid integer value: '${value.slice(0, 60)}'.`, name);
  return Number(value);
}

export function instant({ parameters }: Call, name: string): number | undefined {
  const value = parameters.get(name);
  return value === null ? undefined : readInstant(value, name);
}

export function choice<T extends string>({ parameters }: Call, name: string, names: readonly T[]): T | undefined {
  const value = parameters.get(name);
  if (value === null) return undefined;
  const found = names.find((it) => it === value);
  if (found === undefined)
    throw invalid(`Invalid string value: '${value.slice(0, 60)}'. Allowed values: [${names.join(', ')}]`, name);
  return found;
}

/**
 * A body over a stored resource: a member replaces, an absent one stays, null removes, a list replaces the whole list.
 */
export function patched(stored: Fields, patch: Fields): Fields {
  const result = new Map(Object.entries(stored));
  for (const [name, value] of Object.entries(patch)) {
    const former = result.get(name);
    if (value === null) result.delete(name);
    else if (isRecord(value)) result.set(name, patched(isRecord(former) ? former : {}, value));
    else result.set(name, value);
  }
  return Object.fromEntries(result);
}

/** The members that a client may set. What is null is left out, also within. */
export function only(body: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.flatMap((it) => (body[it] === undefined || body[it] === null ? [] : [[it, body[it]]])),
  );
}
