import { inflateRawSync } from 'node:zlib';

/** In bytes, uncompressed. */
const MAX_ENTRY = 4 * 1024 * 1024;
/** In bytes. Source: APPNOTE 6.3.10, 4.3.16: the record has 22, and a comment of up to 65,535. */
const MAX_TAIL = 22 + 65_535;

/**
 * The content of one file in an archive; undefined where it is missing, encrypted, too large, or the archive is broken.
 * Never throws. Archives of 4 GiB and more are not read.
 */
export function readZipEntry(archive: Buffer, name: string): Buffer | undefined {
  try {
    const end = archive.lastIndexOf('PK\x05\x06', -22, 'latin1');
    if (end < 0 || end < archive.length - MAX_TAIL) return undefined;
    const count = archive.readUInt16LE(end + 10);
    let at = archive.readUInt32LE(end + 16);
    for (let index = 0; index < count; index++) {
      if (archive.readUInt32LE(at) !== 0x02014b50) return undefined;
      const nameLength = archive.readUInt16LE(at + 28);
      const behind = at + 46 + nameLength;
      if (archive.toString('utf8', at + 46, behind) === name) return contentAt(archive, at);
      at = behind + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    }
    return undefined;
  } catch {
    // An offset leads out of the archive, or the content is no valid stream.
    return undefined;
  }
}

/** @param at where the entry of the central directory begins */
function contentAt(archive: Buffer, at: number): Buffer | undefined {
  const method = archive.readUInt16LE(at + 10);
  const size = archive.readUInt32LE(at + 20);
  const local = archive.readUInt32LE(at + 42);
  if (archive.readUInt32LE(local) !== 0x04034b50) return undefined;
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const content = archive.subarray(start, start + size);
  if (method === 0) return content;
  return method === 8 ? inflateRawSync(content, { maxOutputLength: MAX_ENTRY }) : undefined;
}
