import type { TargetKind, UnusualFix } from './evaluated-dependency.ts';
import type { AdvisoryId } from './keys.ts';
import type { Rated } from './severity-rating.ts';
import type { Advisory } from './signals/advisory.ts';
import type { Step } from './versioning.ts';

/*
 * What to do with a dependency, and what happens then. Every view shows parts of the same verdict:
 *
 *     lodash 4.17.15, 3 advisories, worst high 7.4
 *       → 4.17.21  safe                       patch   fixes 3 of 3
 *       → 4.18.1   in range, in major, default  minor   fixes 3 of 3
 */

/** The problems of a dependency that nothing ignores, and the versions that it can move to. */
export interface Verdict {
  /** Worst first. */
  readonly advisories: readonly Advisory[];
  /** False while identifiers of one vulnerability may still be counted separately. */
  readonly isCountKnown: boolean;
  /** Of the worst advisory; absent without advisories, and while one of them is being looked up. */
  readonly worst?: Rated;
  /** Whether the version itself is malware. */
  readonly isMalicious: boolean;
  readonly isDeprecated: boolean;
  readonly isLicenseDenied: boolean;
  /** Whether it is deprecated or has advisories: an update of everything moves it. */
  readonly needsMove: boolean;
  /** Safe, in range, in major, default: each version once. */
  readonly targets: readonly TargetVerdict[];
  /** The version to move to: the safe one for a dependency that needs a move, otherwise the default one. */
  readonly recommended?: TargetVerdict;
  /** What would be recommended if all packages that share the version had it sound; absent if `recommended` is there. */
  readonly blocked?: TargetVerdict;
  /** Whether all versions were checked and none is safe. False while that is open. */
  readonly isWithoutFix: boolean;
  /** Set if only a pre-release or a deprecated version fixes its problems. */
  readonly unusualFix?: UnusualFix;
  /** Why it cannot be known whether a version fixes its problems: a clause. Absent while that is open, and if it is known. */
  readonly fixUnknown?: string;
}

/** What happens if a dependency moves to a version. */
export interface TargetVerdict {
  readonly version: string;
  /** Not empty. */
  readonly kinds: readonly TargetKind[];
  /** Absent if the versions are not numbered. */
  readonly step?: Step;
  readonly isDowngrade: boolean;
  /** Set for a pre-release if the version in use is none. */
  readonly isPreRelease?: true;
  /** Milliseconds since the epoch. */
  readonly publishedAt?: number;
  /** Its age in ms, for a fix that a cooldown would keep back if it were none. */
  readonly age?: number;
  /** False while the advisories and the license of the version are not known. */
  readonly isChecked: boolean;
  /** The service knows the version, but not the vulnerabilities of it: it may be no better. */
  readonly areAdvisoriesUnknown?: true;
  /** How many of the dependency's advisories it fixes, without those that are ignored. */
  readonly fixed: number;
  /** How many of the ignored ones it fixes; absent for none. */
  readonly fixedIgnored?: number;
  /** Its advisories that the dependency does not have now. */
  readonly added: readonly AdvisoryId[];
  /** Its problems: `deprecated`, `GPL-3.0-only is denied`; absent without one. */
  readonly flaw?: string;
  /** Set if it has another license, and both are known. */
  readonly license?: { readonly from: string; readonly to: string };
  /** Set if the version in use has an attestation, and this one is known to have none. */
  readonly losesProvenance?: true;
}
