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

/** The words in front of a name that people write for the type of a purl. */
const otherTypes: Readonly<Record<string, string>> = {
  go: 'golang',
  pip: 'pypi',
  python: 'pypi',
  crates: 'cargo',
  gradle: 'maven',
  mvn: 'maven',
  dotnet: 'nuget',
  yarn: 'npm',
  pnpm: 'npm',
};

const types: readonly string[] = Object.values(purlTypes);

/** A pattern that no package can match. `meant`: the form that was probably meant. */
export interface ImpossiblePattern {
  readonly meant?: string;
}

/**
 * Finds patterns in another syntax than that of `matchesPackage`; undefined for one that can match.
 *
 *     npm:@acme/*     npm/@acme/*
 *     @acme           @acme/*
 *     maven/com.acme  maven/com.acme:*
 */
export function impossiblePattern(pattern: string): ImpossiblePattern | undefined {
  const { type, name, isTyped } = partsOf(pattern);
  if (isTyped && !isImpossibleName(name, type)) return undefined;
  const meant = repaired(name, type);
  const again = partsOf(meant);
  return again.isTyped && meant !== pattern && !isImpossibleName(again.name, again.type) ? { meant } : {};
}

/** `isTyped`: in the syntax of patterns, in which a name has the type of a purl before it, or none. */
function partsOf(pattern: string): { readonly type?: string; readonly name: string; readonly isTyped: boolean } {
  const path = pattern.replace(/^pkg:/, '').replace(/^([^/]*\/)%40/, '$1@');
  const [, word = '', mark, name = ''] = /^([a-z]+)([:/])(.+)$/s.exec(path) ?? [];
  const isType = types.includes(word);
  const type = isType ? word : Object.hasOwn(otherTypes, word) ? otherTypes[word] : undefined;
  // “maven” is a group of Maven as well.
  const isGroup = word === 'maven' && mark === ':' && !/[:/@]/.test(name);
  if (type === undefined || isGroup) return { name: pattern, isTyped: true };
  return { type, name, isTyped: isType && mark === '/' };
}

/** Whether no package has such a name. Without a type it may be a name of any system. */
function isImpossibleName(name: string, type: string | undefined): boolean {
  if (/\s/.test(name)) return true;
  // Only the scopes of npm have an `@`.
  const isScoped = name.startsWith('@');
  if (/.@/.test(name) || (isScoped && type !== undefined && type !== 'npm')) return true;
  if (isScoped && !/[/*?[]/.test(name)) return true;
  const colons = name.split(':').length - 1;
  if (type !== 'maven') return type === undefined ? colons > 1 || (colons === 1 && /[/@]/.test(name)) : colons > 0;
  return colons > 1 || (colons === 0 && !/[/*?[]/.test(name));
}

/** `@acme` → `@acme/*`, `com.acme` → `com.acme:*`, `lodash@1.0` → `lodash` */
function repaired(name: string, type: string | undefined): string {
  const bare = name.trim().replace(/(?<=.)@.*$/s, '');
  const isOwner = !/[:/*]/.test(bare);
  const whole = isOwner && bare.startsWith('@') ? `${bare}/*` : isOwner && type === 'maven' ? `${bare}:*` : bare;
  return type === undefined ? whole : `${type}/${whole}`;
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
