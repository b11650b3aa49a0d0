import type { Insights } from '../model/ports.ts';
import type { Linked } from '../model/subject.ts';
import type { Locked } from './resolve.ts';
import { rangeOf } from './resolve.ts';
import { type Examined, examine } from './subjects.ts';

/** What is remembered at the most: more than any workspace has open. */
const remembered = 20_000;

/** Examines dependencies. While no fact changes it remembers what came of it, since a keystroke leaves nearly all as they were. */
export class Examiner {
  readonly #insights: Insights;
  readonly #known = new Map<string, Examined>();
  #changes: number | undefined;
  #background = false;

  constructor(insights: Insights) {
    this.#insights = insights;
  }

  /** @param background whether to look up what is worth knowing, but not before everything else */
  examine(linked: Linked, locked: Locked | undefined, background: boolean): Examined {
    const changes = this.#insights.changes?.();
    if (changes === undefined) return examine(linked, locked, this.#insights, background);
    if (changes !== this.#changes || background !== this.#background || this.#known.size >= remembered) {
      this.#known.clear();
      this.#changes = changes;
      this.#background = background;
    }
    const id = identify(linked, locked);
    const known = this.#known.get(id);
    // It may stand elsewhere by now, and what is known of it holds there.
    if (known) return { ...known, subject: { ...known.subject, linked } };
    const examined = examine(linked, locked, this.#insights, background);
    this.#known.set(id, examined);
    return examined;
  }
}

/** All of a dependency that what is known of it depends on. */
function identify(linked: Linked, locked: Locked | undefined): string {
  const { key, asked, constraint, recorded } = linked;
  const why = asked.kind === 'source' ? asked.source : asked.kind === 'unresolved' ? asked.reason : '';
  const lock = locked === undefined ? '' : `${locked.lockfile}\n${locked.version}\n${locked.update}`;
  return `${key.system}\n${key.name}\n${asked.kind}\n${why}\n${constraint !== undefined}${recorded}\n${rangeOf(linked)}\n${lock}`;
}
