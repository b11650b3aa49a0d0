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

/** The facts as the engine sees them. Reading never waits and never asks; `want` asks. */
export interface Insights {
  version(key: VersionKey): Insight<VersionFacts>;
  package(key: PackageKey): Insight<PackageFacts>;
  advisory(id: AdvisoryId): Insight<AdvisoryFacts>;
  requirements(key: VersionKey): Insight<Requirements>;
  /**
   * Replaces everything that `owner` (a document's uri) wants. What is fresh is not asked again; what nobody wants
   * any more is cancelled. `background` goes out after everything else has been answered.
   */
  want(owner: string, wanted: readonly Wanted[], background?: readonly Wanted[]): void;
  /**
   * Asks for a part of what `owner` is about to want, before all of that is known. It lasts until `want` says all of it.
   * @param isMore whether more follows at once: until then versions go out as soon as they fill a request
   */
  wantAlso(owner: string, wanted: readonly Wanted[], isMore: boolean): void;
  /** Forgets what `owner` wanted: the document was closed. */
  release(owner: string): void;
  /** Resolves when everything that `owner` wants, but for the background, has an answer of some kind, `patience` ms have passed, or the signal aborts. */
  settled(owner: string, patience: number, signal?: AbortSignal): Promise<void>;
  /** Called, coalesced, after facts arrived. `isAll`: nothing more is asked. Returns what ends the subscription. */
  onDidLearn(listener: (isAll: boolean) => void): () => void;
  /** A number that grows whenever a reading changes: while it stays the same, every reading gives what it gave before. */
  changes(): number;
  /**
   * Counts every fact as stale: it stays readable, and is asked again, what is wanted at once. Failures are forgotten, and
   * what has none but that is pending.
   */
  expire(): void;
}

/** The facts over connections to their service. */
export interface ConnectedInsights extends Insights {
  /**
   * Says what a person looks at: some packages of what `owner` wants, by `packageId`. They are asked for first, then what
   * else it wants, then the rest; until something else is said.
   */
  prefer(owner: string, packages: ReadonlySet<string>): void;
  /**
   * Called at once with what was asked together and has an answer: what follows from it need not wait for `onDidLearn`.
   * `isInView`: a version is among it that a person looks at. Returns what ends the subscription.
   */
  onDidAnswer(listener: (answered: readonly Answered[], isInView: boolean) => void): () => void;
  /** Questions that are asked one at a time, of the same service. */
  readonly lookups: Lookups;
  /** The time during which nothing is sent, until a moment in ms since the epoch. `asked`: because the service asked for it. */
  hold(): { readonly until: number; readonly asked: boolean } | undefined;
  /** Why the service could not be reached so far, while it is tried: what is asked meanwhile is pending. */
  trouble(): Trouble | undefined;
  /** Aborts what is under way. */
  close(): Promise<void>;
}

/** Something that was asked for, and what is known of it now. */
export interface Answered {
  readonly wanted: Wanted;
  readonly insight: Insight<unknown>;
}

/** Why what is asked has no answer yet, while it is being tried. */
export interface Trouble {
  /** A clause to show: `connection refused`. */
  readonly reason: string;
  /** Nothing has failed so far: it merely takes longer than it should. */
  readonly isEarly?: true;
}

/** What is known of one thing to look up. */
export function readingOf(insights: Pick<Insights, Wanted['kind']>, wanted: Wanted): Insight<unknown> {
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
