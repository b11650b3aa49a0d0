import type { Insights } from '../model/ports.ts';
import type { Linked } from '../model/subject.ts';
import type { Locked } from './resolve.ts';
import { rangeOf } from './resolve.ts';
import { type Examined, examine } from './subjects.ts';
import type { Terms } from './terms.ts';

/** What is remembered at the most: more than any workspace has open. */
const remembered = 20_000;

/** Examines dependencies. While no fact changes it remembers what came of it, since a keystroke leaves nearly all as they were. */
export class Examiner {
  readonly #insights: Insights;
  readonly #known = new Map<string, Examined>();
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
    if (!isAsBefore || this.#known.size >= remembered) {
      this.#known.clear();
      this.#changes = changes;
      this.#background = background;
      this.#terms = terms.id;
    }
    const id = identify(linked, locked);
    const known = this.#known.get(id);
    if (known) return known;
    const examined = examine(linked, locked, this.#insights, background, terms);
    this.#known.set(id, examined);
    return examined;
  }
}

/** All of a dependency that what is known of it depends on. */
function identify(linked: Linked, locked: Locked | undefined): string {
  const { key, asked, constraint, recorded, dependency } = linked;
  const why = asked.kind === 'source' ? asked.source : asked.kind === 'unresolved' ? asked.reason : '';
  const lock = locked === undefined ? '' : `${locked.lockfile}\n${locked.version}\n${locked.update}`;
  return `${key.system}\n${key.name}\n${asked.kind}\n${why}\n${constraint !== undefined}${recorded}${dependency.scope}\n${rangeOf(linked)}\n${lock}`;
}
