import type { AdvisoryFacts, PackageFacts, VersionFacts } from './facts.ts';
import type { AdvisoryId, PackageKey, VersionKey } from './keys.ts';
import type { Query, QueryResult, Requirements } from './lookups.ts';
import type { Wanted } from './ports.ts';

/** What a service answered before, by what was asked; undefined where it was not asked, or had nothing. */
export interface CachedAnswers {
  version(key: VersionKey): VersionFacts | undefined;
  package(key: PackageKey): PackageFacts | undefined;
  advisory(id: AdvisoryId): AdvisoryFacts | undefined;
  requirements(key: VersionKey): Requirements | undefined;
  query(query: Query): readonly QueryResult[] | undefined;
  /** Whether it was asked, and had nothing. */
  isUnknown(wanted: Wanted): boolean;
}

/** The answers that are kept of one service, in numbers, too. */
export interface CachedService extends CachedAnswers {
  readonly baseUrl: string;
  readonly packages: number;
  readonly versions: number;
  readonly advisories: number;
  /** When the first and the last of its answers were learnt, in ms since the epoch. */
  readonly since: number;
  readonly until: number;
}
