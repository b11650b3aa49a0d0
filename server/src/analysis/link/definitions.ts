import { hasReferences, partsOf } from '../../ecosystems/maven/pom-values.ts';
import type { Published } from '../../model/evaluated-dependency.ts';
import type { Definition, DefinitionRef, Manifest, Part, Requirement } from '../../model/manifest.ts';

/** A definition with its file. */
export interface FoundDefinition {
  readonly uri: string;
  readonly definition: Definition;
  /** Set if the file is a published POM. */
  readonly published?: Published;
}

/** Why it is unknown whether a published file defines something. `pom` is its name for people. */
export type DefinitionGap =
  | { readonly kind: 'pending' }
  /** The service does not know it. */
  | { readonly kind: 'unknown'; readonly pom: string }
  /** It was not looked up, or that failed; `reason` is a clause. */
  | { readonly kind: 'withheld'; readonly pom: string; readonly reason: string }
  /** The service does not report plugins. */
  | { readonly kind: 'plugins'; readonly pom: string };

export function isGap(it: object | undefined): it is DefinitionGap {
  return it !== undefined && 'kind' in it;
}

/** A composed value, or the undefined reference in it. */
export type Value =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing'; readonly missing: DefinitionRef };

/** References deeper than this go round in a circle. Real files stay below 5. */
export const MAX_REFERENCE_DEPTH = 16;

/**
 * Longer than any name, version or requirement: npm reads names up to 214 characters and versions up to 256, Cargo at most
 * 32 conditions. A value that doubles with each step would grow without bound.
 */
export const MAX_REQUIREMENT_LENGTH = 1000;

interface DefiningFile {
  readonly uri: string;
  readonly manifest: Manifest;
  readonly published?: Published;
}

/** The definitions of each manifest by id: most of a chain does not change at a keystroke. */
const indexes = { own: new WeakMap<Manifest, Index>(), offered: new WeakMap<Manifest, Index>() };

interface Index {
  readonly byId: ReadonlyMap<string, Definition>;
  /** Definitions with references in their ids, which only a chain resolves. */
  readonly composed: readonly Definition[];
}

/** All definitions of a chain. */
export class Definitions {
  readonly #files: readonly (DefiningFile & { readonly index: Index })[];
  /** By file, the definitions with references in their ids, by resolved id. */
  readonly #composed = new Map<DefiningFile, ReadonlyMap<string, Definition>>();
  #fallback: (id: string) => FoundDefinition | DefinitionGap | undefined = () => undefined;
  /** Each value is computed once: properties that reference each other repeatedly would take exponential time. */
  readonly #values = new Map<string, Value>();

  /**
   * For each id the nearest file applies whose definition is not `isRarelyActive`; in a file, the last unconditional
   * one.
   */
  constructor(files: readonly DefiningFile[]) {
    this.#files = files.map((it, at) => ({ ...it, index: indexOf(it.manifest, at > 0 ? 'offered' : 'own') }));
  }

  /** The same definitions with a fallback for others. */
  withFallback(find: (id: string) => FoundDefinition | DefinitionGap | undefined): Definitions {
    const extended = new Definitions(this.#files);
    extended.#fallback = find;
    return extended;
  }

  get(id: string): FoundDefinition | undefined {
    const found = this.#find(id);
    return isGap(found) ? undefined : found;
  }

  /** The same without the fallback. */
  getLocal(id: string): FoundDefinition | undefined {
    return this.#findLocal(this.#resolveId(id));
  }

  /** Why it is unknown whether an id is defined. */
  gapFor(id: string): DefinitionGap | undefined {
    const found = this.#find(id);
    return isGap(found) ? found : undefined;
  }

  /** The resolved text of a requirement; undefined if it has none. */
  textOf(requirement: Requirement): Value | undefined {
    return this.#evaluate(requirement, 0);
  }

  /** Resolves a composed value: `1.${minor}` → `1.4`. */
  join(parts: readonly Part[], depth = 0): Value {
    let text = '';
    for (const part of parts) {
      const value: Value = typeof part === 'string' ? { kind: 'text', text: part } : this.#valueOf(part, depth);
      if (value.kind === 'missing') return value;
      text += value.text;
      if (text.length > MAX_REQUIREMENT_LENGTH && typeof part !== 'string') return { kind: 'missing', missing: part };
    }
    return { kind: 'text', text };
  }

  #find(id: string): FoundDefinition | DefinitionGap | undefined {
    const plain = this.#resolveId(id);
    const near = this.#findLocal(plain);
    if (near?.definition.isRarelyActive === undefined) return near ?? this.#fallback(plain);
    const beyond = this.#fallback(plain);
    return beyond !== undefined && (!isGap(beyond) || beyond.kind === 'pending') ? beyond : near;
  }

  #findLocal(id: string): FoundDefinition | undefined {
    let seldom: FoundDefinition | undefined;
    for (const file of this.#files) {
      const { uri, published, index } = file;
      const definition = index.byId.get(id) ?? (index.composed.length > 0 ? this.#composedIn(file).get(id) : undefined);
      if (!definition) continue;
      const found = { uri, definition, ...(published && { published }) };
      if (!definition.isRarelyActive) return found;
      seldom ??= found;
    }
    return seldom;
  }

  #composedIn(file: DefiningFile & { readonly index: Index }): ReadonlyMap<string, Definition> {
    const known = this.#composed.get(file);
    if (known) return known;
    const found = new Map<string, Definition>();
    // References in ids refer to plain ids.
    this.#composed.set(file, found);
    const all = file.index.composed.map((it) => [this.#resolveId(it.id), it] as const);
    for (const [id, it] of all) add(found, id, it);
    return found;
  }

  /** An id with its references resolved: `managed:${project.groupId}:core`. Unchanged if one is undefined. */
  #resolveId(id: string): string {
    if (!hasReferences(id)) return id;
    const linked = this.join(partsOf(id, { propertyId: (name) => `property:${name}` }));
    return linked.kind === 'text' ? linked.text : id;
  }

  #valueOf(ref: DefinitionRef, depth: number): Value {
    const known = this.#values.get(ref.id);
    if (known) return known;
    const definition = this.get(ref.id)?.definition;
    const missing: Value = { kind: 'missing', missing: ref };
    // Undefined during the computation: that ends a circle.
    this.#values.set(ref.id, missing);
    const value = definition && depth < MAX_REFERENCE_DEPTH ? this.#evaluate(definition.value, depth + 1) : undefined;
    this.#values.set(ref.id, value ?? missing);
    return value ?? missing;
  }

  #evaluate(value: Requirement, depth: number): Value | undefined {
    switch (value.kind) {
      case 'literal':
        return { kind: 'text', text: value.at.text };
      case 'reference':
        return this.join([value.to], depth);
      case 'template':
        return this.join(value.parts, depth);
      case 'source':
      case 'none':
        return undefined;
    }
  }
}

function indexOf(manifest: Manifest, kind: keyof typeof indexes): Index {
  const known = indexes[kind].get(manifest);
  if (known) return known;
  const byId = new Map<string, Definition>();
  const composed: Definition[] = [];
  for (const it of kind === 'own'
    ? manifest.definitions
    : [...manifest.definitions, ...(manifest.exportedDefinitions?.() ?? [])]) {
    if (hasReferences(it.id)) composed.push(it);
    else add(byId, it.id, it);
  }
  const index = { byId, composed };
  indexes[kind].set(manifest, index);
  return index;
}

function add(to: Map<string, Definition>, id: string, it: Definition): void {
  const before = to.get(id);
  if (!before || !it.condition || before.condition) to.set(id, it);
}
