import { LruMap } from '../../base/lru-map.ts';
import { pathOf } from '../../base/uri.ts';
import { isCooldownFile } from '../../ecosystems/cooldowns.ts';
import { formatOf, formatOfDocument } from '../../ecosystems/manifest-formats.ts';
import type { Lockfile, LockfileFormat } from '../../model/lockfile.ts';
import type { Manifest, ManifestFormat } from '../../model/manifest.ts';
import type { Files } from '../../model/ports.ts';
import { type ProjectFile, readProjectFile } from '../../policy/project-file.ts';
import { noProject, strictest } from '../../policy/strictest.ts';
import type { ParseManifest } from '../members/roots.ts';
import { WorkspaceMembers } from '../members/workspace-members.ts';
import { KnownBuilds } from './build-files.ts';
import type { Environment } from './environment.ts';

/**
 * Characters read of a manifest. Requirements with the digests of each file have a tenth of it; the millions of
 * dependencies in a file of the maximum size would exhaust memory.
 */
const MAX_MANIFEST_LENGTH = 4 * 1024 * 1024;

/** Dependencies of one file. The largest known lockfiles and SBOMs have less than half as many. */
const MAX_DEPENDENCIES = 50_000;

/** Parses a manifest within bounds. The length of records is not limited: their dependencies cost little. */
export function parseManifest({ parse, record }: ManifestFormat, text: string): Manifest {
  const isWhole = record !== undefined || text.length <= MAX_MANIFEST_LENGTH;
  const parsed = parse(isWhole ? text : text.slice(0, MAX_MANIFEST_LENGTH));
  const manifest = withNulProblem(parsed, text);
  const first = manifest.dependencies[MAX_DEPENDENCIES]?.nameSpan.start;
  if (isWhole && first === undefined) return manifest;
  const rest = { start: first ?? MAX_MANIFEST_LENGTH, end: text.length };
  const problem = { span: rest, message: 'a text this long is not read to its end' };
  const dependencies = manifest.dependencies.slice(0, MAX_DEPENDENCIES);
  return { ...manifest, dependencies, problems: [...manifest.problems, problem] };
}

/** No manifest contains a NUL: the text has another encoding, and parts of it may not be read. */
function withNulProblem(manifest: Manifest, text: string): Manifest {
  const start = manifest.problems.length > 0 ? -1 : text.indexOf('\0');
  const problem = { span: { start, end: start + 1 }, message: 'a NUL is no text' };
  return start < 0 ? manifest : { ...manifest, problems: [problem] };
}

/** Lockfiles of large monorepos have 20 million characters; few are needed again. */
export const knownLimit = { characters: 64 * 1024 * 1024 } as const;

const noNames = (): readonly string[] => [];

/** Reads files and parses each text once. */
export class ManifestReader {
  readonly files: Files;
  readonly #manifests = createParseCache<Manifest>();
  readonly #lockfiles = createParseCache<{ readonly beside: string | undefined; readonly lockfile: Lockfile }>();
  readonly #projects = createParseCache<ProjectFile>();
  /** One object a project file: what was found by it stays valid. */
  readonly #strict = new WeakMap<
    ProjectFile,
    { readonly before: ProjectFile | undefined; readonly strict: ProjectFile }
  >();
  readonly members: WorkspaceMembers;
  readonly builds = new KnownBuilds();
  /** As in `Environment`. */
  readonly buildsHere: boolean;
  readonly #fileNames: NonNullable<Environment['fileNames']>;
  /** The project file for every manifest, if the person named one. */
  readonly projectFile: string | undefined;
  /** The project files, by URI, that a change may not loosen; absent if no change is judged. */
  readonly projectsBefore: ReadonlyMap<string, ProjectFile> | undefined;
  /** The texts of settings files, by URI, whose cooldown a change may not make shorter. */
  readonly settingsBefore: ReadonlyMap<string, string>;

