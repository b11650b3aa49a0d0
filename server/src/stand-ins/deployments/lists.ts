import { createHash } from 'node:crypto';
import { readFilter } from './filter.ts';
import { Refusal } from './refusal.ts';

/** An item of a list: what its order depends on, and what it shows. */
export interface ListItem {
  readonly name: string;
  /** In ms since the epoch. */
  readonly at: number;
  readonly shown: object;
}

/** Source: documentation of maxResults. */
const MAX_RESULTS = 500;

/**
 * A page of a list: by name, or the newest first. An item that comes or goes between two pages moves no other one.
 * @throws Refusal
 */
export function pageOf(
  items: readonly ListItem[],
  query: URLSearchParams,
): { readonly items: readonly object[]; readonly nextPageToken?: string } {
  const orderBy = query.get('orderBy') ?? '';
  const filterText = query.get('filter') ?? '';
  const size = readSize(query.get('maxResults'));
  const isByTime = /^\s*creationTimestamp\s+desc\s*$/.test(orderBy);
  if (!isByTime && !/^\s*(?:name(?:\s+asc)?\s*)?$/.test(orderBy)) {
    throw new Refusal(400, 'orderBy must be name or creationTimestamp desc', 'orderBy');
  }
  const filter = filterText === '' ? () => true : readFilter(filterText);
  // A page belongs to its list.
  const list = createHash('sha256').update(`${isByTime}\n${filterText}`).digest('base64url').slice(0, 8);
  const keyOf = ({ name, at }: ListItem): string =>
    isByTime ? `${String(Number.MAX_SAFE_INTEGER - at).padStart(16, '0')} ${name}` : name;
  const after = readToken(query.get('pageToken'), list);
  const wanted = items
    .filter(({ shown }) => filter(shown))
    .map((it) => ({ key: keyOf(it), shown: it.shown }))
    .filter(({ key }) => after === undefined || key > after)
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const page = wanted.slice(0, size);
  const last = page.at(-1);
  const isMore = last !== undefined && wanted.length > page.length;
  return {
    items: page.map((it) => it.shown),
    ...(isMore && { nextPageToken: Buffer.from(`${list}${last.key}`).toString('base64url') }),
  };
}

function readSize(text: string | null): number {
  if (text === null) return MAX_RESULTS;
  const size = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (size >= 0 && size <= MAX_RESULTS) return size === 0 ? MAX_RESULTS : size;
  throw new Refusal(400, `maxResults must be a number from 0 to ${MAX_RESULTS}`, 'maxResults');
}

function readToken(token: string | null, list: string): string | undefined {
  if (token === null || token === '') return undefined;
  const text = Buffer.from(token, 'base64url').toString();
  if (text.startsWith(list)) return text.slice(list.length);
  throw new Refusal(400, 'pageToken is of another list', 'pageToken');
}
