import { setImmediate as nextTurn } from 'node:timers/promises';
import { directoryOf, nameOf, resolveUri, sameUri, upwardFrom } from '../../base/uri.ts';
import type { ManifestFormat } from '../../model/manifest.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';
import type { Files } from '../../model/ports.ts';
import type { RegistryHistory, RootMembers } from '../privacy/registry-history.ts';
import { MAX_PROJECTS, ProjectIndex } from './project-index.ts';
import {
  appliesToAllBelow,
  gradleModuleIds,
  mayBeProject,
  type ParseManifest,
  type ProjectInfo,
  pipProjectFileNames,
  rootFileNames,
  usesAllWorkspacesAbove,
} from './roots.ts';

/** Files that are read at a time: each may have 32 MiB. */
const CONCURRENT_READS = 10;
/** Characters that are read of one workspace. Real projects have some thousand. */
const MAX_WORKSPACE_LENGTH = 64 * 1024 * 1024;
/** Names that a build can put together: its groups with each of its projects. Most have a few groups. */
const MAX_MODULE_NAMES = 50_000;
/** Workspaces within one. Real ones have a few, of yarn. */
const MAX_NESTED_WORKSPACES = 20;
/** What pip installs from folders: real requirements have some ten. They may be run from any directory above. */
const installed = { projects: 100, above: 8 } as const;
/**
 * How long what was found is taken for what is there, in ms. Editors tell of saved files, but not always of new ones: on
 * Linux what stands in a new directory from the beginning goes by without a word.
 */
const CACHE_MS = 5000;

/** Whether the packages of such a manifest may be made in the same workspace. */
export function mayHaveMembers(format: ManifestFormat): boolean {
  return rootFileNames(format) !== undefined;
}

interface CachedRoot {
  readonly members: Promise<RootMembers>;
  /** When all was found; until then nobody begins anew. */
  completedAt: number;
}

const NO_NAMES: ReadonlySet<string> = new Set();
const NO_MEMBERS: RootMembers = { names: NO_NAMES, files: NO_NAMES };

/**
 * The packages that are made in one workspace. Their names are the workspace's own: its tool takes them from there, and
 * nobody else is asked about them.
 */
export class WorkspaceMembers {
  readonly #projects: ProjectIndex;
  readonly #now: () => number;
  readonly #history: RegistryHistory | undefined;
  /** By the address of a root. */
  readonly #known = new Map<string, CachedRoot>();

  /**
   * @param now in ms since the epoch
   * @param history what workspaces made before their files were changed; absent where nobody changes any
   */
  constructor(
    files: NonNullable<Files['inRepository']>,
    now: () => number,
    parse: ParseManifest,
    history?: RegistryHistory,
  ) {
    this.#projects = new ProjectIndex(files, now, parse);
    this.#now = now;
    this.#history = history;
  }

