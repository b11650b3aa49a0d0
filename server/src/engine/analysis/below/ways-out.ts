import type { EvaluatedDependency } from '../../model/evaluated-dependency.ts';
import type { AffectedBelow } from '../../model/graph/below.ts';
import type { Wanted } from '../../model/ports.ts';
import type { Step } from '../../model/versioning.ts';

/*
 * The ways out of an advisory of a package that a dependency brings:
 *
 *     express 4.18.0 ─→ body-parser 1.20.0 ─→ qs 6.10.3 (affected)
 *
 *     lock       npm update qs         where body-parser allows a version without the advisory already
 *     direct     express 4.19.0        the smallest version whose requirements lead to another qs
 *     override   qs 6.11.1             against what body-parser requires
 */
export type WayOut =
  | {
      readonly kind: 'lock';
      /** A line for a shell. */
      readonly command: string;
      readonly wanted: string;
      /** Whether the requirements are known to allow it; otherwise the tool finds out. */
      readonly isAllowed: boolean;
    }
  | { readonly kind: 'direct'; readonly version: string; readonly step?: Step }
  | { readonly kind: 'override'; readonly wanted: string };

/** What is known of them at this moment. */
export interface WaysOut {
  /** The smallest change first. */
  readonly ways: readonly WayOut[];
  /** Why there is none; a sentence. */
  readonly reason?: string;
  /** All facts that the search has read. Some may be pending, and lead to further ones. */
  readonly wanted: readonly Wanted[];
  readonly isSearching: boolean;
}

/** Finds the ways out of an affected package below a dependency. Slow, so only for what a person looks at. */
export type FindWaysOut = (evaluated: EvaluatedDependency, affected: AffectedBelow) => WaysOut;
