import type { Unreadable } from '../base/unreadable.ts';
import type { AdvisoryFacts, Insight, PackageFacts, VersionFacts } from './facts.ts';
import type { Releases } from './graph/releases.ts';
import { type AdvisoryId, type PackageKey, packageId, type VersionKey, versionId } from './keys.ts';
import type { Lookups, Requirements } from './lookups.ts';
import type { ReadCredentials } from './registries/access.ts';
import type { BuiltInRegistries } from './registries/built-in.ts';
import type { ReadMachine } from './registry.ts';
import type { SignalChoice } from './signals/choice.ts';
import type { ProjectFacts, ProjectId } from './signals/project.ts';
import type { CodeHost, RepositoryFacts, RepositoryId, WantedRepository } from './signals/repository.ts';
import type { SimilarFacts } from './signals/similar.ts';

/** A fact to request. */
export type Wanted = ServiceFact | WantedRepository;

/** A fact of the Package Insights Service. */
export type ServiceFact =
  /** `by`: the file names it by a purl, and so does the request. The facts are the same. */
  | { readonly kind: 'version'; readonly key: VersionKey; readonly by?: 'purl' }
  | { readonly kind: 'package'; readonly key: PackageKey }
  /** The declarations of a version: the properties and managed versions of a Maven parent. */
  | { readonly kind: 'requirements'; readonly key: VersionKey }
  | { readonly kind: 'project'; readonly id: ProjectId }
  /** The packages that are named similarly. */
  | { readonly kind: 'similar'; readonly key: PackageKey }
  | { readonly kind: 'advisory'; readonly id: AdvisoryId };

/** The facts as the engine sees them. Reading never waits and sends nothing; `request` does. */
export interface Insights {
  version(key: VersionKey): Insight<VersionFacts>;
  package(key: PackageKey): Insight<PackageFacts>;
  advisory(id: AdvisoryId): Insight<AdvisoryFacts>;
  requirements(key: VersionKey): Insight<Requirements>;
  /** Absent where no signals are looked up. */
  readonly signals?: () => SignalChoice;
  readonly project?: (id: ProjectId) => Insight<ProjectFacts>;
  readonly similar?: (key: PackageKey) => Insight<SimilarFacts>;
  /**
   * Whether a name without `registry` is one that only private registries were asked about so far: requests that a person
   * makes about a package must not send it to the service.
   */
  readonly isPrivateName?: (key: PackageKey) => boolean;
  /** The connected code host: undefined while none is connected, absent where none can be. */
  readonly codeHost?: () => CodeHost | undefined;
  readonly repository?: (id: RepositoryId) => Insight<RepositoryFacts>;
  /** The versions of whole lockfiles. Absent where only single facts are known. */
  readonly releases?: Releases;
  /**
   * Replaces everything that `owner` (the URI of a document) wants. Fresh facts are not requested again; requests that
   * no owner needs any more are canceled. `background` is requested after everything else has its answer.
   * @param isFollowUp only other facts have led to it: of what the owner has already, only versions are requested again
   */
  request(owner: string, wanted: readonly Wanted[], background?: readonly Wanted[], isFollowUp?: boolean): void;
  /**
   * Adds to the facts that `owner` wants, until its next `request`. A document requests its first facts this way, before
   * all of it is evaluated.
   * @param isMore whether more follows at once: until then only full batches are sent
   */
  requestAlso(owner: string, wanted: readonly Wanted[], isMore: boolean): void;
  /** Removes everything that `owner` wants: the document was closed. */
  release(owner: string): void;
  /**
   * Resolves when everything that `owner` wants has an answer of some kind, except for the background, when `patience`
   * ms have passed, or when the signal aborts.
   */
  whenSettled(owner: string, patience: number, signal?: AbortSignal): Promise<void>;
  /** Called whenever facts have changed. Returns a function that unsubscribes. */
  onDidChange(listener: (change: FactChange) => void): () => void;
  /** Grows whenever any insight changes. While it is the same, every insight is. */
  revision(): number;
  /**
   * Marks every fact as stale: it stays readable, and the wanted ones are requested again at once. A failed fact becomes
   * pending.
   */
  expire(): void;
}

