import * as l10n from '@vscode/l10n';
import { pathText, releaseText } from '../../engine/analysis/below/texts.ts';
import { wayText, wayTitle } from '../../engine/analysis/below/way-texts.ts';
import { countBrought, placeInLockfile } from '../../engine/analysis/brought.ts';
import { type BroughtPackage, packagesBelow } from '../../engine/analysis/brought-tree.ts';
import { readGraphOnce } from '../../engine/analysis/graphs.ts';
import { worstRatingOf } from '../../engine/analysis/rules/advisory.ts';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import { oneLine } from '../../engine/base/text.ts';
import { directoryOf, nameOf, relativeTo } from '../../engine/base/uri.ts';
import { type EvaluatedDependency, spelledName } from '../../engine/model/evaluated-dependency.ts';
import type { LockedGraph } from '../../engine/model/graph/locked-graph.ts';
import type { Source } from '../../engine/model/manifest.ts';
import type { FoundLockfile } from '../../engine/model/manifest-chain.ts';
import { formatPurl } from '../../engine/model/purl.ts';
import { activeBelow } from '../../engine/policy/ignores.ts';
import type { OwnRequest } from '../extension.ts';
import { type DependencyPlace, findDependency, readPlace } from '../features/commands.ts';
import { countText, problemTexts, uncheckedTexts } from '../features/hover/brought.ts';
import { type WayRequest, wayRequest } from '../features/way-actions.ts';
import { fieldsIn, textIn } from '../params.ts';
import type { Engine } from '../state/engine.ts';
import type { ServerState } from '../state/server-state.ts';
import type { RequirementEntry } from './requirements.ts';
import { advisoryLines } from './summary.ts';
import { awaitWays } from './way-out.ts';

/** What a dependency brings along, as one line; or a sentence why that is not known. All texts are plain. */
export type BringsAnswer =
  | {
      readonly kind: 'packages';
      /** `Brings 63 packages` */
      readonly title: string;
      /** Its file name. */
      readonly lockfile: string;
      readonly count: number;
      /** `1 with known advisories`, `2 of 63 not checked: …` */
      readonly notes: readonly string[];
      readonly isAffected: boolean;
      /** Set while packages are still looked up. */
      readonly isPending?: true;
    }
  /** A large lockfile: a later request has the answer. */
  | { readonly kind: 'reading'; readonly lockfile: string }
  | { readonly kind: 'none'; readonly reason: string };

export interface BroughtParams extends DependencyPlace {
  /** Of an earlier answer, whose nodes `path` has. */
  readonly graph?: number;
  /** The nodes down to the one that is opened. Without it, the dependency itself is opened. */
  readonly path?: readonly number[];
}

export type BroughtAnswer =
  | {
      readonly kind: 'found';
      /** Names the lockfile as it was read: its nodes have these numbers. */
      readonly graph: number;
      readonly packages: readonly BroughtEntry[];
      readonly omitted: number;
    }
  /** The lockfile has changed: nodes have other numbers now. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'none'; readonly reason: string };

/** A package that another one requires, in its locked version. */
export interface BroughtEntry extends RequirementEntry {
  readonly node: number;
  /** Set if it is on its own path. */
  readonly isCycle?: true;
  /** Set if it requires no package. */
  readonly isLeaf?: true;
  /** The worst affected package further down: `qs 6.11.0`. */
  readonly leadsTo?: string;
  /** A shortest path to it: `express → body-parser → qs 6.11.0`. */
  readonly path: string;
  /** Set if its name may leave the machine. */
  readonly isPublic?: true;
  /** The affected version for `waysOut`: one whose advisories no ignore accepts. */
  readonly affected?: { readonly package: string; readonly affected: string };
}

/** Packages of one level that are shown; those with problems come first. */
const MAX_PACKAGES = 200;

/** Levels of a path. The longest ones of real lockfiles have some 30. */
const MAX_DEPTH = 1000;

