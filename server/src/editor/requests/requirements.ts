import * as l10n from '@vscode/l10n';
import { dayOf } from '../../engine/base/dates.ts';
import { oneLine } from '../../engine/base/text.ts';
import {
  defaultVersionOf,
  dependencyOn,
  dependencyOnVersion,
  evaluateDependencies,
} from '../../engine/lookup/package-lookup.ts';
import type { DeclaredRequirement, GroupScope, RequirementGroup } from '../../engine/lookup/requirement-group.ts';
import { type RequirementsResult, requirementsOf } from '../../engine/lookup/requirements.ts';
import { diffRequirements } from '../../engine/lookup/upgrade-diff.ts';
import { type EvaluatedDependency, factsOf } from '../../engine/model/evaluated-dependency.ts';
import { deprecationOf } from '../../engine/model/facts.ts';
import type { VersionKey } from '../../engine/model/keys.ts';
import { licensesOf } from '../../engine/model/license-policy.ts';
import { hostOf } from '../../engine/model/links.ts';
import type { Advisory } from '../../engine/model/signals/advisory.ts';
import { type CodePages, codePages } from '../../engine/model/signals/comparison.ts';
import { losesProvenance } from '../../engine/model/signals/provenance.ts';
import { signalOf } from '../dispatch.ts';
import type { OwnRequest } from '../extension.ts';
import { fieldsIn, readKey, textIn } from '../params.ts';
import type { Engine } from '../state/engine.ts';
import { advisoryLines, type DependencySummary, summaryOf } from './summary.ts';

export interface RequirementsParams extends VersionKey {
  /** The name of a group in an earlier answer: its entries are looked up. Without it only the groups are returned. */
  readonly group?: string;
}

/** Why there is no answer; `reason` is a sentence for people. */
export interface NoRequirements {
  readonly kind: 'unknown' | 'failed';
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
      /** What else changes, most important first. */
      readonly notes: readonly UpgradeNote[];
      /** Set where the requirements cannot be compared: `adds`, `drops` and `changes` are empty. */
      readonly missing?: NoRequirements;
      readonly adds: readonly RequirementEntry[];
      readonly drops: readonly RequirementEntry[];
      readonly changes: readonly { readonly from: string; readonly to: RequirementEntry }[];
    }
  /** The version is the default version. */
  | { readonly kind: 'same'; readonly reason: string }
  | NoRequirements;

/** A change that is none of the requirements. Plain texts. */
export interface UpgradeNote {
  readonly kind:
    | 'fixes'
    | 'remains'
    | 'brings'
    | 'deprecated'
    | 'provenance'
    | 'license'
    | 'published'
    | 'comparison'
    | 'releases';
  readonly text: string;
  /** A page of the code host, which is linked and not fetched. */
  readonly url?: string;
  /** The advisories, worst first. */
  readonly details: readonly string[];
}

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
  async answer({ group, ...key }, { engine }, token) {
    const signal = signalOf(token);
    const required = await requirementsOf(key, engine.insights.lookups, signal);
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
    const entries = await lookUp(all, engine, signal);
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
  async answer({ to, ...key }, { engine }, token) {
    const signal = signalOf(token);
    const target = to ?? (await defaultVersionOf(key, engine.insights, signal));
    if (target === undefined) {
      return { kind: 'unknown', reason: l10n.t('No latest version of {0} is known.', oneLine(key.name)) };
    }
    if (target === key.version) {
      const reason = l10n.t('{0} {1} is the latest version.', oneLine(key.name), oneLine(key.version));
      return { kind: 'same', reason };
    }
    const { lookups } = engine.insights;
    const [before, after, evaluated] = await Promise.all([
      requirementsOf(key, lookups, signal),
      requirementsOf({ ...key, version: target }, lookups, signal),
      evaluateDependencies(
        [key.version, target].map((it) => dependencyOnVersion(key, it)),
        engine.insights,
        signal,
      ),
    ]);
    const about = {
      kind: 'found',
      to: oneLine(target),
      notes: upgradeNotes(evaluated, engine.insights.codeHost?.()?.host),
    } as const;
    const missing = [before, after].find((it) => it.kind !== 'found');
    if (missing) {
      const why = { kind: missing.kind, reason: oneLine(missing.reason) };
      if (about.notes.length === 0 || signal.aborted) return why;
      return { ...about, missing: why, adds: [], drops: [], changes: [] };
    }
    const { adds, drops, changes } = diffRequirements(groupsIn(before), groupsIn(after));
    const [added, dropped, changed] = await Promise.all([
      lookUp(adds, engine, signal),
      lookUp(drops, engine, signal),
      lookUp(
        changes.map((it) => it.to),
        engine,
        signal,
      ),
    ]);
    return {
      ...about,
      adds: added,
      drops: dropped,
      changes: changed.map((to, at) => ({ from: oneLine(changes[at]?.from.requirement ?? ''), to })),
    };
  },
};