/** The facts over connections to their service. */
export interface ConnectedInsights extends Insights {
  /** Connects to another service, or over another way, if the settings have changed. All facts are requested anew then. */
  reconnect(): void;
  /**
   * Moves the packages in view to the front of the queue, by `packageId`, followed by the rest of `owner`. It lasts until
   * the next call.
   */
  prioritize(owner: string, packages: ReadonlySet<string>): void;
  /** Single questions to the same service. */
  readonly lookups: Lookups;
  /** Until when nothing is sent, in ms since the epoch. `asked`: the service requested the wait. */
  backoff(): { readonly until: number; readonly asked: boolean } | undefined;
  /** Why the service could not be reached so far, while it is tried. The wanted facts are pending meanwhile. */
  connectionProblem(): ConnectionProblem | undefined;
  /** For how long an answer about a version counts at most, in ms. */
  versionLifetime(): number;
  /** Aborts every request. */
  close(): Promise<void>;
}

/** How facts have changed. */
export type FactChange =
  /** A response arrived. Sent at once. `isInView`: it contains a version, or a list of versions, in view. */
  | { readonly kind: 'received'; readonly facts: readonly ReceivedFact[]; readonly isInView: boolean }
  /** Sent a moment later, once for many responses. `isSettled`: no request is left. */
  | { readonly kind: 'changed'; readonly isSettled: boolean };

/** A fact of a response. */
export interface ReceivedFact {
  readonly wanted: Wanted;
  readonly insight: Insight<unknown>;
}

/** Why an answer is late, while the request is still tried. */
export interface ConnectionProblem {
  /** A clause to show: `connection refused`. */
  readonly reason: string;
  /** Nothing has failed so far: it takes longer than usual. */
  readonly isOnlySlow?: true;
}

/** The insight of one wanted fact. */
export function readInsight(insights: Pick<Insights, Wanted['kind']>, wanted: Wanted): Insight<unknown> {
  switch (wanted.kind) {
    case 'repository':
      return insights.repository?.(wanted.id) ?? { state: 'pending' };
    case 'project':
      return insights.project?.(wanted.id) ?? { state: 'pending' };
    case 'similar':
      return insights.similar?.(wanted.key) ?? { state: 'pending' };
    case 'version':
      return insights.version(wanted.key);
    case 'package':
      return insights.package(wanted.key);
    case 'advisory':
      return insights.advisory(wanted.id);
    case 'requirements':
      return insights.requirements(wanted.key);
  }
}

/** A wanted fact as a key of maps: `version NPM lodash@4.17.21`. */
export function wantedId(wanted: Wanted): string {
  switch (wanted.kind) {
    case 'advisory':
    case 'project':
    case 'repository':
      return `${wanted.kind} ${wanted.id}`;
    case 'package':
    case 'similar':
      return `${wanted.kind} ${packageId(wanted.key)}`;
    case 'version':
    case 'requirements':
      return `${wanted.kind} ${versionId(wanted.key)}`;
  }
}

/**
 * Identifies a state of a file or directory. The second of two writes within one tick of the clock of the file system
 * leaves no trace, so a very recent stamp proves nothing.
 */
export interface Stamp {
  readonly mark: string;
  /** Milliseconds since the epoch. */
  readonly written: number;
}

/** The former content of a directory by name: matching files, directories and symbolic links. */
export interface DirectoryListing extends Stamp {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly links: readonly string[];
}

