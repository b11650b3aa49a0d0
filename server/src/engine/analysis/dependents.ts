import { groupBy } from '../base/collections.ts';
import { directoryOf, parentOf, pathOf, sameUri } from '../base/uri.ts';
import { manifestFormats } from '../ecosystems/manifest-formats.ts';
import {
  type EvaluatedDependency,
  isSamePlace,
  type Place,
  placeOf,
  placeThatManages,
} from '../model/evaluated-dependency.ts';
import type { PackageKey, VersionKey } from '../model/keys.ts';
import type { ManifestChain } from '../model/manifest-chain.ts';
import type { Files, Insights } from '../model/ports.ts';
import type { System } from '../model/system.ts';
import { inherit } from './link/inheritance.ts';
import { createLinker } from './link/linker.ts';
import { createPoms, MAX_POMS } from './link/published-poms.ts';
import { startReading } from './load/file-chain.ts';
import type { ManifestReader } from './load/file-reader.ts';
import { verdictOf } from './verdict.ts';

/** A dependency of another file that uses a definition. */
export interface Dependent {
  readonly key: PackageKey;
  /** As its file names it. */
  readonly name: string;
}

/** @param isManaged for those that a parent or BOM manages, whose version is defined at the place */
export type DependentsOf = (place: Place, isManaged?: boolean) => readonly Dependent[];

/** Manifests read below a definition. In a larger workspace the count is partial. */
const MAX_MANIFESTS = 500;

interface DefinitionUse {
  readonly uri: string;
  readonly place: Place;
  readonly dependent: Dependent;
  /** The position of the dependency in its manifest. */
  readonly at: number;
  readonly as: UseKind;
}

/**
 * `user`: the dependency has the version at the place. `manager`: one of these, a parent or BOM. `managed`: the place is the
 * version of the parent or BOM that manages the dependency.
 */
export type UseKind = 'user' | 'manager' | 'managed';

/** A manifest with dependencies that use the definitions of another file. */
export interface UsingManifest {
  readonly uri: string;
  readonly text: string;
  /** The positions of the dependencies in their manifest, each with the defined value in the other file. */
  readonly uses: readonly { readonly at: number; readonly place: Place }[];
}

/**
 * Finds the dependencies of other manifests that a shared definition (a parent's property, a central version) would
 * move.
 */
export class Dependents {
  readonly #files: Files;
  readonly #reader: ManifestReader;
  readonly #insights: Pick<Insights, 'requirements'>;
  /** The uses of each file's definitions. */
  readonly #known = new Map<string, Promise<readonly DefinitionUse[]>>();
  /** The published POMs that were not known yet: what they manage is missing among the uses. */
  #awaited: readonly VersionKey[] = [];

  /** @param insights the known published POMs; nothing is requested */
  constructor(files: Files, reader: ManifestReader, insights: Pick<Insights, 'requirements'>) {
    this.#files = files;
    this.#reader = reader;
    this.#insights = insights;
  }

  forget(): void {
    this.#known.clear();
    this.#awaited = [];
  }

  /** Whether a published POM is known now that was not when the uses were found. */
  get isOutdated(): boolean {
    return this.#awaited.some((it) => this.#insights.requirements(it).state !== 'pending');
  }

