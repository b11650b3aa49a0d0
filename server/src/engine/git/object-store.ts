import { constants, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inflate } from 'node:zlib';
import { bytesAt } from './git-directory.ts';

/** In bytes. A larger manifest is not read from the disk, either. */
const MAX_OBJECT_BYTES = 32 * 1024 * 1024;
/** In bytes, for all steps from a base to the object: a chain of small deltas may make any number of large texts. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
/** Deltas on deltas. Source: git-config, pack.depth, at most 4095. */
const MAX_DEPTH = 4095;

export interface GitObject {
  readonly kind: 'commit' | 'tree' | 'blob' | 'tag';
  readonly bytes: Buffer;
}

/** Undefined for an object that is not there, damaged or too large, and in packs whose index has version 1. */
export type ReadObject = (id: string) => Promise<GitObject | undefined>;

interface Pack {
  /** Without its ending. */
  readonly path: string;
  /** How many objects have a name that begins with at most this byte. */
  readonly fanout: Buffer;
}

/** What is left of the bytes and steps that reading one object may take. */
interface Allowance {
  bytes: number;
  steps: number;
}

/**
 * Reads objects of a repository without git itself: loose ones, and those in packs. Objects of another repository, which
 * `objects/info/alternates` names, are not read: a stranger may have written that path.
 * @param directory `.git/objects`
 * @param hash the length of a name in bytes
 */
export function openObjects(directory: string, hash: number): ReadObject {
  let packs: Promise<readonly Pack[]> | undefined;

  async function read(id: string, allowance: Allowance): Promise<GitObject | undefined> {
    const loose = await bytesAt(join(directory, id.slice(0, 2), id.slice(2)), MAX_OBJECT_BYTES);
    if (loose) return readLoose(loose);
    packs ??= packsIn(join(directory, 'pack'));
    for (const pack of await packs) {
      const at = await offsetOf(id, pack, hash);
      if (at !== undefined) return unpack(pack, at, allowance);
    }
    return undefined;
  }

  /** Source: gitformat-pack, "Object entry". */
  async function unpack(pack: Pack, start: number, allowance: Allowance): Promise<GitObject | undefined> {
    const deltas: Buffer[] = [];
    let found: GitObject | undefined;
    for (let at = start; found === undefined; ) {
      if (--allowance.steps < 0) return undefined;
      const entry = await entryAt(`${pack.path}.pack`, at, hash, allowance);
      if (entry === undefined) return undefined;
      const { base, bytes } = entry;
      if (base.kind === 'object') {
        found = { kind: base.of, bytes };
        continue;
      }
      deltas.push(bytes);
      if (base.kind === 'before') at -= base.by;
      else found = await read(base.id, allowance);
      if (base.kind === 'named' && found === undefined) return undefined;
    }
    let { bytes } = found;
    for (const it of deltas.reverse()) {
      const made = applyDelta(bytes, it, allowance);
      if (made === undefined) return undefined;
      bytes = made;
    }
    return { kind: found.kind, bytes };
  }

  return async (id) => {
    if (!/^[\da-f]+$/.test(id) || id.length !== hash * 2) return undefined;
    try {
      return await read(id, { bytes: MAX_UNPACKED_BYTES, steps: MAX_DEPTH });
    } catch {
      // Damaged, or packed anew meanwhile.
      return undefined;
    }
  };
}

/** `blob 12\0…` Source: gitformat-loose is not needed for more. */
async function readLoose(packed: Buffer): Promise<GitObject | undefined> {
  const bytes = await inflated(packed, MAX_OBJECT_BYTES);
  const [head = '', kind] = /^(commit|tree|blob|tag) \d+\0/.exec(bytes.toString('latin1', 0, 32)) ?? [];
  return head === '' ? undefined : { kind: kind as GitObject['kind'], bytes: bytes.subarray(head.length) };
}

async function packsIn(directory: string): Promise<readonly Pack[]> {
  const names = await readdir(directory).catch(() => []);
  const packs: Pack[] = [];
  for (const it of names) {
    if (!/^pack-[\da-f]+\.idx$/.test(it)) continue;
    const path = join(directory, it.slice(0, -'.idx'.length));
    const head = await slice(`${path}.idx`, 0, FANOUT_END);
    if (head?.length === FANOUT_END && head.readUInt32BE(0) === 0xff744f63 && head.readUInt32BE(4) === 2)
      packs.push({ path, fanout: head.subarray(8) });
  }
  return packs;
}

/** Source: gitformat-pack, "Version 2 pack-*.idx files". */
const FANOUT_END = 8 + 256 * 4;

