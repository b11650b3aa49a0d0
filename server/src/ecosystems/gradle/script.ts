import type { Definition, DefinitionRef, Dependency } from '../../model/manifest.ts';
import type { Literal, Span } from '../../model/span.ts';
import type { Token } from './tokens.ts';

/** A script that is being read, and what has been found in it so far. */
export interface Script {
  readonly text: string;
  readonly dependencies: Dependency[];
  readonly definitions: Definition[];
  /** By id, what counts where no file defines it: `findProperty("x") ?: "1.0"`. */
  readonly defaults: Map<string, Default>;
  /** What the script gives names to, by the ids of entries of a catalog. */
  readonly named: Map<string, Named>;
  /** How much of lists was read for those who refer to them. */
  readonly expanded: { tokens: number };
}

/** What stands behind `?:`. Two that differ, for one property, decide nothing. */
export interface Default {
  readonly at: Literal;
  readonly differs: boolean;
}

export type Named =
  /** An artifact, which counts once a dependency refers to it. */
  | { readonly kind: 'artifact'; readonly count: () => void }
  /** Artifacts, and lists of them. */
  | { readonly kind: 'list'; readonly elements: readonly Token[] }
  /** Another name. */
  | { readonly kind: 'name'; readonly to: DefinitionRef; readonly span: Span };

export function emptyScript(text: string): Script {
  return { text, dependencies: [], definitions: [], defaults: new Map(), named: new Map(), expanded: { tokens: 0 } };
}
