import type { System } from './system.ts';

/** How one system orders, matches and writes versions. No function of it ever throws. */
export interface Versioning {
  readonly system: System;
  /** Negative, zero or positive, as for `Array.sort`. Text that is no version sorts below every version. */
  compare(a: string, b: string): number;
  /** Whether a version meets a range, by the system's own rules for pre-releases. False for text it cannot read. */
  satisfies(version: string, range: string): boolean;
  /** Whether the system's tools keep this version for a range, where a lockfile holds it. */
  keeps(version: string, range: string): boolean;
  /** What kind of text stands as a requirement. */
  read(range: string): RangeReading;
  /**
   * The version that the system's own tool would choose from a list: the highest that satisfies for NPM, PYPI and
   * CARGO, the lowest for NUGET, the stated minimum for GO, the written version for MAVEN.
   * @param preferred the default version of the package, which npm takes where it satisfies
   */
  pick(range: string, versions: readonly string[], preferred?: string): string | undefined;
  /** False for pre-releases, snapshots, dev releases, and text that is no version. */
  isStable(version: string): boolean;
  /** The spelling that the service keeps: `1.0-alpha` → `1.0.0a0` for PYPI, `1.001.0.0` → `1.1.0` for NUGET. */
  canonical(version: string): string;
  /**
   * The range with its operators, precision, wildcards and spaces kept, changed so that `pick` chooses `version` among
   * all versions up to it.
   * @param bounded what is done with a range that ends below `version`; `widen` if absent
   */
  rewrite(range: string, version: string, bounded?: BoundedRanges): Rewrite;
}

/**
 * What happens to a range that ends below the version it is moved to:
 *
 *     >=41,<42   to 50.0.1     widen    >=41,<51          replace   >=50,<51      never   refused
 *     ^1 || ^2   to 4.1.0      widen    ^1 || ^2 || ^4    replace   ^4
 *
 * A range without an explicit end (`^1.2`, `~=1.2`, `1.x`) is always moved. NuGet chooses the lowest version of an
 * interval, which therefore begins at the new version with `widen`, too.
 */
export const boundedRanges = ['widen', 'replace', 'never'] as const;
export type BoundedRanges = (typeof boundedRanges)[number];

export type RangeReading =
  /** One version is named, and it is the one chosen wherever it is published; no list is needed. `exact`: no other will do. */
  | { readonly kind: 'pin'; readonly version: string; readonly exact: boolean }
  /** Chosen from the list of published versions. */
  | { readonly kind: 'range' }
  /** Any version: `*`, an empty text. */
  | { readonly kind: 'any' }
  /** A channel that the registry moves: `latest`, `next`. */
  | { readonly kind: 'tag' }
  /** Not something the system could read, perhaps half typed. */
  | { readonly kind: 'invalid' };

export type RangeEnd = 'widened' | 'replaced';

export type Rewrite =
  /**
   * `end` is set if the end of the range was below the version: `widened` if everything that it allowed before is
   * still allowed, `replaced` if not.
   */
  | { readonly ok: true; readonly text: string; readonly end?: RangeEnd }
  /** `reason` is a clause that follows "cannot be updated:": `its lower bound is >=2`. */
  | { readonly ok: false; readonly reason: string };

/** @param reason as in `Rewrite` */
export function refuse(reason: string): Rewrite {
  return { ok: false, reason };
}
/** How much an update may change. */
export const stepNames = ['patch', 'minor', 'major'] as const;
export type Step = (typeof stepNames)[number];
