import * as l10n from '@vscode/l10n';
import { groupAdvisories } from '../../engine/analysis/evaluate/advisories.ts';
import { cooldownOf } from '../../engine/analysis/evaluate/cooldown.ts';
import type { ManagingFix, ManagingFixes } from '../../engine/analysis/managing-fixes.ts';
import { bySeverity, isCountKnown, severityText } from '../../engine/analysis/rules/advisory.ts';
import { heldBackText } from '../../engine/analysis/rules/cooldown-text.ts';
import { settle } from '../../engine/analysis/settle.ts';
import { namesInShort } from '../../engine/analysis/shared-target.ts';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import { licenseInShort, verdictOf } from '../../engine/analysis/verdict.ts';
import { listedTargetNotes, shortManagingNotes, stepText } from '../../engine/analysis/verdict-text.ts';
import { dayOf } from '../../engine/base/dates.ts';
import { oneLine } from '../../engine/base/text.ts';
import { stepOf } from '../../engine/ecosystems/shared/step.ts';
import { versioning } from '../../engine/ecosystems/versioning.ts';
import type { EvaluatedDependency, TargetKind } from '../../engine/model/evaluated-dependency.ts';
import {
  type Insight,
  type PackageFacts,
  rowsOf,
  type VersionFacts,
  type VersionSummary,
} from '../../engine/model/facts.ts';
import { readInsight, type Wanted } from '../../engine/model/ports.ts';
import { advisoriesUnknownText, isMalware } from '../../engine/model/severity-rating.ts';
import { signalOf } from '../dispatch.ts';
import type { OwnRequest } from '../extension.ts';
import { type DependencyPlace, factsOfTargets, findDependency, readPlace } from '../features/commands.ts';
import { fieldsIn } from '../params.ts';
import type { Engine } from '../state/engine.ts';

export interface VersionsParams extends DependencyPlace {
  /** The versions whose details are requested; without them the whole list is. */
  readonly versions?: readonly string[];
}

/** All texts are plain, on one line. */
export type VersionsAnswer =
  | {
      readonly kind: 'list';
      readonly name: string;
      /** The resolved version; absent without one. */
      readonly current?: string;
      /** The updates of what manages the version of an affected dependency, and its own properties that decide. */
      readonly managing?: readonly ManagingRow[];
      /** The versions to move to, with the details of those that are known already. */
      readonly targets: readonly TargetRow[];
      /** All others, newest first. */
      readonly versions: readonly VersionRow[];
      /** Of the first rows, as far as they are known in time. */
      readonly details: readonly VersionDetails[];
      /** Set if the service reports only some versions. */
      readonly isSample?: true;
    }
  /** Without the versions that have no answer yet. */
  | { readonly kind: 'details'; readonly details: readonly VersionDetails[] }
  | { readonly kind: 'none'; readonly reason: string };

/** The argument of the update command, with the place. */
export interface ManagingRow {
  readonly way: ManagingFix['way'];
  /** The parent or BOM, or the property. */
  readonly name: string;
  readonly version: string;
  /** `manages 2.13.5`, `patch` */
  readonly notes: readonly string[];
}

export interface VersionRow {
  readonly version: string;
  /** `minor`, `2021-02-20`, `in use`, `deprecated` */
  readonly notes: readonly string[];
  readonly isDeprecated: boolean;
  /** Set for a target with a problem of another kind, too: a license that is denied. */
  readonly hasFlaw?: true;
}

export interface TargetRow extends VersionRow {
  readonly kinds: readonly TargetKind[];
}

export interface VersionDetails {
  readonly version: string;
  /** `2 advisories, worst high 7.4`, `MIT`; why it is not checked */
  readonly notes: readonly string[];
  readonly isAffected: boolean;
  readonly isMalicious: boolean;
}

/** One batch of the service, which a list never exceeds at once. */
const MAX_DETAILS = 100;

/** How long the answer waits for the list of versions and for details, in ms. */
const TIMEOUT_MS = 10_000;

/** How long the list waits for the facts of the targets, in ms. */
const TARGETS_TIMEOUT_MS = 1500;

/** The first versions of a list come with their details. */
const DETAILED = 50;

/** Packages of a definition whose lists and details are requested: those with problems come first. */
const MAX_USERS = 10;

