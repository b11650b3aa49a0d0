import type { Linked, Subject } from '../model/subject.ts';

const limits = {
  /** Characters beside indentation that keystrokes bring at a time: some editors (Neovim) tell of those of 150 ms together. */
  atOnce: 8,
  /** Characters of a text beyond which nobody types names, and the change is not looked for. */
  text: 1024 * 1024,
} as const;

/** What a document named before somebody began to type. */
interface Begun {
  readonly subjects: readonly Subject[];
  names?: ReadonlySet<string>;
}

/**
 * Which names a person is about to type: those that a document did not have before the first of several keystrokes. Each
 * of their letters would be asked about, and what was asked of a private name cannot be taken back.
 */
export class HalfTyped {
  readonly #begun = new Map<string, Begun>();
  #hasAny = false;

  /** A document has another text. @param subjects what it named so far; undefined where nobody has looked */
  changed(uri: string, before: string, now: string, subjects: readonly Subject[] | undefined): void {
    const typed = textBetween(before, now);
    const begins = /[\r\n]/.test(typed);
    const letters = typed.trim().length;
    // Who pastes has the whole name; who ends a line alone has the one before.
    if (letters > limits.atOnce || (begins && letters === 0)) this.#begun.delete(uri);
    // A line that is begun together with its first letters (`o` of vi) ends the one before, and not its own.
    else if (subjects && (begins || !this.#begun.has(uri))) this.#begun.set(uri, { subjects });
  }

  closed(uri: string): void {
    this.#begun.delete(uri);
  }

  /** Nobody has typed for a while: every name is whole. @returns whether one was not */
  rest(): boolean {
    const hadAny = this.#hasAny;
    this.#begun.clear();
    this.#hasAny = false;
    return hadAny;
  }

  /** Whether a dependency has such a name. */
  has({ uri, key: { name } }: Linked): boolean {
    const begun = this.#begun.get(uri);
    if (begun === undefined) return false;
    begun.names ??= new Set(begun.subjects.map((it) => it.linked.key.name));
    if (begun.names.has(name)) return false;
    this.#hasAny = true;
    return true;
  }
}

/** What was put into one text to make the other of it; of a large one, all of it. */
function textBetween(before: string, now: string): string {
  if (now.length > limits.text || before.length > limits.text) return now;
  const more = now.length - before.length;
  let start = 0;
  while (start < now.length && now.charCodeAt(start) === before.charCodeAt(start)) start++;
  let end = now.length;
  while (end > start && end - more > start && now.charCodeAt(end - 1) === before.charCodeAt(end - 1 - more)) end--;
  return now.slice(start, end);
}
