import {
  functionId,
  givesIds,
  guardId,
  otherIds,
  readCall,
  targetsOf,
  withArgument,
} from '../../ecosystems/gradle/aliases.ts';
import { hasReferences, partsOf } from '../../ecosystems/maven/pom-values.ts';
import type { Published } from '../../model/evaluated-dependency.ts';
import {
  type Definition,
  type DefinitionRef,
  idsIn,
  type Manifest,
  type Part,
  type Requirement,
} from '../../model/manifest.ts';
import type { BuildOptions } from '../../model/manifest-chain.ts';
import { type ConditionalValues, noValues, valuesById } from './conditional-values.ts';

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
  /** Several that may take part define it differently. */
  | { readonly kind: 'several'; readonly pom: string }
  /** The service does not report plugins. */
  | { readonly kind: 'plugins'; readonly pom: string };

export function isGap(it: object | undefined): it is DefinitionGap {
  return it !== undefined && 'kind' in it;
}

/** A composed value, or the undefined reference in it. */
export type Value =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing'; readonly missing: DefinitionRef };

/** Values of one requirement that are looked up besides the usual one. Real builds have one for each framework or profile. */
export const MAX_ALTERNATIVES = 32;

const NO_ALTERNATIVES: readonly Definitions[] = [];

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
  /** Whether names in it have the contents of others. */
  readonly hasAliases: boolean;
  readonly plain: ConditionalValues;
  /** Definitions with references in their ids, which only a chain resolves. */
  readonly composed: readonly Definition[];
}

/** All definitions of a chain. */
export class Definitions {
  readonly #files: readonly (DefiningFile & { readonly index: Index })[];
  readonly #hasAliases: boolean;
  /** By file, the definitions with references in their ids, by resolved id. */
  readonly #composed = new Map<DefiningFile, ConditionalValues>();
  /** Whether any value applies only under a condition. */
  readonly #isConditional: boolean;
  /** By the ids of a requirement: hundreds may share a property. */
  readonly #alternatives = new Map<string, readonly Definitions[]>();
  /** The definition whose condition is assumed to hold, with its resolved id. */
  #assumed: { readonly id: string; readonly found: FoundDefinition } | undefined;
  #fallback: (id: string) => FoundDefinition | DefinitionGap | undefined = () => undefined;
  /** Each value is computed once: properties that reference each other repeatedly would take exponential time. */
  readonly #values = new Map<string, Value>();
  /** The calls that are being looked up: a function may call itself. */
  readonly #calls = new Set<string>();

