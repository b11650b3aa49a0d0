import { isRecord } from '../../base/text.ts';
import type { Backoff } from '../../http/circuit-breaker.ts';
import { type AdvisoryFacts, type Insight, isVersionList, type VersionFacts } from '../../model/facts.ts';
import type { ProjectFacts } from '../../model/signals/project.ts';
import type { SimilarFacts } from '../../model/signals/similar.ts';
import type { Cache, CacheEntry } from './cache.ts';

/** A former answer, and when it is to be requested again, in ms since the epoch. */
export interface CachedAnswer {
  readonly insight: Insight<unknown>;
  readonly due: number;
}

/** The answers of one service in the cache. */
export interface AnswerCache {
  /** @param isOnce it is not read again soon, so memory does not keep it */
  get(id: string, isOnce?: boolean): CachedAnswer | undefined;
  /** Keeps a ready or unknown insight. `bytes`: the approximate size of its facts. `isOnce`: as in `get`. */
  set(answer: CachedAnswer & { readonly id: string }, bytes: number, isOnce?: boolean): void;
  /** The last back-off that the service requested. */
  backoff(): Backoff | undefined;
  setBackoff(backoff: Backoff, now: number): void;
}

/** Grows with each change of the form of answers, so a newer program does not misread those of an older one. */
const FORM = 3;

const origins = new RegExp(`^${FORM} (\\S+) ([a-z]+)(?: |$)`);

/** The service and the kind of an answer, by its identifier in the cache; undefined for another form. */
export function originOf(id: string): { readonly baseUrl: string; readonly kind: string } | undefined {
  const [, baseUrl, kind] = origins.exec(id) ?? [];
  return baseUrl === undefined || kind === undefined ? undefined : { baseUrl, kind };
}

/** The bytes of an identifier and its place in a map. */
const OVERHEAD = 200;

/** @param maxLifetime how long an answer of a kind is fresh at most, in ms */
export function createAnswerCache(
  cache: Cache,
  baseUrl: string,
  maxLifetime: (kind: string) => number = () => Number.POSITIVE_INFINITY,
): AnswerCache {
  const prefix = `${FORM} ${baseUrl} `;
  const backoffId = `${prefix}${BACKOFF_KIND}`;
  const unwritten = { again: [] as [string, CacheEntry][], once: [] as [string, CacheEntry][] };

  function write(): void {
    const again = unwritten.again.splice(0);
    const once = unwritten.once.splice(0);
    if (again.length > 0) cache.set(again);
    if (once.length > 0) cache.set(once, true);
  }

  return {
    get(id, isOnce = false) {
      const cached = cache.get(prefix + id, isOnce);
      if (cached === undefined) return undefined;
      const { value, at, freshUntil } = cached;
      const due = Math.min(freshUntil, at + maxLifetime(kindOf(id)));
      if (value === unknown) return { insight: { state: 'unknown', at }, due };
      if (value === unknownMalware) return { insight: { state: 'unknown', at, isMalicious: true }, due };
      return isInForm(id, value) ? { insight: { state: 'ready', value, at }, due } : undefined;
    },

    backoff() {
      const value = cache.get(backoffId)?.value;
      return isBackoff(value) ? value : undefined;
    },

    setBackoff(value, now) {
      cache.set([[backoffId, { value, at: now, freshUntil: value.until, bytes: OVERHEAD }]]);
    },

    set({ id, insight, due }, bytes, isOnce = false) {
      if (insight.state !== 'ready' && insight.state !== 'unknown') return;
      const value = insight.state === 'ready' ? insight.value : insight.isMalicious ? unknownMalware : unknown;
      // The answers of one page come in one turn, and are written together.
      if (unwritten.again.length + unwritten.once.length === 0) queueMicrotask(write);
      unwritten[isOnce ? 'once' : 'again'].push([
        prefix + id,
        { value, at: insight.at, freshUntil: due, bytes: bytes + OVERHEAD },
      ]);
    },
  };
}

/** The kind of a back-off among the answers; the word is part of the form. */
export const BACKOFF_KIND = 'hold';

/** The value of an answer without facts; that of a version which the service finds to be malware all the same. */
const unknown = 'unknown';
const unknownMalware = 'unknown, malicious';

/** Whether the service had no facts. */
export function isUnknown({ value }: CacheEntry): boolean {
  return value === unknown || value === unknownMalware;
}

function isBackoff(value: unknown): value is Backoff {
  return typeof value === 'object' && value !== null && 'until' in value && 'reason' in value && 'asked' in value;
}

/** The lists that the facts of each kind have. */
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
  ['package', []],
  ['project', ['checks'] satisfies (keyof ProjectFacts)[]],
  ['similar', ['names'] satisfies (keyof SimilarFacts)[]],
  ['advisory', ['aliases'] satisfies (keyof AdvisoryFacts)[]],
]);

/**
 * Whether facts have the form that this program writes. Another version or a person may have written them. Facts of
 * another form are requested again, because a missing list would break the evaluation of a whole document.
 * @param id `version NPM lodash@4.17.21`
 */
export function isInForm(id: string, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  const kind = kindOf(id);
  if (fields['projectStatus'] !== undefined && !isProjectStatus(fields['projectStatus'])) return false;
  const hasKey = (kind !== 'version' && kind !== 'package') || isObject(fields['key']);
  if (kind === 'package' && !isVersionList(fields['versions'])) return false;
  return hasKey && (lists.get(kind) ?? []).every((it) => Array.isArray(fields[it]));
}

/** `version` of `version NPM lodash@4.17.21` */
function kindOf(id: string): string {
  const end = id.indexOf(' ');
  return end < 0 ? id : id.slice(0, end);
}

function isProjectStatus(value: unknown): boolean {
  return isRecord(value) && typeof value['status'] === 'string' && typeof value['reason'] === 'string';
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
