import type { LockedNode } from '../../../model/graph/locked-graph.ts';
import type { GraphBuilder } from '../../shared/graph-builder.ts';
import { npm } from '../versions.ts';

/** A published version, and its place in the text. */
export interface Archive {
  readonly name: string;
  readonly version: string;
  readonly start: number;
}

/**
 * The package and the version in the address of an archive, as registries lay them out; undefined for any other address.
 *
 *     https://registry.example/@babel/core/-/core-7.24.0.tgz
 *                              ^^^^^^^^^^^        ^^^^^^
 */
export function readArchiveAddress(address: string): Archive | undefined {
  if (address.length > MAX_ADDRESS_LENGTH) return undefined;
  const [, before = '', scope = '', name = '', version = ''] = archiveAddress.exec(address) ?? [];
  if (npm.read(version).kind !== 'pin') return undefined;
  return { name: scope.replace(/%2f$/i, '/') + name, version, start: before.length };
}

/**
 * Adds an entry to a graph. npm, yarn, pnpm and bun install what the address of an entry names, whatever the entry is
 * called: another archive counts as brought by it.
 *
 *     "node_modules/lodash": { "version": "4.17.21", "resolved": "https://registry.example/evil/-/evil-1.0.0.tgz" }
 *     lodash 4.17.21 → evil 1.0.0
 */
export function addEntry(builder: GraphBuilder, entry: LockedNode): number {
  const node = builder.node(entry);
  const other = otherArchiveOf(entry);
  if (other) builder.edge(node, builder.node({ ...entry, ...other, hasInstallScript: false }), 'runtime');
  return node;
}

function otherArchiveOf({
  name,
  version,
  registry,
  source,
}: LockedNode): Pick<Archive, 'name' | 'version'> | undefined {
  if (registry === undefined || source !== undefined) return undefined;
  const [address = ''] = registry.split(/[?#]/, 1);
  const isPlain = /^https?:\/\/[^%\\\s]*$/i.test(address) && !address.includes('/.');
  // Nearly all are of this form, and a lockfile has thousands.
  if (isPlain && address.endsWith(`/${name}/-/${name.slice(name.indexOf('/') + 1)}-${version}.tgz`)) return undefined;
  const archive = readArchiveAddress(isPlain ? address : asRequested(address));
  if (archive === undefined || (archive.name === name && npm.compare(archive.version, version) === 0)) return undefined;
  return { name: archive.name, version: archive.version };
}

/** Without steps back and escapes, as a server reads it. */
function asRequested(address: string): string {
  try {
    const { origin, pathname } = new URL(address);
    return origin + decodeURIComponent(pathname);
  } catch {
    return address;
  }
}

/** In characters. An address is shorter, and the expression takes quadratic time. */
const MAX_ADDRESS_LENGTH = 1000;
const archiveAddress =
  /^(https?:\/\/.*?\/((?:@[^/%]+(?:\/|%2f))?)([^/%]+)\/-\/(?:@[^/]+\/)?\3-)(\d[^/]*)\.tgz(?:[?#]|$)/i;

/** `lodash@3.10.1`, `npm:lodash@3.10.1`: a package in one version, as a manifest may require it. */
export function readExactSpecifier(asked: string): Omit<Archive, 'start'> | undefined {
  const [, name = '', version = ''] = /^(?:npm:)?((?:@[^/@]+\/)?[^/@:]+)@([^@/:]+)$/.exec(asked) ?? [];
  return npm.read(version).kind === 'pin' ? { name, version } : undefined;
}
