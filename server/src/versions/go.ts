import * as l10n from '@vscode/l10n';
import type SemVer from 'semver/classes/semver.js';
import semverCompare from 'semver/functions/compare.js';
import parse from 'semver/functions/parse.js';
import type { RangeReading, Rewrite, Versioning } from '../model/versioning.ts';
import { refuse } from './comparators.ts';
import { remembered } from './remembered.ts';

/**
 * Go modules state minimums: `v1.2.3` stands for itself until another module asks for more. There are no ranges, and
 * a version that is a commit, a pseudo-version, stands in no list.
 */
export const go: Versioning = {
  system: 'GO',
  compare,
  satisfies: (version, range) =>
    parseGo(version) !== undefined && parseGo(range) !== undefined && compare(version, range) >= 0,
  read,
  pick,
  isStable: (version) => parseGo(version)?.prerelease.length === 0,
  canonical: (version) => version.trim(),
  rewrite,
};

/** `+incompatible` says nothing about the order. */
function compare(a: string, b: string): number {
  const left = parseGo(a);
  const right = parseGo(b);
  if (left && right) return semverCompare(left, right);
  return left ? 1 : right ? -1 : a < b ? -1 : a > b ? 1 : 0;
}

function read(range: string): RangeReading {
  const text = range.trim();
  if (parseGo(text)) return { kind: 'pin', version: text, exact: false };
  // What the go command replaces by a version: `latest`, `upgrade`, `patch`, a branch, a commit.
  const query = /^(?!v\d)[A-Za-z\d][\w./-]*$/.test(text) && !/^\d+\./.test(text);
  return query ? { kind: 'tag' } : { kind: 'invalid' };
}

function pick(range: string, versions: readonly string[]): string | undefined {
  const wanted = range.trim();
  if (!parseGo(wanted)) return undefined;
  return (
    versions.find((it) => it === wanted) ??
    versions.find((it) => compare(it, wanted) === 0) ??
    (isPseudo(wanted) ? wanted : undefined)
  );
}

function rewrite(range: string, version: string): Rewrite {
  const target = version.startsWith('v') ? version : `v${version}`;
  if (!parseGo(target)) return refuse(l10n.t('{0} is not a version', version));
  if (read(range).kind === 'invalid') return refuse(l10n.t('it is not a version that can be read'));
  const text = range.trim();
  return target === text
    ? refuse(l10n.t('it already names {0}', target))
    : { ok: true, text: range.replace(text, () => target) };
}

/** A version made from a commit: `v0.0.0-20191109021931-daa7c04131f5`. Source: the Go modules reference, pseudo-versions. */
function isPseudo(version: string): boolean {
  return /^v\d+\.(?:0\.0-|\d+\.\d+-(?:[\w.-]*\.)?0\.)\d{14}-[\da-f]{12}(?:\+[\w.-]+)?$/.test(version);
}

/** Go wants the `v`, all three numbers, and no leading zeros. */
const parseGo = remembered((version): SemVer | undefined => (/^v\d/.test(version) && parse(version)) || undefined);
