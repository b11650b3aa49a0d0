import type { Insight, VersionFacts } from '../facts.ts';
import { byRank } from '../relations.ts';

/** A project at a public code host as the service names it: `github.com/lodash/lodash`, in lower case. */
export type ProjectId = string;

/** What the service reports of a project. */
export interface ProjectFacts {
  readonly id: ProjectId;
  /** Absent if unknown. */
  readonly stars?: number;
  /** The overall score of the OpenSSF Scorecard, 0 to 10; absent if it was not scored. */
  readonly score?: number;
  /** When it was scored, in ms since the epoch. */
  readonly scoredAt?: number;
  /** The parts of the score, in the order of the service; empty if it was not scored. */
  readonly checks: readonly ScorecardCheck[];
}

export interface ScorecardCheck {
  /** `Branch-Protection` */
  readonly name: string;
  /** 0 to 10; -1 if there was nothing to check. */
  readonly score: number;
  /** A clause in English. */
  readonly reason: string;
  /** Describes the check; `''` if it is missing. */
  readonly url: string;
}

/** The project of a version, and what is known of it. */
export interface SourceProject {
  readonly id: ProjectId;
  /** As in `RelatedProject`. */
  readonly provenance: string;
  readonly facts: Insight<ProjectFacts>;
  /** The score below which there is a finding; 0 for none. */
  readonly minScore: number;
}

/** The source project that the service names for a version, the most certain one. */
export function projectOf({ projects }: VersionFacts): Pick<SourceProject, 'id' | 'provenance'> | undefined {
  const [first] = projects.filter((it) => it.type === 'SOURCE_REPO' && isProjectId(it.id)).toSorted(byRank);
  return first && { id: first.id.toLowerCase(), provenance: first.provenance };
}

/** Source: the insights contract, projectKey.id. */
function isProjectId(id: string): boolean {
  return /^[a-z\d.-]{1,100}(?:\/[\w.~-]{1,100}){2,20}$/i.test(id);
}

/** The checks that lower a score most, the worst first. */
export function worstChecks({ checks }: Pick<ProjectFacts, 'checks'>, most: number): readonly ScorecardCheck[] {
  return checks
    .filter((it) => it.score >= 0 && it.score < 10)
    .toSorted((a, b) => a.score - b.score)
    .slice(0, most);
}