/** What a package of a lockfile requires by it. */
export const broughtRequest: OwnRequest<BroughtParams, BroughtAnswer> = {
  method: 'packageInsights/brought',
  read(params) {
    const place = readPlace(params);
    const { graph, path } = fieldsIn(params);
    if (place === undefined) return undefined;
    if (path === undefined) return place;
    const isPath = Array.isArray(path) && path.length <= MAX_DEPTH && path.every((it) => Number.isInteger(it));
    return isPath && typeof graph === 'number' ? { ...place, graph, path } : undefined;
  },
  async answer({ graph: revision, path = [], ...place }, { engine, settings }) {
    const snapshot = await engine.workspace.snapshot(place.uri);
    const evaluated = snapshot && findDependency(snapshot, place);
    if (!snapshot || !evaluated) {
      return { kind: 'none', reason: l10n.t('The dependency is no longer in this file.') };
    }
    const found = lockfileOf(evaluated, snapshot);
    if (found) await readGraphOnce(found, engine.readGraph);
    const locked = placeInLockfile({ ...snapshot, graphOf: engine.graphOf }, evaluated);
    if (locked === undefined) return { kind: 'none', reason: whyUnknown(evaluated, snapshot, engine) };
    const { graph, nodes } = locked;
    const own = revisionOf(graph);
    if (revision !== undefined && revision !== own) return { kind: 'changed' };
    if (path.some((it) => graph.nodes[it] === undefined)) return { kind: 'changed' };
    const below = activeBelow(evaluated);
    const known = below?.graph === graph ? below : undefined;
    const all = packagesBelow(graph, nodes, path, known);
    const isOff = !settings.for(snapshot.uri).lookUpBelow;
    const later: Unchecked = { note: l10n.t('not checked yet'), sentence: l10n.t('The service has not answered yet.') };
    const unknown = isOff
      ? { note: l10n.t('not checked'), sentence: l10n.t('Not checked: {0} is off.', 'packageInsights.lookUpBelow') }
      : later;
    return {
      kind: 'found',
      graph: own,
      packages: all
        .slice(0, MAX_PACKAGES)
        .map((it) => entryOf(it, evaluated, graph, known ? uncheckedReason(it.insight) : unknown)),
      omitted: Math.max(0, all.length - MAX_PACKAGES),
    };
  },
};

/**
 * What a dependency brings, as far as it is known at this moment. Undefined without a version, and for an entry of a
 * lockfile.
 */
export function bringsOf(
  evaluated: EvaluatedDependency,
  snapshot: Snapshot,
  { engine, settings }: ServerState,
): BringsAnswer | undefined {
  if (evaluated.shared || evaluated.linked.isRecorded || evaluated.resolution.kind !== 'version') return undefined;
  const found = lockfileOf(evaluated, snapshot);
  if (found && engine.graphOf(found) === undefined) return { kind: 'reading', lockfile: oneLine(found.format.id) };
  const locked = placeInLockfile({ ...snapshot, graphOf: engine.graphOf }, evaluated);
  if (found === undefined || locked === undefined) {
    return { kind: 'none', reason: whyUnknown(evaluated, snapshot, engine) };
  }
  const below = activeBelow(evaluated);
  const lockfile = oneLine(found.format.id);
  if (below?.graph === locked.graph) {
    const isPending = below.unchecked.pending > 0;
    // A number would change with each answer, and the view with it.
    const unchecked = isPending ? [l10n.t('not all checked yet')] : uncheckedTexts(below);
    const notes = [...problemTexts(below), ...unchecked].map((it) => oneLine(it));
    const isAffected = below.affected.length > 0;
    const { count } = below;
    const title = countText(below);
    return { kind: 'packages', title, lockfile, count, notes, isAffected, ...(isPending && { isPending }) };
  }
  const [counted] = countBrought(locked.graph, [locked]);
  const count = typeof counted === 'number' ? counted : 0;
  const isOn = settings.for(snapshot.uri).lookUpBelow;
  const title = countText({ count, isPartial: locked.graph.isPartial });
  const notes = [isOn ? l10n.t('not checked yet') : offText()];
  return {
    kind: 'packages',
    title,
    lockfile,
    count,
    notes: count > 0 ? notes : [],
    isAffected: false,
    ...(isOn && count > 0 && { isPending: true }),
  };
}

function offText(): string {
  return l10n.t('not checked: {0} is off', 'packageInsights.lookUpBelow');
}

/** The lockfile that gives a dependency its version. */
function lockfileOf({ resolution }: EvaluatedDependency, { uri, lockfiles }: Snapshot): FoundLockfile | undefined {
  if (resolution.kind !== 'version' || resolution.from !== 'lockfile') return undefined;
  return lockfiles.find(
    ({ format, directory }) =>
      format.id === resolution.lockfile && relativeTo(directory, directoryOf(uri)) !== undefined,
  );
}

/** Why nothing is known of what a dependency brings; a sentence. */
function whyUnknown(evaluated: EvaluatedDependency, snapshot: Snapshot, engine: Engine): string {
  const found = lockfileOf(evaluated, snapshot);
  const file = oneLine(nameOf(snapshot.uri));
  if (found) {
    return engine.graphOf(found) === 'unrecorded'
      ? l10n.t('{0} lists packages without what each of them requires.', oneLine(found.format.id))
      : l10n.t('{0} does not list this dependency.', oneLine(found.format.id));
  }
  switch (evaluated.linked.key.system) {
    case 'GO':
      return l10n.t('{0} lists modules without what each of them requires.', file);
    case 'MAVEN':
      return l10n.t('{0} has no lockfile that lists what packages bring along.', file);
    default:
      return l10n.t('No lockfile lists what {0} brings along.', oneLine(spelledName(evaluated.linked)));
  }
}

let revisions = 0;
const revisionsOfGraphs = new WeakMap<LockedGraph, number>();

