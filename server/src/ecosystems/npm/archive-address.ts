import { npm } from './versions.ts';

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

/** In characters. An address is shorter, and the expression takes quadratic time. */
const MAX_ADDRESS_LENGTH = 1000;
const archiveAddress =
  /^(https?:\/\/.*?\/((?:@[^/%]+(?:\/|%2f))?)([^/%]+)\/-\/(?:@[^/]+\/)?\3-)(\d[^/]*)\.tgz(?:[?#]|$)/i;

/** `lodash@3.10.1`, `npm:lodash@3.10.1`: a package in one version, as a manifest may require it. */
export function readExactSpecifier(asked: string): Omit<Archive, 'start'> | undefined {
  const [, name = '', version = ''] = /^(?:npm:)?((?:@[^/@]+\/)?[^/@:]+)@([^@/:]+)$/.exec(asked) ?? [];
  return npm.read(version).kind === 'pin' ? { name, version } : undefined;
}
