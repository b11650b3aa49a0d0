import { addTo } from '../../base/collections.ts';
import { nextTurn } from '../../base/next-turn.ts';
import { directoryOf, nameOf, resolveUri, sameUri, upwardFrom } from '../../base/uri.ts';
import { accessorsIn } from '../../ecosystems/gradle/build-uses.ts';
import { normalizeAlias } from '../../ecosystems/gradle/files/alias-id.ts';
import { packageNameOf } from '../../ecosystems/nuget/project-name.ts';
import { canonicalName, packageId } from '../../model/keys.ts';
import type { ManifestFormat } from '../../model/manifest.ts';
import { type Claim, type ClaimsByName, type ParsedManifest, usedByBuild } from '../../model/manifest-chain.ts';
import type { Files } from '../../model/ports.ts';
import { joinMembers, type RegistryHistory, type RootMembers } from '../privacy/registry-history.ts';
import { type FormatOf, MAX_PROJECTS, ProjectIndex } from './project-index.ts';
import {
  appliesToAllBelow,
  buildPropsFile,
  gradleModuleIds,
  isGradleSettings,
  mayBeProject,
  memberSettings,
  type ParseManifest,
  type ProjectInfo,
  pipProjectFileNames,
  rootFileNames,
  solutionFile,
  usesAllWorkspacesAbove,
} from './roots.ts';

/** Concurrent reads: each file may have 32 MiB. */
const CONCURRENT_READS = 10;
/** Characters read of one workspace. Real project files have some thousand. */
const MAX_WORKSPACE_LENGTH = 64 * 1024 * 1024;
/** Combinations of a build's groups and project names. Most builds have a few groups. */
const MAX_MODULE_NAMES = 50_000;
/** Real chains stay below 8; a circle ends here. */
const MAX_PARENTS = 16;
/** Nested workspaces. Real ones have a few, of yarn. */
const MAX_NESTED_WORKSPACES = 20;
/**
 * Projects that requirements install from folders, and how many directories upward pip may have been started in. Real
 * requirements have about ten.
 */
const installed = { projects: 100, above: 8 } as const;
/**
 * How long members stay valid, in ms. Editors report saved files, but not always new ones: on Linux, the first files of
 * a new directory are not reported.
 */
const CACHE_MS = 5000;

/** Whether dependencies of such a manifest may be members of the same workspace. */
export function mayHaveMembers(format: ManifestFormat): boolean {
  return rootFileNames(format) !== undefined;
}

interface CachedRoot {
  readonly members: Promise<RootMembers>;
  /** When the search ended, in ms since the epoch; infinite while it runs, so that it is not started again. */
  completedAt: number;
}

const USED: Claim[] = [{}];
const NO_NAMES: ClaimsByName = new Map();
const NO_MEMBERS: RootMembers = { names: NO_NAMES, files: new Set() };

/** The packages that a workspace builds. Its own tool takes them from the workspace, so their names are private. */
export class WorkspaceMembers {
  readonly #projects: ProjectIndex;
  readonly #now: () => number;
  readonly #history: RegistryHistory | undefined;
  /** By the URI of the root. */
  readonly #known = new Map<string, CachedRoot>();

  /**
   * @param now in ms since the epoch
   * @param history former members; absent if files never change
   */
  constructor(
    files: NonNullable<Files['inRepository']>,
    now: () => number,
    parse: ParseManifest,
    history?: RegistryHistory,
    formatOf?: FormatOf,
  ) {
    this.#projects = new ProjectIndex(files, now, parse, formatOf);
    this.#now = now;
    this.#history = history;
  }

