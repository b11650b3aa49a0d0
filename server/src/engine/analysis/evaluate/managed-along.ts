import {
  decidingDependency,
  type EvaluatedDependency,
  isFlagged,
  isSamePlace,
  type LinkedDependency,
  managedBy,
  type Place,
  placeOf,
  placeThatManages,
} from '../../model/evaluated-dependency.ts';
import { type PackageKey, packageId, versionOf } from '../../model/keys.ts';
import type { Insights, Wanted } from '../../model/ports.ts';
import { isGap } from '../link/definitions.ts';
import type { Bom } from '../link/imported-boms.ts';
import { managedVersions } from '../link/inheritance.ts';
import type { Poms } from '../link/published-poms.ts';
import { factsAbout, mayBeMalicious } from './advisories.ts';

/*
 * What a parent, a BOM or a platform moves along when it moves itself:
 *
 *     org.boot:parent 2.7.0   manages org.cat:core 9.0.65
 *     org.boot:parent 2.7.5   manages org.cat:core 9.0.66, which is malware: no action leads there
 */

/** A dependency without a version of its own. */
export interface ManagedUser {
  readonly key: PackageKey;
  /** Of what defines its version: `managed:org.cat:core`. */
  readonly id: string;
  /** Where the version of what manages it now is written. */
  readonly place: Place;
  /** The version that is managed now. */
  readonly version: string;
  /** What manages it: the parent, BOM or platform with that version. */
  readonly manager: LinkedDependency;
}

/** Those of some dependencies that are looked up. */
export function managedUsersIn(dependencies: readonly EvaluatedDependency[]): ManagedUser[] {
  return dependencies.flatMap(({ linked, resolution }) => {
    const by = managedBy(linked);
    const manager = by && decidingDependency(by);
    const place = placeThatManages(linked);
    if (manager === undefined || place === undefined) return [];
    if (resolution.kind === 'none' || linked.requirement.kind !== 'text') return [];
    return [{ key: linked.key, id: managedIdOf(linked), place, version: linked.requirement.text, manager }];
  });
}

function managedIdOf({ key, dependency: { requirement } }: LinkedDependency): string {
  return requirement.kind === 'reference' && requirement.to.id.startsWith('managed:')
    ? requirement.to.id
    : `managed:${key.name}`;
}

interface Moving {
  readonly dependencies: readonly EvaluatedDependency[];
  readonly definitions: readonly EvaluatedDependency[];
}

/**
 * Leaves out the targets that would make malware of a dependency that is managed, and holds back those of which that is
 * not known yet.
 * @param elsewhere the dependencies of other files that are managed from here
 */
export function withoutMalwareAlong(
  { dependencies, definitions }: Moving,
  elsewhere: readonly ManagedUser[],
  poms: Poms,
  insights: Pick<Insights, 'version' | 'advisory'>,
): Moving & { readonly wanted: readonly Wanted[]; readonly background: readonly Wanted[] } {
  const own = dependencies.filter(({ linked }) => linked.dependency.inherits && placeOf(linked));
  // A property or a catalog may have the version of a BOM that only other files import.
  const others = new Map(elsewhere.map(({ manager }) => [idOf(manager), manager]));
  for (const { linked } of own) others.delete(idOf(linked));
  const managers = [...own.map(({ linked }) => linked), ...others.values()];
  if (managers.length === 0) return { dependencies, definitions, wanted: [], background: [] };
  const users = [...managedUsersIn(dependencies), ...elsewhere];
  const wanted: Wanted[] = [];
  const known = new Map<LinkedDependency, Map<string, ReturnType<typeof malwareAmong>>>();

  function judge(manager: LinkedDependency, version: string): ReturnType<typeof malwareAmong> {
    const judged = known.get(manager) ?? new Map<string, ReturnType<typeof malwareAmong>>();
    known.set(manager, judged);
    const before = judged.get(version);
    if (before) return before;
    const managed = managedVersions(manager, version, poms.read);
    const moved = users.flatMap((it) => movedUser(it, managed(it.id)));
    const result = malwareAmong(moved, insights);
    wanted.push(...result.wanted);
    judged.set(version, result);
    return result;
  }

  const withSound = (evaluated: EvaluatedDependency): EvaluatedDependency => {
    const place = placeOf(evaluated.linked);
    const moved = managers.filter((it) => isSamePlace(placeOf(it), place));
    if (moved.length === 0) return evaluated;
    const targets = evaluated.targets.flatMap((target) => {
      if (target.facts.state !== 'ready') return [target];
      const found = moved.map((it) => judge(it, target.version));
      if (found.some((it) => it.isMalicious)) return [];
      return found.some((it) => it.isPending) ? [{ ...target, facts: pending }] : [target];
    });
    return { ...evaluated, targets };
  };
  const sound = { dependencies: dependencies.map(withSound), definitions: definitions.map(withSound) };
  const all = [...poms.wanted, ...wanted];
  const moving = [...own, ...definitions.filter(({ linked }) => isMoving(linked, managers))];
  const isUrgent = moving.some((it) => it.version?.state === 'ready' && isFlagged(it.version.value));
  return { ...sound, wanted: isUrgent ? all : [], background: isUrgent ? [] : all };
}

function isMoving(linked: LinkedDependency, managers: readonly LinkedDependency[]): boolean {
  return managers.some((it) => isSamePlace(placeOf(it), placeOf(linked)));
}

/** Of a BOM that several files import from one place. */
function idOf(manager: LinkedDependency): string {
  const place = placeOf(manager);
  return `${packageId(manager.key)} ${place?.uri} ${place?.at.span.start}`;
}

const pending = { state: 'pending' } as const;

/** A package that moves along. */
export interface Moved {
  readonly key: PackageKey;
  /** Absent while it is not known. */
  readonly version?: string;
}

/** @param managed what manages it then */
export function movedUser({ key, version }: ManagedUser, managed: ReturnType<Bom['find']>): Moved[] {
  if (isGap(managed)) return managed.kind === 'pending' ? [{ key }] : [];
  return managed === undefined || managed.version === version ? [] : [{ key, version: managed.version }];
}

/** Whether one of some packages moves to malware, and the facts that say so. */
export function malwareAmong(
  moved: readonly Moved[],
  insights: Pick<Insights, 'version' | 'advisory'>,
): { readonly isMalicious: boolean; readonly isPending: boolean; readonly wanted: readonly Wanted[] } {
  const wanted: Wanted[] = [];
  let [isMalicious, isPending] = [false, false];
  for (const it of moved) {
    const key = it.version === undefined ? undefined : versionOf(it.key, it.version);
    const insight = key && insights.version(key);
    if (key) wanted.push(...factsAbout(key, insights));
    if (insight === undefined || insight.state === 'pending') isPending = true;
    else if (mayBeMalicious(insight, insights)) isMalicious = true;
  }
  return { isMalicious, isPending, wanted };
}
