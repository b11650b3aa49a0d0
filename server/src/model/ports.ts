import type { AdvisoryFacts, Insight, PackageFacts, VersionFacts } from './facts.ts';
import { type AdvisoryId, type PackageKey, packageId, type VersionKey, versionId } from './keys.ts';
import type { Lookups, Requirements } from './lookups.ts';
import type { ReadMachine } from './registry.ts';

/** One thing to look up. */
export type Wanted =
  /** `by`: the file names it by a purl, and so does the question. The facts are the same. */
  | { readonly kind: 'version'; readonly key: VersionKey; readonly by?: 'purl' }
  | { readonly kind: 'package'; readonly key: PackageKey }
  /** What a version itself declares: a Maven parent's properties and managed versions. */
  | { readonly kind: 'requirements'; readonly key: VersionKey }
  | { readonly kind: 'advisory'; readonly id: AdvisoryId };

/** The facts as the engine sees them. Reading never waits and sends nothing; `request` does. */
export interface Insights {
  version(key: VersionKey): Insight<VersionFacts>;
  package(key: PackageKey): Insight<PackageFacts>;
  advisory(id: AdvisoryId): Insight<AdvisoryFacts>;
  requirements(key: VersionKey): Insight<Requirements>;
  /**
   * Replaces everything that `owner` (the URI of a document) wants. Fresh facts are not requested again; requests that
   * no owner needs any more are canceled. `background` is requested after everything else has its answer.
   */
  request(owner: string, wanted: readonly Wanted[], background?: readonly Wanted[]): void;
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
  /** Called after facts arrived, once for many. `isAll`: no request is left. Returns a function that unsubscribes. */
  onDidChange(listener: (isAll: boolean) => void): () => void;
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
  /**
   * Called at once after each response, before `onDidChange`. `isInView`: it contains a version that is in view. Returns
   * a function that unsubscribes.
   */
  onDidReceive(listener: (received: readonly ReceivedFact[], isInView: boolean) => void): () => void;
  /** Single questions to the same service. */
  readonly lookups: Lookups;
  /** Until when nothing is sent, in ms since the epoch. `asked`: the service requested the wait. */
  backoff(): { readonly until: number; readonly asked: boolean } | undefined;
  /** Why the service could not be reached so far, while it is tried. The wanted facts are pending meanwhile. */
  trouble(): Trouble | undefined;
  /** Aborts every request. */
  close(): Promise<void>;
}

/** A fact of a response. */
export interface ReceivedFact {
  readonly wanted: Wanted;
  readonly insight: Insight<unknown>;
}

/** Why an answer is late, while the request is still tried. */
export interface Trouble {
  /** A clause to show: `connection refused`. */
  readonly reason: string;
  /** Nothing has failed so far: it takes longer than usual. */
  readonly isEarly?: true;
}

/** The insight of one wanted fact. */
export function readInsight(insights: Pick<Insights, Wanted['kind']>, wanted: Wanted): Insight<unknown> {
  switch (wanted.kind) {
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

/** What is wanted as one string, to index maps by: `version NPM lodash@4.17.21`. */
export function wantedId(wanted: Wanted): string {
  switch (wanted.kind) {
    case 'advisory':
      return `advisory ${wanted.id}`;
    case 'package':
      return `package ${packageId(wanted.key)}`;
    case 'version':
    case 'requirements':
      return `${wanted.kind} ${versionId(wanted.key)}`;
  }
}

/**
 * When something on the disk was last written, and what becomes another one with it. Of two writes within one tick of the
 * file system's clock the second leaves no trace, so what was written just now proves nothing.
 */
export interface Stamp {
  readonly mark: string;
  /** Milliseconds since the epoch. */
  readonly written: number;
}

/** What a directory held, by name: the files that match, the directories in it, and symbolic links. */
export interface FoundFolder extends Stamp {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly links: readonly string[];
}

/** Why something that stands at an address cannot be read. What is not there is absent, and no such thing. */
export interface Unreadable {
  readonly why:
    | 'denied'
    /** It leads out of what may be read. */
    | 'outside'
    /** It lies in the repository around the folders, and git does not track it there. */
    | 'untracked'
    /** A folder, a pipe, a device. */
    | 'no file'
    | 'too large'
    /** Its beginning was read. */
    | 'too long'
    /** So many other files were named before it that it was left out. */
    | 'too many'
    | 'failed';
  /** As the system calls the failure: `EMFILE`. */
  readonly code?: string;
}

/** Files as the engine sees them: open documents before the disk. Addresses are URIs. */
export interface Files {
  /** The decoded text, or undefined where there is no such file, it is too large, or lies outside what may be read. */
  read(uri: string): Promise<string | undefined>;
  /**
   * The same, but tells what stands there and cannot be read from what is not there. Absent where everything that is there
   * can be read: files that exist in a test alone.
   */
  readonly look?: (uri: string) => Promise<string | Unreadable | undefined>;
  /**
   * The addresses of files in a directory and below whose decoded path matches, at most `most` of them. Folders that
   * hold what was installed or built are passed over.
   * @param depth looks no further down than this. Somebody said where to look, so of built folders none is passed over.
   * @param known what was found before, by the same pattern. A directory that has not changed since is not read again, nor
   * is one at the end of the way, where something was found: whether that is still there is for the caller to see.
   */
  find(
    directory: string,
    matches: RegExp,
    most: number,
    depth?: number,
    known?: Map<string, FoundFolder>,
  ): Promise<readonly string[]>;
  /**
   * Tells one state of a file from another without reading it; undefined where there is none. Absent where files cannot
   * be told apart in this way.
   */
  readonly stamp?: (uri: string) => Promise<Stamp | undefined>;
  /**
   * Whether something stands at an address that `read` does not give: a link that leads outside, a folder, a pipe. Who
   * writes there changes what is none of the workspace's. Absent where files exist in a test alone.
   */
  readonly isBarred?: (uri: string) => Promise<boolean>;
  /**
   * The same with all that lies in the repositories around the folders, tracked by git or not. Only for what hands on no
   * names: settings, lockfiles, what a workspace makes itself. Absent where there is no more than the files themselves.
   */
  readonly around?: Pick<Files, 'read' | 'look' | 'find' | 'stamp'>;
  /** What the machine says of registries. Absent where there is none: files that exist in a test alone. */
  readonly machine?: ReadMachine;
}

type Look = NonNullable<Files['look']>;

/** The same files, read in another way. */
export function readBy(files: Files, by: (look: Look) => Look): Files {
  const reading = (it: Pick<Files, 'read' | 'look'>): Pick<Files, 'read' | 'look'> => {
    const look = by(it.look ?? it.read);
    return { look, read: async (uri) => textOf(await look(uri)) };
  };
  const { around } = files;
  return { ...files, ...reading(files), ...(around && { around: { ...around, ...reading(around) } }) };
}

/** What was read, where it could be. */
export function textOf(found: string | Unreadable | undefined): string | undefined {
  return typeof found === 'string' ? found : undefined;
}

/** Time as the engine sees it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back after `ms`; the function returned cancels. Must not keep the process alive. */
  after(ms: number, call: () => void): () => void;
}