/** Where an object begins in a pack. */
async function offsetOf(id: string, { path, fanout }: Pack, hash: number): Promise<number | undefined> {
  const file = `${path}.idx`;
  const name = Buffer.from(id, 'hex');
  const first = name[0] ?? 0;
  const all = fanout.readUInt32BE(255 * 4);
  let low = first === 0 ? 0 : fanout.readUInt32BE((first - 1) * 4);
  let high = fanout.readUInt32BE(first * 4);
  const from = low;
  if (high <= low) return undefined;
  const names = await slice(file, FANOUT_END + from * hash, (high - from) * hash);
  if (names === undefined) return undefined;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = (middle - from) * hash;
    const order = name.compare(names, start, start + hash);
    if (order === 0) {
      const offsets = FANOUT_END + all * (hash + 4);
      const short = (await slice(file, offsets + middle * 4, 4))?.readUInt32BE(0);
      if (short === undefined || short < 0x80000000) return short;
      const long = await slice(file, offsets + all * 4 + (short - 0x80000000) * 8, 8);
      return long && Number(long.readBigUInt64BE(0));
    }
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return undefined;
}

interface Entry {
  readonly base:
    | { readonly kind: 'object'; readonly of: GitObject['kind'] }
    /** A delta to the object that begins so many bytes before it. */
    | { readonly kind: 'before'; readonly by: number }
    | { readonly kind: 'named'; readonly id: string };
  readonly bytes: Buffer;
}

const kinds: readonly (GitObject['kind'] | undefined)[] = [undefined, 'commit', 'tree', 'blob', 'tag'];

/** In bytes: type, size, and what a delta is to. Most objects end before it, so that one read is enough. */
const FIRST_READ = 4096;

async function entryAt(path: string, at: number, hash: number, allowance: Allowance): Promise<Entry | undefined> {
  const head = await slice(path, at, FIRST_READ);
  if (head === undefined || head.length === 0) return undefined;
  let next = 0;
  let byte = head[next++] ?? 0;
  const type = (byte >> 4) & 7;
  let size = byte & 15;
  for (let scale = 16; byte >= 128 && next < head.length; scale *= 128) {
    byte = head[next++] ?? 0;
    size += (byte & 127) * scale;
  }
  if (size > MAX_OBJECT_BYTES || !isAllowed(size, allowance)) return undefined;
  const of = kinds[type];
  let base: Entry['base'] | undefined = of && { kind: 'object', of };
  if (type === 6) {
    let by = -1;
    do {
      byte = head[next++] ?? 0;
      by = (by + 1) * 128 + (byte & 127);
    } while (byte >= 128 && next < head.length);
    // A delta to itself would be one forever.
    if (by > 0 && by <= at) base = { kind: 'before', by };
  } else if (type === 7) {
    base = { kind: 'named', id: head.toString('hex', next, next + hash) };
    next += hash;
  }
  if (base === undefined) return undefined;
  // What zlib adds at most to what it cannot compress, and more.
  const most = size + (size >> 8) + 1024;
  const packed = next + most <= head.length ? head.subarray(next) : await slice(path, at + next, most);
  const bytes = packed && (await inflated(packed, size));
  return bytes?.length === size ? { base, bytes } : undefined;
}

/** Source: gitformat-pack, "Deltified representation". */
function applyDelta(source: Buffer, delta: Buffer, allowance: Allowance): Buffer | undefined {
  let at = 0;
  function length(): number {
    let value = 0;
    for (let scale = 1; at < delta.length; scale *= 128) {
      const byte = delta[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) break;
    }
    return value;
  }
  if (length() !== source.length) return undefined;
  const size = length();
  if (size > MAX_OBJECT_BYTES || !isAllowed(size, allowance)) return undefined;
  const target = Buffer.alloc(size);
  let end = 0;
  while (at < delta.length) {
    const order = delta[at++] ?? 0;
    if (order === 0) return undefined;
    if (order < 128) {
      if (end + order > size || at + order > delta.length) return undefined;
      end += delta.copy(target, end, at, at + order);
      at += order;
      continue;
    }
    let [from, count] = [0, 0];
    for (let bit = 0; bit < 4; bit++) if (order & (1 << bit)) from += (delta[at++] ?? 0) * 256 ** bit;
    for (let bit = 0; bit < 3; bit++) if (order & (16 << bit)) count += (delta[at++] ?? 0) * 256 ** bit;
    if (count === 0) count = 0x10000;
    if (from + count > source.length || end + count > size) return undefined;
    end += source.copy(target, end, from, from + count);
  }
  return end === size ? target : undefined;
}

function isAllowed(size: number, allowance: Allowance): boolean {
  allowance.bytes -= size;
  return allowance.bytes >= 0;
}

/** What follows the compressed part is passed over. */
function inflated(packed: Buffer, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    inflate(packed, { maxOutputLength: Math.max(1, most) }, (error, bytes) => (error ? reject(error) : resolve(bytes)));
  });
}

/** A part of a plain file, shorter where the file ends. */
async function slice(path: string, at: number, length: number): Promise<Buffer | undefined> {
  if (length > 2 * MAX_OBJECT_BYTES) return undefined;
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) return undefined;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
