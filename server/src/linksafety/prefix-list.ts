import { createHash } from 'node:crypto';

/** Prefixes of hashes, of one size. */
export interface PrefixPart {
  /** Of each prefix, in bytes: 4 to 32. */
  readonly size: number;
  /** The prefixes one after the other. */
  readonly bytes: Buffer;
}

/** A list of unsafe resources: by ascending size, each part in the order of its bytes. */
export type PrefixList = readonly PrefixPart[];

const MIN_SIZE = 4;
const MAX_SIZE = 32;

/** In bytes, of a whole list. The public lists have some MiB. */
const MAX_LIST_SIZE = 256 * 1024 * 1024;

/**
 * The list after an update: first the entries at some indices of the list in the order of its bytes are removed, then
 * others are added. Undefined for an invalid update.
 */
export function updatedList(
  list: PrefixList,
  removals: Iterable<number>,
  additions: readonly PrefixPart[],
): PrefixList | undefined {
  const kept = withoutEntries(list, removals);
  const isValid = additions.every(
    ({ size, bytes }) => Number.isInteger(size) && size >= MIN_SIZE && size <= MAX_SIZE && bytes.length % size === 0,
  );
  if (kept === undefined || !isValid) return undefined;
  const all = [...kept, ...additions];
  if (all.reduce((sum, { bytes }) => sum + bytes.length, 0) > MAX_LIST_SIZE) return undefined;
  const sizes = [...new Set(all.map((it) => it.size))].sort((a, b) => a - b);
  return sizes.flatMap((size) => {
    const parts = all.filter((it) => it.size === size);
    const bytes = Buffer.concat(parts.map((it) => it.bytes));
    if (bytes.length === 0) return [];
    // One part alone that was kept is in order.
    return [{ size, bytes: parts.length === 1 && kept.includes(parts[0] as PrefixPart) ? bytes : sorted(bytes, size) }];
  });
}

/** SHA-256 of all prefixes in the order of their bytes. */
export function checksumOf(list: PrefixList): Buffer {
  const hash = createHash('sha256');
  const [only, ...others] = list;
  if (only && others.length === 0) return hash.update(only.bytes).digest();
  const joined = Buffer.alloc(list.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let end = 0;
  inOrder(list, ({ size, bytes }, offset) => {
    end += bytes.copy(joined, end, offset, offset + size);
  });
  return hash.update(joined).digest();
}

/** Whether a prefix of the hash is in the list. */
export function matchesHash(list: PrefixList, hash: Buffer): boolean {
  return list.some(({ size, bytes }) => {
    let low = 0;
    let high = bytes.length / size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = bytes.compare(hash, 0, size, middle * size, (middle + 1) * size);
      if (order === 0) return true;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return false;
  });
}

function withoutEntries(list: PrefixList, removals: Iterable<number>): PrefixList | undefined {
  const count = list.reduce((sum, { size, bytes }) => sum + bytes.length / size, 0);
  const removed = new Uint8Array(count);
  let isAny = false;
  for (const index of removals) {
    if (!Number.isInteger(index) || index < 0 || index >= count) return undefined;
    removed[index] = 1;
    isAny = true;
  }
  if (!isAny) return list;
  const kept = new Map(list.map((it) => [it, { bytes: Buffer.alloc(it.bytes.length), end: 0 }]));
  let index = 0;
  inOrder(list, (part, offset) => {
    const copy = kept.get(part);
    if (removed[index++] === 0 && copy) {
      copy.end += part.bytes.copy(copy.bytes, copy.end, offset, offset + part.size);
    }
  });
  return [...kept].map(([{ size }, { bytes, end }]) => ({ size, bytes: bytes.subarray(0, end) }));
}

/** Visits all entries of all parts in the order of their bytes; of two that begin alike, the shorter one first. */
function inOrder(list: PrefixList, visit: (part: PrefixPart, offset: number) => void): void {
  const cursors = list.filter((it) => it.bytes.length > 0).map((part) => ({ part, at: 0 }));
  while (cursors.length > 0) {
    let first = cursors[0] as (typeof cursors)[number];
    for (const it of cursors) {
      if (it === first) continue;
      const { part, at } = first;
      const order = it.part.bytes.compare(part.bytes, at, at + part.size, it.at, it.at + it.part.size);
      if (order < 0) first = it;
    }
    visit(first.part, first.at);
    first.at += first.part.size;
    if (first.at >= first.part.bytes.length) cursors.splice(cursors.indexOf(first), 1);
  }
}

function sorted(bytes: Buffer, size: number): Buffer {
  const count = bytes.length / size;
  const result = Buffer.alloc(bytes.length);
  if (size === MIN_SIZE) {
    // Numbers are sorted much faster, and nearly all prefixes of public lists have this size.
    const numbers = new Uint32Array(count);
    for (let at = 0; at < count; at++) numbers[at] = bytes.readUInt32BE(at * size);
    numbers.sort();
    for (let at = 0; at < count; at++) result.writeUInt32BE(numbers[at] ?? 0, at * size);
    return result;
  }
  const entries = Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
  entries.sort(Buffer.compare);
  for (const [at, entry] of entries.entries()) entry.copy(result, at * size);
  return result;
}
