import * as l10n from '@vscode/l10n';
import { groupBy } from '../../base/collections.ts';
import { hasOverrides } from '../../ecosystems/overrides.ts';
import { stepOf } from '../../ecosystems/shared/step.ts';
import { transitiveUpdate } from '../../ecosystems/transitive-updates.ts';
import { versioning } from '../../ecosystems/versioning.ts';
import { type EvaluatedDependency, isFlagged } from '../../model/evaluated-dependency.ts';
import { usableNames, type VersionFacts } from '../../model/facts.ts';
import type { AffectedBelow, Below } from '../../model/graph/below.ts';
import { edgeKinds, type LockedGraph } from '../../model/graph/locked-graph.ts';
import { canonicalName, type PackageKey, type VersionKey, versionId } from '../../model/keys.ts';
import type { Required, Requirements } from '../../model/lookups.ts';
import { type Insights, readInsight, type Wanted } from '../../model/ports.ts';
import { bringing } from '../brought.ts';
import { factsAbout, mayBeMalicious } from '../evaluate/advisories.ts';
import { cooldownOf } from '../evaluate/cooldown.ts';
import { defaultVersion } from '../evaluate/resolve.ts';
import type { UpdatePolicy } from '../evaluate/update-policy.ts';
import { higherVersions, isSafe, resolvedAfter } from '../evaluate/update-target.ts';
import { findFirst } from '../managing-fixes.ts';
import type { WayOut, WaysOut } from './ways-out.ts';

/** How to look up what takes part. */
export interface WaysContext {
  readonly insights: Pick<Insights, Wanted['kind']>;
  /** Whether the name of a package may leave the machine. */
  readonly isPublic: (key: PackageKey) => boolean;
  readonly policy: UpdatePolicy;
}

/** Versions of a package that count, nearest first. Source: the limit of entries in one batch of the service. */
const MAX_CANDIDATES = 100;

/** Packages whose requirements are read for one search. A request each, as the service has no batch of them. */
const MAX_REQUIREMENTS = 60;

/** Packages that may require the affected one, where it is locked anew: the requirements of all must allow that. */
const MAX_REQUIRERS = 30;

/** Levels between a direct dependency and the affected package. */
const MAX_LEVELS = 12;

/** Finds the ways with the facts of this very moment; requests nothing. */
export function findWaysOut(evaluated: EvaluatedDependency, affected: AffectedBelow, context: WaysContext): WaysOut {
  const { below } = evaluated;
  if (below === undefined) return { ways: [], wanted: [], isSearching: false };
  const search = new Search(evaluated, below, affected, context);
  const fixed = search.fixedVersions();
  const ways = fixed === 'pending' ? [] : [search.lock(fixed), search.direct(), override(below, fixed)];
  const found = ways.filter((it) => it !== undefined);
  const { wanted } = search;
  const isSearching = wanted.some((it) => readInsight(context.insights, it).state === 'pending');
  const reason = found.length > 0 || isSearching ? undefined : reasonFor(affected, fixed);
  return { ways: found, wanted, isSearching, ...(reason !== undefined && { reason }) };
}

function reasonFor({ key }: AffectedBelow, fixed: readonly string[] | 'pending'): string {
  return fixed === 'pending' || fixed.length === 0
    ? l10n.t('No newer version of {0} without known vulnerabilities is known.', key.name)
    : l10n.t('The tool that writes the lockfile has no way to move {0} alone.', key.name);
}

function override({ lockfile }: Below, [wanted]: readonly string[]): WayOut | undefined {
  return wanted !== undefined && hasOverrides(lockfile) ? { kind: 'override', wanted } : undefined;
}

type Tested = 'pending' | 'out' | 'affected';

class Search {
  readonly wanted: Wanted[] = [];
  readonly #evaluated: EvaluatedDependency;
  readonly #below: Below;
  readonly #affected: VersionKey;
  readonly #context: WaysContext;
  readonly #tested = new Map<string, Tested>();
  /** The names of the packages through which the affected version is reached, and its own. */
  readonly #between: ReadonlySet<string>;
  #requirements = 0;
  /** The service has not known one: it is asked for no other. */
  #isUnserved = false;

  constructor(evaluated: EvaluatedDependency, below: Below, affected: AffectedBelow, context: WaysContext) {
    this.#evaluated = evaluated;
    this.#below = below;
    this.#affected = affected.key;
    this.#context = context;
    this.#between = namesBetween(below, affected.key);
  }