  /** For some dependencies of a document. Without a shared definition no other file is read. */
  async finderFor(
    { files: [document] }: ManifestChain,
    dependencies: readonly EvaluatedDependency[],
  ): Promise<DependentsOf> {
    if (document === undefined) return () => [];
    const defined = new Set(
      document.manifest.definitions.map(({ value }) => (value.kind === 'literal' ? value.at.span.start : -1)),
    );
    const shared = new Map<string, System>();
    for (const evaluated of dependencies) {
      const { linked } = evaluated;
      const managing = placeThatManages(linked);
      if (managing && verdictOf(evaluated).needsMove) shared.set(managing.uri, linked.key.system);
      const place = placeOf(linked);
      if (place && (place.definition !== undefined || defined.has(place.at.span.start))) {
        shared.set(place.uri, linked.key.system);
      }
    }
    const found = await Promise.all([...shared].map(([uri, system]) => this.#usesOf(uri, system)));
    const others = found.flat().filter((it) => sameUri(it.uri) !== sameUri(document.uri));
    return (place, isManaged = false) =>
      others
        .filter((it) => (it.as === 'managed') === isManaged && isSamePlace(it.place, place))
        .map((it) => it.dependent);
  }

  /** The manifests whose dependencies use the definitions of a file. */
  async manifestsUsing(
    definitions: string,
    system: System,
    kinds: readonly UseKind[] = ['user', 'manager'],
  ): Promise<readonly UsingManifest[]> {
    const uses = await this.#usesOf(definitions, system);
    const found: UsingManifest[] = [];
    const own = uses.filter((it) => kinds.includes(it.as));
    for (const [uri, its] of groupBy(own, (it) => it.uri)) {
      const text = sameUri(uri) === sameUri(definitions) ? undefined : await this.#files.read(uri);
      if (text !== undefined) found.push({ uri, text, uses: its });
    }
    return found;
  }

  #usesOf(definitions: string, system: System): Promise<readonly DefinitionUse[]> {
    const known = this.#known.get(definitions) ?? this.#findUses(definitions, system);
    this.#known.set(definitions, known);
    return known;
  }

  async #findUses(definitions: string, system: System): Promise<readonly DefinitionUse[]> {
    const formats = manifestFormats.filter(
      (it) => it.system === system && it.begins === undefined && it.record === undefined,
    );
    const matches = new RegExp(formats.map((it) => `(?:${it.files.source})`).join('|'), 'i');
    const uris = await this.#files.find(rootOf(definitions), matches, MAX_MANIFESTS);
    const uses: DefinitionUse[] = [];
    const poms = createPoms(this.#insights, { reasonNotToLookUp: () => undefined }, (it) => it);
    for (const uri of uris) {
      const format = formats.find((it) => it.files.test(pathOf(uri)));
      const text = format && (await this.#files.read(uri));
      if (!format || text === undefined) continue;
      const chain = await startReading(this.#reader).chain(uri, format, text);
      const passedOn = new Set(chain.files[0]?.manifest.definitions.map((it) => it.value));
      const link = createLinker(chain, (files, lookup) => inherit(files, lookup, poms.read));
      const declared = chain.files[0]?.manifest.dependencies ?? [];
      for (const [at, linked] of declared.flatMap((it, at) => link(it).map((linked) => [at, linked] as const))) {
        const place = placeOf(linked);
        // A managed or central version is not a dependency itself.
        if (linked.requirement.kind === 'text' && passedOn.has(linked.dependency.requirement)) continue;
        const dependent = { key: linked.key, name: linked.dependency.name };
        if (place?.definition !== undefined && sameUri(place.uri) === sameUri(definitions)) {
          uses.push({ uri, place, dependent, at, as: linked.dependency.inherits ? 'manager' : 'user' });
        }
        const managing = placeThatManages(linked);
        if (managing && sameUri(managing.uri) === sameUri(definitions)) {
          uses.push({ uri, place: managing, dependent, at, as: 'managed' });
        }
      }
    }
    const keys = poms.wanted.flatMap((it) => (it.kind === 'requirements' ? it.key : []));
    const missing = keys.filter((it) => this.#insights.requirements(it).state === 'pending');
    this.#awaited = [...this.#awaited, ...missing].slice(0, MAX_POMS);
    return uses;
  }
}

/** The directory of the projects that a file serves. Source: the default places of Gradle's version catalogs and Maven's options. */
function rootOf(definitions: string): string {
  const own = directoryOf(definitions);
  return /\/gradle\/[^/]*\.versions\.toml$|\/\.mvn\/[^/]*$/.test(pathOf(definitions)) ? (parentOf(own) ?? own) : own;
}
