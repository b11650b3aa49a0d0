import type { Severity } from '../../engine/model/finding.ts';
import type { Span } from '../../engine/model/span.ts';
import type { ManifestEdit } from './edits.ts';
export interface ManifestFinding {
  readonly code: ManifestCode;
  readonly severity: Severity;
  readonly span: Span;
  /** A sentence. */
  readonly message: string;
  readonly tag?: 'deprecated';
  readonly fixes: readonly ManifestFix[];
}

export interface ManifestFix {
  readonly title: string;
  readonly edits: readonly ManifestEdit[];
  readonly isPreferred?: true;
}

/** What the checks of one manifest share. */
export interface Checks {
  readonly report: (finding: ManifestFinding) => void;
  /** The names that a misspelled one may mean. None after many misspelled ones. */
  readonly similar: (text: string, names: Iterable<string>) => readonly string[];
  /** Whether similar names are looked for once more. */
  readonly maySeek: () => boolean;
  /** Nothing more is reported. */
  readonly isFull: () => boolean;
}
/** Stable codes; each has a row in docs/services.md. */
export type ManifestCode =
  | 'unknown-type'
  | 'deprecated-type'
  | 'unknown-property'
  | 'missing-property'
  | 'wrong-value'
  | 'unknown-reference'
  | 'reference-cycle'
  | 'duplicate-name'
  | 'missing-import'
  | 'not-imported';
