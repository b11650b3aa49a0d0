import { canonicalName } from '../model/keys.ts';
import type {
  Definition,
  DefinitionRef,
  Dependency,
  Manifest,
  ManifestFormat,
  Part,
  Requirement,
} from '../model/manifest.ts';
import type { Asked, Linked, Place } from '../model/subject.ts';

/** A manifest with the file it was read from. */
export interface Parsed {
  readonly uri: string;
  readonly format: ManifestFormat;
  readonly manifest: Manifest;
}

/** A manifest and the files that take part in its meaning. */
export interface Chain {
  /** The document itself first, then what it refers to, nearest first. */
  readonly files: readonly Parsed[];
  /** The files that narrow requirements. */
  readonly constraints: readonly Parsed[];
  /** Files that are named but cannot be read from here, as a person would say them. */
  readonly missing: readonly string[];
}

/** References deeper than this go round in a circle. Maven's own limit of nested expressions is unstated; real files stay below 5. */
const deepest = 16;

/** Follows every reference of the first file of a chain. */
export function link(chain: Chain): Linked[] {
  const [document] = chain.files;
  if (document === undefined) return [];
  const definitions = indexDefinitions(chain.files);
  const constraints = indexDefinitions(chain.constraints);
  return document.manifest.dependencies.map((it) => linkOne(it, document, chain, definitions, constraints));
}

interface Found {
  readonly uri: string;
  readonly definition: Definition;
}

type Definitions = ReadonlyMap<string, Found>;

/** The definition that counts for each id: of the nearest file; in one file the last unconditional one. */
function indexDefinitions(files: readonly Parsed[]): Definitions {
  const index = new Map<string, Found>();
  for (const { uri, manifest } of files) {
    const own = new Map<string, Found>();
    for (const definition of manifest.definitions) {
      const before = own.get(definition.id);
      if (before && definition.condition && !before.definition.condition) continue;
      own.set(definition.id, { uri, definition });
    }
    for (const [id, found] of own) if (!index.has(id)) index.set(id, found);
  }
  return index;
}

function linkOne(
  dependency: Dependency,
  document: Parsed,
  chain: Chain,
  definitions: Definitions,
  constraints: Definitions,
): Linked {
  const { requirement } = dependency;
  const asked = follow(requirement, { uri: document.uri, ...frozen(dependency) }, [], definitions, chain.missing);
  const constraint = dependency.constraint && constrain(dependency.constraint, constraints);
  return {
    dependency,
    uri: document.uri,
    key: keyOf(dependency, definitions),
    asked,
    ...(constraint && { constraint }),
    span: spanOf(requirement) ?? dependency.nameSpan,
  };
}

function frozen(it: { readonly frozen?: string }): { readonly frozen?: string } {
  return it.frozen === undefined ? {} : { frozen: it.frozen };
}

function keyOf(dependency: Dependency, definitions: Definitions): Linked['key'] {
  if (!dependency.nameParts) return dependency.key;
  const { system } = dependency.key;
  const name = join(dependency.nameParts, definitions, 0);
  return name.kind === 'text' ? { system, name: canonicalName(system, name.text) } : dependency.key;
}

/** Where a requirement's text stands: what is being followed, and what would freeze an edit of it. */
interface Standing {
  readonly uri: string;
  readonly definition?: string;
  readonly frozen?: string;
}

function follow(
  requirement: Requirement,
  standing: Standing,
  via: readonly string[],
  definitions: Definitions,
  missing: readonly string[],
): Asked {
  switch (requirement.kind) {
    case 'none':
      return { kind: 'any' };
    case 'source':
      return { kind: 'source', source: requirement.source };
    case 'literal': {
      const place: Place = { ...standing, at: requirement.at };
      return { kind: 'text', text: requirement.at.text, place, via };
    }
    case 'template': {
      const joined = join(requirement.parts, definitions, via.length);
      return joined.kind === 'text' ? { ...joined, via } : unresolved(joined.missing, missing);
    }
    case 'reference': {
      const found = definitions.get(requirement.to.id);
      if (!found) return unresolved(requirement.to, missing);
      if (via.length > deepest) return { kind: 'unresolved', reason: `${requirement.to.label} refers to itself` };
      // What freezes the dependency or any definition on the way freezes the literal at its end.
      const reason = standing.frozen ?? found.definition.frozen;
      const next = { uri: found.uri, definition: requirement.to.id, ...(reason !== undefined && { frozen: reason }) };
      return follow(found.definition.value, next, [...via, requirement.to.label], definitions, missing);
    }
  }
}

function unresolved(to: DefinitionRef, missing: readonly string[]): Asked {
  const where = missing.length > 0 ? `, and ${missing.join(', ')} cannot be read from here` : '';
  return { kind: 'unresolved', reason: `${to.label} is not defined in the files at hand${where}` };
}

type Joined =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing'; readonly missing: DefinitionRef };

/** Puts a composed value together: `1.${minor}` → `1.4`. */
function join(parts: readonly Part[], definitions: Definitions, depth: number): Joined {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const value = definitions.get(part.id)?.definition.value;
    const inner = value && depth < deepest ? textOfValue(value, definitions, depth + 1) : undefined;
    if (inner?.kind !== 'text') return { kind: 'missing', missing: inner?.missing ?? part };
    text += inner.text;
    // A value that doubles with each step would grow without bound: no version is that long.
    if (text.length > 1000) return { kind: 'missing', missing: part };
  }
  return { kind: 'text', text };
}

function textOfValue(value: Requirement, definitions: Definitions, depth: number): Joined | undefined {
  switch (value.kind) {
    case 'literal':
      return { kind: 'text', text: value.at.text };
    case 'reference':
      return join([value.to], definitions, depth);
    case 'template':
      return join(value.parts, definitions, depth);
    case 'source':
    case 'none':
      return undefined;
  }
}

function constrain(ref: DefinitionRef, constraints: Definitions): Linked['constraint'] | undefined {
  const found = constraints.get(ref.id);
  if (found?.definition.value.kind !== 'literal') return undefined;
  const { at } = found.definition.value;
  return { text: at.text, place: { uri: found.uri, at, definition: ref.id, ...frozen(found.definition) } };
}

function spanOf(requirement: Requirement): Linked['span'] | undefined {
  switch (requirement.kind) {
    case 'literal':
      return requirement.at.span;
    case 'reference':
    case 'template':
    case 'source':
      return requirement.span;
    case 'none':
      return undefined;
  }
}
