import type { AdvisoryFacts, PackageFacts, VersionFacts } from './facts.ts';
import type { AdvisoryId, PackageKey, VersionKey } from './keys.ts';
import type { Query, QueryResult, Requirements } from './lookups.ts';
import type { ServiceFact } from './ports.ts';
import type { ProjectFacts, ProjectId } from './signals/project.ts';
import type { SimilarFacts } from './signals/similar.ts';

/** Former answers of a service; undefined if there is none, or if the fact was unknown. */
export interface CachedAnswers {
  version(key: VersionKey): VersionFacts | undefined;
  package(key: PackageKey): PackageFacts | undefined;
  advisory(id: AdvisoryId): AdvisoryFacts | undefined;
  requirements(key: VersionKey): Requirements | undefined;
  project(id: ProjectId): ProjectFacts | undefined;
  similar(key: PackageKey): SimilarFacts | undefined;
  query(query: Query): readonly QueryResult[] | undefined;
  /** Whether the service answered that it does not know the fact. */
  isUnknown(wanted: ServiceFact): boolean;
}

/** The cached answers of a service, and their numbers. */
export interface CachedService extends CachedAnswers {
  readonly baseUrl: string;
  readonly packages: number;
  readonly versions: number;
  readonly advisories: number;
  /** When the oldest and the newest answer came, in ms since the epoch. */
  readonly since: number;
  readonly until: number;
}