  /**
   * Files were saved, or are gone: a project may have another name, or be another's member.
   * @returns whether one of them may be a project or a root
   */
  forget(uris: readonly string[]): boolean {
    const concerns = uris.some((it) => mayBeProject(it) || this.#projects.has(it) || this.#known.has(sameUri(it)));
    if (concerns) {
      this.#known.clear();
      this.#projects.forget(uris);
    }
    return concerns;
  }

  forgetAll(): void {
    this.#known.clear();
    this.#projects.forgetAll();
  }

  /**
   * All members of the workspaces that the first of some files belongs to, by `packageId`.
   * @param files what it continues, too: the project that lists the others may be a parent that lies beside them
   */
  async membersFor(files: readonly ParsedManifest[]): Promise<ReadonlySet<string>> {
    const [document] = files;
    const above = document && rootFileNames(document.format);
    if (!document || !above) return NO_NAMES;
    const roots = [...upwardFrom(directoryOf(document.uri))].flatMap((it) => above.map((name) => it + name));
    // Its own text may be half typed: what it says of others is what it said when it was saved.
    const candidates = new Map([...roots, ...files.map((it) => it.uri)].map((it) => [sameUri(it), it]));
    const formats = new Map(files.map(({ uri, format }) => [sameUri(uri), format]));
    const own = sameUri(document.uri);
    const isForAny = usesAllWorkspacesAbove(document.format);
    // What is included is a part of the document, wherever it lies.
    const parts = new Set(files.filter(({ manifest: it }) => it.projects ?? it.makes).map((it) => sameUri(it.uri)));
    // All at once: most are not there, and one after the other each would be a round trip to a slow disk.
    const found = await Promise.all(
      [...candidates].map(async ([same, uri]) => {
        const before = this.#known.get(same);
        const known =
          before && this.#now() - before.completedAt < CACHE_MS
            ? before
            : this.#startCollecting(uri, formats.get(same));
        this.#known.set(same, known);
        const { files: reached, names } = await known.members;
        return isForAny || appliesToAllBelow(uri) || parts.has(same) || reached.has(own) ? [names] : [];
      }),
    );
    return union(found.flat());
  }

  #startCollecting(root: string, as: ManifestFormat | undefined): CachedRoot {
    const members = this.#collectMembers(root, as)
      .then((it) => this.#history?.recordMembers(root, it) ?? it)
      .finally(() => {
        known.completedAt = this.#now();
      });
    const known: CachedRoot = { members, completedAt: Number.POSITIVE_INFINITY };
    return known;
  }

  async #collectMembers(root: string, as: ManifestFormat | undefined): Promise<RootMembers> {
    // Most are not there.
    if ((await this.#projects.read(root, as)) === undefined) return NO_MEMBERS;
    const names = new Set<string>();
    const files = new Set<string>();
    const groups = new Set<string>();
    const modules = new Set<string>();
    const seen = new Set<string>();
    // What lies at the end of a path may be the root of another workspace.
    const listing = new Set([root]);
    let workspaces = 0;
    let open = [root];
    let length = 0;
    while (open.length > 0 && seen.size < MAX_PROJECTS && length <= MAX_WORKSPACE_LENGTH) {
      const some = [...new Set(open.slice(0, CONCURRENT_READS))].filter((it) => !seen.has(sameUri(it)));
      for (const it of some) seen.add(sameUri(it));
      // However many each of them lists, no more than these will ever be read.
      open = open.slice(CONCURRENT_READS, CONCURRENT_READS + MAX_PROJECTS);
      const all = await Promise.all(
        some.map(async (uri) => ({ uri, ...(await this.#projects.read(uri, uri === root ? as : undefined)) })),
      );
      for (const { uri, said, read = 0 } of all) {
        if (said === undefined || length > MAX_WORKSPACE_LENGTH) continue;
        // However many projects there are, whoever types has a turn between them.
        if (read > 0) await nextTurn();
        length += read;
        files.add(sameUri(uri));
        for (const it of said.names) names.add(it);
        for (const it of said.coordinates?.groups ?? []) groups.add(it);
        for (const it of said.coordinates?.names ?? []) modules.add(it);
        // Whatever else they may be combined to, a group is that of the project in whose directory it stands.
        for (const it of gradleModuleIds(said.coordinates?.groups ?? [], [nameOf(directoryOf(uri).slice(0, -1))]))
          names.add(it);
        for (const path of said.modules?.slice(0, MAX_PROJECTS) ?? []) open.push(resolveUri(directoryOf(uri), path));
        const isListing = listing.has(uri) || appliesToAllBelow(uri);
        if (!isListing || (said.packages && workspaces++ > MAX_NESTED_WORKSPACES)) continue;
        for (const it of await this.#listProjects(uri, said)) {
          open.push(it);
          listing.add(it);
        }
      }
    }
    // Those of the root, which are the groups of all, come first.
    const counting = [...groups].slice(0, Math.floor(MAX_MODULE_NAMES / modules.size));
    for (const it of gradleModuleIds(counting, [...modules])) names.add(it);
    return { names, files };
  }

  async #listProjects(root: string, { packages = [], projects = [] }: ProjectInfo): Promise<readonly string[]> {
    const found = packages.length > 0 ? [...(await this.#projects.findMembers(root, packages))] : [];
    for (const path of projects.slice(0, installed.projects))
      for (const it of await this.#pipProject(root, path)) found.push(it);
    return found;
  }

  /** pip takes paths from where it is run: the nearest directory in which a project lies there is the one that is meant. */
  async #pipProject(root: string, path: string): Promise<readonly string[]> {
    for (const directory of [...upwardFrom(directoryOf(root))].slice(0, installed.above)) {
      const files = pipProjectFileNames.map((it) => resolveUri(directory, `${path}/${it}`));
      const all = await Promise.all(files.map((it) => this.#projects.read(it)));
      if (all.some((it) => it !== undefined)) return files;
    }
    return [];
  }
}

/** Mostly it is one of them, which a thousand projects then share. */
function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const [largest = NO_NAMES, ...others] = sets.toSorted((a, b) => b.size - a.size);
  const more = others.flatMap((it) => [...it].filter((name) => !largest.has(name)));
  return more.length > 0 ? new Set([...largest, ...more]) : largest;
}
