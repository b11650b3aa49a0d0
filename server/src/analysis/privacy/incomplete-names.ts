import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import { canonicalName, type PackageKey } from '../../model/keys.ts';
import type { System } from '../../model/system.ts';

/**
 * Characters within a line that one change inserts by typing. Some editors send everything typed without a pause at once
 * (Neovim: up to 150 ms, at times; Emacs: 500 ms).
 */
const MAX_TYPED_LENGTH = 80;
/** Characters of a text in which changes are compared. Names are not typed in longer ones. */
const MAX_TEXT_LENGTH = 1024 * 1024;

/** Which packages were named before somebody began to type. */
interface TypingSession {
  readonly knownNames: () => Iterable<PackageKey>;
  /** What was put in since, change by change. */
  readonly insertions: string[];
  before?: Names;
}

/** Canonical names, by system. Each keystroke asks for those of a whole document. */
type Names = ReadonlyMap<System, ReadonlySet<string>>;

/**
 * Which names a person is about to type: those that no document had before the first of several keystrokes. Each of their
 * letters would be asked about, and what was asked of a private name cannot be taken back.
 */
export class IncompleteNames {
  readonly #sessions = new Map<string, TypingSession>();
  #hasWithheld = false;

  /**
   * A document has another text.
   * @param concerned the others that mean something else now: a property or a catalog may name their dependencies
   * @param knownNames the packages that open documents named so far
   */
  recordChange(
    uri: string,
    { before, now }: { readonly before: string; readonly now: string },
    concerned: readonly string[],
    knownNames: () => Iterable<PackageKey>,
  ): void {
    const typed = insertedText(before, now);
    const begins = /[\r\n]/.test(typed);
    const word = typed.trim();
    // Who pastes lines has whole names; who ends a line alone has the one before.
    const isWhole = word.length > MAX_TYPED_LENGTH || /[\r\n]/.test(word) || (begins && word === '');
    // A line that is session together with its first letters (`o` of vi) ends the one before, and not its own.
    if (isWhole || begins) this.#endSession(uri);
    if (isWhole) return;
    const session = this.#sessions.get(uri) ?? { knownNames, insertions: [] as string[] };
    if (word.length > 1) session.insertions.push(word);
    for (const it of [uri, ...concerned]) if (!this.#sessions.has(it)) this.#sessions.set(it, session);
  }

  forget(uri: string): void {
    this.#sessions.delete(uri);
  }

  /** Nobody has typed for a while: every name is whole. @returns whether one was not */
  endTyping(): boolean {
    const hadAny = this.#hasWithheld;
    this.#sessions.clear();
    this.#hasWithheld = false;
    return hadAny;
  }

  /** Whether a dependency has such a name. */
  has({ uri, key }: LinkedDependency): boolean {
    const session = this.#sessions.get(uri);
    if (session === undefined) return false;
    session.before ??= namesOf(session.knownNames());
    const isKnown = session.before.get(key.system)?.has(canonicalName(key.system, key.name)) === true;
    if (isKnown || session.insertions.some((it) => containsMoreThan(it, key.name))) return false;
    this.#hasWithheld = true;
    return true;
  }

  /** What was typed in a document is whole, also where others name it. */
  #endSession(uri: string): void {
    const session = this.#sessions.get(uri);
    for (const [it, its] of this.#sessions) if (its === session) this.#sessions.delete(it);
  }
}

function namesOf(keys: Iterable<PackageKey>): Names {
  const all = new Map<System, Set<string>>();
  for (const { system, name } of keys) {
    const names = all.get(system) ?? new Set();
    all.set(system, names.add(canonicalName(system, name)));
  }
  return all;
}

/** Whether more than a name was put in at once, such as its version: by who pastes, or types fast. */
function containsMoreThan(insertion: string, name: string): boolean {
  const at = insertion.indexOf(name);
  return at >= 0 && /^[^\w./@-].*[\w=]/.test(insertion.slice(at + name.length));
}

/**
 * What was put into one text to make the other of it; of a large one, all of it. Where each of several lines was changed
 * (by more than one cursor), what was put into the one that got most.
 */
function insertedText(before: string, now: string): string {
  if (now.length > MAX_TEXT_LENGTH || before.length > MAX_TEXT_LENGTH) return now;
  const most = Math.min(now.length, before.length);
  const start = commonLength(most, (from, to) => now.slice(from, to) === before.slice(from, to));
  const behind = commonLength(
    most - start,
    (from, to) =>
      now.slice(now.length - to, now.length - from) === before.slice(before.length - to, before.length - from),
  );
  const end = now.length - behind;
  const put = now.slice(start, end);
  const lines = put.split(/\r?\n|\r/);
  const were = lines.length > 1 ? before.slice(start, before.length - behind).split(/\r?\n|\r/) : [];
  if (lines.length !== were.length) return put;
  return lines.map((it, at) => insertedText(were[at] ?? '', it)).reduce((a, b) => (b.length > a.length ? b : a));
}

/** How much is alike, by halves: a text of thousands of lines is compared in no time where it is compared in one. */
function commonLength(most: number, isSame: (from: number, to: number) => boolean): number {
  let [known, open] = [0, most];
  while (known < open) {
    const middle = Math.ceil((known + open) / 2);
    if (isSame(known, middle)) known = middle;
    else open = middle - 1;
  }
  return known;
}
