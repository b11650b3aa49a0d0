import type { PackageFacts, VersionFacts } from './facts.ts';
import type { VersionKey } from './keys.ts';
import type { Purl } from './purl.ts';

/** The answer to a single query. */
export type Lookup<T> =
  | { readonly kind: 'found'; readonly value: T; readonly old?: OldAnswer }
  /** The service does not know it. */
  | { readonly kind: 'unknown'; readonly old?: OldAnswer }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'aborted' };

/** Marks a stale answer that could not be refreshed. */
export interface OldAnswer {
  /** When it was given, in ms since the epoch. */
  readonly at: number;
  /** Why the refresh failed. */
  readonly reason: string;
}

/** The older of two, if there is any. */
export function olderAnswer(one: OldAnswer | undefined, other: OldAnswer | undefined): OldAnswer | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.at <= other.at ? one : other;
}

/** Single queries, whose answers are cached. None of them rejects. */
export interface Lookups {
  /** The requirements that a version declares. */
  requirements(key: VersionKey, signal?: AbortSignal): Promise<Lookup<Requirements>>;
  /** The same from the cache, without a request. */
  knownRequirements(key: VersionKey): Requirements | undefined;
  /** The versions that a file belongs to, by its digest, by name, or both; at most 1000. */
  query(query: Query, signal?: AbortSignal): Promise<Lookup<readonly QueryResult[]>>;
  /** The package or version that a purl names. */
  purl(purl: Pick<Purl, 'key' | 'version'>, signal?: AbortSignal): Promise<Lookup<Identity>>;
}

export interface Query {
  readonly hash?: { readonly type: HashType; readonly digest: Uint8Array };
  readonly version?: VersionKey;
}

export type HashType = 'MD5' | 'SHA1' | 'SHA256' | 'SHA512';

export interface QueryResult {
  readonly version: VersionFacts;
  /** The URLs of the matching files; empty without a digest in the query. */
  readonly artifacts: readonly string[];
}

export type Identity =
  | { readonly kind: 'package'; readonly facts: PackageFacts }
  | { readonly kind: 'version'; readonly facts: VersionFacts };

/** The requirements of a version as declared: not resolved, inherited or interpolated. */
export type Requirements =
  | ({ readonly system: 'NPM' } & NpmRequirements)
  | { readonly system: 'NUGET'; readonly groups: readonly NugetGroup[] }
  | ({ readonly system: 'MAVEN'; readonly parent?: Coordinates } & MavenRequirements & {
        readonly profiles: readonly ({ readonly id: string } & MavenRequirements)[];
      })
  | ({ readonly system: 'PYPI' } & PythonRequirements)
  | ({ readonly system: 'CARGO' } & CargoRequirements)
  | { readonly system: 'GO'; readonly direct: readonly Required[]; readonly indirect: readonly Required[] };

export interface Required {
  readonly name: string;
  /** As written: a range. */
  readonly requirement: string;
}

export interface NpmRequirements {
  readonly dependencies: readonly Required[];
  readonly devDependencies: readonly Required[];
  readonly optionalDependencies: readonly Required[];
  readonly peerDependencies: readonly Required[];
  /** Names of those that the package contains. */
  readonly bundleDependencies: readonly string[];
  readonly bundled: readonly {
    readonly path: string;
    readonly name: string;
    readonly version: string;
  }[];
}

export interface NugetGroup {
  /** `net8.0`; `''` for all. */
  readonly targetFramework: string;
  readonly dependencies: readonly Required[];
}

export interface MavenRequirements {
  readonly dependencies: readonly MavenDependency[];
  readonly dependencyManagement: readonly MavenDependency[];
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

export interface MavenDependency extends Coordinates {
  readonly classifier: string;
  readonly type: string;
  readonly scope: string;
  /** As written: `true`, a property, or `''`. */
  readonly optional: string;
  readonly exclusions: readonly string[];
}

export interface Coordinates {
  /** `group:artifact` */
  readonly name: string;
  /** As written; `''` if it is managed. */
  readonly version: string;
}

export interface PythonRequirements {
  readonly dependencies: readonly (Required & {
    /** `socks,http2`; `''` without any. */
    readonly extras: string;
    /** As written: `python_version < "3.9"`; `''` if it always holds. */
    readonly marker: string;
  })[];
  /** The names of the extras that the package has. */
  readonly extras: readonly string[];
  /** `>=3.9`; `''` for any. */
  readonly python: string;
}

export interface CargoRequirements {
  readonly dependencies: readonly (Required & {
    readonly kind: 'normal' | 'build' | 'dev';
    readonly optional: boolean;
    /** The name in the crate's own code; `''` if it is that of the package. */
    readonly alias: string;
    readonly usesDefaultFeatures: boolean;
    readonly features: readonly string[];
    /** `cfg(unix)`; `''` for every target. */
    readonly target: string;
  })[];
  readonly features: readonly { readonly name: string; readonly implies: readonly string[] }[];
}
