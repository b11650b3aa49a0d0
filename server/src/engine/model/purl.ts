import * as l10n from '@vscode/l10n';
import { PackageURL } from 'packageurl-js';
import { canonicalName, type PackageKey } from './keys.ts';
import type { System } from './system.ts';

/** A package, or one version of it, as a purl names it. */
export interface Purl {
  /** Spelt as the service spells it: `pkg:nuget/Newtonsoft.Json` gives `newtonsoft.json`. */
  readonly key: PackageKey;
  /** As written, for people: `Newtonsoft.Json`. */
  readonly name: string;
  /** As written; absent in a purl that names a package. */
  readonly version?: string;
}

/** The result of parsing a purl. */
export type PurlReading =
  | { readonly kind: 'purl'; readonly purl: Purl }
  /** `reason` is a clause: `it has qualifiers`. `isRefused`: the service refuses a request with such a purl. `isOtherType`: of no system. */
  | { readonly kind: 'invalid'; readonly reason: string; readonly isRefused?: true; readonly isOtherType?: true };

/** The purl type of each system. */
export const purlTypes = {
  GO: 'golang',
  NPM: 'npm',
  CARGO: 'cargo',
  MAVEN: 'maven',
  PYPI: 'pypi',
  NUGET: 'nuget',
} as const satisfies Record<System, string>;

const systemOf: ReadonlyMap<string, System> = new Map(
  (Object.keys(purlTypes) as System[]).map((system) => [purlTypes[system], system]),
);

/**
 * Writes the purl of a package or version: `pkg:npm/%40babel/traverse@7.23.2`, `pkg:maven/org.yaml/snakeyaml`.
 *
 * The library's constructor lower-cases npm names and throws at Go versions such as `v1.2`, so only its encoding of the
 * parts is used; the rules of the types stand here.
 */
export function formatPurl(key: PackageKey, version?: string): string {
  // The specification of purls keeps the case of NuGet's names, which the service does not tell apart.
  const spelled = key.system === 'NUGET' ? key.name : canonicalName(key.system, key.name);
  // Half a surrogate pair, which a hostile file can hold, cannot be encoded.
  const name = spelled.toWellFormed();
  const cut = key.system === 'MAVEN' ? name.indexOf(':') : name.lastIndexOf('/');
  const { namespace, name: last, version: versionPart } = PackageURL.Component;
  const path =
    cut === -1 ? last.encode(name) : `${namespace.encode(name.slice(0, cut))}/${last.encode(name.slice(cut + 1))}`;
  return `pkg:${purlTypes[key.system]}/${path}${version ? `@${versionPart.encode(version.toWellFormed())}` : ''}`;
}

/**
 * Reads a purl of one of the six types. Qualifiers and a subpath make it invalid, as they do for the service.
 *
 *     pkg:maven/org.yaml/snakeyaml@2.0  →  MAVEN org.yaml:snakeyaml, version 2.0
 */
