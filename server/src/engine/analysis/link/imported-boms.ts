import { truncate } from '../../base/text.ts';
import { pom } from '../../ecosystems/maven/pom.ts';
import { versioning } from '../../ecosystems/versioning.ts';
import type { Dependency } from '../../model/manifest.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';
import { type DefinitionGap, type FoundDefinition, isGap } from './definitions.ts';

/** The managed versions of a POM. */
export interface Bom {
  find(id: string): ManagedDefinition | DefinitionGap | undefined;
}

export interface ManagedDefinition extends FoundDefinition {
  /** The resolved version. */
  readonly version: string;
}

/** The first definition in some BOMs. Reads those behind a pending one as well, so that all are requested at once. */
export function findFirstManaged(boms: readonly Bom[], id: string): ManagedDefinition | DefinitionGap | undefined {
  let pending: DefinitionGap | undefined;
  for (const it of boms) {
    const found = it.find(id);
    if (found === undefined) continue;
    if (!isGap(found) || found.kind !== 'pending') return pending ?? found;
    pending = found;
  }
  return pending;
}

/** The highest managed version, which Gradle takes. */
export function findHighestManaged(boms: readonly Bom[], id: string): ManagedDefinition | DefinitionGap | undefined {
  const all = boms.map((it) => it.find(id)).filter((it) => it !== undefined);
  const gaps = all.filter(isGap);
  const found = all.flatMap((it) => (isGap(it) ? [] : [it]));
  const order = versioning.MAVEN.compare;
  return (
    gaps.find((it) => it.kind === 'pending') ?? gaps[0] ?? found.sort((a, b) => order(a.version, b.version)).at(-1)
  );
}

/** What some BOMs manage of which one or several take part: nothing, where they differ. */
export function findOnlyManaged(boms: readonly Bom[], id: string): ManagedDefinition | DefinitionGap | undefined {
  const all = boms.map((it) => it.find(id)).filter((it) => it !== undefined);
  const gaps = all.filter(isGap);
  const found = all.flatMap((it) => (isGap(it) ? [] : [it]));
  const [first] = found;
  const pending = gaps.find((it) => it.kind === 'pending');
  if (pending || first === undefined) return pending ?? gaps[0];
  if (found.every((it) => it.version === first.version)) return first;
  const names = found.map((it) => it.published?.key.name ?? it.uri);
  return { kind: 'several', pom: truncate([...new Set(names)].join(', ')) };
}

/** A BOM, and the file that imports it. */
export interface ImportedBom {
  readonly file: ParsedManifest;
  readonly dependency: Dependency;
}

/**
 * The BOMs that some files import, nearest first, those of profiles last.
 *
 * Source: Maven's MavenModelMerger puts the managed packages of a project together with its parent's before it imports
 * anything: of one BOM in two versions the child's counts; of a child's own two the last, and of a parent's the first.
 * Where no parent manages anything, both are imported.
 * @param files a project, and its parents
 */
export function importedBoms(files: readonly ParsedManifest[]): readonly ImportedBom[] {
  const named = files.map((file) => bomImportsIn(file).map((dependency) => ({ file, dependency })));
  const always = named.map((all) => all.filter(({ dependency }) => dependency.condition === undefined));
  const sometimes = named.flat().filter(({ dependency }) => dependency.condition !== undefined);
  return [...(files[0]?.format.id === pom.id ? mergeWithParents(files, always) : always.flat()), ...sometimes];
}

/** The BOMs that the code of a build may import. */
export function possibleBoms(files: readonly ParsedManifest[]): readonly ImportedBom[] {
  return files.flatMap((file) => {
    const all = file.manifest.dependencies.filter((it) => it.inherits?.isPossible);
    return all.map((dependency) => ({ file, dependency }));
  });
}

function bomImportsIn({ manifest }: ParsedManifest): readonly Dependency[] {
  return manifest.dependencies.filter((it) => it.inherits?.as === 'bom' && !it.inherits.isPossible);
}

function mergeWithParents(
  files: readonly ParsedManifest[],
  imported: readonly (readonly ImportedBom[])[],
): readonly ImportedBom[] {
  const highest = files.findLastIndex(managesVersions);
  if (highest <= 0) return imported.flat();
  const byName = new Map<string, ImportedBom>();
  for (const [at, boms] of imported.entries()) {
    const nearer = new Set(byName.keys());
    for (const it of boms) {
      const { name } = it.dependency.key;
      if (!nearer.has(name) && (at < highest || !byName.has(name))) byName.set(name, it);
    }
  }
  return [...byName.values()];
}

function managesVersions(file: ParsedManifest): boolean {
  return file.manifest.definitions.some((it) => it.id.startsWith('managed:')) || bomImportsIn(file).length > 0;
}
