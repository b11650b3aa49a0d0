import type { Definition } from '../../../model/manifest.ts';
import { dottedName, punctuationAt, type Statement, wordAt } from '../statements.ts';
import { aliasId } from './alias-id.ts';

/** What a script, or the code of a build, takes names from. */
export interface Imports {
  /** Its own package; `''` for a script. */
  readonly package: string;
  /** By the name in the file: `Deps` of `import com.acme.Deps`. */
  readonly names: ReadonlyMap<string, string>;
  /** Packages and objects of which all names are known: `com.acme` of `import com.acme.*`. */
  readonly all: readonly string[];
}

export const noImports: Imports = { package: '', names: new Map(), all: [] };

/** Imports of one file. Real ones have up to a hundred. */
const MAX_IMPORTS = 500;
/** Packages of languages and of Gradle, which are part of no build. */
const foreign = /^(?:java|javax|groovy|kotlin|org\.gradle|org\.jetbrains\.kotlin|com\.android)(?:\.|$)/;

/**
 *     package com.acme
 *     import com.acme.Deps as D
 *     import static com.acme.Versions.*
 */
export function readImports(statements: readonly Statement[]): Imports {
  const names = new Map<string, string>();
  const all: string[] = [];
  let own = '';
  for (const { tokens } of statements) {
    const head = wordAt(tokens, 0);
    if (head === 'package') own = dottedName(tokens.slice(1)).join('.');
    else if (head === 'import' && names.size + all.length < MAX_IMPORTS) {
      const rest = tokens.slice(wordAt(tokens, 1) === 'static' ? 2 : 1);
      const path = dottedName(rest);
      const name = path.join('.');
      const behind = Math.max(0, path.length * 2 - 1);
      if (path.length === 0 || foreign.test(name)) continue;
      if (punctuationAt(rest, behind + 1) === '*') all.push(name);
      else names.set((wordAt(rest, behind) === 'as' && wordAt(rest, behind + 1)) || (path.at(-1) ?? ''), name);
    }
  }
  return { package: own, names, all };
}

/** The full name of what a name in the code of a package means, as far as it alone tells. */
export function fullName(name: string, { package: own, names }: Imports): string {
  const first = /^[^.-]*/.exec(name)?.[0] ?? '';
  const imported = names.get(first);
  if (imported !== undefined) return imported + name.slice(first.length);
  // `com.acme.Deps.core`, in whatever package.
  const isFull = /^[a-z][^A-Z]*[.-][A-Z]/.test(name);
  return own === '' || isFull ? name : `${own}.${name}`;
}

/** Names that are looked for in the code of a build, of one script. */
const MAX_NAMES = 100;

/** The names that a file lacks, as those that other files may have: `alias:Deps` for `com.acme.Deps`. */
export interface WantedNames {
  /** Definitions of what the names mean here. */
  readonly aliases: readonly Definition[];
  /** Objects and their members, without the kinds of ids. */
  readonly names: readonly string[];
}

/** @param missing ids that a file refers to, and does not define */
export function wantedNames(missing: readonly string[], imports: Imports): WantedNames {
  const { package: own, names, all } = imports;
  const aliases = new Map<string, Definition>();
  const wanted = new Set<string>();
  for (const id of missing) {
    const match = /^(?:(?:property|library|module):(.+)|call:(.+?)\(.*\))$/.exec(id);
    if (match === null || wanted.size >= MAX_NAMES) continue;
    const isCall = match[2] !== undefined;
    const parts = (match[1] ?? match[2] ?? '').split(/[.-]/);
    const inPackage = own !== '' && parts.slice(0, own.split('.').length).join('.') === own;
    const from = inPackage ? own.split('.').length : 0;
    const root = parts[from] ?? '';
    const imported = inPackage ? undefined : names.get(root);
    const targets = imported ? [imported] : [...(own && !inPackage ? [own] : []), ...all].map((it) => `${it}.${root}`);
    const name = parts.slice(0, from + 1).join('.');
    // What is called may be a function of no object.
    if (isCall && parts.length === from + 1) for (const it of [name, ...targets]) wanted.add(`${it}()`);
    if (targets.length > 0) {
      const value = { kind: 'template', parts: targets, span: NOWHERE } as const;
      aliases.set(name, { id: aliasId(name), span: NOWHERE, value });
    }
    // An object has a capital letter; the packages in front of it have not.
    const object = parts.findIndex((it) => /^[A-Z]/.test(it));
    if (object >= 0) wanted.add(parts.slice(0, object + 1).join('.'));
    for (const it of targets) wanted.add(it);
  }
  return { aliases: [...aliases.values()], names: [...wanted] };
}

const NOWHERE = { start: 0, end: 0 };
