import { nextTurn } from '../../base/next-turn.ts';
import { directoryOf, relativeTo } from '../../base/uri.ts';
import { dependencyOf } from '../../ecosystems/shared/lockfile.ts';
import type { EvaluatedDependency, LinkedDependency } from '../../model/evaluated-dependency.ts';
import type { Below } from '../../model/graph/below.ts';
import type { LockedGraph, LockedNode } from '../../model/graph/locked-graph.ts';
import type { ReadGraph } from '../../model/graph/read-graph.ts';
import type { Release } from '../../model/graph/releases.ts';
import { packageId, type VersionKey } from '../../model/keys.ts';
import type { FoundLockfile } from '../../model/manifest-chain.ts';
import type { Insights } from '../../model/ports.ts';
import type { BuiltInRegistries } from '../../model/registries/built-in.ts';
import type { System } from '../../model/system.ts';
import { type DirectNodes, reachable } from '../brought.ts';
import { readGraphOnce } from '../graphs.ts';
import type { Members } from '../link/linked-document.ts';
import { createLinker } from '../link/linker.ts';
import { asLinked } from '../link/locked-versions.ts';
import type { LookupFilter } from '../privacy/lookup-filter.ts';
import {
  type BroughtByDirect,
  type BroughtReleases,
  hasBit,
  searchBrought,
  strangersIn,
  unionOf,
} from './brought-releases.ts';
import { type BroughtRelease, KnownBelow } from './known-below.ts';

/** The document whose dependencies' graph is looked up, at one moment. */
export interface LookedDocument {
  readonly uri: string;
  readonly lockfiles: readonly FoundLockfile[];
  readonly dependencies: readonly EvaluatedDependency[];
  readonly route: (linked: LinkedDependency) => LinkedDependency;
  readonly members: Members;
  readonly filter: LookupFilter;
  /** The hosts that the person declares public, by which the filter was made. */
  readonly publicRegistries: readonly string[];
  readonly builtIn?: BuiltInRegistries;
  /** In ms since the epoch. */
  readonly now: number;
}

/** What decides which names of a document may leave the machine. */
export type NamedDocument = Pick<LookedDocument, 'lockfiles' | 'dependencies' | 'route' | 'members' | 'filter'>;

/** Names that are checked for privacy, and requested, between two pauses: some ms. */
const NAMES_PER_TURN = 500;

/** How often versions are requested again although nothing has changed, in ms: the facts decide which are due. */
const REQUEST_INTERVAL = 5 * 60_000;

/**
 * What the direct dependencies of one document bring along, searched and looked up in pauses:
 *
 *     lockfile ──► graph ──► what each brings ──► names that may leave ──► requests ──► Below
 *     text         once      direct nodes         registries, members      facts
 *
 * Each stage stays until what it was made from changes, so a keystroke changes none.
 */
export class DocumentBelow {
  readonly #owner: string;
  readonly #insights: Insights;
  readonly #readGraph: ReadGraph | undefined;
  #parts: readonly Part[] = [];
  #unasked: readonly BroughtRelease[] = [];
  #decision: Decision | undefined;
  #turn = 0;

  constructor(uri: string, insights: Insights, readGraph?: ReadGraph) {
    this.#owner = ownerOf(uri);
    this.#insights = insights;
    this.#readGraph = readGraph;
  }

