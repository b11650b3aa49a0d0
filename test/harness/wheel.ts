import { crc32, deflateRawSync } from 'node:zlib';

/** A wheel of Python with its metadata alone: an archive without compression. */
export function wheelOf(name: string, version: string, metadata: string): Buffer {
  const folder = `${name}-${version}.dist-info`;
  return zipOf({
    [`${folder}/METADATA`]: metadata,
    [`${folder}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${folder}/RECORD`]: '',
  });
}

/** An archive. */
export function zipOf(texts: Readonly<Record<string, string>>, compression: 'stored' | 'deflated' = 'stored'): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(texts)) {
    const name = Buffer.from(path);
    const data = Buffer.from(text, 'latin1');
    const content = compression === 'stored' ? data : deflateRawSync(data);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(compression === 'stored' ? 0 : 8, 4);
    head.writeUInt16LE(0x21, 8);
    head.writeUInt32LE(crc32(data), 10);
    head.writeUInt32LE(content.length, 14);
    head.writeUInt32LE(data.length, 18);
    head.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, name, content]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), head, tail, name);
    parts.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(directory.length / 4, 8);
  end.writeUInt16LE(directory.length / 4, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, index, end]);
}
