import { byText } from '../../base/text.ts';
import type { EvaluatedDependency } from '../../model/evaluated-dependency.ts';
import type { AffectedBelow, Below, PackageBelow, UncheckedBelow } from '../../model/graph/below.ts';
import type { Release, ReleaseInsight } from '../../model/graph/releases.ts';
import type { AdvisoryId, VersionKey } from '../../model/keys.ts';
import type { Insights } from '../../model/ports.ts';
import type { Advisory } from '../../model/signals/advisory.ts';
import { shortestPaths } from '../brought.ts';
import { groupAdvisories } from '../evaluate/advisories.ts';
import { bySeverity, bySeverityOf } from '../rules/advisory.ts';
import { type BroughtByDirect, type BroughtReleases, countCommon, hasBit, setBit } from './brought-releases.ts';

/** A version that a manifest brings. It is not looked up if it has no release. */
export interface BroughtRelease {
  readonly key: VersionKey;
  readonly release: Release | undefined;
  /** Not looked up since a person has switched it off. */
  readonly isLeftOut?: true;
  /** From no registry: a repository, an address, a file or a folder. */
  readonly isElsewhere?: true;
}

/** Paths that are found with one search, in advance: those of the packages that hovers and findings list. */
const PREPARED_PATHS = 10;

/** Versions classified between two pauses: some ms. */
const RELEASES_PER_TURN = 5000;

/** What is known of everything that one manifest brings. */
export class KnownBelow {
  readonly #brought: BroughtReleases;
  readonly #lockfile: string;
  readonly #insights: Pick<Insights, 'advisory'>;
  readonly #known = new Map<BroughtByDirect, Known>();
  /** The vulnerabilities of a version while the facts of its advisories stay the same. */
  readonly #grouped = new Map<
    number,
    { readonly facts: readonly unknown[]; readonly advisories: readonly Advisory[] }
  >();
  /** By direct dependency and release of the graph. */
  readonly #paths = new Map<BroughtByDirect, Map<number, readonly number[]>>();
  /** By version, while its vulnerabilities stay the same. */
  readonly #packages = new Map<number, AffectedBelow>();
  #releases: readonly BroughtRelease[] = [];
  /** By release of the graph: its number. */
  #numbers: ReadonlyMap<number, number> | undefined;

  /** @param lockfile its file name */
  constructor(brought: BroughtReleases, lockfile: string, insights: Pick<Insights, 'advisory'>) {
    this.#brought = brought;
    this.#lockfile = lockfile;
    this.#insights = insights;
  }

  /** The advisories whose records are of interest, as of the last update. */
  advisories: readonly AdvisoryId[] = [];

