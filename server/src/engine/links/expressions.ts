import { createHash } from 'node:crypto';
import type { CanonicalUrl } from './canonical-url.ts';

/** Of hosts beside the exact one, and of directories beside the root. Source: documentation of the lookup service. */
const MAX_HOST_SUFFIXES = 4;
const MAX_DIRECTORIES = 3;

/**
 * The expressions under which lists can name an address, 30 at most: the exact one first.
 *
 *     http://a.b.c/1/2.html?param=1  →  a.b.c/1/2.html?param=1, a.b.c/1/2.html, a.b.c/, a.b.c/1/, b.c/1/2.html?param=1 …
 */
export function expressionsOf(url: CanonicalUrl): readonly string[] {
  return hostsOf(url).flatMap((host) => pathsOf(url).map((path) => host + path));
}

/** 32 bytes. */
export function hashOf(expression: string): Buffer {
  return createHash('sha256').update(expression, 'latin1').digest();
}

/** The exact host and up to four suffixes of its last five components, each of at least two. */
function hostsOf({ host, isIpAddress }: CanonicalUrl): readonly string[] {
  if (isIpAddress) return [host];
  const last = host.split('.').slice(-(MAX_HOST_SUFFIXES + 1));
  const suffixes = last.slice(0, -1).map((_, at) => last.slice(at).join('.'));
  return [...new Set([host, ...suffixes])].slice(0, MAX_HOST_SUFFIXES + 1);
}

function pathsOf({ path, query }: CanonicalUrl): readonly string[] {
  const directories = path.split('/').slice(1, -1).slice(0, MAX_DIRECTORIES);
  return [
    ...new Set([
      ...(query ? [`${path}?${query}`] : []),
      path,
      '/',
      ...directories.map((_, at) => `/${directories.slice(0, at + 1).join('/')}/`),
    ]),
  ];
}
