import type { Backoff } from '../../http/circuit-breaker.ts';
import type { AdvisoryFacts, Insight, PackageFacts, VersionFacts } from '../../model/facts.ts';
import type { Entry } from '../store/entry.ts';
import type { Cache, Cached } from './cache.ts';

/** An insight as it was put away, and from when on it is to be asked again, in ms since the epoch. */
export interface Shelved {
  readonly insight: Insight<unknown>;
  readonly due: number;
}

/** The cache, as far as the answers of one service go. */
export interface Shelf {
  read(id: string): Shelved | undefined;
  /** Puts away what is known of something. `bytes`: roughly what its facts take. */
  keep(known: Pick<Entry, 'id' | 'insight' | 'due'>, bytes: number): void;
  /** The last hold that the service asked for. */
  hold(): Backoff | undefined;
  keepHold(hold: Backoff, now: number): void;
}

/** Changes with the form of what is kept, so that a newer program does not misread what an older one kept. */
const form = 1;

const origins = new RegExp(`^${form} (\\S+) ([a-z]+)(?: |$)`);

/** Of which service an answer is, by where it is put away, and of what kind; undefined for what is of another form. */
export function originOf(id: string): { readonly baseUrl: string; readonly kind: string } | undefined {
  const [, baseUrl, kind] = origins.exec(id) ?? [];
  return baseUrl === undefined || kind === undefined ? undefined : { baseUrl, kind };
}

/** What an identifier and its place in a map take, beside the answer itself. */
const overhead = 200;

/** @param longestLife how long answers are trusted at the most, in ms */
export function createShelf(cache: Cache, baseUrl: string, longestLife = () => Number.POSITIVE_INFINITY): Shelf {
  const prefix = `${form} ${baseUrl} `;
  const holdId = `${prefix}hold`;
  let unwritten: [string, Cached][] = [];

  function write(): void {
    const entries = unwritten;
    unwritten = [];
    cache.set(entries);
  }

  return {
    read(id) {
      const cached = cache.get(prefix + id);
      if (cached === undefined) return undefined;
      const { value, at, freshUntil } = cached;
      const due = Math.min(freshUntil, at + longestLife());
      if (value === unknown) return { insight: { state: 'unknown', at }, due };
      return isInForm(id, value) ? { insight: { state: 'ready', value, at }, due } : undefined;
    },

    hold() {
      const value = cache.get(holdId)?.value;
      return isHold(value) ? value : undefined;
    },

    keepHold(value, now) {
      cache.set([[holdId, { value, at: now, freshUntil: value.until, bytes: overhead }]]);
    },

    keep({ id, insight, due }, bytes) {
      if (insight.state !== 'ready' && insight.state !== 'unknown') return;
      const value = insight.state === 'ready' ? insight.value : unknown;
      // The answers of one page come in one turn, and are written together.
      if (unwritten.length === 0) queueMicrotask(write);
      unwritten.push([prefix + id, { value, at: insight.at, freshUntil: due, bytes: bytes + overhead }]);
    },
  };
}

/** Stands for facts where there are none. */
const unknown = 'unknown';

/** Whether it was kept that the service has nothing. */
export function isUnknown({ value }: Cached): boolean {
  return value === unknown;
}

function isHold(value: unknown): value is Backoff {
  return typeof value === 'object' && value !== null && 'until' in value && 'reason' in value && 'asked' in value;
}

/** The lists that everything has which is kept of a kind. */
const lists: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'version',
    [
      'licenses',
      'licenseDetails',
      'advisories',
      'links',
      'provenances',
      'registries',
      'projects',
      'upstream',
    ] satisfies (keyof VersionFacts)[],
  ],
  ['package', ['versions'] satisfies (keyof PackageFacts)[]],
  ['advisory', ['aliases'] satisfies (keyof AdvisoryFacts)[]],
]);

/**
 * Whether what was kept looks like what this program keeps. Another version may have written it, or a person; what does
 * not is asked for again, where a missing list would cost a whole document its answers.
 * @param id `version NPM lodash@4.17.21`
 */
export function isInForm(id: string, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  const [kind = ''] = id.split(' ', 1);
  const hasKey = (kind !== 'version' && kind !== 'package') || isObject(fields['key']);
  return hasKey && (lists.get(kind) ?? []).every((it) => Array.isArray(fields[it]));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