  /** What a dependency brings, as far as it was known after the last search. */
  of(evaluated: EvaluatedDependency): Below | undefined {
    if (this.#parts.length === 0) return undefined;
    const id = idOf(evaluated);
    if (id === undefined) return undefined;
    for (const { directs, known } of this.#parts) {
      const direct = directs.get(id);
      if (direct) return known.of(direct);
    }
    return undefined;
  }

  /** Files have changed: until the next search no name is sent, since any may have become private. */
  hold(): void {
    this.#insights.releases?.hold(this.#owner, true);
  }

  /** Forgets everything: the document was closed, or such lookups were switched off. @returns whether there was anything */
  forget(): boolean {
    this.#turn++;
    const { releases } = this.#insights;
    releases?.release(this.#owner);
    this.#unasked = [];
    if (this.#parts.length === 0) return false;
    this.#insights.release(this.#owner);
    this.#parts = [];
    this.#decision = undefined;
    return true;
  }

  /** The versions that its dependencies bring, with what is known of them at this moment. */
  brought(): BroughtRelease[] {
    const asked = this.#parts.flatMap(({ brought, releases }) => {
      const all = unionOf(brought);
      return releases.filter((_, at) => hasBit(all, at));
    });
    return [...asked, ...this.#unasked];
  }

  /** Resolves when no request is left, or the time is up. */
  async whenSettled(patience: number, signal?: AbortSignal): Promise<void> {
    await this.#insights.releases?.whenSettled(this.#owner, patience, signal);
  }

  /**
   * Searches, requests, and reads what is known. A later call ends this one.
   * @returns whether the problems of a dependency differ from before
   */
  async look(document: LookedDocument): Promise<boolean> {
    const turn = ++this.#turn;
    const isOver = (): boolean => turn !== this.#turn;
    const { releases } = this.#insights;
    if (releases === undefined) return false;
    const parts: Part[] = [];
    let isNew = false;
    for (const [found, dependencies] of groupByLockfile(document)) {
      const graph = await readGraphOnce(found, this.#readGraph);
      if (isOver()) return false;
      if (graph === 'unrecorded') continue;
      const before = this.#parts.find((it) => it.found.lockfile === found.lockfile);
      const direct = directNodes(graph, found, dependencies, document.uri);
      const strangers = strangersOf(graph, found, document);
      const key = [[...strangers], ...[...direct].map(([id, { nodes }]) => `${id} ${nodes.join()}`)].join('\n');
      if (before?.key === key) {
        parts.push(before);
        continue;
      }
      const made = await inTurns(makePart(found, graph, { direct, strangers, key }, this.#insights), isOver);
      if (made === undefined) return false;
      parts.push(made);
      isNew = true;
    }
    const unasked = await this.#broughtByPrivate(document, parts);
    if (isOver()) return false;
    this.#unasked = unasked;
    const hadAny = this.#parts.length > 0;
    if (parts.length === 0 && !hadAny) return false;
    const isSame = !isNew && this.#parts.length === parts.length && this.#isDecided(document);
    if (!isSame && !(await this.#request(parts, document, isOver))) return false;
    let isOther = isNew || (hadAny && parts.length === 0);
    for (const part of parts) {
      const changed = await inTurns(part.known.update(part.releases), isOver);
      if (changed === undefined) return false;
      isOther ||= changed;
    }
    this.#parts = parts;
    const advisories = new Set(parts.flatMap((it) => it.known.advisories));
    const wanted = [
      // Which registries are public decides about names.
      ...(this.#decision?.read ?? []).map(({ key }) => ({ kind: 'version', key }) as const),
      ...[...advisories].map((id) => ({ kind: 'advisory', id }) as const),
    ];
    this.#insights.request(this.#owner, wanted, [], !isNew);
    releases.hold(this.#owner, false);
    return isOther;
  }

  /**
   * What a dependency brings whose own name stays here: it is counted, and not looked up, because it may be as private as
   * that.
   */
  async #broughtByPrivate(document: LookedDocument, parts: readonly Part[]): Promise<BroughtRelease[]> {
    const { uri, lockfiles, dependencies } = document;
    const kept = dependencies.filter(({ resolution: it }) => it.kind === 'none' && it.withheld !== undefined);
    const found: BroughtRelease[] = [];
    for (const lockfile of kept.length === 0 ? [] : lockfiles) {
      const { system } = lockfile.format.opened;
      const importer = relativeTo(lockfile.directory, directoryOf(uri));
      const graph = await readGraphOnce(lockfile, this.#readGraph);
      if (system === 'any' || importer === undefined || graph === 'unrecorded') continue;
      const own = kept.flatMap((it) =>
        it.linked.key.system === system ? graph.direct(asLinked(it.linked), importer) : [],
      );
      const strangers = strangersOf(graph, lockfile, document);
      const others = parts.find((it) => it.found.lockfile === lockfile.lockfile)?.brought.nodes ?? [];
      const counted = new Set([...own, ...others].map((it) => graph.releases[it] ?? 0));
      for (const node of reachable(graph, own)) {
        const locked = graph.nodes[node];
        const release = graph.releases[node] ?? 0;
        const isMember = locked?.source === 'workspace' && !strangers.has(node);
        if (locked === undefined || isMember || counted.has(release)) continue;
        counted.add(release);
        const key = { system, name: locked.name, version: locked.version };
        found.push({ key, release: undefined, ...(locked.source !== undefined && { isElsewhere: true }) });
      }
    }
    return found;
  }

  /** Whether the same names would be requested again, and none is due. */
  #isDecided({ route, members, publicRegistries, now }: LookedDocument): boolean {
    const by = this.#decision;
    return (
      by !== undefined &&
      by.route === route &&
      by.members === members &&
      by.publicRegistries === publicRegistries &&
      Math.abs(now - by.at) < REQUEST_INTERVAL &&
      by.read.every(({ key, insight }) => this.#insights.version(key) === insight)
    );
  }

  /** Requests the versions whose names may leave the machine. @returns whether no later search has begun */
  async #request(parts: readonly Part[], document: LookedDocument, isOver: () => boolean): Promise<boolean> {
    const request = this.#insights.releases?.begin(this.#owner);
    if (request === undefined) return false;
    const { builtIn } = document;
    const revision = builtIn?.revision();
    const reasonFor = createNameCheck(document);
    const checked = new Map<Part, readonly BroughtRelease[]>();
    for (const part of parts) {
      const { system } = part.found.format.opened;
      const check = reasonFor(part.found);
      const releases: BroughtRelease[] = [];
      for (const node of part.brought.nodes) {
        const locked = part.brought.graph.nodes[node];
        if (locked === undefined || system === 'any') continue;
        const key: VersionKey = { system, name: locked.name, version: locked.version };
        const reason = check(locked, system);
        const release = reason === 'none' ? request.add(key) : releaseFor(key, reason);
        releases.push({ key, release, ...(locked.source !== undefined && { isElsewhere: true }) });
        if (releases.length % NAMES_PER_TURN !== 0) continue;
        await nextTurn();
        if (!isOver()) continue;
        request.cancel();
        return false;
      }
      checked.set(part, releases);
    }
    // Some wait for what package managers have built in: that is read once.
    await builtIn?.readAsked();
    if (isOver() || builtIn?.revision() !== revision) {
      request.cancel();
      return !isOver() && this.#request(parts, document, isOver);
    }
    for (const [part, releases] of checked) part.releases = releases;
    request.end();
    const { route, members, publicRegistries, now: at, filter } = document;
    const read = filter.wanted.flatMap((it) =>
      it.kind === 'version' ? { key: it.key, insight: this.#insights.version(it.key) } : [],
    );
    this.#decision = { route, members, publicRegistries, at, read };
    return true;
  }
}

/** One lockfile of a document, with what its direct dependencies bring. */
interface Part {
  readonly found: FoundLockfile;
  /** Identifies the direct dependencies and their nodes. */
  readonly key: string;
  readonly brought: BroughtReleases;
  readonly directs: ReadonlyMap<string, BroughtByDirect>;
  readonly known: KnownBelow;
  /** By number of `brought`. */
  releases: readonly BroughtRelease[];
}

/** What decided which names are requested. */
interface Decision extends Pick<LookedDocument, 'route' | 'members' | 'publicRegistries'> {
  /** In ms since the epoch. */
  readonly at: number;
  /** The facts that were read. */
  readonly read: readonly { readonly key: VersionKey; readonly insight: unknown }[];
}

let owners = 0;

/** A scan has the same documents as an editor, and wants other packages. */
function ownerOf(uri: string): string {
  return `below ${uri} ${++owners}`;
}

/** A direct dependency by what decides about its nodes; undefined if no lockfile has it. */
function idOf({ linked, resolution, shared }: EvaluatedDependency): string | undefined {
  if (shared || resolution.kind !== 'version' || resolution.from !== 'lockfile') return undefined;
  const { dependency, key } = linked;
  return `${resolution.lockfile} ${dependency.name} ${key.name}@${resolution.version}`;
}

function groupByLockfile({ uri, lockfiles, dependencies }: LookedDocument): Map<FoundLockfile, EvaluatedDependency[]> {
  const groups = new Map<FoundLockfile, EvaluatedDependency[]>();
  for (const found of lockfiles) {
    if (relativeTo(found.directory, directoryOf(uri)) === undefined) continue;
    const own = dependencies.filter(
      ({ resolution, shared }) =>
        !shared &&
        resolution.kind === 'version' &&
        resolution.from === 'lockfile' &&
        resolution.lockfile === found.format.id,
    );
    if (own.length > 0) groups.set(found, own);
  }
  return groups;
}

/** The nodes of each direct dependency that the graph has. */
function directNodes(
  graph: LockedGraph,
  { directory }: FoundLockfile,
  dependencies: readonly EvaluatedDependency[],
  uri: string,
): Map<string, DirectNodes> {
  const importer = relativeTo(directory, directoryOf(uri)) ?? '';
  const found = new Map<string, DirectNodes>();
  for (const evaluated of dependencies) {
    const id = idOf(evaluated);
    if (id === undefined || found.has(id)) continue;
    const nodes = graph.direct(asLinked(evaluated.linked), importer);
    const version = evaluated.resolution.kind === 'version' ? evaluated.resolution.version : '';
    if (nodes.some((it) => graph.nodes[it]?.version === version)) found.set(id, { nodes, version });
  }
  return found;
}

/** The nodes that count as members of the workspace for the lockfile alone. What the manifest takes from a folder may be one. */
function strangersOf(
  graph: LockedGraph,
  { format }: FoundLockfile,
  { members, dependencies }: NamedDocument,
): ReadonlySet<number> {
  const { system } = format.opened;
  if (system === 'any') return new Set();
  const own = new Set(dependencies.flatMap(({ linked: it }) => (it.requirement.kind === 'source' ? it.key.name : [])));
  return strangersIn(graph, (name) => own.has(name) || members?.has(packageId({ system, name })) === true);
}

/** What a search of a lockfile depends on. */
interface Searched extends Pick<Part, 'key'> {
  readonly direct: ReadonlyMap<string, DirectNodes>;
  readonly strangers: ReadonlySet<number>;
}

function* makePart(
  found: FoundLockfile,
  graph: LockedGraph,
  { direct, strangers, key }: Searched,
  insights: Insights,
): Generator<void, Part> {
  const brought = yield* searchBrought(graph, [...direct.values()], strangers);
  const directs = new Map(
    [...direct.keys()].flatMap((id, at) => {
      const it = brought.directs[at];
      return it ? [[id, it] as const] : [];
    }),
  );
  const known = new KnownBelow(brought, found.format.id, insights);
  return { found, key, brought, directs, known, releases: [] };
}

/** Why a name stays here: for good, while the public registries are not known, or because that lookup failed. */
type ReasonToKeep =
  | 'none'
  | 'private'
  | { readonly state: 'pending' }
  | { readonly state: 'failed'; readonly reason: string };

function releaseFor(key: VersionKey, reason: Exclude<ReasonToKeep, 'none'>): Release | undefined {
  return reason === 'private' ? undefined : { key, insight: reason };
}

/**
 * Why the name of a package below may not leave the machine. It passes what the lockfile would pass if it were opened
 * itself, and the name of a direct dependency that stays here stays here below, too.
 */
export function createNameCheck({
  dependencies,
  route,
  members,
  filter,
}: NamedDocument): (found: FoundLockfile) => (node: LockedNode, system: System) => ReasonToKeep {
  const kept = new Set<string>();
  for (const { linked, resolution } of dependencies) {
    const { system, name, registry } = linked.key;
    const isKept = resolution.kind === 'none' || linked.requirement.kind === 'source' || registry !== undefined;
    if (isKept) kept.add(packageId({ system, name }));
  }
  return ({ directory, format }) => {
    const manifest = { dependencies: [], definitions: [], references: [], problems: [] };
    const file = { uri: directory + format.id, format: format.opened, manifest };
    const link = createLinker({
      files: [file],
      constraints: [],
      included: [],
      missing: [],
      ...(members && { members }),
    });
    return ({ name, version, source, registry }, system) => {
      if (source !== undefined || version === '' || kept.has(packageId({ system, name }))) return 'private';
      const literal = { span: nowhere, text: version, encode: (it: string) => it };
      const entry = { name, nameSpan: nowhere, version: literal, ...(registry !== undefined && { registry }) };
      const linked = route(link(dependencyOf(system, format.update)(entry))[0]);
      if (linked.requirement.kind !== 'text') return 'private';
      const reason = filter.reasonNotToLookUp(linked);
      if (reason === undefined) return 'none';
      if (reason.kind === 'pending') return { state: 'pending' };
      return reason.kind === 'failed' ? { state: 'failed', reason: reason.reason } : 'private';
    };
  };
}

const nowhere = { start: 0, end: 0 };

/** Runs steps with pauses between them. Undefined if they were ended before the last one. */
async function inTurns<T>(steps: Generator<void, T>, isOver: () => boolean): Promise<T | undefined> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await nextTurn();
    if (isOver()) return undefined;
  }
}
