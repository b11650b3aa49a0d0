import { LruMap } from '../../base/lru-map.ts';
import type { Lockfile, LockfileFormat } from '../../model/lockfile.ts';
import type { Manifest, ManifestFormat } from '../../model/manifest.ts';
import type { Files } from '../../model/ports.ts';
import { type ProjectFile, readProjectFile } from '../../policy/project-file.ts';
import type { ParseManifest } from '../members/roots.ts';
import { WorkspaceMembers } from '../members/workspace-members.ts';
import type { Environment } from './environment.ts';
import { FileChainReader } from './file-chain.ts';

/**
 * Characters of a manifest that are read. Requirements with the digests of each file come to a tenth of it; in as many
 * megabytes as a file may have, a stranger could put millions of dependencies, and nothing would hold them.
 */
const MAX_MANIFEST_LENGTH = 4 * 1024 * 1024;

/** Dependencies of one file. The largest lockfiles and bills of materials that are known have less than half as many. */
const MAX_DEPENDENCIES = 50_000;

/** Reads a manifest, within bounds. What programs write is as long as it is: it is read without making much of it. */
export function parseManifest({ parse, record }: ManifestFormat, text: string): Manifest {
  const isWhole = record !== undefined || text.length <= MAX_MANIFEST_LENGTH;
  const manifest = parse(isWhole ? text : text.slice(0, MAX_MANIFEST_LENGTH));
  const first = manifest.dependencies[MAX_DEPENDENCIES]?.nameSpan.start;
  if (isWhole && first === undefined) return manifest;
  const rest = { start: first ?? MAX_MANIFEST_LENGTH, end: text.length };
  const problem = { span: rest, message: 'a text this long is not read to its end' };
  const dependencies = manifest.dependencies.slice(0, MAX_DEPENDENCIES);
  return { ...manifest, dependencies, problems: [...manifest.problems, problem] };
}

/** Lockfiles of large monorepos have 20 million characters; whoever goes from project to project needs few of them again. */
export const knownLimit = { characters: 64 * 1024 * 1024 } as const;

/** Reads files, remembers what was read (and what was missing), and parses each text once. */
export class ManifestReader {
  readonly #files: Files;
  readonly #manifests = createParseCache<Manifest>();
  readonly #lockfiles = createParseCache<Lockfile>();
  readonly #projects = createParseCache<ProjectFile>();
  readonly members: WorkspaceMembers;
  /** The project file of every manifest, where a person has named one. */
  readonly projectFile: string | undefined;

  /** @param saved the same files as they are saved: what is being typed is no name of a project yet */
  constructor(files: Files, { projectFile, now = () => 0, history }: Partial<Environment> = {}, saved: Files = files) {
    this.#files = files;
    // What is open is parsed already where it is as it was saved.
    const parse: ParseManifest = (uri, format, text) => {
      const open = this.#manifests.get(uri);
      return open?.text === text ? open.parsed : parseManifest(format, text);
    };
    this.members = new WorkspaceMembers(saved.inRepository ?? saved, now, parse, history);
    this.projectFile = projectFile;
  }

  /** One reading of a document and all that takes part in it. */
  startReading(files = this.#files): FileChainReader {
    return new FileChainReader(files, this);
  }

  manifest(uri: string, format: ManifestFormat, text: string): Manifest {
    return this.#manifests.parse(uri, text, (it) => parseManifest(format, it));
  }

  lockfile(uri: string, format: LockfileFormat, text: string): Lockfile {
    return this.#lockfiles.parse(uri, text, format.parse);
  }

  project(uri: string, text: string): ProjectFile {
    return this.#projects.parse(uri, text, (it) => readProjectFile(uri, it));
  }

  /** Forgets what a file said: it was closed, or is gone. */
  forget(uri: string): void {
    this.#manifests.forget(uri);
    this.#lockfiles.forget(uri);
    this.#projects.forget(uri);
  }
}

/** What the texts at some addresses were read as last. */
interface ParseCache<T> {
  get(uri: string): { readonly text: string; readonly parsed: T } | undefined;
  /** What a text was read as, which is parsed where it is another than before. */
  parse(uri: string, text: string, parse: (text: string) => T): T;
  forget(uri: string): void;
}

/** Forgets what was asked for longest ago, as soon as there is too much: nobody tells when a file is of no use any more. */
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
