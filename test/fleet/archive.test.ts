import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { openArchive } from '../../server/src/fleet/checkout/archive.ts';
import type { Checkout } from '../../server/src/fleet/checkout/checkout.ts';
import { tarArchive } from '../../server/src/fleet/checkout/tar.ts';
import { diskFiles } from '../../server/src/platform/files.ts';
import { folderWith } from '../terminal/program.ts';

const folder = folderWith({});
after(() => folder.remove());
const scratch = join(folder.path, 'scratch');
mkdirSync(scratch);
const signal = new AbortController().signal;
let count = 0;

interface Packed {
  readonly path: string;
  readonly content?: string | Buffer;
  /** Source: POSIX ustar, typeflag. */
  readonly type?: '0' | '1' | '2' | '5' | '6';
  readonly link?: string;
  /** What the header declares, where that is not the size of the content. */
  readonly size?: number;
}

/** Source: POSIX ustar. */
function tar(files: readonly Packed[]): Buffer {
  const parts = files.flatMap(({ path, content = '', type = '0', link = '', size }) => {
    const bytes = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(path, 0, 100);
    header.write('0000644\0', 100);
    header.write(`${(size ?? bytes.length).toString(8).padStart(11, '0')}\0`, 124);
    header.write('00000000000\0', 136);
    header.write('        ', 148);
    header.write(type, 156);
    header.write(link, 157, 100);
    header.write('ustar\x0000', 257);
    const sum = header.reduce((total, it) => total + it, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

/** Source: APPNOTE.TXT, sections 4.3.7 and 4.3.12. */
function zip(files: readonly (Packed & { readonly mode?: number; readonly isEncrypted?: true })[]): Buffer {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const { path, content = '', size, mode = 0o100644, isEncrypted } of files) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(isEncrypted ? 1 : 0, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size ?? bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(path), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(path), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), common, rest, Buffer.from(path)]));
    parts.push(local);
    offset += local.length;
  }
  const names = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(names.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, names, end]);
}

function fileOf(bytes: Buffer, extension: string): string {
  const path = join(folder.path, `archive-${count++}.${extension}`);
  writeFileSync(path, bytes);
  return path;
}

async function checkoutOf(path: string): Promise<Checkout> {
  const opened = await openArchive(path, scratch, signal);
  assert.ok(opened.kind === 'checkout', JSON.stringify(opened));
  return opened.checkout;
}

async function refusalOf(path: string): Promise<string> {
  const opened = await openArchive(path, scratch, signal);
  assert.ok(opened.kind === 'refused', JSON.stringify(opened));
  assert.deepEqual(readdirSync(scratch), [], 'nothing is left of it');
  return opened.reason;
}

const filesIn = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((it) => it !== '.git' && /[^/]\.\w+$|CODEOWNERS/.test(it))
    .sort();

const usual: readonly Packed[] = [
  { path: 'shop-1.0/', type: '5' },
  { path: 'shop-1.0/package.json', content: '{"name":"shop"}' },
  { path: 'shop-1.0/CODEOWNERS', content: '* @a' },
  { path: 'shop-1.0/src/index.js', content: 'code' },
  { path: 'shop-1.0/reqs/more.txt', content: 'requests' },
];

for (const [extension, pack] of [
  ['tar', tar],
  ['tar.gz', (files: readonly Packed[]) => gzipSync(tar(files))],
  ['zip', (files: readonly Packed[]) => zip(files.filter((it) => it.type !== '5'))],
] as const) {
  test(`${extension}: manifests and what they may name are unpacked, without the folder around all`, async () => {
    const { directory, left, close } = await checkoutOf(fileOf(pack(usual), extension));
    assert.deepEqual(filesIn(directory), ['CODEOWNERS', 'package.json', 'reqs/more.txt']);
    assert.equal(readFileSync(join(directory, 'package.json'), 'utf8'), '{"name":"shop"}');
    assert.deepEqual(left, []);
    await close();
    assert.deepEqual(readdirSync(scratch), []);
  });

  test(`${extension}: no path leads out`, async () => {
    const outside = ['../package.json', '/tmp/fleet-outside/package.json', 'a/../../package.json', '.git/config'];
    for (const path of outside) {
      const archive = fileOf(
        pack([
          { path, content: '{}' },
          { path: 'ok/package.json', content: '{}' },
        ]),
        extension,
      );
      const opened = await openArchive(archive, scratch, signal);
      if (opened.kind === 'checkout') {
        assert.deepEqual(filesIn(opened.checkout.directory), ['ok/package.json'], path);
        await opened.checkout.close();
      }
      assert.deepEqual(readdirSync(scratch), [], path);
      assert.ok(!existsSync('/tmp/fleet-outside'));
    }
  });

  test(`${extension}: a bomb is not unpacked`, async () => {
    const bomb = fileOf(pack([{ path: 'package.json', content: Buffer.alloc(40 * 1024 * 1024) }]), extension);
    const { directory, close } = await checkoutOf(bomb);
    const files = diskFiles(() => [`${pathToFileURL(directory).href}/`]);
    const found = await files.tryRead?.(pathToFileURL(join(directory, 'package.json')).href);
    assert.deepEqual(found, { why: 'too large' });
    await close();
  });
}

