import type { CachedService } from '../../model/cached-answers.ts';
import { canonicalize, queryId } from '../canonical-key.ts';
import { BACKOFF_KIND, createAnswerCache, isUnknown, originOf } from './answer-cache.ts';
import type { CacheEntry } from './cache.ts';
import { createMemoryCache } from './cache.ts';

/** The services that cached answers come from, the one with the most answers first. The age of an answer is ignored. */
export function cachedServices(
  entries: readonly (readonly [id: string, cached: CacheEntry])[],
): readonly CachedService[] {
  const services = new Map<string, (readonly [kind: string, cached: CacheEntry])[]>();
  for (const [id, cached] of entries) {
    const origin = originOf(id);
    if (origin === undefined || origin.kind === BACKOFF_KIND || isUnknown(cached)) continue;
    const answers = services.get(origin.baseUrl) ?? [];
    services.set(origin.baseUrl, answers);
    answers.push([origin.kind, cached]);
  }
  const cache = createMemoryCache(Number.POSITIVE_INFINITY);
  cache.set(entries);
  return [...services]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([baseUrl, answers]) => {
      const cached = createAnswerCache(cache, baseUrl);
      const insightOf = (id: string) => cached.get(id)?.insight;
      const read = <T>(id: string): T | undefined => {
        const insight = insightOf(id);
        return insight?.state === 'ready' ? (insight.value as T) : undefined;
      };
      const count = (kind: string): number => answers.filter((it) => it[0] === kind).length;
      const times = answers.map(([, it]) => it.at);
      return {
        baseUrl,
        packages: count('package'),
        versions: count('version'),
        advisories: count('advisory'),
        since: times.reduce((a, b) => Math.min(a, b)),
        until: times.reduce((a, b) => Math.max(a, b)),
        version: (key) => read(canonicalize({ kind: 'version', key }).id),
        package: (key) => read(canonicalize({ kind: 'package', key }).id),
        advisory: (id) => read(canonicalize({ kind: 'advisory', id }).id),
        requirements: (key) => read(canonicalize({ kind: 'requirements', key }).id),
        project: (id) => read(canonicalize({ kind: 'project', id }).id),
        similar: (key) => read(canonicalize({ kind: 'similar', key }).id),
        query: (query) => read(queryId(query)),
        isUnknown: (wanted) => insightOf(canonicalize(wanted).id)?.state === 'unknown',
      };
    });
}