export function parsePurl(text: string): PurlReading {
  if (text.length > MAX_PURL_LENGTH) return invalid(l10n.t('it is too long'));
  const type = /^pkg:\/*([a-z]+)\//i.exec(text)?.[1]?.toLowerCase();
  if (type === undefined) return invalid(l10n.t('it does not start with pkg: and a type'));
  const system = systemOf.get(type);
  if (system === undefined)
    return { ...invalid(l10n.t('the service does not support the type {0}', type)), isOtherType: true };
  const parts = split(text);
  if (parts === undefined) return invalid(l10n.t('it cannot be parsed: its percent-encoding may be invalid'));
  const [, namespace = '', name = '', version = '', qualifiers, subpath] = parts;
  if (qualifiers !== undefined) return { ...invalid(l10n.t('it has qualifiers')), isRefused: true };
  if (subpath !== undefined) return { ...invalid(l10n.t('it has a subpath')), isRefused: true };
  const path = namespace.split('/').filter((it) => it !== '');
  // `pkg:pypi/@1.0` has no name, but the library takes what stands in its place for one.
  const unnamed = name.trim() === '' || (system !== 'NPM' && name.startsWith('@'));
  const joined = unnamed ? undefined : join(system, path, name.trim());
  if (joined === undefined) return invalid(nameRule(system));
  // `pkg:npm/x@1@2`: only the @ of a scope may stand as it is, and that of the version.
  if (/^pkg:\/*\w+\/[^?#]+@[^?#]*@/i.test(text.replace('/@', '/'))) return invalid(l10n.t('write @ in a name as %40'));
  if (!namePatterns[system].test(joined)) return invalid(l10n.t('the name is invalid for its type'));
  if (system === 'GO' && isStandardLibrary(joined))
    return { ...invalid(l10n.t('the standard library is a part of Go, not a module')), isOtherType: true };
  const key = { system, name: canonicalName(system, joined) };
  const purl = { key, name: joined };
  const trimmed = version.trim();
  if (trimmed === '') return { kind: 'purl', purl };
  // Many writers of SBOMs leave out the v that each version of a module has.
  return { kind: 'purl', purl: { ...purl, version: system === 'GO' && /^\d/.test(trimmed) ? `v${trimmed}` : trimmed } };
}

/** In characters. A name may have some hundred characters, each encoded with nine. */
const MAX_PURL_LENGTH = 4000;

function nameRule(system: System): string {
  switch (system) {
    case 'GO':
      return l10n.t('it has no name');
    case 'NPM':
      return l10n.t('an npm package is a name, or an @scope and a name');
    case 'CARGO':
      return l10n.t('a crate is one name without a namespace');
    case 'MAVEN':
      return l10n.t('a Maven package is a group and an artifact');
    case 'PYPI':
      return l10n.t('a PyPI package is one name without a namespace');
    case 'NUGET':
      return l10n.t('a NuGet package is one name without a namespace');
  }
}

/**
 * Valid names by the rules of the registries: the library accepts `io@1.4` as a name. Legacy names count, so npm's may
 * have upper case. Sources: validate-npm-package-name, golang.org/x/mod/module.CheckPath (and `+`, which packages
 * within modules may have), cargo's and Maven's restrictions on names, PEP 508, and NuGet's rule for ids.
 */
const namePatterns = {
  GO: /^[\w.~+-]+(?:\/[\w.~+-]+)*$/,
  // Of ASCII, whatever can be encoded in an address: the names of the past are not listed anywhere.
  NPM: /^(?:@[!-.0-~]+\/(?!\.)|(?![._]))[!-.0-~]+$/,
  CARGO: /^[\w-]+$/,
  MAVEN: /^[\w.-]+:[\w.-]+$/,
  PYPI: /^[\w.-]+$/,
  NUGET: /^[\p{L}\p{N}_.-]+$/u,
} as const satisfies Record<System, RegExp>;

/** The names of Go's vulnerability database and of SBOMs. */
function isStandardLibrary(name: string): boolean {
  return name === 'stdlib' || name === 'std' || name === 'toolchain';
}

/** The name as the system writes it; undefined if the purl lacks parts that its type requires. */
function join(system: System, path: readonly string[], name: string): string | undefined {
  const [first, ...rest] = path;
  switch (system) {
    case 'GO':
      return [...path, name].join('/');
    case 'NPM':
      // Forgiving writers put a scoped name, encoded, into the name alone: `pkg:npm/%40babel%2Ftraverse`.
      if (first === undefined) return name.startsWith('@') === name.includes('/') ? name : undefined;
      return first.startsWith('@') && rest.length === 0 && !name.includes('/') ? `${first}/${name}` : undefined;
    case 'MAVEN':
      return first !== undefined && rest.length === 0 ? `${first}:${name}` : undefined;
    case 'CARGO':
    case 'PYPI':
    case 'NUGET':
      return first === undefined ? name : undefined;
  }
}

/** Most purls: nothing in them is encoded but the `@` of a scope. A name may not look like a path. */
const plainPurl = /^pkg:([a-z]+)\/(?:((?:%40)?\w[\w.-]*(?:\/\w[\w.-]*)*)\/)?(\w[\w.-]*)(?:@(\w[\w.-]*))?$/;

/**
 * Splits a purl with the library's parser, without its rules of types. Plain purls are split by an expression, since an
 * SBOM has thousands.
 */
function split(text: string): ReturnType<typeof PackageURL.parseString> | undefined {
  const [, type, namespace, name, version] = plainPurl.exec(text) ?? [];
  if (name !== undefined) return [type, namespace?.replace('%40', '@'), name, version, undefined, undefined];
  try {
    return PackageURL.parseString(text);
  } catch {
    return undefined;
  }
}

function invalid(reason: string): PurlReading & { readonly kind: 'invalid' } {
  return { kind: 'invalid', reason };
}