/** Files by URI, open documents before the disk. */
export interface Files {
  /** The decoded text; undefined for a file that is missing, too large, or outside of the folders that may be read. */
  read(uri: string): Promise<string | undefined>;
  /**
   * The same, but distinguishes an unreadable file from a missing one. Absent in tests in which every file is readable.
   */
  readonly tryRead?: (uri: string) => Promise<string | Unreadable | undefined>;
  /**
   * The URIs of at most `most` files in and below a directory whose decoded path matches. Folders of installed or built
   * files are skipped.
   * @param depth the number of levels to search. With it, folders of built files are not skipped, because configuration
   * names the place.
   * @param known the directories of an earlier search for the same pattern. One that has not changed is not read again,
   * and neither is one at the last level with a match: the caller checks whether the match still exists.
   */
  find(
    directory: string,
    matches: RegExp,
    most: number,
    depth?: number,
    known?: Map<string, DirectoryListing>,
  ): Promise<readonly string[]>;
  /**
   * The same files, each directory listed once from now on, so that a name which is not there is not asked for: for as
   * long as nothing changes. Absent where asking for a file costs nothing.
   */
  readonly listed?: () => Pick<Files, 'read' | 'tryRead' | 'find'>;
  /**
   * Identifies the state of a file without reading it; undefined for a missing file. Absent if there are no stamps.
   */
  readonly stamp?: (uri: string) => Promise<Stamp | undefined>;
  /**
   * Whether a path exists that `read` refuses: a link that leads outside, a folder, a pipe. A write there would change
   * something outside of the workspace. Absent in tests without a disk.
   */
  readonly isBlocked?: (uri: string) => Promise<boolean>;
  /**
   * Whether a path below a folder leads through a link, so that the file has another name or place than it shows. Absent
   * where no link is followed.
   */
  readonly isLinked?: (uri: string) => Promise<boolean>;
  /**
   * The same for all files of the repositories around the folders, tracked by git or not. Only for files that lead to no
   * requests: settings, lockfiles, names of a workspace's own packages. Absent if there are no such files.
   */
  readonly inRepository?: Pick<Files, 'read' | 'tryRead' | 'find' | 'stamp'> & {
    /** The outermost directory around a file that may be read: its repository. Absent where that is not known. */
    readonly top?: (uri: string) => Promise<string | undefined>;
  };
  /**
   * The texts that a file may have had before the present change, in the last commit of git: its own; for one that was not
   * there, those of like files that are gone since; none for a new one. Undefined where that is not known. Returns the same
   * list again while nothing is committed. Absent where there is no git.
   * @param isLike by the path from the root of the repository
   */
  readonly former?: (uri: string, isLike: (path: string) => boolean) => Promise<readonly string[] | undefined>;
  /**
   * The URI of the file that changes with each commit of the repository around a file, wherever its directory of git lies:
   * it may lie outside of the folders. Absent where there is no git.
   */
  readonly commitLog?: (uri: string) => Promise<string | undefined>;
  /** The registry settings of the machine. Absent in tests without a machine. */
  readonly machine?: ReadMachine;
  /** The registries that package managers of the machine have built in. Absent where there are none to read. */
  readonly builtIn?: BuiltInRegistries;
  /** Credentials of the machine, for private registries. Absent where none are asked. */
  readonly credentials?: ReadCredentials;
}

type TryRead = NonNullable<Files['tryRead']>;

/** The same files, each directory listed once where that spares anything. */
export function withListings(files: Files): Files {
  const { listed, ...others } = files;
  return listed ? { ...others, ...listed() } : files;
}

/** The same files with another way to read them. */
export function withReader(files: Files, by: (look: TryRead) => TryRead): Files {
  const reading = (it: Pick<Files, 'read' | 'tryRead'>): Pick<Files, 'read' | 'tryRead'> => {
    const tryRead = by(it.tryRead ?? it.read);
    return { tryRead, read: async (uri) => textOf(await tryRead(uri)) };
  };
  const { inRepository, listed } = files;
  return {
    ...files,
    ...reading(files),
    ...(listed && {
      listed() {
        const its = listed();
        return { find: its.find, ...reading(its) };
      },
    }),
    ...(inRepository && { inRepository: { ...inRepository, ...reading(inRepository) } }),
  };
}

/**
 * Some folders of a search could not be listed this time. What lies in them is not known: it may be a member of the
 * workspace, whose name stays on the machine.
 */
export class UnlistedFolders extends Error {
  /** The files that were found elsewhere. */
  readonly found: readonly string[];
  readonly folders: readonly string[];

  constructor(found: readonly string[], folders: readonly string[]) {
    super(`${folders.length} folders could not be listed, ${folders[0]} among them`);
    this.found = found;
    this.folders = folders;
  }
}

/** The text that was read, if any. */
export function textOf(found: string | Unreadable | undefined): string | undefined {
  return typeof found === 'string' ? found : undefined;
}

/** The time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back after `ms`; the function returned cancels. Must not keep the process alive. */
  after(ms: number, call: () => void): () => void;
}
