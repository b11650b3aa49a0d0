import type { KeptService } from '../../model/cached-answers.ts';
import { identify, queryId } from '../store/canonical-key.ts';
import { createShelf, isUnknown, originOf } from './answer-cache.ts';
import type { Cached } from './cache.ts';
import { createMemoryCache } from './cache.ts';

/** The services that kept answers are of, the one with most of them first. Each is read as it was then, however old. */
export function keptServices(entries: readonly (readonly [id: string, cached: Cached])[]): readonly KeptService[] {
  const services = new Map<string, (readonly [kind: string, cached: Cached])[]>();
  for (const [id, cached] of entries) {
    const origin = originOf(id);
    if (origin === undefined || origin.kind === 'hold' || isUnknown(cached)) continue;
    const answers = services.get(origin.baseUrl) ?? [];
    services.set(origin.baseUrl, answers);
    answers.push([origin.kind, cached]);
  }
  const cache = createMemoryCache(Number.POSITIVE_INFINITY);
  cache.set(entries);
  return [...services]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([baseUrl, answers]) => {
      const shelf = createShelf(cache, baseUrl);
      const insightOf = (id: string) => shelf.read(id)?.insight;
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
        version: (key) => read(identify({ kind: 'version', key }).id),
        package: (key) => read(identify({ kind: 'package', key }).id),
        advisory: (id) => read(identify({ kind: 'advisory', id }).id),
        requirements: (key) => read(identify({ kind: 'requirements', key }).id),
        query: (query) => read(queryId(query)),
        isUnknown: (wanted) => insightOf(identify(wanted).id)?.state === 'unknown',
      };
    });
}
