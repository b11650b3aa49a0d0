import { sameUri } from '../base/uri.ts';
import { type Place, placeOf } from '../model/evaluated-dependency.ts';
import { packageId } from '../model/keys.ts';
import type { ParsedManifest } from '../model/manifest-chain.ts';
import type { Wanted } from '../model/ports.ts';
import { type DefinitionUser, type VersionDefinition, versionDefinitionsIn } from './definitions.ts';
import type { Dependents } from './dependents.ts';
import type { SharedParts } from './document-state.ts';
import { evaluateLinked, evaluationInputsFor } from './evaluate/document.ts';
import { linkDocument } from './link/linked-document.ts';
import type { LockedDependency } from './link/locked-versions.ts';
import { createPoms } from './link/published-poms.ts';
import { type DocumentContext, loadContext } from './load/context.ts';

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
  const { reader, files, environment, insights } = shared;
  const found = new Map<string, FoundUser>();
  for (const using of await dependents.manifestsUsing(uri, format.system)) {
    const uses = using.uses.filter(({ start }) => definitions.has(start));
    if (uses.length === 0) continue;
    const document = { uri: using.uri, version: 0, text: using.text };
    const context = await loadContext(document, reader, files, () => true, environment.history);
    if (context === undefined) continue;
    const { filter } = inputsFor(context, shared);
    const { own } = linkDocument(context, createPoms(insights, filter, context.route), await context.members);
    for (const { at, start } of uses) {
      const [id, declared] = [definitions.get(start), own.dependencies[at]];
      if (id === undefined || declared === undefined) continue;
      const dependency = own.link(declared).find(({ linked }) => isAt(placeOf(linked), uri, start));
      if (dependency === undefined) continue;
      const same = [id, packageId(dependency.linked.key), dependency.locked?.version, hostsOf(dependency)].join(' ');
      const before = found.get(same);
      found.set(same, before ? { ...before, count: before.count + 1 } : { id, dependency, context, count: 1 });
    }
  }
  return [...found.values()];
}

function isAt(place: Place | undefined, uri: string, start: number): boolean {
  return place !== undefined && place.at.span.start === start && sameUri(place.uri) === sameUri(uri);
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
