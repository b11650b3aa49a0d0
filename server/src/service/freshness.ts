import type { Answer, Freshness } from './source.ts';

/** The freshness of an answer that consists of others: it is as old as the oldest, and stale with the first. */
export function leastFresh(answers: readonly Answer<object>[]): Freshness | undefined {
  const parts = answers.flatMap((it) => ('freshness' in it && it.freshness) || []);
  if (parts.length === 0) return undefined;
  // Not `Math.max(...)`: a page may have 5000 parts.
  return parts.reduce((a, b) => {
    const age = Math.max(a.age, b.age);
    const left = Math.min(a.lifetime - a.age, b.lifetime - b.age);
    return { age, lifetime: Math.max(0, age + left), found: a.found === 'kept' ? b.found : a.found };
  });
}

/**
 * The headers of an answer that is kept. Source: RFC 9111 (`Age`, `Cache-Control`) and RFC 9211 (`Cache-Status`), whose
 * negative `ttl` marks a stale answer.
 */
export function freshnessHeaders({ age, lifetime, found }: Freshness): Readonly<Record<string, string>> {
  const ttl = lifetime - age;
  const how = {
    kept: `hit; ttl=${ttl}`,
    'kept, not to be had again': `hit; ttl=${ttl}; detail=upstream-unavailable`,
    asked: 'fwd=uri-miss; stored',
    'asked again': 'fwd=stale; stored',
  } as const satisfies Record<Freshness['found'], string>;
  return { Age: String(age), 'Cache-Status': `package-insights; ${how[found]}` };
}
