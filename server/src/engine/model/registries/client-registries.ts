import type { PackageKey } from '../keys.ts';
import type { System } from '../system.ts';
import type { Access } from './access.ts';

/** The registries that the package managers of this machine use. */
export interface ClientRegistries {
  /** Those of a package, as its client asks them; undefined where its system has none. */
  accessOf(key: PackageKey): Access | undefined;
  /** For each system what its client asks for most packages, and who says so; undefined without any. */
  readonly found: ReadonlyMap<System, FoundRegistry | undefined>;
  /** Every address that may be asked, without credentials: also those that are asked for some names alone. */
  readonly asked: ReadonlyMap<System, readonly string[]>;
}

export interface FoundRegistry {
  /** Without credentials; empty where the client is told to ask none. */
  readonly addresses: readonly string[];
  /** The label of a setting, or of the program: `.npmrc`. */
  readonly from: string;
}

export interface ClientRegistriesOptions {
  /** Addresses that the person gives: they come before everything else. */
  readonly given: ReadonlyMap<System, string>;
  /** Whether registries are sent the credentials that their clients would send. */
  readonly withCredentials: boolean;
  /** What the start lines name as the source of a given address. */
  readonly labels: { readonly given: string; readonly builtIn: string };
}
