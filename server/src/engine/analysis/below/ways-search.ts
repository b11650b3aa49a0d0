import type { EvaluatedDependency } from '../../model/evaluated-dependency.ts';
import type { AffectedBelow } from '../../model/graph/below.ts';
import { type PackageKey, packageId, versionId } from '../../model/keys.ts';
import type { Insights } from '../../model/ports.ts';
import { activeBelow } from '../../policy/ignores.ts';
import type { UpdatePolicy } from '../evaluate/update-policy.ts';
import { createNameCheck, type NamedDocument } from './document-below.ts';
import { findWaysOut, nodesNamed } from './ways.ts';
import type { FindWaysOut, WaysOut } from './ways-out.ts';

export const noWaysOut: WaysOut = { ways: [], wanted: [], isSearching: false };

/** The search for the dependencies of one document, each made once as long as no fact changes. */
export function createWaysSearch(document: NamedDocument, insights: Insights, policy: UpdatePolicy): FindWaysOut {
  const known = new Map<string, { readonly revision: number; readonly ways: WaysOut }>();
  return (evaluated, affected) => {
    const revision = insights.revision();
    const { key, span } = evaluated.linked;
    const id = `${packageId(key)} ${span.start} ${versionId(affected.key)}`;
    const before = known.get(id);
    if (before?.revision === revision) return before.ways;
    const isPublic = createPublicCheck(document, evaluated);
    const ways = isPublic ? findWaysOut(evaluated, affected, { insights, isPublic, policy }) : noWaysOut;
    known.set(id, { revision, ways });
    return ways;
  };
}

/** Whether a package may be looked up wherever the lockfile has it. A name that only answers contain is known already. */
function createPublicCheck(
  document: NamedDocument,
  { below, linked }: EvaluatedDependency,
): ((key: PackageKey) => boolean) | undefined {
  const found = below && document.lockfiles.find((it) => it.format.id === below.lockfile);
  if (below === undefined || found === undefined) return undefined;
  const check = createNameCheck(document)(found);
  const known = new Map<string, boolean>();
  return ({ system, name }) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const nodes = nodesNamed(below.graph, name).flatMap((it) => below.graph.nodes[it] ?? []);
    const all = nodes.length > 0 ? nodes : [{ name, version: '0' }];
    // The direct dependency is looked up itself, although perhaps in private registries alone.
    const isPublic =
      name === linked.key.name ? linked.key.registry === undefined : all.every((it) => check(it, system) === 'none');
    known.set(name, isPublic);
    return isPublic;
  };
}

/** The affected packages of a dependency that ways are searched for, the worst first. */
export function affectedOf(evaluated: EvaluatedDependency): readonly AffectedBelow[] {
  return activeBelow(evaluated)?.affected ?? [];
}
