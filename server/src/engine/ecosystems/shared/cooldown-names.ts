import { compileWildcard } from '../../formats/text/wildcard.ts';
import { canonicalName, type PackageKey } from '../../model/keys.ts';
import type { CooldownPattern } from '../../model/registries/cooldown.ts';

/**
 * Whether a setting means a package. No more than what its tool itself matches: of what only that understands (`{a,b}`,
 * `!(a)`), nothing but the name itself.
 */
export function isNamedBy({ name, wildcard }: CooldownPattern, { system, name: own }: PackageKey): boolean {
  const [pattern, wanted] = [canonicalName(system, name), canonicalName(system, own)];
  if (pattern === wanted) return true;
  if (wildcard === undefined || !pattern.includes('*') || /[?[\]{}()!\\]/.test(pattern)) return false;
  if (wildcard === 'any') return compileWildcard(pattern)(wanted);
  const [patterns, parts] = [pattern.split('/'), wanted.split('/')];
  return patterns.length === parts.length && patterns.every((it, at) => compileWildcard(it)(parts[at] ?? ''));
}
