import type { ManifestFormat } from '../model/manifest.ts';
import { readTomlLock, type TomlLock } from './toml-lock.ts';

/** Cargo's lockfile, opened itself. A crate without a source is a member of the workspace. */
export const cargoLock: ManifestFormat = {
  id: 'Cargo.lock',
  system: 'CARGO',
  record: 'lockfile',
  files: /(^|\/)Cargo\.lock$/,
  parse: (text) => readTomlLock(text, format),
};

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
