import type { Registry } from '../model/registry.ts';
import { stringAt, type TomlValue, textsAt } from '../text/toml-tree.ts';
import { wildcard } from '../text/wildcard.ts';
import { limits, registryAt } from './address.ts';

/** A source of PDM, and the names that it is asked for, or is not. */
interface Source {
  readonly registry: Registry;
  readonly includes: Matches;
  readonly excludes: Matches;
}

type Matches = (name: string) => boolean;

/**
 * The sources that PDM asks for a canonical name: those that include it, else all that do not exclude it.
 *
 *     [[tool.pdm.source]]
 *     name = "acme"
 *     url = "https://…"
 *     include_packages = ["acme-*"]
 *     exclude_packages = ["*"]
 *
 * So each is read in a pyproject.toml alone: what a pdm.toml says of a source is hidden by one of its name there, patterns
 * included.
 */
export function byPatterns(list: readonly TomlValue[], from: string): (name: string) => readonly Registry[] {
  const written = list.flatMap((it) => [...textsAt(it, 'include_packages'), ...textsAt(it, 'exclude_packages')]);
  // What is not understood as PDM does leaves every source for every name.
  const isPlain = written.length <= limits.patterns && !written.some((it) => /[[\]]/.test(it));
  const sources = list.flatMap((it): Source[] => {
    const registry = registryAt(stringAt(it, 'url')?.text ?? '', from, true);
    if (!registry) return [];
    const among = (key: string): Matches => (isPlain ? anyOf(textsAt(it, key)) : () => false);
    return [{ registry, includes: among('include_packages'), excludes: among('exclude_packages') }];
  });
  return (name) => {
    const including = sources.filter((it) => it.includes(name));
    const asked = including.length > 0 ? including : sources.filter((it) => !it.excludes(name));
    return asked.slice(0, limits.registries).map((it) => it.registry);
  };
}

/** PDM spells patterns as names, so that `Acme_*` is `acme-*`. */
function anyOf(patterns: readonly string[]): Matches {
  const all = patterns.map((it) => wildcard(it.replace(/[^A-Za-z0-9?*-]+/g, '-').toLowerCase()));
  return (name) => all.some((matches) => matches(name));
}
