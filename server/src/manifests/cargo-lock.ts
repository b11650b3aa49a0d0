import type { ManifestFormat } from '../model/manifest.ts';
import { readTomlLock, type TomlLock } from './toml-lock.ts';

/**
 * Cargo's lockfile, opened itself. A crate without a source is a member of the workspace, listed where another one
 * depends on it: which of them is the root, it does not say.
 */
export const cargoLock: ManifestFormat = {
  id: 'Cargo.lock',
  system: 'CARGO',
  record: 'lockfile',
  files: /(^|\/)Cargo\.lock$/,
  parse: (text) => {
    const names = new Set(Array.from(text.matchAll(needed), ([, name]) => name));
    const sourceOf: TomlLock['sourceOf'] = (origin, name) =>
      origin.has('source') || !names.has(name) ? format.sourceOf(origin, name) : 'workspace';
    return readTomlLock(text, { ...format, sourceOf });
  },
};

/** One of the `dependencies` of a crate: ` "serde",`, ` "time 0.1.45",` */
const needed = /^ "([^" \r\n]+)[" ]/gm;

const format: TomlLock = {
  system: 'CARGO',
  array: 'package',
  origin: ['source'],
  sourceOf: (origin) => {
    const source = origin.get('source');
    if (source === undefined) return 'none';
    return /^(?:registry|sparse)\+/.test(source) ? 'registry' : 'git';
  },
  registryOf: (origin) => origin.get('source'),
  update: 'cargo update',
};
