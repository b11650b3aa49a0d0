import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.ts';
import { cache, root } from './paths.ts';
import { run } from './processes.ts';
import { madeOnce } from './scratch.ts';

/** A package to fetch from npm that is not in package-lock.json. */
export interface Download {
  /** Name and version: `code-server@4.139.1`. */
  readonly package: string;
  /** The sum of its archive as npm writes it: `sha512-` and the digest in base64. */
  readonly integrity: string;
}

/**
 * The folder of downloads: in the checkout, or in the cache folder of the environment, which several checkouts share.
 */
export const downloadsFolder =
  process.env.XDG_CACHE_HOME === undefined
    ? join(cache, 'downloads')
    : join(process.env.XDG_CACHE_HOME, 'package-insights');

/**
 * The folder of a part of a package, fetched and unpacked where that was not done before.
 * @param part path inside the package: `ttf`
 * @param prepare what else is to be done to it before it counts as there
 */
export async function unpacked(
  download: Download,
  part: string,
  prepare?: (folder: string) => Promise<void>,
): Promise<string> {
  const destination = join(downloadsFolder, download.package.replaceAll('/', '+'));
  await madeOnce(destination, async (folder) => {
    console.error(`Fetching ${download.package} with npm (once).`);
    const archive = await fetchArchive(download, folder);
    await untar(archive, folder, `package/${part}`);
    rmSync(archive);
    await prepare?.(join(folder, 'package', part));
  });
  return join(destination, 'package', part);
}

/** Unpacks an archive, or one folder of it. */
export async function untar(archive: string, folder: string, ...parts: readonly string[]): Promise<void> {
  const args = ['-xf', archive, '-C', folder, ...parts];
  const { ok, how, output } = await run({ name: 'tar', command: 'tar', args });
  if (!ok) throw new Error(`${archive} could not be unpacked (${how}):\n${output}`);
}

async function fetchArchive(download: Download, folder: string): Promise<string> {
  const printed = await npm(['pack', download.package, '--json', '--pack-destination', folder], root);
  const answer: unknown = JSON.parse(printed);
  const archive = join(folder, fileNameIn(answer));
  const [algorithm = '', wanted] = download.integrity.split(/-(.*)/s);
  const got = createHash(algorithm).update(readFileSync(archive)).digest('base64');
  if (got !== wanted) {
    throw new Error(`${download.package} is not the archive that is expected: its ${algorithm} sum is ${got}.`);
  }
  return archive;
}

function fileNameIn(answer: unknown): string {
  // npm 12 answers an object by package name where older ones answer a list.
  const first = typeof answer === 'object' && answer !== null ? Object.values(answer)[0] : undefined;
  if (typeof first?.filename === 'string') return first.filename;
  throw new Error(`npm pack answered without the name of a file: ${JSON.stringify(answer)}`);
}