/** What an upgrade changes besides the requirements. What is not known is left out. */
function upgradeNotes(
  [from, to]: readonly EvaluatedDependency[],
  codeHost: string | undefined,
): readonly UpgradeNote[] {
  const [before, after] = [from && factsOf(from), to && factsOf(to)];
  if (!from || !to || !after) return [];
  const isIn = (all: readonly Advisory[], { id, aliases }: Advisory): boolean =>
    all.some((it) => [it.id, ...it.aliases].some((name) => name === id || aliases.includes(name)));
  const deprecation = deprecationOf(after);
  const fixed = from.advisories.filter((it) => !isIn(to.advisories, it));
  const remaining = to.advisories.filter((it) => isIn(from.advisories, it));
  const added = before ? to.advisories.filter((it) => !isIn(from.advisories, it)) : to.advisories;
  const [old, next] = [before ? licensesOf(before) : [], licensesOf(after)];
  const isOtherLicense = old.length > 0 && next.length > 0 && old.join() !== next.join();
  const note = (kind: UpgradeNote['kind'], text: string, advisories: readonly Advisory[] = []): UpgradeNote => ({
    kind,
    text: oneLine(text),
    details: advisoryLines(advisories),
  });
  return [
    ...(fixed.length > 0 ? [note('fixes', fixedText(fixed.length), fixed)] : []),
    ...(remaining.length > 0 ? [note('remains', remainingText(remaining.length), remaining)] : []),
    ...(added.length > 0 ? [note('brings', addedText(added.length), added)] : []),
    ...(deprecation
      ? [note('deprecated', deprecation.reason ? l10n.t('Deprecated: {0}', deprecation.reason) : l10n.t('Deprecated'))]
      : []),
    ...(before && losesProvenance(before, after)
      ? [note('provenance', l10n.t('Without provenance: {0} has a verified attestation of its origin', before.version))]
      : []),
    ...(isOtherLicense ? [note('license', l10n.t('License {0} → {1}', old.join(', '), next.join(', ')))] : []),
    ...(after.publishedAt === undefined ? [] : [note('published', l10n.t('Published {0}', dayOf(after.publishedAt)))]),
    ...pageNotes(codePages(before, after, codeHost)),
  ];
}

function pageNotes(pages: CodePages | undefined): readonly UpgradeNote[] {
  if (pages === undefined) return [];
  const { comparison, releases } = pages;
  const text = (name: string, url: string): string => `${name} (${hostOf(url)})`;
  return [
    ...(comparison === undefined
      ? []
      : [
          {
            kind: 'comparison',
            text: text(l10n.t('Changes of the code'), comparison),
            url: comparison,
            details: [],
          } as const,
        ]),
    { kind: 'releases', text: text(l10n.t('Release notes'), releases), url: releases, details: [] },
  ];
}

function fixedText(count: number): string {
  return count === 1 ? l10n.t('Fixes 1 vulnerability') : l10n.t('Fixes {0} vulnerabilities', count);
}

function remainingText(count: number): string {
  return count === 1 ? l10n.t('1 vulnerability remains') : l10n.t('{0} vulnerabilities remain', count);
}

function addedText(count: number): string {
  return count === 1 ? l10n.t('1 other vulnerability') : l10n.t('{0} other vulnerabilities', count);
}

function groupsIn(result: RequirementsResult): readonly RequirementGroup[] {
  return result.kind === 'found' ? result.groups : [];
}

async function lookUp(
  all: readonly DeclaredRequirement[],
  engine: Engine,
  signal: AbortSignal,
): Promise<RequirementEntry[]> {
  const linked = all.slice(0, MAX_ENTRIES).map(({ key, effective }) => dependencyOn(key, effective));
  const dependencies = await evaluateDependencies(linked, engine.insights, signal);
  return dependencies.map((evaluated, at) => {
    const { requirement = '', notes = [] } = all[at] ?? {};
    return { ...summaryOf(evaluated), requirement: oneLine(requirement), notes: notes.map((it) => oneLine(it)) };
  });
}
