import * as l10n from '@vscode/l10n';
import { type RangeReading, type Rewrite, refuse, type Versioning } from '../../model/versioning.ts';
import { memoize } from '../shared/parsed-versions.ts';
import { compareReleases, compareSemantic, readLabels, readParts, type Semantic } from '../shared/semver.ts';

/**
 * Go modules state minimums: `v1.2.3` stands for itself until another module asks for more. There are no ranges, and
 * a version that is a commit, a pseudo-version, stands in no list. What else may stand in a go.mod is a query, which
 * the go command replaces by a version as soon as it writes the file.
 *
 *     v1.2         the highest release of v1.2, else its highest pre-release
 *     >=v1.2.3     the lowest there is from v1.2.3 on
 *     <v1.2.3      the highest there is below it
 *     latest       likewise master, or a commit: only the origin knows
 */
export const go: Versioning = {
  system: 'GO',
  compare,
  satisfies,
  keeps: satisfies,
  read,
  pick,
  isStable: (version) => parseGoVersion(version)?.labels.length === 0,
  canonical,
  rewrite,
};

/** `+incompatible` says nothing about the order. Texts that are no versions are all one, as in golang.org/x/mod/semver. */
function compare(a: string, b: string): number {
  const left = parseGoVersion(a);
  const right = parseGoVersion(b);
  return left && right ? compareSemantic(left, right) : Number(left !== undefined) - Number(right !== undefined);
}

function canonical(text: string): string {
  const version = parseGoVersion(text.trim());
  return version ? formatGoVersion(version) : text.trim();
}

type Query =
  | { readonly kind: 'version' }
  /** `v1` or `v1.2`. */
  | { readonly kind: 'prefix'; readonly bound: GoVersion }
  | { readonly kind: 'bound'; readonly operator: '>' | '>=' | '<' | '<='; readonly bound: GoVersion }
  | { readonly kind: 'name' };

function readQuery(text: string): Query | undefined {
  const [, operator, rest = ''] = /^([<>]=?)?(.*)$/s.exec(text) ?? [];
  const version = parseGoVersion(rest);
  if (operator) {
    // `>v1.2` could mean after v1.2.0, or after all of v1.2: Go wants it said.
    if (version === undefined || (version.written < 3 && (operator === '>' || operator === '<='))) return undefined;
    return { kind: 'bound', operator: operator as '>' | '>=' | '<' | '<=', bound: version };
  }
  if (version) return version.written === 3 ? { kind: 'version' } : { kind: 'prefix', bound: version };
  // `latest`, `upgrade`, `patch`, a branch, a commit.
  const isName = /^(?!v\d)[A-Za-z\d][\w./-]*$/.test(text) && !/^\d+\./.test(text);
  return isName ? { kind: 'name' } : undefined;
}

function satisfies(text: string, range: string): boolean {
  const version = parseGoVersion(text);
  const query = readQuery(range.trim());
  if (version === undefined) return false;
  switch (query?.kind) {
    case 'version':
      return compare(text, range.trim()) >= 0;
    case 'prefix':
      // Another module may ask for more, so the start of the prefix is a minimum like any other.
      return compareSemantic(version, query.bound) >= 0;
    case 'bound':
      return meets(version, query);
    case 'name':
    case undefined:
      return false;
  }
}

function meets(version: GoVersion, { operator, bound }: Query & { readonly kind: 'bound' }): boolean {
  const order = compareSemantic(version, bound);
  switch (operator) {
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
  }
}

function read(range: string): RangeReading {
  const text = range.trim();
  switch (readQuery(text)?.kind) {
    case 'version':
      return { kind: 'pin', version: text, exact: false };
    case 'prefix':
    case 'bound':
      return { kind: 'range' };
    case 'name':
      return { kind: 'tag' };
    case undefined:
      return { kind: 'invalid' };
  }
}

