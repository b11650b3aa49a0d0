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
    const added = additions.filter((it) => it.size === size).map((it) => it.bytes);
    const before = kept.find((it) => it.size === size)?.bytes ?? Buffer.alloc(0);
    const bytes = added.length === 0 ? before : merged(before, sorted(Buffer.concat(added), size), size);
    return bytes.length === 0 ? [] : [{ size, bytes }];
  });
}

/** SHA-256 of all prefixes in the order of their bytes. */
export function checksumOf(list: PrefixList): Buffer {
  const hash = createHash('sha256');
  for (const { part, start, end } of inOrder(list))
    hash.update(part.bytes.subarray(start * part.size, end * part.size));
  return hash.digest();
}

/** Whether a prefix of the hash is in the list. */
export function matchesHash(list: PrefixList, hash: Buffer): boolean {
  return list.some((part) => {
    const prefix = hash.subarray(0, part.size);
    return entryOf(part, placeOf(part, prefix)).equals(prefix);
  });
}

function withoutEntries(list: PrefixList, removals: Iterable<number>): PrefixList | undefined {
  const indices = [...new Set(removals)].sort((a, b) => a - b);
  if (indices.length === 0) return list;
  if (!indices.every((it) => Number.isInteger(it) && it >= 0)) return undefined;
  /** The removed entries of each part, in ascending order. */
  const removed = new Map(list.map((it): [PrefixPart, number[]] => [it, []]));
  let next = 0;
  let before = 0;
  for (const { part, start, end } of inOrder(list)) {
    const count = end - start;
    for (; (indices[next] ?? Number.POSITIVE_INFINITY) < before + count; next++) {
      removed.get(part)?.push(start + (indices[next] ?? 0) - before);
    }
    before += count;
  }
  if (next < indices.length) return undefined;
  return [...removed].map(([{ size, bytes }, entries]) => {
    const ends = [...entries, bytes.length / size];
    return {
      size,
      bytes: Buffer.concat(ends.map((end, at) => bytes.subarray(((entries[at - 1] ?? -1) + 1) * size, end * size))),
    };
  });
}

/** Neighbors of one part. */
interface Run {
  readonly part: PrefixPart;
  /** Of the entries, the end not included. */
  readonly start: number;
  readonly end: number;
}

/**
 * All entries of all parts in the order of their bytes; of two that begin alike, the shorter one first. Nearly all entries
 * of a list have one size, so the others are placed between them.
 */
function inOrder(list: PrefixList): readonly Run[] {
  const [main, ...others] = [...list].sort((a, b) => b.bytes.length / b.size - a.bytes.length / a.size);
  if (main === undefined) return [];
  const entries = others.flatMap((part) =>
    Array.from({ length: part.bytes.length / part.size }, (_, start) => ({ part, start, bytes: entryOf(part, start) })),
  );
  entries.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  const runs: Run[] = [];
  let placed = 0;
  for (const { part, start, bytes } of entries) {
    const place = placeOf(main, bytes);
    if (place > placed) runs.push({ part: main, start: placed, end: place });
    placed = place;
    runs.push({ part, start, end: start + 1 });
  }
  return [...runs, { part: main, start: placed, end: main.bytes.length / main.size }];
}

function entryOf({ size, bytes }: PrefixPart, at: number): Buffer {
  return bytes.subarray(at * size, (at + 1) * size);
}

/** The number of entries that come before some bytes. */
function placeOf({ size, bytes }: PrefixPart, wanted: Buffer): number {
  const first = wanted.readUInt32BE();
  let low = 0;
  let high = bytes.length / size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = middle * size;
    // Comparing numbers is much faster.
    const order = bytes.readUInt32BE(start) - first || bytes.compare(wanted, 0, wanted.length, start, start + size);
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Two parts of one size as one. */
function merged(before: Buffer, added: Buffer, size: number): Buffer {
  if (added.length * MIN_SHARE > before.length) return sorted(Buffer.concat([before, added]), size);
  const pieces: Buffer[] = [];
  let placed = 0;
  for (let at = 0; at < added.length; at += size) {
    const entry = added.subarray(at, at + size);
    const place = placeOf({ size, bytes: before }, entry) * size;
    pieces.push(before.subarray(placed, place), entry);
    placed = place;
  }
  return Buffer.concat([...pieces, before.subarray(placed)]);
}

/** From one entry in so many on, sorting is faster than inserting. */
const MIN_SHARE = 16;

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