  /** @param saved the files on disk: a name that is being typed is not a project's yet */
  constructor(
    files: Files,
    {
      projectFile,
      projectsBefore,
      now = () => 0,
      history,
      buildsHere = false,
      fileNames = noNames,
    }: Partial<Environment> = {},
    saved: Files = files,
  ) {
    this.files = files;
    this.#fileNames = fileNames;
    // An open document that is unchanged is already parsed.
    const parse: ParseManifest = (uri, format, text) => {
      const open = this.#manifests.get(uri);
      return open?.text === text ? open.parsed : parseManifest(format, text);
    };
    this.members = new WorkspaceMembers(saved.inRepository ?? saved, now, parse, history, (uri) => this.formatOf(uri));
    this.projectFile = projectFile;
    this.buildsHere = buildsHere;
    const before = [...(projectsBefore ?? [])];
    this.settingsBefore = new Map(before.filter(([uri]) => isCooldownFile(uri)));
    const projects = before.filter(([uri]) => uri === projectFile || !isCooldownFile(uri));
    this.projectsBefore = projectsBefore && new Map(projects.map(([uri, text]) => [uri, readProjectFile(uri, text)]));
  }

  /** The format of a file, by the names that its folder has chosen, too. */
  formatOf(uri: string): ManifestFormat | undefined {
    return formatOf(pathOf(uri), this.#fileNames(uri));
  }

  /** The format of a document that an editor has open. */
  formatOfDocument(uri: string, language: string | undefined): ManifestFormat | undefined {
    return formatOfDocument(uri, language, this.#fileNames(uri));
  }

  manifest(uri: string, format: ManifestFormat, text: string): Manifest {
    return this.#manifests.parse(uri, text, (it) => parseManifest(format, it));
  }

  lockfile(uri: string, format: LockfileFormat, text: string, beside?: string): Lockfile {
    const before = this.#lockfiles.get(uri);
    if (before !== undefined && before.parsed.beside !== beside) this.#lockfiles.forget(uri);
    return this.#lockfiles.parse(uri, text, (it) => ({ beside, lockfile: format.parse(it, beside) })).lockfile;
  }

  project(uri: string, text: string): ProjectFile {
    return this.#projects.parse(uri, text, (it) => readProjectFile(uri, it));
  }

  /** The project file of a manifest without what a change has loosened: the stricter of both in each member. */
  strictProject(before: ProjectFile | undefined, now: ProjectFile | undefined): ProjectFile | undefined {
    const key = now ?? before;
    if (key === undefined) return undefined;
    const known = this.#strict.get(key);
    if (known && known.before === before) return known.strict;
    const change = now ?? { ...key, project: { ...noProject, uri: key.project.uri }, text: '', problems: [] };
    const strict = { ...change, ...strictest(before?.project ?? noProject, change.project) };
    this.#strict.set(key, { before, strict });
    return strict;
  }

  /** Forgets a file that was closed or deleted. */
  forget(uri: string): void {
    this.#manifests.forget(uri);
    this.#lockfiles.forget(uri);
    this.#projects.forget(uri);
  }
}

/** The last parsed text of each file. */
interface ParseCache<T> {
  get(uri: string): { readonly text: string; readonly parsed: T } | undefined;
  /** Parses a text, unless it is the same as the last time. */
  parse(uri: string, text: string, parse: (text: string) => T): T;
  forget(uri: string): void;
}

/** Evicts the least recently used: no event reports that a file is no longer needed. */
function createParseCache<T>(): ParseCache<T> {
  const all = new LruMap<string, { readonly text: string; readonly parsed: T }>(
    knownLimit.characters,
    (it) => it.text.length,
  );
  return {
    get: (uri) => all.get(uri),
    parse(uri, text, parse) {
      const before = all.get(uri);
      if (before?.text === text) return before.parsed;
      const parsed = parse(text);
      all.set(uri, { text, parsed });
      return parsed;
    },
    forget: (uri) => all.delete(uri),
  };
}
