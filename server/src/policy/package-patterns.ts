import { compileWildcard } from '../formats/text/wildcard.ts';
import { canonicalName, type PackageKey } from '../model/keys.ts';
import { purlTypes } from '../model/purl.ts';
import type { System } from '../model/system.ts';

/**
 * Whether a package in a project file is this one: `lodash` in any system, `npm/lodash`, `pkg:npm/lodash`,
 * `maven/org.yaml:snakeyaml`. `*` stands for any characters: `@acme/*`, `maven/com.acme:*`.
 */
export function matchesPackage(word: string, { system, name }: PackageKey): boolean {
  const own = canonicalName(system, name);
  const same = (it: string): boolean => {
    const given = canonicalName(system, it);
    return given.includes('*') ? compileWildcard(given)(own) : given === own;
  };
  if (same(word)) return true;
  const path = word.replace(/^pkg:/, '').replace(/^([^/]*\/)%40/, '$1@');
  const type = `${purlTypes[system]}/`;
  if (!path.startsWith(type)) return false;
  const rest = path.slice(type.length);
  return same(rest) || (system === 'MAVEN' && same(rest.replace('/', ':')));
}

/**
 * The pattern of a package and its siblings, those that the same owner publishes: `npm/@acme/*` for `@acme/ui`. The
 * package alone where its name has no owner.
 */
export function scopePattern({ system, name }: PackageKey): string {
  const scope = scopes[system].exec(name)?.[0];
  return `${purlTypes[system]}/${scope === undefined ? name : `${scope}*`}`;
}

/** The part of a name that its siblings share, if it has one. */
const scopes: Readonly<Record<System, RegExp>> = {
  /** `@acme/` */
  NPM: /^@[^/]+\//,
  /** `com.acme:` */
  MAVEN: /^[^:]+:/,
  /** `git.acme.example/team/` */
  GO: /^[^/]+\/[^/]+\/(?=.)/,
  /** `Acme.` */
  NUGET: /^[^.]+\.(?=.)/,
  PYPI: /^(?!)/,
  CARGO: /^(?!)/,
};