/** The versions that a dependency of an open manifest can be moved to: the list at once, details in portions. */
export const versionsRequest: OwnRequest<VersionsParams, VersionsAnswer> = {
  method: 'packageInsights/versions',
  read(params) {
    const place = readPlace(params);
    const { versions } = fieldsIn(params);
    if (place === undefined) return undefined;
    if (versions === undefined) return place;
    const isList = Array.isArray(versions) && versions.length <= MAX_DETAILS;
    return isList && versions.every((it) => typeof it === 'string') ? { ...place, versions } : undefined;
  },
  async answer(params, { engine }, token) {
    const signal = signalOf(token);
    const evaluated = await dependencyAt(params, engine);
    if (evaluated === undefined) return { kind: 'none', reason: l10n.t('The dependency is no longer in this file.') };
    const reason = reasonAgainst(evaluated);
    if (reason !== undefined) return { kind: 'none', reason };
    return params.versions
      ? { kind: 'details', details: await detailsOf(evaluated, params.versions, engine, signal) }
      : listOf(params, evaluated, engine, signal);
  },
};

async function dependencyAt(place: DependencyPlace, { workspace }: Engine): Promise<EvaluatedDependency | undefined> {
  const snapshot = (await workspace.reevaluate(place.uri)) ?? (await workspace.snapshot(place.uri));
  return snapshot && findDependency(snapshot, place);
}

/** Why no other version can be chosen. What is not looked up is not requested here either. */
function reasonAgainst({ linked, resolution }: EvaluatedDependency): string | undefined {
  const { name } = linked.dependency;
  if (linked.isRecorded) return oneLine(l10n.t('Only tools change this file: update {0} in its manifest.', name));
  switch (resolution.kind) {
    case 'none':
      return oneLine(l10n.t('No versions of {0}: {1}.', name, resolution.reason));
    case 'unknown':
      return oneLine(l10n.t('The service does not know {0}.', name));
    default:
      return undefined;
  }
}

async function listOf(
  place: DependencyPlace,
  found: EvaluatedDependency,
  engine: Engine,
  signal: AbortSignal,
): Promise<VersionsAnswer> {
  const { key } = found.linked;
  const list = await awaitFacts(
    () => usersOf(found).map(({ linked }): Wanted => ({ kind: 'package', key: linked.key })),
    () => engine.insights.package(key),
    TIMEOUT_MS,
    engine,
    signal,
  );
  if (list.state !== 'ready') {
    const { name } = found.linked.dependency;
    const why = list.state === 'failed' ? list.reason : (engine.insights.connectionProblem()?.reason ?? noAnswer());
    const unknown = l10n.t('The service does not know {0}.', name);
    return {
      kind: 'none',
      reason: oneLine(list.state === 'unknown' ? unknown : l10n.t('No versions of {0}: {1}.', name, why)),
    };
  }
  // The list leads to the targets.
  const listed = (await dependencyAt(place, engine)) ?? found;
  const evaluated =
    (await awaitFacts(
      () => factsOfTargets(listed),
      () => dependencyAt(place, engine),
      TARGETS_TIMEOUT_MS,
      engine,
      signal,
    )) ?? listed;
  const answer = answerOf(evaluated, list.value, engine);
  const first = [...answer.targets, ...answer.versions].slice(0, DETAILED).map((it) => it.version);
  const [{ fixes = [] }, details] = await Promise.all([
    awaitManagingFixes(place, TARGETS_TIMEOUT_MS, engine, signal),
    detailsOf(evaluated, first, engine, signal, TARGETS_TIMEOUT_MS),
  ]);
  const managing = fixes.map((fix): ManagingRow => {
    const notes = shortManagingNotes(fix);
    return { way: fix.way, name: oneLine(fix.name), version: fix.version, notes: notes.map((it) => oneLine(it)) };
  });
  return { ...answer, details, ...(managing.length > 0 && { managing }) };
}

/** What is found of the updates of what manages a version, once all facts are there or the time is up. */
export async function awaitManagingFixes(
  place: DependencyPlace,
  patience: number,
  { workspace, insights, clock }: Engine,
  signal?: AbortSignal,
): Promise<{ readonly snapshot?: Snapshot | undefined } & Partial<ManagingFixes>> {
  const owner = `versions ${++requests}`;
  const until = clock.now() + patience;
  try {
    return await settle(
      async () => {
        const snapshot = await workspace.snapshot(place.uri);
        const evaluated = snapshot && findDependency(snapshot, place);
        return { snapshot, ...(evaluated && snapshot.findManagingFixes(evaluated)) };
      },
      ({ isSearching }) => (isSearching && !signal?.aborted ? until - clock.now() : 0),
      (ms, { wanted = [] }) => {
        insights.request(owner, wanted);
        return insights.whenSettled(owner, ms, signal);
      },
    );
  } finally {
    insights.release(owner);
  }
}

/** The packages whose versions are listed: at a definition those that share it and are looked up. */
function usersOf(evaluated: EvaluatedDependency): readonly EvaluatedDependency[] {
  const users = evaluated.shared?.users.filter((it) => reasonAgainst(it) === undefined) ?? [evaluated];
  return users.slice(0, MAX_USERS);
}

