import type { Lockfile, LockfileFormat } from '../model/lockfile.ts';
import type { Manifest, ManifestFormat } from '../model/manifest.ts';
import type { Files } from '../model/ports.ts';
import { type ProjectReading, readProject } from '../project/read.ts';
import { Members } from './members.ts';
import { parseManifest } from './parse-manifest.ts';
import { Reading } from './reading.ts';
import type { Surroundings } from './terms.ts';

/** Reads files, remembers what was read (and what was missing), and parses each text once. */
export class Reader {
  readonly #files: Files;
  readonly #manifests: Known<Manifest> = new Map();
  readonly #lockfiles: Known<Lockfile> = new Map();
  readonly #projects: Known<ProjectReading> = new Map();
  readonly members: Members;
  /** The project file of every manifest, where a person has named one. */
  readonly projectFile: string | undefined;

  /** @param saved the same files as they are saved: what is being typed is no name of a project yet */
  constructor(files: Files, { projectFile, now = () => 0 }: Partial<Surroundings> = {}, saved: Files = files) {
    this.#files = files;
    // What is open is parsed already where it is as it was saved.
    this.members = new Members(saved, now, (uri, format, text) => {
      const open = this.#manifests.get(uri);
      return open?.text === text ? open.parsed : parseManifest(format, text);
    });
    this.projectFile = projectFile;
  }

  /** One reading of a document and all that takes part in it. */
  begin(): Reading {
    return new Reading(this.#files, this);
  }

  manifest(uri: string, format: ManifestFormat, text: string): Manifest {
    return parsedOnce(this.#manifests, uri, text, (it) => parseManifest(format, it));
  }

  lockfile(uri: string, format: LockfileFormat, text: string): Lockfile {
    return parsedOnce(this.#lockfiles, uri, text, format.parse);
  }

  project(uri: string, text: string): ProjectReading {
    return parsedOnce(this.#projects, uri, text, (it) => readProject(uri, it));
  }

  /** Forgets what a file said: it was closed, or is gone. */
  forget(uri: string): void {
    this.#manifests.delete(uri);
    this.#lockfiles.delete(uri);
    this.#projects.delete(uri);
  }
}

/** What the text at an address was read as last. */
type Known<T> = Map<string, { readonly text: string; readonly parsed: T }>;

function parsedOnce<T>(known: Known<T>, uri: string, text: string, parse: (text: string) => T): T {
  const before = known.get(uri);
  if (before?.text === text) return before.parsed;
  const parsed = parse(text);
  known.set(uri, { text, parsed });
  return parsed;
}
