import { sameUri } from '../base/uri.ts';
import { versioning } from '../ecosystems/versioning.ts';
import { isSamePlace, type Place, placeOf, placeThatManages } from '../model/evaluated-dependency.ts';
import { packageId } from '../model/keys.ts';
import type { ParsedManifest } from '../model/manifest-chain.ts';
import type { Wanted } from '../model/ports.ts';
import type { System } from '../model/system.ts';
import { type DefinitionUser, type VersionDefinition, versionDefinitionsIn } from './definitions.ts';
import type { Dependents, UsingManifest } from './dependents.ts';
import { evaluateLinked, evaluationInputsFor } from './evaluate/document.ts';
import { type ManagedUser, managedUsersIn } from './evaluate/managed-along.ts';
import { linkDocument } from './link/linked-document.ts';
import type { LockedDependency } from './link/locked-versions.ts';
import { createPoms } from './link/published-poms.ts';
import { type DocumentContext, loadContext } from './load/context.ts';
import type { SharedParts } from './shared-parts.ts';

/** A dependency of another manifest that uses a definition, with the configuration around it. */
export interface FoundUser {
  /** Of the version definition. */
  readonly id: string;
  readonly dependency: LockedDependency;
  readonly context: DocumentContext;
  /** How many dependencies of the workspace are the same. */
  readonly count: number;
}

/**
 * Finds the dependencies of other manifests that use the version definitions of a document. Each is read with its own
 * configuration: a registry that is private for it keeps its name here.
 */
export async function findUsers(
  { uri, format, manifest }: ParsedManifest,
  dependents: Dependents,
  shared: SharedParts,
): Promise<FoundUser[]> {
  const definitions = new Map(versionDefinitionsIn(manifest).map((it) => [it.at.span.start, it.id]));
  if (definitions.size === 0 || format.system === 'any' || format.record !== undefined) return [];
  const found = new Map<string, FoundUser>();
  for (const using of await dependents.manifestsUsing(uri, format.system)) {
    const uses = using.uses.filter(({ place }) => definitions.has(place.at.span.start));
    for await (const { dependency, context, place } of linkUses({ ...using, uses }, shared)) {
      const id = definitions.get(place.at.span.start);
      if (id === undefined) continue;
      const same = [id, packageId(dependency.linked.key), dependency.locked?.version, hostsOf(dependency)].join(' ');
      const before = found.get(same);
      found.set(same, before ? { ...before, count: before.count + 1 } : { id, dependency, context, count: 1 });
    }
  }
  return [...found.values()];
}

/** Dependencies of other manifests that are managed from some files, and the published POMs that tell which these are. */
export interface ManagedElsewhere {
  readonly users: readonly ManagedUser[];
  readonly wanted: readonly Wanted[];
}

/**
 * Finds the dependencies of other manifests that are managed from some files: by a parent or BOM whose version is written
 * there. What is kept private is not among them.
 * @param from the files
 */
export async function findManagedElsewhere(
  { uri, format, manifest }: ParsedManifest,
  from: readonly { readonly uri: string; readonly system: System }[],
  dependents: Dependents,
  shared: SharedParts,
): Promise<ManagedElsewhere> {
  const found = new Map<string, ManagedUser>();
  const wanted: Wanted[] = [];
  if (format.system === 'MAVEN' && manifest.definitions.length > 0) {
    for (const using of await dependents.manifestsUsing(uri, format.system, ['manager'])) {
      if (sameUri(using.uri) === sameUri(uri)) continue;
      for await (const { dependency, context } of linkUses(using, shared)) {
        const poms = createPoms(shared.insights, inputsFor(context, shared).filter, context.route);
        const version = pinned(dependency.linked);
        if (version !== undefined) poms.read(dependency.linked, version);
        wanted.push(...poms.wanted);
      }
    }
  }
  for (const { uri: definitions, system } of new Map(from.map((it) => [it.uri, it])).values()) {
    for (const using of await dependents.manifestsUsing(definitions, system, ['managed'])) {
      if (sameUri(using.uri) === sameUri(uri)) continue;
      for await (const { dependency, context } of linkUses(using, shared)) {
        const { evaluated } = evaluateLinked(dependency, inputsFor(context, shared));
        for (const it of managedUsersIn([evaluated]))
          found.set(`${packageId(it.key)} ${it.version} ${it.place.at.span.start} ${it.place.uri}`, it);
      }
    }
  }
  return { users: [...found.values()], wanted };
}

/** Links the dependencies of another manifest with the configuration around it. */
async function* linkUses(
  { uri, text, uses }: UsingManifest,
  shared: SharedParts,
): AsyncGenerator<{
  readonly dependency: LockedDependency;
  readonly context: DocumentContext;
  readonly place: Place;
}> {
  if (uses.length === 0) return;
  const { reader, files, environment, insights } = shared;
  const context = await loadContext({ uri, version: 0, text }, reader, files, () => true, environment.history);
  if (context === undefined) return;
  const { filter } = inputsFor(context, shared);
  const { own } = linkDocument(context, createPoms(insights, filter, context.route), await context.members);
  for (const { at, place } of uses) {
    const declared = own.dependencies[at];
    const dependency =
      declared &&
      own
        .link(declared)
        .find(({ linked }) => isSamePlace(placeOf(linked), place) || isSamePlace(placeThatManages(linked), place));
    if (dependency) yield { dependency, context, place };
  }
}

/** The registries decide whether it is looked up. */
function hostsOf({ linked: { registries = [] } }: LockedDependency): string {
  return registries.map(({ host }) => host ?? '?').join();
}

/** Evaluates them with the present value of their definition. */
export function evaluateUsers(
  users: readonly FoundUser[],
  definitions: readonly VersionDefinition[],
  shared: SharedParts,
): {
  readonly users: readonly DefinitionUser[];
  readonly wanted: readonly Wanted[];
  readonly background: readonly Wanted[];
} {
  const wanted: Wanted[] = [];
  const background: Wanted[] = [];
  const byId = new Map(definitions.map((it) => [it.id, it]));
  const inputs = new Map<DocumentContext, ReturnType<typeof inputsFor>>();
  const evaluated = users.flatMap(({ id, dependency, context, count }): DefinitionUser[] => {
    const definition = byId.get(id);
    const { linked } = dependency;
    if (definition === undefined || linked.requirement.kind !== 'text') return [];
    const its = inputs.get(context) ?? inputsFor(context, shared);
    inputs.set(context, its);
    const { at } = definition;
    const place = linked.requirement.place && { ...linked.requirement.place, at };
    const requirement = { ...linked.requirement, text: at.text, ...(place && { place }) };
    const evaluation = evaluateLinked({ ...dependency, linked: { ...linked, requirement } }, its);
    wanted.push(...evaluation.wanted);
    background.push(...evaluation.background);
    return [{ id, evaluated: evaluation.evaluated, count }];
  });
  for (const { filter } of inputs.values()) wanted.push(...filter.wanted);
  return { users: evaluated, wanted, background };
}

function inputsFor(
  context: DocumentContext,
  { cache, insights, settings, environment, incompleteNames, files }: SharedParts,
): ReturnType<typeof evaluationInputsFor> {
  return evaluationInputsFor(context, cache, insights, settings(), environment, incompleteNames, files.builtIn);
}

function pinned({ key, requirement }: LockedDependency['linked']): string | undefined {
  const reading = requirement.kind === 'text' ? versioning[key.system].read(requirement.text) : undefined;
  return reading?.kind === 'pin' ? reading.version : undefined;
}