/** The versions of all packages, each with the names of those whose whole list lacks it. */
function summariesOf(
  evaluated: EvaluatedDependency,
  list: PackageFacts,
  { insights }: Engine,
): { readonly summaries: ReadonlyMap<string, VersionSummary>; readonly lacking: (version: string) => string[] } {
  // Several packages may spell one version differently.
  const { canonical } = versioning[evaluated.linked.key.system];
  const lists = usersOf(evaluated).flatMap((it) => {
    const its = insights.package(it.linked.key);
    return its.state === 'ready' && !its.value.isSample ? [{ it, list: its.value.versions }] : [];
  });
  const summaries = new Map(
    [...lists.map((it) => it.list), list.versions].flatMap(rowsOf).map((it) => [canonical(it.version), it]),
  );
  const known = lists.map(({ it, list }) => ({ it, versions: new Set(list.names.map(canonical)) }));
  const lacking = (version: string): string[] =>
    known.filter(({ versions }) => !versions.has(canonical(version))).map(({ it }) => it.linked.dependency.name);
  return { summaries, lacking };
}

/** `org.lib:second has no such version` */
function lackingText(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [oneLine(l10n.t('{0} has no such version', namesInShort(names)))];
}

function noAnswer(): string {
  return l10n.t('no answer within {0} s', TIMEOUT_MS / 1000);
}

function answerOf(
  evaluated: EvaluatedDependency,
  list: PackageFacts,
  engine: Engine,
): Extract<VersionsAnswer, { readonly kind: 'list' }> {
  const { linked, resolution } = evaluated;
  const verdict = verdictOf(evaluated);
  const rules = versioning[linked.key.system];
  const current = resolution.kind === 'version' ? resolution.version : undefined;
  const { heldBack } = cooldownOf(evaluated.cooldown, linked.key);
  const { summaries, lacking } = summariesOf(evaluated, list, engine);
  const dateOf = (at: number | undefined): string[] => (at === undefined ? [] : [dayOf(at)]);

  const targets = verdict.targets.map((it): TargetRow => {
    const notes = [...listedTargetNotes(evaluated, it), ...dateOf(it.publishedAt)];
    const isDeprecated = summaries.get(rules.canonical(it.version))?.isDeprecated === true;
    const hasFlaw = it.flaw !== undefined && ({ hasFlaw: true } as const);
    return {
      ...{ version: it.version, kinds: it.kinds, notes: notes.map((note) => oneLine(note)), isDeprecated },
      ...hasFlaw,
    };
  });
  const rowOf = ({ version, publishedAt, isDefault, isDeprecated }: VersionSummary): VersionRow => {
    const step = current === undefined ? undefined : stepOf(linked.key.system, current, version);
    const held = heldBack(version, publishedAt, current);
    const isLower = current !== undefined && rules.compare(version, current) < 0;
    const notes = [
      ...(version === current ? [l10n.t('in use')] : []),
      ...(isLower ? [l10n.t('lower than the one in use')] : []),
      ...(step && version !== current && !isLower ? [stepText(step)] : []),
      ...dateOf(publishedAt),
      ...(isDefault ? [l10n.t('latest')] : []),
      ...(rules.isStable(version) ? [] : [l10n.t('pre-release')]),
      ...(held ? [heldBackText(held)] : []),
      ...(isDeprecated ? [l10n.t('deprecated')] : []),
      ...(evaluated.shared ? lackingText(lacking(version)) : []),
    ];
    return { version, notes, isDeprecated };
  };
  // What all packages of a definition have comes first.
  const isPartial = ({ version }: VersionSummary): number =>
    Number(evaluated.shared !== undefined && lacking(version).length > 0);
  const offered = new Set(targets.map((it) => rules.canonical(it.version)));
  const versions = [...summaries.values()]
    .filter((it) => !offered.has(rules.canonical(it.version)))
    .sort((a, b) => isPartial(a) - isPartial(b) || rules.compare(b.version, a.version))
    .map(rowOf);
  return {
    kind: 'list',
    name: oneLine(linked.dependency.name),
    ...(current !== undefined && { current }),
    targets,
    versions,
    details: [],
    ...(list.isSample && ({ isSample: true } as const)),
  };
}

/** The first of some dependencies for which a version is malware, once that is known. */
export async function maliciousAmong(
  some: readonly EvaluatedDependency[],
  version: string,
  engine: Engine,
  signal: AbortSignal,
): Promise<EvaluatedDependency | undefined> {
  for (const it of some.slice(0, MAX_USERS)) {
    const { linked, resolution } = it;
    const isBlank = resolution.kind === 'none' && !resolution.withheld && linked.dependency.blank !== undefined;
    if (!isBlank && reasonAgainst(it) !== undefined) continue;
    const details = await detailsOf(it, [version], engine, signal);
    if (details.some(({ isMalicious }) => isMalicious)) return it;
  }
  return undefined;
}