  /**
   * Files were saved or deleted: a project may have another name or belong to another workspace.
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

  /** Those of some files that are projects of a workspace which was searched so far. */
  async reachedAmong(uris: readonly string[]): Promise<readonly string[]> {
    const all = await Promise.all([...this.#known.values()].map((it) => it.members));
    return uris.filter((uri) => all.some(({ files }) => files.has(sameUri(uri))));
  }

  forgetAll(): void {
    this.#known.clear();
    this.#projects.forgetAll();
  }

  /**
   * All members of the workspaces that the first of some files belongs to, by `packageId`.
   * @param files the whole chain: the project that lists the others may be a parent beside them
   */
  async membersFor(files: readonly ParsedManifest[]): Promise<ClaimsByName> {
    const [document] = files;
    const above = document && rootFileNames(document.format);
    if (!document || !above) return NO_NAMES;
    const roots = [...upwardFrom(directoryOf(document.uri))].flatMap((it) => above.map((name) => it + name));
    if (document.format.system === 'NUGET') roots.push(...(await this.#projects.solutionsAbove(document.uri)));
    // The open text may be incomplete: as a root, the document counts as it was saved.
    const candidates = new Map([...roots, ...files.map((it) => it.uri)].map((it) => [sameUri(it), it]));
    const formats = new Map(files.map(({ uri, format }) => [sameUri(uri), format]));
    const own = sameUri(document.uri);
    const isForAny = usesAllWorkspacesAbove(document.format);
    // Included files belong to the document, wherever they are.
    const parts = new Set(
      files.filter(({ manifest: it }) => it.projects ?? it.makes ?? it.takes).map((it) => sameUri(it.uri)),
    );
    // Concurrent: most do not exist, and each read is a round trip to a slow disk.
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
    // Most roots do not exist.
    if ((await this.#projects.read(root, as)) === undefined) return NO_MEMBERS;
    const settings = memberSettings.get(nameOf(root));
    const taking = settings === undefined ? undefined : await this.#projects.read(directoryOf(root) + settings);
    const names = new Map<string, Claim[]>();
    const files = new Set<string>();
    const groups = new Set<string>();
    const modules = new Set<string>();
    const isBuild = isGradleSettings(root);
    /** The folders of builds that bring plugins, or may. */
    const builds = [resolveUri(directoryOf(root), 'buildSrc/')];
    const words: { readonly uri: string; readonly words: NonNullable<ProjectInfo['words']> }[] = [];
    const assemblies: { readonly uri: string; readonly said: ProjectInfo }[] = [];
    const aliases = new Set<string>();
    const plugins = new Map<string, string>();
    const inferred: { readonly uri: string; readonly said: ProjectInfo }[] = [];
    const seen = new Set<string>();
    // A listed file may be the root of another workspace.
    const listing = new Set([root]);
    let workspaces = 0;
    let open = [root];
    let length = 0;
    while (open.length > 0 && seen.size < MAX_PROJECTS && length <= MAX_WORKSPACE_LENGTH) {
      const some = [...new Set(open.slice(0, CONCURRENT_READS))].filter((it) => !seen.has(sameUri(it)));
      for (const it of some) seen.add(sameUri(it));
      // No more files than these are ever read.
      open = open.slice(CONCURRENT_READS, CONCURRENT_READS + MAX_PROJECTS);
      const all = await Promise.all(
        some.map(async (uri) => ({ uri, ...(await this.#projects.read(uri, uri === root ? as : undefined)) })),
      );
      for (const { uri, said, read = 0 } of all) {
        if (said === undefined || length > MAX_WORKSPACE_LENGTH) continue;
        // Requests of the editor are answered between projects.
        if (read > 0) await nextTurn();
        length += read;
        files.add(sameUri(uri));
        if (uri !== root && isGradleSettings(uri)) builds.push(directoryOf(uri));
        if (said.assembly?.file !== undefined) assemblies.push({ uri, said });
        if (said.inferred) inferred.push({ uri, said });
        for (const it of said.pluginAliases ?? []) aliases.add(normalizeAlias(it));
        for (const [alias, name] of said.plugins ?? []) plugins.set(alias, name);
        if (isBuild && said.words) words.push({ uri, words: said.words });
        for (const [id, claim] of said.names) addTo(names, id, claimIn(root, claim, taking?.said.takesMembers));
        for (const it of said.coordinates?.groups ?? []) groups.add(it);
        for (const it of said.coordinates?.names ?? []) modules.add(it);
        // A group always applies to the project in whose directory it is declared.
        for (const it of gradleModuleIds(said.coordinates?.groups ?? [], [nameOf(directoryOf(uri).slice(0, -1))]))
          addTo(names, it, {});
        for (const path of said.modules?.slice(0, MAX_PROJECTS) ?? []) open.push(resolveUri(directoryOf(uri), path));
        const isListing = listing.has(uri) || appliesToAllBelow(uri);
        if (!isListing || (said.packages && workspaces++ > MAX_NESTED_WORKSPACES)) continue;
        for (const it of await this.#listProjects(uri, said)) {
          open.push(it);
          listing.add(it);
        }
      }
    }
    for (const it of aliases) {
      const name = plugins.get(it);
      if (name !== undefined) addTo(names, packageId({ system: 'MAVEN', name }), {});
    }
    for (const { uri, said } of assemblies) {
      const name = await this.#packageNameOf(uri, said);
      const id = name === undefined ? undefined : packageId({ system: 'NUGET', name: canonicalName('NUGET', name) });
      if (id !== undefined) addTo(names, id, claimIn(root, {}, undefined));
    }
    for (const it of inferred) {
      const group = await this.#groupOf(it.uri, it.said);
      for (const id of gradleModuleIds(group === undefined ? [] : [group], [it.said.inferred?.artifact ?? '']))
        addTo(names, id, {});
    }
    // The groups of the root come first: they apply to all projects.
    const counting = [...groups].slice(0, Math.floor(MAX_MODULE_NAMES / modules.size));
    for (const it of gradleModuleIds(counting, [...modules])) addTo(names, it, {});
    if (isBuild) {
      const own = words.flatMap((it) =>
        builds.some((build) => it.uri.startsWith(build)) ? it.words.all : it.words.forBuild,
      );
      for (const it of new Set(['', ...own.flatMap(accessorsIn)])) names.set(usedByBuild(it), USED);
    }
    return { names, files };
  }

  /** The name of a package of .NET, of which the files above that MSBuild reads before a project may have a part. */
  async #packageNameOf(uri: string, { assembly }: ProjectInfo): Promise<string | undefined> {
    if (assembly?.file === undefined) return undefined;
    const above = [...upwardFrom(directoryOf(uri))].slice(0, MAX_PARENTS).map((it) => it + buildPropsFile);
    const props = await Promise.all(above.map((it) => this.#projects.read(it)));
    return packageNameOf(assembly.file, [
      assembly.properties,
      ...props.flatMap((it) => it?.said.assembly?.properties ?? []),
    ]);
  }

  /** The group of a project of Maven, which its parents may have. */
  async #groupOf(uri: string, { group, inferred }: ProjectInfo, depth = 0): Promise<string | undefined> {
    if (group !== undefined || inferred === undefined || depth > MAX_PARENTS) return group;
    for (const path of inferred.parents) {
      const parent = resolveUri(directoryOf(uri), path);
      const its = await this.#projects.read(parent);
      if (its) return this.#groupOf(parent, its.said, depth + 1);
    }
    return undefined;
  }

  async #listProjects(root: string, { packages = [], projects = [] }: ProjectInfo): Promise<readonly string[]> {
    const found = packages.length > 0 ? [...(await this.#projects.findMembers(root, packages))] : [];
    for (const path of projects.slice(0, installed.projects))
      for (const it of await this.#pipProject(root, path)) found.push(it);
    return found;
  }

  /** pip resolves paths from its working directory: takes the nearest directory that contains the project. */
  async #pipProject(root: string, path: string): Promise<readonly string[]> {
    for (const directory of [...upwardFrom(directoryOf(root))].slice(0, installed.above)) {
      const files = pipProjectFileNames.map((it) => resolveUri(directory, `${path}/${it}`));
      const all = await Promise.all(files.map((it) => this.#projects.read(it)));
      if (all.some((it) => it !== undefined)) return files;
    }
    return [];
  }
}

/** @param root whose tool decides what is enough for a member */
function claimIn(root: string, claim: Claim, takesMembers: ProjectInfo['takesMembers']): Claim {
  // Cargo's configuration takes a project in the place of a published one by its name.
  if (claim.needs === 'path' && appliesToAllBelow(root))
    return claim.version === undefined ? {} : { version: claim.version };
  if (solutionFile.test(root)) return { ...claim, needs: 'project reference' };
  if (takesMembers !== 'by protocol' || claim.fields) return claim;
  return { ...claim, needs: nameOf(root) === 'package.json' ? 'protocol of yarn' : 'protocol of pnpm' };
}

/** One mostly contains all others, and a thousand projects then share it. */
function union(all: readonly ClaimsByName[]): ClaimsByName {
  const [largest = NO_NAMES, ...others] = all.toSorted((a, b) => b.size - a.size);
  return others.reduce((joined, it) => joinMembers(joined, it), largest);
}
