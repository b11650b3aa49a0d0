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

/** One person's typing without a pause, and the packages named before it. */
interface TypingSession {
  readonly knownNames: () => Iterable<PackageKey>;
  /** The inserted texts, change by change. */
  readonly insertions: string[];
  before?: Names;
}

/** Canonical names by system: each keystroke checks all names of a document. */
type Names = ReadonlyMap<System, ReadonlySet<string>>;

/**
 * Finds names that are still being typed: those that no document contained before the first keystroke. Otherwise each
 * prefix would be looked up, and a private name cannot be taken back.
 */
export class IncompleteNames {
  readonly #sessions = new Map<string, TypingSession>();
  #hasWithheld = false;

  /**
   * Records a change of a document.
   * @param concerned other documents with a changed meaning: a property or a catalog may name their dependencies
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
    // Pasted lines contain complete names; a line break alone completes the name before it.
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

  /** Typing has paused: every name is complete. @returns whether one was not */
  endTyping(): boolean {
    const hadAny = this.#hasWithheld;
    this.#sessions.clear();
    this.#hasWithheld = false;
    return hadAny;
  }

  /** Whether the name of a dependency may be incomplete. */
  has({ uri, key }: LinkedDependency): boolean {
    const session = this.#sessions.get(uri);
    if (session === undefined) return false;
    session.before ??= namesOf(session.knownNames());
    const isKnown = session.before.get(key.system)?.has(canonicalName(key.system, key.name)) === true;
    if (isKnown || session.insertions.some((it) => containsMoreThan(it, key.name))) return false;
    this.#hasWithheld = true;
    return true;
  }

  /** Ends the typing in a document, also for the others that it concerns. */
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

/** Whether one change inserted a name and more, such as its version: pasted, or typed fast. */
function containsMoreThan(insertion: string, name: string): boolean {
  const at = insertion.indexOf(name);
  return at >= 0 && /^[^\w./@-].*[\w=]/.test(insertion.slice(at + name.length));
}

/**
 * The text that a change inserted; for a large text, all of it. If several lines changed (several cursors), the longest
 * insertion.
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

/** The common length, by bisection: comparing long slices is fast. */
function commonLength(most: number, isSame: (from: number, to: number) => boolean): number {
  let [known, open] = [0, most];
  while (known < open) {
    const middle = Math.ceil((known + open) / 2);
    if (isSame(known, middle)) known = middle;
    else open = middle - 1;
  }
  return known;
}