function pick(range: string, versions: readonly string[]): string | undefined {
  const wanted = range.trim();
  const query = readQuery(wanted);
  switch (query?.kind) {
    case 'version':
      return (
        versions.find((it) => it === wanted) ??
        versions.find((it) => compare(it, wanted) === 0) ??
        (isPseudoVersion(wanted) ? wanted : undefined)
      );
    case 'prefix': {
      const { bound } = query;
      return best(
        versions,
        1,
        (it) => compareReleases(it, bound, bound.written) === 0 && compareSemantic(it, bound) >= 0,
      );
    }
    case 'bound':
      return best(versions, query.operator.startsWith('<') ? 1 : -1, (it) => meets(it, query));
    case 'name':
    case undefined:
      return undefined;
  }
}

/** The highest (`sign` 1) or lowest (-1) version that will do. Pre-releases count where no release will do. */
function best(versions: readonly string[], sign: 1 | -1, willDo: (it: GoVersion) => boolean): string | undefined {
  let chosen: { readonly text: string; readonly version: GoVersion } | undefined;
  for (const text of versions) {
    const version = parseGoVersion(text);
    if (version === undefined || !willDo(version)) continue;
    const release = Number(version.labels.length === 0) - Number(chosen?.version.labels.length === 0);
    if (!chosen || release > 0 || (release === 0 && sign * compareSemantic(version, chosen.version) > 0)) {
      chosen = { text, version };
    }
  }
  return chosen?.text;
}

/** A query is replaced by a version, as the go command itself does. */
function rewrite(range: string, version: string): Rewrite {
  const target = version.startsWith('v') ? version : `v${version}`;
  if (parseGoVersion(target)?.written !== 3) return refuse(l10n.t('invalid version: {0}', version));
  if (read(range).kind === 'invalid') return refuse(l10n.t('invalid version'));
  const text = range.trim();
  return target === text
    ? refuse(l10n.t('it already names {0}', target))
    : { ok: true, text: range.replace(text, () => target) };
}

/** `v1.2.3-rc.1+incompatible`, taken apart. Numbers that are left out are zero. */
export interface GoVersion extends Semantic {
  /** How many of the three numbers are written. */
  readonly written: 1 | 2 | 3;
}

const shape = /^v(0|[1-9]\d*)(?:\.(0|[1-9]\d*)(?:\.(0|[1-9]\d*)(?:-([\dA-Za-z.-]+))?(?:\+([\dA-Za-z.-]+))?)?)?$/;

/** Semantic Versioning with a `v`, where `v1` and `v1.2` stand for `v1.0.0` and `v1.2.0`. Source: golang.org/x/mod/semver. */
export const parseGoVersion = memoize((text): GoVersion | undefined => {
  const [, major, minor, patch, labelled, built] = shape.exec(text) ?? [];
  const labels = readLabels(labelled);
  const build = readParts(built);
  if (major === undefined || labels === undefined || build === undefined) return undefined;
  const written = minor === undefined ? 1 : patch === undefined ? 2 : 3;
  return { numbers: [major, minor ?? '0', patch ?? '0'], written, labels, build };
});

/** All three numbers, without build metadata but for the mark that Go itself sets. Source: golang.org/x/mod/module. */
export function formatGoVersion({ numbers, labels, build }: GoVersion): string {
  const mark = build.join('.') === 'incompatible' ? '+incompatible' : '';
  return `v${numbers.join('.')}${labels.length > 0 ? `-${labels.join('.')}` : ''}${mark}`;
}

/** A version made from a commit: `v0.0.0-20191109021931-daa7c04131f5`. Source: golang.org/x/mod/module, pseudo-versions. */
export function isPseudoVersion(text: string): boolean {
  const shaped = /^v\d+\.(?:0\.0-|\d+\.\d+-(?:[^+]*\.)?0\.)\d{14}-[\dA-Za-z]+(?:\+[\dA-Za-z.-]+)?$/.test(text);
  return shaped && parseGoVersion(text) !== undefined;
}
