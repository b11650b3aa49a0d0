import type { ManagingFix } from '../../engine/analysis/managing-fixes.ts';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import type { EvaluatedDependency } from '../../engine/model/evaluated-dependency.ts';
import type { Wanted } from '../../engine/model/ports.ts';
import { fieldsIn } from '../params.ts';

/** The commands of our extension that hints, hovers and actions refer to. command-names.ts has those of the server. */

/** A command of our extension: offers all versions. Its argument is a `DependencyPlace`. */
export const chooseVersionCommand = 'packageInsights.chooseVersion';

/** A command of our extension: shows what a version requires in comparison. Its argument is an `UpdateRequest`. */
export const whatChangesCommand = 'packageInsights.whatChanges';

/**
 * A command of our extension, which editors run once they have made the edit of an action that updates versions. Its
 * argument is an `Updated`.
 */
export const updatedCommand = 'packageInsights.updated';

/** What was updated. Also the notification `packageInsights/updated`, after an edit that a command has requested. */
export interface Updated {
  /** The manifest whose dependencies were updated. */
  readonly uri: string;
}

/** A line for a shell that a person has chosen. Also the notification `packageInsights/commandLine`. */
export interface CommandLine {
  /** A sentence that names the command, and why. */
  readonly message: string;
  readonly command: string;
  /** The URI of the directory to run it in. */
  readonly directory: string;
}

/** A dependency of a document that may have changed since. */
export interface DependencyPlace {
  readonly uri: string;
  /** The start of its requirement, in UTF-16 units. */
  readonly offset: number;
  /** As the file names it. */
  readonly name: string;
  /** Of the version that is meant, if it has several under different conditions. */
  readonly condition?: string;
}

export interface UpdateRequest extends DependencyPlace {
  readonly version: string;
}

/** To update what manages the version of a dependency instead. Without a version, to the smallest that is found. */
export interface ManagingRequest extends DependencyPlace {
  readonly way: ManagingFix['way'];
  readonly version?: string;
}

export interface ExplainRequest extends UpdateRequest {
  /** A sentence. */
  readonly message: string;
}

export function placeIn({ linked: { uri, span, dependency, of } }: EvaluatedDependency): DependencyPlace {
  const { name, condition } = dependency;
  return { uri, offset: span.start, name, ...(of && condition !== undefined && { condition }) };
}

/** The facts that a choice between the targets needs: those of a dependency without problems are not requested before. */
export function factsOfTargets({ linked: { key }, targets }: EvaluatedDependency): Wanted[] {
  return targets.map(({ version }) => ({ kind: 'version', key: { ...key, version } }));
}

/** @param value untrusted: what a client returns */
export function readPlace(value: unknown): DependencyPlace | undefined {
  const { uri, offset, name, condition } = fieldsIn(value);
  return typeof uri === 'string' && typeof offset === 'number' && typeof name === 'string'
    ? { uri, offset, name, ...(typeof condition === 'string' && { condition }) }
    : undefined;
}

/** The dependency or definition of that name nearest to where it was. */
export function findDependency(
  { dependencies, definitions }: Pick<Snapshot, 'dependencies' | 'definitions'>,
  { offset, name, condition }: DependencyPlace,
): EvaluatedDependency | undefined {
  const isOther = ({ linked: { of, dependency } }: EvaluatedDependency): boolean =>
    of !== undefined && dependency.condition !== condition;
  const distance = (it: EvaluatedDependency): number => Math.abs(it.linked.span.start - offset);
  return [...dependencies, ...definitions]
    .filter((it) => it.linked.dependency.name === name)
    .sort((a, b) => distance(a) - distance(b) || Number(isOther(a)) - Number(isOther(b)))[0];
}
