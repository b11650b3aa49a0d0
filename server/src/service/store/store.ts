import type { PackageKey, VersionKey } from '../../engine/model/keys.ts';
import type { ServiceFact } from '../../engine/model/ports.ts';
import type { System } from '../../engine/model/system.ts';
import type { Affecting } from '../affected.ts';
import type { AffectedRecord, HashType } from '../catalog/record.ts';

/**
 * Where a team's service keeps what it serves: the answers of the wire by what they answer, and the versions that
 * advisories affect. Keys are canonical. Every method rejects if the database is not reachable.
 */
export interface Store {
  /** In the order of the facts; undefined for what was never kept. */
  read(facts: readonly Fact[]): Promise<readonly (KeptAnswer | undefined)[]>;
  /** Keeps answers. One that is older than the kept one is dropped. */
  write(answers: readonly FactAnswer[]): Promise<void>;
  /** What imported advisories affect, by package. */
  affecting(packages: readonly PackageKey[]): Promise<readonly Affecting[]>;
  /** The kept versions of one package, in no order: those that are known apart from a list of them. */
  versionsOf(key: PackageKey): Promise<readonly KeptAnswer[]>;
  /**
   * Keeps a part of an import together with its position, or nothing. False if the import was not at the position `from`:
   * another process imports the same.
   */
  importPart(part: ImportPart): Promise<boolean>;
  /** The position of an import; undefined for one that has not begun. */
  importPosition(id: string): Promise<number | undefined>;
  /** A text that concerns the whole store: `upstream`. */
  note(name: string): Promise<string | undefined>;
  /** Sets it, if it has no value so far. Returns the value that it has then. */
  setNote(name: string, value: string): Promise<string>;
  /** Sets it to a number, unless it is a greater one already. */
  raiseNote(name: string, value: number): Promise<void>;
  /** Removes replies of registries that are from before a time, and the oldest ones beyond so many characters of all. */
  pruneReplies(before: number, mostCharacters: number): Promise<void>;
  /** Rejects if the database is not reachable. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** What is kept an answer to. */
export type Fact = ServiceFact | FileFact | ReplyFact;

/** The versions whose artifact has a hash. Its answer is a list of `FileMatch`. */
export interface FileFact {
  readonly kind: 'file';
  readonly type: HashType;
  /** In lower-case hexadecimal. */
  readonly digest: string;
}

/** What a registry has replied to a request. */
export interface ReplyFact {
  readonly kind: 'reply';
  /** Of the request. */
  readonly id: string;
}

export interface FileMatch {
  readonly versionKey: VersionKey;
  readonly artifacts: readonly string[];
}

export interface KeptAnswer {
  /** JSON; undefined for what is unknown. */
  readonly body: string | undefined;
  /** When it was true, in ms since the epoch. */
  readonly asOf: number;
  /** For how long it is fresh from then on, in ms. */
  readonly lifetime: number;
}

export interface FactAnswer {
  readonly fact: Fact;
  readonly answer: KeptAnswer;
}

export interface ImportedAdvisory {
  readonly id: string;
  /** When it was last changed, in ms since the epoch. An older one replaces nothing. */
  readonly modified: number;
  /** One for each package; empty for a withdrawn one. */
  readonly affected: readonly AffectedRecord[];
}

export interface ImportPart {
  /** Identifies the import: the file and its state. */
  readonly id: string;
  /** The position before this part, and behind it. */
  readonly from: number;
  readonly to: number;
  readonly answers: readonly FactAnswer[];
  readonly advisories: readonly ImportedAdvisory[];
}

/** In bytes of UTF-8. A name of npm has at most 214; PostgreSQL indexes at most 2704. */
const MAX_KEY_BYTES = 1000;

/**
 * Whether a key can be one of a package, version, advisory or project at all. A database has no place for a NUL or for half
 * a surrogate pair, and nothing else has a name of this length.
 */
export function isPossible(parts: readonly string[]): boolean {
  return (
    parts.every((it) => it !== '' && !it.includes('\0') && it.isWellFormed()) &&
    parts.reduce((sum, it) => sum + Buffer.byteLength(it), 0) <= MAX_KEY_BYTES
  );
}

/** The note that all advisories of a system are kept, with the time up to which, in ms since the epoch. */
export function wholeNote(system: System): string {
  return `whole ${system}`;
}

/** The key of a fact in its table. */
export function keyOf(fact: Fact): readonly string[] {
  switch (fact.kind) {
    case 'package':
    case 'similar':
      return [fact.key.system, fact.key.name];
    case 'version':
    case 'requirements':
      return [fact.key.system, fact.key.name, fact.key.version];
    case 'advisory':
    case 'project':
    case 'reply':
      return [fact.id];
    case 'file':
      return [fact.type, fact.digest];
  }
}

/** A fact as a key of maps. */
export function factId(fact: Fact): string {
  return `${fact.kind} ${keyOf(fact).join('\n')}`;
}
