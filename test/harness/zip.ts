import { crc32, deflateRawSync } from 'node:zlib';

/**
 * A ZIP archive.
 * @param declared another size than that of the content. Source: APPNOTE.TXT, 4.3
 */
export function zip(entries: readonly (readonly [name: string, content: string])[], declared?: number): Buffer {
  const parts: Buffer[] = [];
  const heads: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of entries) {
    const packed = deflateRawSync(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(declared ?? content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    const behind = Buffer.alloc(14);
    behind.writeUInt32LE(offset, 10);
    heads.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, behind, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(heads);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}