async function detailsOf(
  evaluated: EvaluatedDependency,
  versions: readonly string[],
  engine: Engine,
  signal: AbortSignal,
  patience = TIMEOUT_MS,
): Promise<VersionDetails[]> {
  const { insights } = engine;
  const keys = usersOf(evaluated).map((it) => it.linked.key);
  // Only what the service lists: a request must not carry other texts.
  const listed = new Set(
    keys.flatMap((key) => {
      const list = insights.package(key);
      return list.state === 'ready' ? list.value.versions.names : [];
    }),
  );
  const known = [...new Set(versions)].filter((it) => listed.has(it));
  const wanted = (): Wanted[] =>
    known
      .flatMap((version) => keys.map((key) => ({ ...key, version })))
      .flatMap((key): Wanted[] => {
        const facts = insights.version(key);
        const ids = facts.state === 'ready' ? facts.value.advisories : [];
        return [{ kind: 'version', key }, ...ids.map((id): Wanted => ({ kind: 'advisory', id }))];
      });
  const unchecked = (evaluated.shared?.users.length ?? keys.length) - keys.length;
  const read = (): VersionDetails[] =>
    known.flatMap((version) =>
      describe(
        version,
        keys.map((key) => insights.version({ ...key, version })),
        unchecked,
        engine,
      ),
    );
  return awaitFacts(wanted, read, patience, engine, signal);
}

/**
 * @param all the facts of each package that has the version
 * @param unchecked how many further packages use it
 */
function describe(
  version: string,
  all: readonly Insight<VersionFacts>[],
  unchecked: number,
  engine: Engine,
): VersionDetails[] {
  if (all.some((it) => it.state === 'pending')) return [];
  const ready = all.flatMap((it) => (it.state === 'ready' ? [it.value] : []));
  const failed = all.find((it) => it.state === 'failed');
  const problems = ready.length > 0 ? problemsOf(ready, engine) : { notes: [], isAffected: false, isMalicious: false };
  const notes = [
    ...problems.notes,
    ...(failed?.state === 'failed' ? [oneLine(l10n.t('not checked: {0}', failed.reason))] : []),
    ...(unchecked > 0 ? [l10n.t('{0} packages not checked', unchecked)] : []),
  ];
  return [{ ...problems, version, notes: notes.length > 0 ? notes : [l10n.t('unknown')] }];
}

function problemsOf(
  facts: readonly VersionFacts[],
  { insights }: Engine,
): Pick<VersionDetails, 'notes' | 'isAffected' | 'isMalicious'> {
  const ids = [...new Set(facts.flatMap((it) => it.advisories))];
  const advisories = bySeverity(groupAdvisories(ids, insights));
  const [worst] = advisories;
  const licenses = new Set(facts.map((it) => licenseInShort(it)));
  const license = licenses.size === 1 ? [...licenses].join() : '';
  const count =
    worst === undefined
      ? facts.some((it) => it.areAdvisoriesUnknown)
        ? advisoriesUnknownText()
        : l10n.t('no known vulnerabilities')
      : !isCountKnown(advisories)
        ? l10n.t('has known vulnerabilities')
        : isMalware(worst)
          ? severityText(worst)
          : advisories.length === 1
            ? l10n.t('1 vulnerability, {0}', severityText(worst))
            : l10n.t('{0} vulnerabilities, worst {1}', advisories.length, severityText(worst));
  return {
    notes: [count, ...(licenses.size > 1 ? [] : [license === '' ? l10n.t('license unknown') : oneLine(license)])],
    isAffected: worst !== undefined,
    isMalicious: advisories.some(isMalware),
  };
}

/**
 * Requests facts, and those that they lead to, until all have an answer or the time is up.
 * @param read reads the answers while they are kept: why a request has failed is forgotten with the last one that wants it
 */
async function awaitFacts<T>(
  wanted: () => readonly Wanted[],
  read: () => T | Promise<T>,
  patience: number,
  { insights, clock }: Engine,
  signal: AbortSignal,
): Promise<T> {
  const owner = `versions ${++requests}`;
  const until = clock.now() + patience;
  try {
    await settle(
      () => wanted().filter((it) => readInsight(insights, it).state === 'pending'),
      (missing) => (missing.length > 0 && !signal.aborted ? until - clock.now() : 0),
      (ms, missing) => {
        insights.request(owner, missing);
        return insights.whenSettled(owner, ms, signal);
      },
    );
    return await read();
  } finally {
    insights.release(owner);
  }
}

/** Counts the requests, each of which owns its facts. */
let requests = 0;
