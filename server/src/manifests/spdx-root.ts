import type { Dependency } from '../model/manifest.ts';

/** A package of an SPDX document, by the identifier that the document has for it. */
export interface Described {
  readonly id: string;
  readonly dependency: Dependency;
}

/**
 * The packages without the one that the document as a whole is about: that is the project itself, which need not be
 * published. A document may as well be about each of its packages, or have no other.
 */
export function withoutRoot(packages: readonly Described[], roots: ReadonlySet<string>): Dependency[] {
  const others = packages.filter((it) => !roots.has(it.id));
  const counted = others.length > 0 && others.length === packages.length - 1 ? others : packages;
  return counted.map((it) => it.dependency);
}
