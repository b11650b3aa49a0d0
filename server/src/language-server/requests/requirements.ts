import * as l10n from '@vscode/l10n';
import { oneLine } from '../../base/text.ts';
import { defaultVersionOf, dependencyOn, evaluateDependencies } from '../../lookup/package-lookup.ts';
import type { DeclaredRequirement, GroupScope } from '../../lookup/requirement-groups.ts';
import { requirementsOf } from '../../lookup/requirements.ts';
import { diffRequirements } from '../../lookup/upgrade-diff.ts';
import type { VersionKey } from '../../model/keys.ts';
import { signalOf } from '../dispatch.ts';
import { fieldsIn, readKey, textIn } from '../params.ts';
import type { Session } from '../session.ts';
import type { OwnRequest } from './index.ts';
import { type DependencySummary, summaryOf } from './summary.ts';

export interface RequirementsParams extends VersionKey {
  /** The name of a group in an earlier answer: its entries are looked up. Without it only the groups are returned. */
  readonly group?: string;
}

/** Why there is no answer; `reason` is a sentence for people. */
export interface NoRequirements {
  readonly kind: 'unserved' | 'unknown' | 'failed';
  readonly reason: string;
}

export type RequirementsAnswer =
  | { readonly kind: 'found'; readonly groups: readonly GroupAnswer[] }
  | { readonly kind: 'entries'; readonly entries: readonly RequirementEntry[]; readonly omitted: number }
  | NoRequirements;

export interface GroupAnswer {
  /** The system's name for it; `''` for every framework. */
  readonly name: string;
  readonly scope: GroupScope;
  readonly count: number;
}

/** A requirement with the facts of the version that it resolves to. */
export interface RequirementEntry extends DependencySummary {
  /** Further properties as plain text: `optional`. */
  readonly notes: readonly string[];
}

export interface UpgradeParams extends VersionKey {
  /** The version to move to; the default version without it. */
  readonly to?: string;
}

export type UpgradeAnswer =
  | {
      readonly kind: 'found';
      readonly to: string;
      readonly adds: readonly RequirementEntry[];
      readonly drops: readonly RequirementEntry[];
      readonly changes: readonly { readonly from: string; readonly to: RequirementEntry }[];
    }
  /** The version is the default version. */
  | { readonly kind: 'same'; readonly reason: string }
  | NoRequirements;

/** Entries that are looked up together: BOMs of managed versions have thousands. */
const MAX_ENTRIES = 500;

/** The requirements of a version by group, with their facts. */
export const requirementsRequest: OwnRequest<RequirementsParams, RequirementsAnswer> = {
  method: 'packageInsights/requirements',
  read(params) {
    const key = readKey(params);
    const { group } = fieldsIn(params);
    return key && { ...key, ...(typeof group === 'string' && { group }) };
  },
  async answer({ group, ...key }, session, token) {
    const signal = signalOf(token);
    const required = await requirementsOf(key, session.insights.lookups, signal);
    if (required.kind !== 'found') return { ...required, reason: oneLine(required.reason) };
    // Authors choose the names of frameworks and profiles. Entries are requested by the displayed name.
    const named = required.groups.map((it) => ({ ...it, name: oneLine(it.name) }));
    if (group === undefined) {
      return {
        kind: 'found',
        groups: named.map(({ name, scope, entries }) => ({ name, scope, count: entries.length })),
      };
    }
    const all = named.filter((it) => it.name === group).flatMap((it) => it.entries);
    const entries = await lookUp(all, session, signal);
    return { kind: 'entries', entries, omitted: all.length - entries.length };
  },
};

/** The requirements that another version adds, drops and changes. */
export const upgradeRequest: OwnRequest<UpgradeParams, UpgradeAnswer> = {
  method: 'packageInsights/upgrade',
  read(params) {
    const key = readKey(params);
    const to = textIn(params, 'to');
    return key && { ...key, ...(to !== undefined && { to }) };
  },
  async answer({ to, ...key }, session, token) {
    const signal = signalOf(token);
    const target = to ?? (await defaultVersionOf(key, session.insights, signal));
    if (target === undefined) {
      return { kind: 'unknown', reason: l10n.t('No default version of {0} is known.', oneLine(key.name)) };
    }
    if (target === key.version) {
      const reason = l10n.t('{0} {1} is the default version.', oneLine(key.name), oneLine(key.version));
      return { kind: 'same', reason };
    }
    const { lookups } = session.insights;
    const [before, after] = await Promise.all([
      requirementsOf(key, lookups, signal),
      requirementsOf({ ...key, version: target }, lookups, signal),
    ]);
    if (before.kind !== 'found') return { ...before, reason: oneLine(before.reason) };
    if (after.kind !== 'found') return { ...after, reason: oneLine(after.reason) };
    const { adds, drops, changes } = diffRequirements(before.groups, after.groups);
    const [added, dropped, changed] = await Promise.all([
      lookUp(adds, session, signal),
      lookUp(drops, session, signal),
      lookUp(
        changes.map((it) => it.to),
        session,
        signal,
      ),
    ]);
    return {
      kind: 'found',
      to: oneLine(target),
      adds: added,
      drops: dropped,
      changes: changed.map((to, at) => ({ from: oneLine(changes[at]?.from.requirement ?? ''), to })),
    };
  },
};

async function lookUp(
  all: readonly DeclaredRequirement[],
  session: Session,
  signal: AbortSignal,
): Promise<RequirementEntry[]> {
  const linked = all.slice(0, MAX_ENTRIES).map(({ key, effective }) => dependencyOn(key, effective));
  const dependencies = await evaluateDependencies(linked, session.insights, signal);
  return dependencies.map((evaluated, at) => {
    const { requirement = '', notes = [] } = all[at] ?? {};
    return { ...summaryOf(evaluated), requirement: oneLine(requirement), notes: notes.map((it) => oneLine(it)) };
  });
}