  /**
   * Reads what is known now. Yields after some ms of work.
   * @param releases by number, as in `BroughtReleases`
   * @returns whether problems differ from before, or all requests have been answered since
   */
  *update(releases: readonly BroughtRelease[]): Generator<void, boolean> {
    this.#releases = releases;
    const [pending, failing, unknown] = [this.#none(), this.#none(), this.#none()];
    const sets = { pending, failed: failing, unknown, withheld: this.#none(), listed: this.#none() };
    const flagged: number[] = [];
    let reason: string | undefined;
    for (const [number, { release }] of releases.entries()) {
      const insight: ReleaseInsight | undefined = release?.insight;
      if (insight === undefined) setBit(sets.withheld, number);
      else if (insight.state !== 'ready') setBit(sets[insight.state], number);
      else if (insight.advisories.length > 0 || insight.isDeprecated) flagged.push(number);
      if (insight?.state === 'failed') reason ??= insight.reason;
      if (insight?.state === 'ready' && insight.areAdvisoriesUnknown) setBit(sets.listed, number);
      if (number % RELEASES_PER_TURN === RELEASES_PER_TURN - 1) yield;
    }
    const ids = new Set<AdvisoryId>();
    for (const number of flagged) {
      const insight = releases[number]?.release?.insight;
      if (insight?.state === 'ready') for (const id of insight.advisories) ids.add(id);
    }
    this.advisories = [...ids];
    let isOther = false;
    for (const direct of this.#brought.directs) {
      const failed = countCommon(direct.releases, sets.failed);
      const unchecked: UncheckedBelow = {
        pending: countCommon(direct.releases, sets.pending),
        failed,
        ...(failed > 0 && reason !== undefined && { reason }),
        withheld: countCommon(direct.releases, sets.withheld),
        unknown: countCommon(direct.releases, sets.unknown),
        listed: countCommon(direct.releases, sets.listed),
      };
      const own = flagged.filter((it) => hasBit(direct.releases, it));
      const before = this.#known.get(direct);
      const problems = own.map((it) => this.#problemOf(it, releases));
      const isSame = before !== undefined && isSameList(before.problems, problems);
      if (isSame && isSameUnchecked(before.below.unchecked, unchecked)) continue;
      const wasPending = before === undefined || before.below.unchecked.pending > 0;
      if (!isSame || (wasPending && unchecked.pending === 0)) isOther = true;
      const lists = isSame ? before.below : this.#listsOf(direct, own, problems, releases);
      this.#known.set(direct, { problems, below: this.#belowOf(direct, lists, unchecked) });
      if (own.length > 0 && !isSame) yield;
    }
    return isOther;
  }

  /** Undefined before the first update. */
  of(direct: BroughtByDirect): Below | undefined {
    return this.#known.get(direct)?.below;
  }

  readonly #insightOf = (node: number): ReleaseInsight | undefined => {
    const { graph, nodes } = this.#brought;
    this.#numbers ??= new Map(nodes.map((it, number) => [graph.releases[it] ?? 0, number]));
    const number = this.#numbers.get(graph.releases[node] ?? 0);
    return number === undefined ? undefined : this.#releases[number]?.release?.insight;
  };

  #none(): Uint32Array {
    return new Uint32Array(Math.ceil(this.#brought.nodes.length / 32));
  }

  /** The same object while its vulnerabilities, or that it is only deprecated, stay the same. */
  #problemOf(number: number, releases: readonly BroughtRelease[]): readonly Advisory[] {
    const insight = releases[number]?.release?.insight;
    if (insight?.state !== 'ready') return [];
    const facts = insight.advisories.map((it) => this.#insights.advisory(it));
    const before = this.#grouped.get(number);
    if (before && isSameList(before.facts, facts)) return before.advisories;
    const advisories = bySeverity(groupAdvisories(insight.advisories, this.#insights));
    this.#grouped.set(number, { facts, advisories });
    return advisories;
  }

  #listsOf(
    direct: BroughtByDirect,
    numbers: readonly number[],
    problems: readonly (readonly Advisory[])[],
    releases: readonly BroughtRelease[],
  ): Pick<Below, 'affected' | 'deprecated'> {
    const affected: AffectedBelow[] = [];
    const deprecated: PackageBelow[] = [];
    for (const [at, number] of numbers.entries()) {
      const insight = releases[number]?.release?.insight;
      const key = releases[number]?.key;
      if (insight?.state !== 'ready' || key === undefined) continue;
      const found = this.#packageOf(number, key, insight.isDeprecated, problems[at] ?? []);
      if (found.advisories.length > 0) affected.push(found);
      if (insight.isDeprecated) deprecated.push(found);
    }
    affected.sort(worstFirst);
    deprecated.sort(byName);
    this.#findPaths(direct, [...affected.slice(0, PREPARED_PATHS), ...deprecated.slice(0, PREPARED_PATHS)]);
    return { affected, deprecated };
  }

  #packageOf(number: number, key: VersionKey, isDeprecated: boolean, advisories: readonly Advisory[]): AffectedBelow {
    const before = this.#packages.get(number);
    if (before?.advisories === advisories && before.isDeprecated === isDeprecated) return before;
    const found = { key, node: this.#brought.nodes[number] ?? 0, isDeprecated, advisories };
    this.#packages.set(number, found);
    return found;
  }

  /** Shortest paths stay the same as long as the graph does. */
  #findPaths(direct: BroughtByDirect, to: readonly PackageBelow[]): ReadonlyMap<number, readonly number[]> {
    const { graph } = this.#brought;
    const paths = this.#paths.get(direct) ?? new Map<number, readonly number[]>();
    this.#paths.set(direct, paths);
    const missing = to.map(({ node }) => graph.releases[node] ?? 0).filter((it) => !paths.has(it));
    if (missing.length === 0) return paths;
    for (const path of shortestPaths(graph, direct.nodes, new Set(missing)))
      paths.set(graph.releases[path.at(-1) ?? 0] ?? 0, path);
    return paths;
  }

  #belowOf(
    direct: BroughtByDirect,
    { affected, deprecated }: Pick<Below, 'affected' | 'deprecated'>,
    unchecked: UncheckedBelow,
  ): Below {
    const { graph } = this.#brought;
    const { nodes, count } = direct;
    const isPartial = graph.isPartial;
    const lists = { affected, deprecated, unchecked, insightOf: this.#insightOf };
    const pathsTo: Below['pathsTo'] = (packages) => {
      const paths = this.#findPaths(direct, packages);
      return packages.map((it) => paths.get(graph.releases[it.node] ?? 0) ?? []);
    };
    return { lockfile: this.#lockfile, graph, nodes, count, isPartial, pathsTo, ...lists };
  }
}

interface Known {
  /** By flagged version: its vulnerabilities. */
  readonly problems: readonly (readonly Advisory[])[];
  readonly below: Below;
}

/** A dependency with what it brings. What it has itself is no problem below it. */
export function withBelow(evaluated: EvaluatedDependency, below: Below | undefined): EvaluatedDependency {
  if (below === undefined) return evaluated;
  const before = joined.get(evaluated);
  if (before?.below === below) return before.result;
  const result = { ...evaluated, below: withoutOwn(below, evaluated.advisories) };
  joined.set(evaluated, { below, result });
  return result;
}

/** The same object again, so that what is known of it is not computed again. */
const joined = new WeakMap<EvaluatedDependency, { readonly below: Below; readonly result: EvaluatedDependency }>();

function withoutOwn(below: Below, own: readonly Advisory[]): Below {
  if (own.length === 0 || below.affected.length === 0) return below;
  const names = new Set(own.flatMap((it) => [it.id, ...it.aliases]));
  const affected = below.affected.flatMap((it): AffectedBelow[] => {
    const advisories = it.advisories.filter(({ id, aliases }) => ![id, ...aliases].some((name) => names.has(name)));
    return advisories.length === 0 ? [] : [{ ...it, advisories }];
  });
  return { ...below, affected };
}

/** The worst vulnerability of all that a dependency brings; undefined without one. */
export function worstBelow({ affected }: Pick<Below, 'affected'>): Advisory | undefined {
  return affected[0]?.advisories[0];
}

function worstFirst(a: AffectedBelow, b: AffectedBelow): number {
  const [[first], [second]] = [a.advisories, b.advisories];
  return (first && second ? bySeverityOf(first, second) : 0) || byName(a, b);
}

function byName(a: PackageBelow, b: PackageBelow): number {
  return byText(a.key.name, b.key.name) || byText(a.key.version, b.key.version);
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((it, at) => it === b[at]);
}

function isSameUnchecked(a: UncheckedBelow, b: UncheckedBelow): boolean {
  return (
    a.pending === b.pending &&
    a.failed === b.failed &&
    a.withheld === b.withheld &&
    a.unknown === b.unknown &&
    a.reason === b.reason
  );
}
