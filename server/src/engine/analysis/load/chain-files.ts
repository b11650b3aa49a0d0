import type { Unreadable } from '../../base/unreadable.ts';
import type { Start } from '../../ecosystems/maven/profiles.ts';
import type { BuildOptions, ManifestChain, ParsedManifest } from '../../model/manifest-chain.ts';
import type { RegistrySource } from '../../model/registry.ts';

/** A chain while it is read. */
export interface MutableChain extends ManifestChain {
  readonly files: ParsedManifest[];
  readonly constraints: ParsedManifest[];
  readonly included: ParsedManifest[];
  readonly missing: string[];
  readonly elsewhere: NonNullable<ManifestChain['elsewhere']>[number][];
  options?: BuildOptions;
  truncatedAt?: NonNullable<ManifestChain['truncatedAt']>;
}

/** A file of a chain, as far as it could be read. */
export interface ChainFile {
  readonly uri: string;
  /** Id of the format that reads it. */
  readonly format: string;
  readonly text: string;
  readonly unreadable?: Unreadable;
}

/** The options that a build is always started with, and where they stand. */
export interface StartOptions {
  readonly texts: readonly LocatedSource[];
  readonly options: BuildOptions;
  /** What they switch on and off in the files themselves. */
  readonly start?: Start;
}

/** A registry settings file. */
export interface LocatedSource extends RegistrySource {
  readonly uri: string;
}

/** The parameters of a search for settings files. */
export interface SettingsSearch {
  readonly length: number;
  readonly exclude: ReadonlySet<string>;
  readonly extraFiles?: readonly Pick<RegistrySource, 'name' | 'label'>[];
}
