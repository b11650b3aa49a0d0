import type { Insights } from '../model/ports.ts';
import type { Linked } from '../model/subject.ts';
import type { Locked } from './resolve.ts';
import { rangeOf } from './resolve.ts';
import { type Examined, examine } from './subjects.ts';
import type { Terms } from './terms.ts';

const limits = {
  /** What is remembered at the most: more than any workspace has open. */
  remembered: 20_000,
  /** Of one name: a workspace asks for a package in a few ways, and a lockfile holds a few of its versions. */
  ofOneName: 16,
} as const;

interface Known {
  readonly linked: Linked;
  readonly locked: Locked | undefined;
  readonly examined: Examined;
}

/** Examines dependencies. While no fact changes it remembers what came of it, since a keystroke leaves nearly all as they were. */
export class Examiner {
  readonly #insights: Insights;
  /** By name: to put all that counts together into one text takes longer than to compare it piece by piece. */
  readonly #known = new Map<string, Known[]>();
  #count = 0;
  #changes: number | undefined;
  #background = false;
  #terms = '';

  constructor(insights: Insights) {
    this.#insights = insights;
  }

  /** @param background whether to look up what is worth knowing, but not before everything else */
  examine(linked: Linked, locked: Locked | undefined, background: boolean, terms: Terms): Examined {
    const examined = this.#remembered(linked, locked, background, terms);
    // It may stand elsewhere by now, in another project, and what is known of it holds there.
    return { ...examined, subject: { ...examined.subject, linked, ...(terms.project && { project: terms.project }) } };
  }

  #remembered(linked: Linked, locked: Locked | undefined, background: boolean, terms: Terms): Examined {
    const changes = this.#insights.changes?.();
    if (changes === undefined) return examine(linked, locked, this.#insights, background, terms);
    const isAsBefore = changes === this.#changes && background === this.#background && terms.id === this.#terms;
    if (!isAsBefore || this.#count >= limits.remembered) {
      this.#known.clear();
      this.#count = 0;
      this.#changes = changes;
      this.#background = background;
      this.#terms = terms.id;
    }
    const { name } = linked.key;
    const known = this.#known.get(name) ?? [];
    const before = known.find((it) => isSameLinked(it.linked, linked) && isSameLocked(it.locked, locked));
    if (before) return before.examined;
    const examined = examine(linked, locked, this.#insights, background, terms);
    this.#known.set(name, [...known.slice(1 - limits.ofOneName), { linked, locked, examined }]);
    this.#count++;
    return examined;
  }
}

/** Whether two of one name are alike in all that what is known of a dependency depends on. */
function isSameLinked(a: Linked, b: Linked): boolean {
  return (
    a.key.system === b.key.system &&
    a.asked.kind === b.asked.kind &&
    reasonOf(a) === reasonOf(b) &&
    (a.constraint === undefined) === (b.constraint === undefined) &&
    a.recorded === b.recorded &&
    a.dependency.scope === b.dependency.scope &&
    rangeOf(a) === rangeOf(b)
  );
}

function isSameLocked(a: Locked | undefined, b: Locked | undefined): boolean {
  return a?.lockfile === b?.lockfile && a?.version === b?.version && a?.update === b?.update;
}

function reasonOf({ asked }: Linked): string {
  return asked.kind === 'source' ? asked.source : asked.kind === 'unresolved' ? asked.reason : '';
}