  /**
   * For each id the nearest file applies whose definition is not `isRarelyActive`; in a file, the last unconditional
   * one.
   */
  constructor(files: readonly DefiningFile[]) {
    const [first, ...others] = files;
    // What settings refer to: `ms: $ms` of pnpm.
    const isReferred = first?.manifest.exportedDefinitions !== undefined && others.some(refersToDirect);
    this.#files = files.map((it, at) => ({
      ...it,
      index: indexOf(it.manifest, at > 0 || isReferred ? 'offered' : 'own'),
    }));
    this.#hasAliases = this.#files.some((it) => it.index.hasAliases);
    this.#isConditional = this.#files.some(
      ({ index }) => index.plain.isConditional || index.composed.some(hasCondition),
    );
  }

  /** Those of some files, and of the options of the build that they belong to. */
  static under(options: BuildOptions | undefined, files: readonly DefiningFile[]): Definitions {
    return new Definitions(options ? [...options.before, ...files, ...options.behind] : files);
  }

  /** The same definitions with a fallback for others. */
  withFallback(find: (id: string) => FoundDefinition | DefinitionGap | undefined): Definitions {
    const extended = new Definitions(this.#files);
    extended.#fallback = find;
    return extended;
  }

  /**
   * The same definitions, once for each value on the way of a requirement that may apply in place of another one. None
   * for most requirements.
   */
  alternativesFor(requirement: Requirement): readonly Definitions[] {
    const open = this.#isConditional ? idsIn(requirement) : [];
    if (open.length === 0) return NO_ALTERNATIVES;
    const known = this.#alternatives.get(open.join(' '));
    if (known) return known;
    const found = this.#findAlternatives([...open]);
    this.#alternatives.set(open.join(' '), found);
    return found;
  }

  #findAlternatives(open: string[]): readonly Definitions[] {
    const found = new Map<Definition, Definitions>();
    const seen = new Set<string>();
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const plain = this.#resolveId(id);
      if (seen.has(plain)) continue;
      seen.add(plain);
      const usual = this.get(plain);
      if (usual) open.push(...idsIn(usual.definition.value));
      for (const it of this.#candidates(plain)) {
        if (it.definition === usual?.definition || found.size > MAX_ALTERNATIVES) continue;
        found.set(it.definition, this.#assuming(plain, it));
        open.push(...idsIn(it.definition.value));
      }
    }
    return [...found.values()];
  }

  /** The conditions under which a requirement has its present value; undefined if it always has. */
  conditionOf(requirement: Requirement): string | undefined {
    const conditions: string[] = [];
    const seen = new Set<string>();
    const open = idsIn(requirement);
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const definition = seen.has(id) ? undefined : this.get(id)?.definition;
      seen.add(id);
      if (definition === undefined) continue;
      const { condition, isFallback } = definition;
      const isKnown = condition === undefined || isFallback || conditions.some((it) => implies(it, condition));
      if (!isKnown) conditions.push(condition);
      open.push(...idsIn(definition.value));
    }
    return conditions.length > 0 ? conditions.join(' and ') : undefined;
  }

  get(id: string): FoundDefinition | undefined {
    const found = this.#find(id);
    return isGap(found) ? undefined : found;
  }

  /** The same without the fallback. */
  getLocal(id: string): FoundDefinition | undefined {
    return this.#findLocal(this.#resolveId(id));
  }

  /** Every definition of an id in the files, those that never apply among them. */
  allOf(id: string): readonly FoundDefinition[] {
    return this.#files.flatMap((file) =>
      file.manifest.definitions.filter((it) => it.id === id).map((it) => foundIn(file, it)),
    );
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
    const near = this.#findLocal(plain) ?? (this.#hasAliases ? this.#findAlias(plain) : undefined);
    if (near?.definition.isRarelyActive === undefined) return near ?? this.#fallback(plain);
    const beyond = this.#fallback(plain);
    return beyond !== undefined && (!isGap(beyond) || beyond.kind === 'pending') ? beyond : near;
  }

  #findAlias(id: string): FoundDefinition | undefined {
    const call = this.#calls.has(id) ? undefined : readCall(id);
    if (call) {
      this.#calls.add(id);
      const found = this.#findCalled(call);
      this.#calls.delete(id);
      return found;
    }
    for (const it of otherIds(id, (alias) => targetsOf(this.#findLocal(alias)?.definition.value))) {
      const found = this.#findLocal(it);
      if (found) return found;
    }
    return undefined;
  }

  /** What a function comes to: the first of its values that is defined. */
  #findCalled({ name, argument }: { readonly name: string; readonly argument: string }): FoundDefinition | undefined {
    const targets = (alias: string) => targetsOf(this.#findLocal(alias)?.definition.value);
    for (const it of [
      name,
      ...Array.from(otherIds(`property:${name}`, targets), (id) => id.replace('property:', '')),
    ]) {
      if (this.#findLocal(functionId(it)) === undefined) continue;
      if (targetsOf(this.#findLocal(guardId(it))?.definition.value).some((id) => this.get(id))) return undefined;
      for (let at = 0; ; at++) {
        const found = this.#findLocal(functionId(it, at));
        if (found === undefined) return undefined;
        const value = withArgument(found.definition.value, argument);
        if (this.#evaluate(value, 0)) return { ...found, definition: { ...found.definition, value } };
      }
    }
    return undefined;
  }

  #findLocal(id: string): FoundDefinition | undefined {
    const assumed = this.#assumed && this.#assumedFor(id, this.#assumed);
    if (assumed) return assumed;
    let seldom: FoundDefinition | undefined;
    let unset: FoundDefinition | undefined;
    for (const file of this.#files) {
      const definition = this.#valuesFor(id, file).byId.get(id);
      if (!definition) continue;
      const found = foundIn(file, definition);
      // It applies where nothing has been defined before, and the farthest file is read first.
      if (definition.isFallback) unset = found;
      else if (definition.isRarelyActive) seldom ??= found;
      else return found;
    }
    return unset ?? seldom;
  }

  #assuming(id: string, found: FoundDefinition): Definitions {
    const extended = this.withFallback(this.#fallback);
    extended.#assumed = { id, found };
    return extended;
  }

  /** What applies under the condition that is assumed. */
  #assumedFor(id: string, { id: known, found }: { readonly id: string; readonly found: FoundDefinition }) {
    if (id === known) return found;
    const { condition } = found.definition;
    if (condition === undefined) return undefined;
    return this.#candidates(id).find(({ definition: it }) => it.condition && implies(condition, it.condition));
  }

  /** Every definition of the workspace that may apply, if that depends on a condition: up to one that always does. */
  #candidates(id: string): readonly FoundDefinition[] {
    const found: FoundDefinition[] = [];
    let unset: FoundDefinition | undefined;
    for (const file of this.#files) {
      if (file.published) continue;
      const { byId, others } = this.#valuesFor(id, file);
      for (const it of others.get(id) ?? []) found.push(foundIn(file, it));
      const usual = byId.get(id);
      if (usual === undefined) continue;
      if (usual.isFallback) unset = foundIn(file, usual);
      else if (hasCondition(usual) || !usual.isRarelyActive) found.push(foundIn(file, usual));
      if (!hasCondition(usual) && !usual.isRarelyActive) return found;
    }
    const beyond = unset ?? (found.length > 0 ? this.#fallback(id) : undefined);
    return beyond === undefined || isGap(beyond) ? found : [...found, beyond];
  }

  #valuesFor(id: string, file: DefiningFile & { readonly index: Index }): ConditionalValues {
    const { plain, composed } = file.index;
    return composed.length === 0 || plain.byId.has(id) ? plain : this.#composedIn(file);
  }

  #composedIn(file: DefiningFile & { readonly index: Index }): ConditionalValues {
    const known = this.#composed.get(file);
    if (known) return known;
    // References in ids refer to plain ids.
    this.#composed.set(file, noValues);
    const found = valuesById(file.index.composed, (it) => this.#resolveId(it.id));
    this.#composed.set(file, found);
    return found;
  }

  /** An id with its references resolved: `managed:${project.groupId}:core`. Unchanged if one is undefined. */
  #resolveId(id: string): string {
    if (!hasReferences(id)) return id;
    const linked = this.join(partsOf(id, { propertyId: (name) => (name.includes(':') ? name : `property:${name}`) }));
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

function foundIn({ uri, published }: DefiningFile, definition: Definition): FoundDefinition {
  return { uri, definition, ...(published && { published }) };
}

function hasCondition({ condition }: Definition): boolean {
  return condition !== undefined;
}

/** Whether a condition that holds makes another one hold, as far as the texts tell: `a and b` does for `a`. */
function implies(condition: string, other: string): boolean {
  return condition === other || condition.startsWith(`${other} and `);
}

function refersToDirect({ manifest }: DefiningFile): boolean {
  return manifest.definitions.some(({ value }) => value.kind === 'reference' && value.to.id.startsWith('direct:'));
}

function indexOf(manifest: Manifest, kind: keyof typeof indexes): Index {
  const known = indexes[kind].get(manifest);
  if (known) return known;
  const all =
    kind === 'own' ? manifest.definitions : [...manifest.definitions, ...(manifest.exportedDefinitions?.() ?? [])];
  const plain = valuesById(all.filter((it) => !hasReferences(it.id)));
  const composed = all.filter((it) => hasReferences(it.id));
  const index = { plain, composed, hasAliases: [...plain.byId.keys()].some(givesIds) };
  indexes[kind].set(manifest, index);
  return index;
}
