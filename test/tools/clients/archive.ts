import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** A package with its manifest alone, as npm packs it. */
export function archiveOf(manifest: object): Buffer {
  return gzipSync(Buffer.concat([tarEntry('package/package.json', JSON.stringify(manifest)), Buffer.alloc(1024)]));
}

/** One file of a tar archive. */
export function tarEntry(path: string, text: string): Buffer {
  const content = Buffer.from(text);
  const head = Buffer.alloc(512);
  head.write(path, 0);
  head.write('0000644\x000000000\x000000000\0', 100);
  head.write(`${content.length.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0        0`, 124);
  head.write('ustar\x0000', 257);
  const sum = head.reduce((a, b) => a + b, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
  return Buffer.concat([head, content, padding]);
}

/** What a registry of npm says of an archive. */
export function distOf(url: string, name: string, version: string, archive: Buffer): object {
  return {
    tarball: `${url}/${name}/-/${name.replace(/^@.*\//, '')}-${version}.tgz`,
    shasum: createHash('sha1').update(archive).digest('hex'),
    integrity: `sha512-${createHash('sha512').update(archive).digest('base64')}`,
  };
}