function revisionOf(graph: LockedGraph): number {
  const revision = revisionsOfGraphs.get(graph) ?? ++revisions;
  revisionsOfGraphs.set(graph, revision);
  return revision;
}

/** Why it is not known whether a package has problems. */
interface Unchecked {
  readonly note: string;
  readonly sentence: string;
}

function entryOf(
  found: BroughtPackage,
  { linked }: EvaluatedDependency,
  graph: LockedGraph,
  reason: Unchecked | undefined,
): BroughtEntry {
  const { node, locked, isCycle, hasRequirements, advisories, isDeprecated, leadsTo, insight, shortest } = found;
  const { system } = linked.key;
  const { name, version, source } = locked;
  const isVersion = source === undefined && version !== '';
  const path = pathText(graph, shortest, linked.dependency.name);
  const severity = worstRatingOf(advisories);
  const isPublic = insight !== undefined && insight !== 'workspace';
  return {
    node,
    system,
    name: oneLine(name),
    requirement: isVersion ? '' : oneLine(version),
    purl: formatPurl({ system, name }, isVersion ? version : undefined),
    ...(isVersion && { version: oneLine(version) }),
    ...(reason !== undefined && { reason: oneLine(reason.sentence) }),
    licenses: [],
    isDeprecated,
    advisories: advisoryLines(advisories),
    ...(severity && { severity }),
    ...(advisories.length > 0 && { affected: { package: name, affected: version } }),
    links: [],
    notes: [...notesOf(found), ...(reason ? [reason.note] : [])].map((it) => oneLine(it)),
    path: oneLine(path),
    ...(leadsTo && { leadsTo: oneLine(releaseText(leadsTo.key)) }),
    ...(isCycle && { isCycle }),
    ...(!hasRequirements && { isLeaf: true }),
    ...(isPublic && { isPublic }),
  };
}

function notesOf({ kind, locked: { condition, source } }: BroughtPackage): string[] {
  return [
    ...(kind === 'optional' ? [l10n.t('optional')] : []),
    ...(kind === 'peer' ? [l10n.t('peer')] : []),
    ...(condition === undefined ? [] : [condition]),
    ...(source === undefined ? [] : [sourceTexts[source]()]),
  ];
}

const sourceTexts: Readonly<Record<Source, () => string>> = {
  git: () => l10n.t('from Git'),
  path: () => l10n.t('from a path'),
  url: () => l10n.t('from an address'),
  workspace: () => l10n.t('member of the workspace'),
  undeployed: () => l10n.t('not deployed'),
  removed: () => l10n.t('taken out'),
};

/** Members of the workspace are not looked up. */
function uncheckedReason(insight: BroughtPackage['insight']): Unchecked | undefined {
  const note = l10n.t('not checked');
  if (insight === 'workspace') return undefined;
  if (insight === undefined) return { note, sentence: l10n.t('Not checked: private, or from no registry.') };
  switch (insight.state) {
    case 'ready':
      return undefined;
    case 'pending':
      return { note: l10n.t('not checked yet'), sentence: l10n.t('The service has not answered yet.') };
    case 'unknown':
      return { note, sentence: l10n.t('Not checked: unknown to the service.') };
    case 'failed':
      return { note, sentence: l10n.t('Lookup failed: {0}.', insight.reason) };
  }
}

export interface WaysOutParams extends DependencyPlace {
  /** The affected package, and its version. */
  readonly package: string;
  readonly affected: string;
}

export interface WaysOutAnswer {
  /** The smallest change first. `request` is the argument of the command `packageInsights.server.wayOut`. */
  readonly ways: readonly { readonly title: string; readonly text: string; readonly request: WayRequest }[];
  /** Why there is none; a sentence. */
  readonly reason?: string;
}

/** The ways out of an affected package that a dependency brings. Looks up what they need. */
export const waysOutRequest: OwnRequest<WaysOutParams, WaysOutAnswer> = {
  method: 'packageInsights/waysOut',
  read(params) {
    const place = readPlace(params);
    const [name, affected] = [textIn(params, 'package'), textIn(params, 'affected')];
    return place && name && affected ? { ...place, package: name, affected } : undefined;
  },
  async answer({ package: name, affected: version, ...place }, { engine }, token) {
    const { evaluated, affected, ways } = await awaitWays(place, { name, version }, engine, token);
    if (!evaluated?.below || !affected || !ways) {
      const reason = l10n.t(
        '{2} does not bring {0} {1} any more.',
        oneLine(name),
        oneLine(version),
        oneLine(place.name),
      );
      return { ways: [], reason };
    }
    const { lockfile } = evaluated.below;
    return {
      ways: ways.ways.map((it) => ({
        title: oneLine(wayTitle(it, affected, place.name)),
        text: oneLine(wayText(it, affected, place.name, lockfile)),
        request: wayRequest(evaluated, affected, it),
      })),
      ...(ways.ways.length === 0 && { reason: oneLine(ways.reason ?? l10n.t('No way out is known.')) }),
    };
  },
};
