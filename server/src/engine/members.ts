import { setImmediate as nextTurn } from 'node:timers/promises';
import { manifestFormats } from '../manifests/index.ts';
import { memberPatterns } from '../manifests/member-patterns.ts';
import { pom } from '../manifests/pom.ts';
import { packageId } from '../model/keys.ts';
import type { Manifest, ManifestFormat } from '../model/manifest.ts';
import type { Files } from '../model/ports.ts';
import { directoryOf, nameOf, relativeTo, resolveUri, sameUri, upwardFrom } from '../model/uri.ts';
import type { Parsed } from './link.ts';
import { parseManifest } from './parse-manifest.ts';

/** Projects of one workspace that are looked at. Those of the largest public ones have some 1000. */
const mostProjects = 2000;
/** Files that are read at a time: each may have 32 MiB. */
const atOnce = 10;
/** Characters that are read of a project, whose name stands at the beginning, and of all. Real ones have some thousand. */
const longest = { project: 1024 * 1024, workspace: 64 * 1024 * 1024 } as const;
/** No package has a longer name. */
const longestName = 1000;
/**
 * How long what was found is taken for what is there, in ms. Editors tell of saved files, but not always of new ones: on
 * Linux what stands in a new directory from the beginning goes by without a word.
 */
const life = 5000;

/** The files, in some directory above, that list the projects of a workspace, by the format of who asks. */
const roots: Readonly<Record<string, readonly string[]>> = {
  'package.json': ['pnpm-workspace.yaml', 'package.json'],
  'pnpm-workspace.yaml': ['pnpm-workspace.yaml'],
  'pyproject.toml': ['pyproject.toml'],
  'go.mod': ['go.work'],
  'pom.xml': ['pom.xml'],
};

/** A bill of materials lists what is made in the workspaces around it, of whatever system. */
const allRoots = [...new Set(Object.values(roots).flat())];

/** A change of these may be one of a project or a root. */
const projectFile = /^(?:package\.json|pnpm-workspace\.yaml|pyproject\.toml|go\.(?:mod|work)|.+\.(?:xml|pom))$/i;

/** Whether the packages of such a manifest may be made in the same workspace. */
export function mayHaveMembers({ id, record }: ManifestFormat): boolean {
  return record === 'sbom' || roots[id] !== undefined;
}

/** What belongs to one root. */
interface Reached {
  /** What the projects call themselves, by `packageId`. */
  readonly names: ReadonlySet<string>;
  /** Their files, by `sameUri`. */
  readonly files: ReadonlySet<string>;
}

interface Known {
  readonly reached: Promise<Reached>;
  /** When all was found; until then nobody begins anew. */
  at: number;
}

/** What a file says of itself and of others. */
type Said = Pick<Manifest, 'identity' | 'modules' | 'packages'> & Pick<ManifestFormat, 'system'>;

const nobody: ReadonlySet<string> = new Set();

/**
 * The packages that are made in one workspace. Their names are the workspace's own: its tool takes them from there, and
 * nobody else is asked about them.
 */
export class Members {
  readonly #files: Files;
  readonly #now: () => number;
  /** By the address of a root. */
  readonly #known = new Map<string, Known>();

  /** @param now in ms */
  constructor(files: Files, now: () => number) {
    this.#files = files;
    this.#now = now;
  }

  /**
   * Files were saved, or are gone: a project may have another name, or be another's member.
   * @returns whether one of them may be a project or a root
   */
  forget(uris: readonly string[]): boolean {
    const concerns = uris.some((it) => projectFile.test(nameOf(it)));
    if (concerns) this.forgetAll();
    return concerns;
  }

  forgetAll(): void {
    this.#known.clear();
  }

  /**
   * All members of the workspaces that the first of some files belongs to, by `packageId`.
   * @param files what it continues, too: the project that lists the others may be a parent that lies beside them
   */
  async around(files: readonly Parsed[]): Promise<ReadonlySet<string>> {
    const [document] = files;
    if (document === undefined) return nobody;
    const isBill = document.format.record === 'sbom';
    const rootNames = isBill ? allRoots : roots[document.format.id];
    if (!rootNames) return nobody;
    const above = [...upwardFrom(directoryOf(document.uri))].flatMap((it) => rootNames.map((name) => it + name));
    const candidates = new Map([...above, ...files.map((it) => it.uri)].map((it) => [sameUri(it), it]));
    const own = sameUri(document.uri);
    // Most are no root themselves.
    if (!document.manifest.modules && !document.manifest.packages) candidates.delete(own);
    const names = new Set<string>();
    for (const [same, uri] of candidates) {
      const before = this.#known.get(same);
      const known = before && this.#now() - before.at < life ? before : this.#find(uri);
      this.#known.set(same, known);
      const { files, names: its } = await known.reached;
      if (isBill || files.has(own)) for (const it of its) names.add(it);
    }
    return names;
  }

  #find(root: string): Known {
    const reached = this.#reach(root).finally(() => {
      known.at = this.#now();
    });
    const known: Known = { reached, at: Number.POSITIVE_INFINITY };
    return known;
  }

  async #reach(root: string): Promise<Reached> {
    const names = new Set<string>();
    const files = new Set<string>();
    const seen = new Set<string>();
    let open = [root];
    let length = 0;
    while (open.length > 0 && seen.size < mostProjects && length <= longest.workspace) {
      const some = [...new Set(open.slice(0, atOnce))].filter((it) => !seen.has(sameUri(it)));
      for (const it of some) seen.add(sameUri(it));
      // However many each of them lists, no more than these will ever be read.
      open = open.slice(atOnce, atOnce + mostProjects);
      const texts = await Promise.all(some.map(async (uri) => ({ uri, text: await this.#files.read(uri) })));
      for (const { uri, text } of texts) {
        if (text === undefined || length > longest.workspace) continue;
        const beginning = text.slice(0, longest.project);
        length += beginning.length;
        const { system, identity: name, modules = [], packages = [] } = said(uri, beginning);
        files.add(sameUri(uri));
        if (name !== undefined && name.length <= longestName && system !== 'any')
          names.add(packageId({ system, name }));
        for (const path of modules.slice(0, mostProjects)) open.push(resolveUri(directoryOf(uri), path));
        if (uri === root) for (const it of await this.#matching(root, packages)) open.push(it);
        // However many projects there are, whoever types has a turn between them.
        await nextTurn();
      }
    }
    return { names, files };
  }

  async #matching(root: string, packages: readonly string[]): Promise<readonly string[]> {
    if (packages.length === 0) return [];
    const name = nameOf(root) === 'pyproject.toml' ? 'pyproject.toml' : 'package.json';
    const directory = directoryOf(root);
    const { include, places } = memberPatterns(packages);
    const isProject = new RegExp(`/${name.replace('.', '\\.')}$`);
    const found: string[] = [];
    for (const place of places) {
      const start = place.directory === '' ? directory : resolveUri(directory, `${place.directory}/`);
      for (const it of await this.#files.find(start, isProject, mostProjects, place.depth))
        if (include(relativeTo(directory, directoryOf(it)) ?? '..')) found.push(it);
      if (found.length >= mostProjects) break;
    }
    return found;
  }
}

/** Not kept as it was read: of each only its name is of use. */
function said(uri: string, text: string): Said {
  const name = nameOf(uri);
  const format = manifestFormats.find((it) => it.id === name) ?? pom;
  return { ...parseManifest(format, text), system: format.system };
}