test('a link is read only where it leads within the archive, and nothing is written through it', async () => {
  const archive = tar([
    { path: 'evil', type: '2', link: '/tmp' },
    { path: 'evil/fleet-outside.json/package.json', content: '{}' },
    { path: 'package.json', type: '2', link: '/etc/passwd' },
    { path: 'hard/package.json', type: '1', link: '/etc/passwd' },
    { path: 'pipe/package.json', type: '6' },
    { path: 'web/package.json', type: '2', link: '../lib/package.json' },
    { path: 'lib/package.json', content: '{"name":"lib"}' },
  ]);
  const { directory, left, close } = await checkoutOf(fileOf(archive, 'tar'));
  const files = diskFiles(() => [`${pathToFileURL(directory).href}/`]);
  const read = (name: string) => files.tryRead?.(pathToFileURL(join(directory, name)).href);
  assert.deepEqual(await read('package.json'), { why: 'outside' });
  assert.equal(await read('web/package.json'), '{"name":"lib"}');
  assert.deepEqual(left, [{ reason: 'files that cannot be unpacked', count: 2 }]);
  assert.ok(!existsSync('/tmp/fleet-outside.json'));
  await close();
});

test('a zip keeps its links, and encrypted files are counted', async () => {
  const archive = zip([
    { path: 'package.json', content: '/etc/passwd', mode: 0o120777 },
    { path: 'secret/package.json', content: '{}', isEncrypted: true },
    { path: 'ok/package.json', content: '{}' },
  ]);
  const { directory, left, close } = await checkoutOf(fileOf(archive, 'zip'));
  const files = diskFiles(() => [`${pathToFileURL(directory).href}/`]);
  assert.deepEqual(await files.tryRead?.(pathToFileURL(join(directory, 'package.json')).href), { why: 'outside' });
  assert.deepEqual(left, [{ reason: 'files that cannot be unpacked', count: 1 }]);
  await close();
});

test('a path that comes twice counts once, and the other is reported', async () => {
  const archive = tar([
    { path: 'package.json', content: '{"name":"first"}' },
    { path: './package.json', content: '{"name":"second"}' },
  ]);
  const { directory, left, close } = await checkoutOf(fileOf(archive, 'tar'));
  assert.equal(readFileSync(join(directory, 'package.json'), 'utf8'), '{"name":"first"}');
  assert.deepEqual(left, [{ reason: 'files that cannot be unpacked', count: 1 }]);
  await close();
});

test('a damaged, cut, nested or missing archive is refused with its reason', async () => {
  const whole = gzipSync(tar(usual));
  for (const [bytes, extension] of [
    [whole.subarray(0, whole.length - 20), 'tar.gz'],
    [Buffer.from('no archive at all'), 'tar.gz'],
    [Buffer.from('no archive at all'), 'zip'],
    [zip(usual.slice(1)).subarray(0, -10), 'zip'],
    // A size that is not that of the content.
    [zip([{ path: 'package.json', content: 'x'.repeat(10_000), size: 10 }]), 'zip'],
    [gzipSync(whole), 'tar.gz'],
    [tar([{ path: 'package.json', content: '{}', size: 1_000_000 }]), 'tar'],
  ] as const)
    assert.notEqual(await refusalOf(fileOf(bytes, extension)), '', extension);
  assert.equal(await refusalOf(join(folder.path, 'none.tar.gz')), 'no such file or folder');
});

test('an archive of endless zeros ends', async () => {
  const zeros = gzipSync(Buffer.alloc(16 * 1024 * 1024));
  const header = gzipSync(tar([{ path: 'big.bin', size: 8_589_934_591 }]).subarray(0, 512));
  const path = fileOf(Buffer.concat([header, ...Array.from({ length: 8 }, () => zeros)]), 'tar.gz');
  await assert.rejects(tarArchive(path, signal, 64 * 1024 * 1024).list(), /unpacks to more than 64 MiB/);
});

test('ten thousand nested folders are skipped, and counted', async () => {
  const deep = `${'d/'.repeat(40)}package.json`;
  const tooDeep = `${'d/'.repeat(10_000)}package.json`;
  const { left, close } = await checkoutOf(
    fileOf(
      zip([
        { path: deep, content: '{}' },
        { path: tooDeep, content: '{}' },
        { path: 'package.json', content: '{}' },
      ]),
      'zip',
    ),
  );
  assert.deepEqual(left, [{ reason: 'files that cannot be unpacked', count: 1 }]);
  await close();
});