  /** The higher versions of the affected package without problems, nearest first. */
  fixedVersions(): readonly string[] | 'pending' {
    const higher = this.#higher(this.#affected, this.#affected.version);
    if (higher === 'pending') return 'pending';
    const { heldBack } = cooldownOf(this.#context.policy.cooldown, this.#affected);
    const sound = this.#soundOnes(this.#affected, higher.slice(0, MAX_CANDIDATES), (it) => {
      return !isFlagged(it) && !heldBack(it.version, it.publishedAt, this.#affected.version);
    });
    return sound === 'pending' ? 'pending' : sound;
  }

  /** A command that locks one of some versions, where all requirers allow it. */
  lock(fixed: readonly string[]): WayOut | undefined {
    const { system, name, version } = this.#affected;
    const { compare } = versioning[system];
    const { graph, lockfile } = this.#below;
    const nodes = new Set(nodesOf(graph, this.#affected));
    // A manifest requires it, too, and has a finding of its own.
    if ([...graph.importers.values()].some((all) => all.some((it) => nodes.has(it.node)))) return undefined;
    const requirers = new Set([...nodes].flatMap((it) => indexOf(graph).before[it] ?? []));
    if (requirers.size > MAX_REQUIRERS) return undefined;
    const ranges = this.#rangesOf(requirers);
    const allowed = fixed.filter((it) => ranges.every((range) => versioning[system].satisfies(it, range.text)));
    // Without their ranges, only a step that these mostly allow is offered.
    const isUnknown = ranges.length === 0;
    const wanted = isUnknown
      ? fixed.find((it) => (stepOf(system, version, it) ?? 'major') !== 'major')
      : allowed.sort(compare)[0];
    if (wanted === undefined) return undefined;
    const command = transitiveUpdate(lockfile, { name, version, wanted });
    if (command === undefined || (!command.includes(wanted) && this.#newestIsMalware(ranges))) return undefined;
    return { kind: 'lock', command, wanted, isAllowed: !isUnknown };
  }

  /** A command that names no version locks the newest that the ranges allow. */
  #newestIsMalware(ranges: readonly { readonly text: string }[]): boolean {
    const { insights } = this.#context;
    const { system, name } = this.#affected;
    const { compare, satisfies } = versioning[system];
    const list = insights.package({ system, name });
    const newest =
      list.state === 'ready'
        ? usableNames(list.value.versions)
            .filter((it) => ranges.every((range) => satisfies(it, range.text)))
            .sort(compare)
            .at(-1)
        : undefined;
    if (newest === undefined) return false;
    const key = { system, name, version: newest };
    this.wanted.push(...factsAbout(key, insights));
    return mayBeMalicious(insights.version(key), insights);
  }

  /** The smallest version of the direct dependency that leads to no affected version. */
  direct(): WayOut | undefined {
    const { linked, resolution } = this.#evaluated;
    if (resolution.kind !== 'version' || !served.has(linked.key.system) || this.#isUnserved) return undefined;
    const higher = this.#higher(linked.key, resolution.version);
    if (higher === 'pending') return undefined;
    const { system } = linked.key;
    const isMajor = (it: string): boolean => (stepOf(system, resolution.version, it) ?? 'major') === 'major';
    for (const some of [higher.filter((it) => !isMajor(it)), higher.filter(isMajor)]) {
      const sound = this.#soundOnes(linked.key, some.slice(0, MAX_CANDIDATES), (it) =>
        isSafe(linked, it, this.#context.policy),
      );
      if (sound === 'pending') return undefined;
      const found = findFirst(sound, (version) => this.#testDirect(version));
      if (found === 'pending') return undefined;
      if (found === undefined) continue;
      const step = stepOf(system, resolution.version, found.version);
      return { kind: 'direct', version: found.version, ...(step && { step }) };
    }
    return undefined;
  }

  #testDirect(version: string): VersionFacts | 'pending' | undefined {
    const key = { ...this.#evaluated.linked.key, version };
    const tested = this.#takesMalware(version) ?? this.#test(key, 0);
    if (tested !== 'out') return tested === 'pending' ? 'pending' : undefined;
    const facts = this.#context.insights.version(key);
    return facts.state === 'ready' ? facts.value : undefined;
  }

  /** Whether the requirement, moved to a version, would resolve to malware. Undefined if it does not. */
  #takesMalware(version: string): Tested | undefined {
    const { linked, resolution } = this.#evaluated;
    const { insights, policy } = this.#context;
    const list = insights.package(linked.key);
    if (resolution.kind !== 'version' || list.state !== 'ready') return undefined;
    const taken = resolvedAfter(linked, resolution, version, list.value, policy);
    if (taken === undefined || taken === version) return undefined;
    const key = { ...linked.key, version: taken };
    this.wanted.push(...factsAbout(key, insights));
    const facts = insights.version(key);
    if (facts.state === 'pending') return 'pending';
    return mayBeMalicious(facts, insights) ? 'affected' : undefined;
  }

  /**
   * Whether a version of a package leads to an affected version of the other one. Only packages that are between them in the
   * lockfile are followed; what a new package brings is known once it is locked.
   */
  #test(key: VersionKey, level: number): Tested {
    const id = versionId(key);
    const known = this.#tested.get(id);
    if (known !== undefined) return known;
    // Of a cycle, the other requirements decide.
    this.#tested.set(id, 'out');
    const tested = this.#testRequirements(key, level);
    if (tested === 'pending') this.#tested.delete(id);
    else this.#tested.set(id, tested);
    return tested;
  }

  #testRequirements(key: VersionKey, level: number): Tested {
    if (level > MAX_LEVELS) return 'affected';
    const requirements = this.#requirementsOf(key);
    if (requirements === 'pending') return 'pending';
    if (requirements === undefined) return 'affected';
    let isPending = false;
    for (const { name, requirement } of requirements) {
      if (!this.#between.has(name)) continue;
      const required = { system: key.system, name };
      const version = this.#resolve(required, requirement);
      if (version === undefined) return 'affected';
      const tested =
        version === 'pending'
          ? 'pending'
          : name === this.#affected.name
            ? this.#testAffected(version)
            : this.#test({ ...required, version }, level + 1);
      if (tested === 'affected') return 'affected';
      if (tested === 'pending') isPending = true;
    }
    return isPending ? 'pending' : 'out';
  }

  #testAffected(version: string): Tested {
    if (version === this.#affected.version) return 'affected';
    const key = { ...this.#affected, version };
    this.wanted.push({ kind: 'version', key });
    const facts = this.#context.insights.version(key);
    if (facts.state === 'pending') return 'pending';
    return facts.state === 'ready' && !isFlagged(facts.value) ? 'out' : 'affected';
  }

  /** The version that a tool takes: a locked one as long as the range allows it, otherwise as the system chooses. */
  #resolve(key: PackageKey, range: string): string | 'pending' | undefined {
    const { keeps, compare, pick, read } = versioning[key.system];
    if (read(range).kind === 'invalid') return undefined;
    const { graph } = this.#below;
    const locked = nodesNamed(graph, key.name).flatMap((it) => graph.nodes[it] ?? []);
    const kept = locked
      .filter((it) => it.source === undefined && keeps(it.version, range))
      .map((it) => it.version)
      .sort(compare)
      .at(-1);
    if (kept !== undefined && key.system !== 'NUGET') return kept;
    if (!this.#context.isPublic(key)) return undefined;
    this.wanted.push({ kind: 'package', key });
    const list = this.#context.insights.package(key);
    if (list.state === 'pending') return 'pending';
    if (list.state !== 'ready') return undefined;
    return pick(range, usableNames(list.value.versions), defaultVersion(list.value));
  }

  #requirementsOf(key: VersionKey): readonly Required[] | 'pending' | undefined {
    const isServed = served.has(key.system) && !this.#isUnserved;
    if (!isServed || !this.#context.isPublic(key) || this.#requirements++ >= MAX_REQUIREMENTS) return undefined;
    this.wanted.push({ kind: 'requirements', key });
    const insight = this.#context.insights.requirements(key);
    if (insight.state === 'pending') return 'pending';
    this.#isUnserved = insight.state !== 'ready' && seldomKnown.has(key.system);
    return insight.state === 'ready' ? installed(insight.value) : undefined;
  }

  /** What the packages require that lead to the affected version, as far as the service knows it. Empty while it is open. */
  #rangesOf(requirers: Iterable<number>): readonly { readonly text: string }[] {
    const { graph } = this.#below;
    const { system, name, version } = this.#affected;
    const ranges: { readonly text: string }[] = [];
    if (!served.has(system)) return ranges;
    for (const node of requirers) {
      const it = graph.nodes[node];
      const requirements =
        it?.source === undefined
          ? this.#requirementsOf({ system, name: it?.name ?? '', version: it?.version ?? '' })
          : undefined;
      if (this.#isUnserved) return [];
      const found = Array.isArray(requirements) ? requirements.filter((by: Required) => by.name === name) : [];
      // What is not known allows nothing.
      ranges.push(...(found.length > 0 ? found.map((by) => ({ text: by.requirement })) : [{ text: version }]));
    }
    return ranges;
  }

  #higher(key: PackageKey, current: string): readonly string[] | 'pending' {
    if (!this.#context.isPublic(key)) return [];
    this.wanted.push({ kind: 'package', key: { system: key.system, name: key.name } });
    const list = this.#context.insights.package(key);
    if (list.state === 'pending') return 'pending';
    if (list.state !== 'ready') return [];
    return higherVersions(list.value, current, defaultVersion(list.value), this.#context.policy);
  }

  #soundOnes(
    key: PackageKey,
    versions: readonly string[],
    isSound: (facts: VersionFacts) => boolean,
  ): string[] | 'pending' {
    const keys = versions.map((version): VersionKey => ({ system: key.system, name: key.name, version }));
    this.wanted.push(...keys.map((it): Wanted => ({ kind: 'version', key: it })));
    const facts = keys.map((it) => this.#context.insights.version(it));
    if (facts.some((it) => it.state === 'pending')) return 'pending';
    return facts.flatMap((it) => (it.state === 'ready' && isSound(it.value) ? [it.value.key.version] : []));
  }
}

/** The systems whose lockfiles have graphs, and whose requirements a service knows. */
const served: ReadonlySet<string> = new Set(['NPM', 'NUGET', 'CARGO', 'PYPI']);

/** Of these, services over registries alone know requirements. */
const seldomKnown: ReadonlySet<string> = new Set(['CARGO', 'PYPI']);

/** The requirements that a user of a version installs, or may: extras, features and conditions are not told apart. */
function installed(declared: Requirements): readonly Required[] {
  switch (declared.system) {
    case 'NPM':
      return [...declared.dependencies, ...declared.optionalDependencies, ...declared.peerDependencies];
    case 'NUGET':
      return declared.groups.flatMap((it) => it.dependencies);
    case 'CARGO':
      return declared.dependencies.filter((it) => it.kind !== 'dev');
    case 'PYPI':
      return declared.dependencies.map((it) => ({ ...it, name: canonicalName('PYPI', it.name) }));
    default:
      return [];
  }
}

/** What searches read of a graph, made once for each: a large one takes some ms. */
interface GraphIndex {
  readonly byName: ReadonlyMap<string, readonly number[]>;
  /** By node: the nodes whose requirements lead to it. */
  readonly before: readonly (readonly number[])[];
  readonly between: Map<string, ReadonlySet<string>>;
}

const indexes = new WeakMap<LockedGraph, GraphIndex>();

function indexOf(graph: LockedGraph): GraphIndex {
  const known = indexes.get(graph);
  if (known) return known;
  const before: number[][] = graph.nodes.map(() => []);
  for (let node = 0; node < graph.nodes.length; node++) {
    const end = graph.firstEdge[node + 1] ?? 0;
    for (let edge = graph.firstEdge[node] ?? 0; edge < end; edge++) {
      const kind = edgeKinds[graph.kinds[edge] ?? 0];
      if (kind && bringing.has(kind)) before[graph.targets[edge] ?? 0]?.push(node);
    }
  }
  const byName = groupBy([...graph.nodes.keys()], (it) => graph.nodes[it]?.name ?? '');
  const index = { byName, before, between: new Map() };
  indexes.set(graph, index);
  return index;
}

/** The nodes of a package. */
export function nodesNamed(graph: LockedGraph, name: string): readonly number[] {
  return indexOf(graph).byName.get(name) ?? [];
}

/** The published nodes of a version. */
function nodesOf(graph: LockedGraph, { name, version }: VersionKey): number[] {
  return nodesNamed(graph, name).filter(
    (it) => graph.nodes[it]?.version === version && graph.nodes[it]?.source === undefined,
  );
}

/** The names of the packages on all ways to an affected version, and its own. */
function namesBetween({ graph }: Below, affected: VersionKey): ReadonlySet<string> {
  const { before, between } = indexOf(graph);
  const known = between.get(versionId(affected));
  if (known) return known;
  const open = nodesOf(graph, affected);
  const seen = new Set(open);
  // The list grows while it is read.
  for (const node of open) {
    for (const it of before[node] ?? []) {
      if (seen.has(it)) continue;
      seen.add(it);
      open.push(it);
    }
  }
  const names = new Set(open.map((it) => graph.nodes[it]?.name ?? ''));
  between.set(versionId(affected), names);
  return names;
}
