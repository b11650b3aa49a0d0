import { isRecord } from '../../../base/text.ts';
import { ownOf, recordAt } from '../../../formats/json/plain.ts';
import type { Problem } from '../../../model/span.ts';
import { lockedSource } from '../specifier.ts';
import { npm } from '../versions.ts';

/*
 * What a lockfile contradicts itself in. pnpm, yarn, bun and Deno install a version that the file has for a requirement
 * without a look whether the requirement allows it.
 */

type Json = Readonly<Record<string, unknown>>;

/** @param start the offset of what is contradicted */
export function contradiction(start: number | undefined): readonly Problem[] {
  return start === undefined ? [] : [{ span: { start, end: start }, message: 'no tool writes this' }];
}

/** Whether a requirement is a range of a registry that a version is surely outside of. */
export function isOutside(version: string, range: string): boolean {
  const bare = range.replace(/^npm:(?=[\d^~<>=*])/, '');
  if (!/^[\d^~<>=]/.test(bare) || lockedSource(bare) !== 'registry' || npm.read(version).kind !== 'pin') return false;
  const { kind } = npm.read(bare);
  return (kind === 'range' || kind === 'pin') && !npm.keeps(version, bare);
}

/**
 * Whether bun's file lacks a package that another one requires, or has a direct one in a version that is not allowed.
 *
 *     "workspaces": { "": { "dependencies": { "outer": "^1.0.0" } } },
 *     "packages": { "outer": ["outer@1.0.0", "", { "dependencies": { "fine": "^1.0.0" } }, "sha512-…"] }
 */
export function isBunContradicted(root: Json): boolean {
  const packages = recordAt(root, 'packages');
  const overrides = { ...recordAt(root, 'overrides'), ...recordAt(root, 'resolutions') };
  const workspaces = Object.entries(recordAt(root, 'workspaces'));
  const rootName = recordAt(recordAt(root, 'workspaces'), '').name;
  const names = new Set(Object.keys(packages).map(lastName));
  for (const [path, entry] of Object.entries(packages)) {
    const identity: unknown = Array.isArray(entry) ? entry[0] : undefined;
    if (typeof identity !== 'string' || identity.indexOf('@', 1) < 0) return true;
    if (identity.endsWith('@root:') && identity !== `${rootName}@root:` && path !== rootName) return true;
    if (lacks(Array.isArray(entry) ? entry.find(isRecord) : undefined)) return true;
  }
  return workspaces.some(
    ([directory, it]) =>
      lacks(it) ||
      (isRecord(it) &&
        requirementsOf(it).some(([name, range]) => isOther(directory === '' ? undefined : it.name, name, range))),
  );

  function lacks(entry: unknown): boolean {
    return isRecord(entry) && requirementsOf(entry).some(([name]) => !names.has(name) && !isOptional(entry, name));
  }

  function isOther(member: unknown, name: string, range: string): boolean {
    if (Object.hasOwn(overrides, name)) return false;
    // A package may have the name of the root.
    const entry = (member && ownOf(packages, `${member}/${name}`)) ?? ownOf(packages, name);
    const identity: unknown = Array.isArray(entry) ? entry[0] : '';
    if (typeof identity !== 'string' || !identity.startsWith(`${name}@`)) return false;
    return isOutside(identity.slice(name.length + 1), range);
  }
}

function requirementsOf(entry: Json): [string, string][] {
  const all = { ...recordAt(entry, 'dependencies'), ...recordAt(entry, 'devDependencies') };
  return Object.entries(all).map(([name, range]) => [name, String(range)]);
}

function isOptional(entry: Json, name: string): boolean {
  return Object.hasOwn(recordAt(entry, 'optionalDependencies'), name);
}

/** `acorn` of `webpack/acorn`, `@scope/acorn` of `webpack/@scope/acorn` */
function lastName(path: string): string {
  return /(?:@[^/]+\/)?[^/]+$/.exec(path)?.[0] ?? path;
}

/**
 * Whether Deno's file lacks a package that a requirement or another package has, or has a version that is not allowed, or
 * redirects an address to a package or a file.
 *
 *     2, 3:  "npm:outer@^1": "npm:outer@1.0.0",   "outer@1.0.0": { "dependencies": { "fine": "fine@1.0.0" } }
 *     4, 5:  "npm:outer@1": "1.0.0",              "outer@1.0.0": { "dependencies": ["fine", "other@2.0.0"] }
 */
export function isDenoContradicted(root: Json, packages: Json, specifiers: Json): boolean {
  // Deno follows a redirect of an address wherever it leads.
  const targets = Object.values(recordAt(root, 'redirects'));
  if (targets.some((it) => typeof it !== 'string' || !/^(?:https?|jsr):/i.test(it))) return true;
  const keys = new Set(Object.keys(packages));
  const names = new Set([...keys].map((it) => /^(?:@[^@/]+\/)?[^@/]+/.exec(it)?.[0] ?? it));
  for (const [specifier, value] of Object.entries(specifiers)) {
    const [, name, range = ''] = /^(?:npm:)?((?:@[^@/]+\/)?[^@/:]+)@?(.*)$/.exec(specifier) ?? [];
    if (name === undefined || typeof value !== 'string' || /^(?:jsr|file|https?):/.test(specifier)) continue;
    const bare = value.replace(/^npm:/, '');
    const version = /^\d+\.\d+\.\d/.test(bare) ? bare : bare.slice(bare.indexOf('@', 1) + 1);
    if (!keys.has(`${name}@${version}`) && !keys.has(bare)) return true;
    if (isOutside(version.replace(/_.*$/s, ''), range)) return true;
  }
  // The first versions have optional packages among the others.
  const isLater = Object.hasOwn(root, 'specifiers');
  return Object.values(packages).some((entry) => {
    const required = isRecord(entry) ? entry.dependencies : [];
    const all = Array.isArray(required) ? required : isRecord(required) ? Object.values(required) : [];
    const optional: unknown = isRecord(entry) ? entry.optionalPeers : [];
    return all.some((it) => {
      if (typeof it !== 'string' || (Array.isArray(optional) && optional.includes(it))) return false;
      const id = it.replace(/^.+@npm:/, '').replace(/^npm:/, '');
      return !keys.has(id) && !(isLater && names.has(id));
    });
  });
}
