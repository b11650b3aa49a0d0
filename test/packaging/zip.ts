import { readFileSync } from 'node:fs';

/** A header of the central directory, by the ZIP file format specification 4.3.12. */
const header = { signature: 0x02014b50, nameLength: 28, extraLength: 30, commentLength: 32, size: 46 };

/** The names of the files in a ZIP archive, from its central directory. */
export function namesInZip(path: string): string[] {
  const bytes = readFileSync(path);
  // The record at the end says where the directory starts; archives made here have no comment after it.
  const end = bytes.length - 22;
  let at = bytes.readUInt32LE(end + 16);
  const names: string[] = [];
  while (at < end && bytes.readUInt32LE(at) === header.signature) {
    const length = (field: number): number => bytes.readUInt16LE(at + field);
    const name = at + header.size;
    names.push(bytes.toString('utf8', name, name + length(header.nameLength)));
    at = name + length(header.nameLength) + length(header.extraLength) + length(header.commentLength);
  }
  return names;
}
