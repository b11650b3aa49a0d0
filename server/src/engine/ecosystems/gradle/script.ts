import type { Definition, DefinitionRef, Dependency } from '../../model/manifest.ts';
import type { Literal, Problem, Span } from '../../model/span.ts';
import { type Imports, noImports } from './files/imports.ts';
import type { Order } from './flow/order.ts';
import type { ScriptString, Token } from './tokens.ts';
import type { ResultFunction } from './value-functions.ts';

/** A script while it is read, and the contents found so far. */
export interface Script {
  readonly text: string;
  readonly dependencies: Dependency[];
  readonly definitions: Definition[];
  readonly problems: Problem[];
  /** Default values by id, for ids that no file defines: `findProperty("x") ?: "1.0"`. */
  readonly defaults: Map<string, Default>;
  /** The named values of the script, by the ids of catalog entries. */
  readonly named: Map<string, NamedValue>;
  /** The names that a name has the contents of, by its `aliasId`. */
  readonly aliases: Map<string, readonly string[]>;
  readonly imports: Imports;
  /** The ids of properties whose value begins with a digit. */
  readonly versions: Set<string>;
  /** The functions that give something, by their names. */
  readonly functions: Map<string, ResultFunction>;
  /** Absent until its assignments are collected. */
  order?: Order;
  /** The tokens of lists that were read so far where dependencies refer to them. */
  readonly expanded: { tokens: number };
}

/** The value behind `?:`. Two different ones for one property make it ambiguous. */
export interface Default {
  readonly at: Literal;
  readonly isAmbiguous: boolean;
}

export type NamedValue =
  /** An artifact, which `add` adds as soon as a dependency refers to it. */
  | { readonly kind: 'artifact'; readonly add: () => void }
  /** Artifacts, and lists of them; the entries of a map. */
  | { readonly kind: 'list'; readonly elements: readonly Token[]; readonly entries: readonly MapEntry[] }
  /** Another name. */
  | { readonly kind: 'name'; readonly to: DefinitionRef; readonly span: Span };

export function emptyScript(text: string, problems: readonly Problem[] = [], imports = noImports): Script {
  return {
    text,
    dependencies: [],
    definitions: [],
    problems: [...problems],
    defaults: new Map(),
    named: new Map(),
    aliases: new Map(),
    imports,
    versions: new Set(),
    functions: new Map(),
    expanded: { tokens: 0 },
  };
}
export interface MapEntry {
  readonly name: string;
  /** As a string. */
  readonly key: ScriptString;
  readonly span: Span;
  readonly value: readonly Token[];
}
