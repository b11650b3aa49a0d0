import type { PackageFacts, VersionFacts } from './facts.ts';
import type { VersionKey } from './keys.ts';
import type { Purl } from './purl.ts';

/** The answer to a single question, asked once. */
export type Lookup<T> =
  | { readonly kind: 'found'; readonly value: T; readonly old?: OldAnswer }
  /** The service has nothing. */
  | { readonly kind: 'unknown'; readonly old?: OldAnswer }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'aborted' };

/** Said of an answer past its freshness, for want of a newer one: what the service has learnt since is not in it. */
export interface OldAnswer {
  /** When it was given, in ms since the epoch. */
  readonly at: number;
  /** Why the service could not be asked again. */
  readonly reason: string;
}

/** The older of two, where there are any. */
export function older(one: OldAnswer | undefined, other: OldAnswer | undefined): OldAnswer | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.at <= other.at ? one : other;
}

/** Questions that a person asks now and then. Answers are kept. None of them rejects. */
export interface Lookups {
  /** What a version itself requires. For Maven, npm and NuGet. */
  requirements(key: VersionKey, signal?: AbortSignal): Promise<Lookup<Requirements>>;
  /** The same where it was looked up before: nothing is asked. */
  knownRequirements(key: VersionKey): Requirements | undefined;
  /** The versions that a file belongs to, by its digest, by name, or both; 1000 at the most. */
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
  /** Where the files that match come from; empty unless a digest was asked for. */
  readonly artifacts: readonly string[];
}

export type Identity =
  | { readonly kind: 'package'; readonly facts: PackageFacts }
  | { readonly kind: 'version'; readonly facts: VersionFacts };

/** What a version requires, as declared: nothing is resolved, inherited or interpolated. */
export type Requirements =
  | ({ readonly system: 'NPM' } & NpmRequirements)
  | { readonly system: 'NUGET'; readonly groups: readonly NugetGroup[] }
  | ({ readonly system: 'MAVEN'; readonly parent?: Coordinates } & MavenRequirements & {
        readonly profiles: readonly ({ readonly id: string } & MavenRequirements)[];
      });

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
  /** Names of those that come within the package. */
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
  /** As written; `''` where it is managed. */
  readonly version: string;
}
