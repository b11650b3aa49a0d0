import type { RangeReading, Versioning } from '../../model/versioning.ts';
import { compareParsed } from '../shared/parsed-versions.ts';
import { comparePep440, isPrerelease, type Pep440, parsePep440, printPep440 } from './pep440.ts';
import { rewriteSpecifier } from './rewrite.ts';
import { admitsPrereleases, meetsAll, meetsAny, readAlternatives } from './specifiers.ts';

/** Versions of PyPI: PEP 440, as pip reads it, and the ranges that Poetry adds to it. */
export const pypi: Versioning = {
  system: 'PYPI',
  compare,
  satisfies,
  keeps,
  read,
  pick,
  isStable,
  canonical,
  rewrite: rewriteSpecifier,
};

function compare(a: string, b: string): number {
  return compareParsed(a, b, parsePep440, comparePep440);
}

function satisfies(text: string, range: string): boolean {
  const alternatives = readAlternatives(range);
  if (alternatives === undefined) return false;
  const version = parsePep440(text);
  const isPassedOver = version !== undefined && isPrerelease(version);
  return meetsAny(isPassedOver ? alternatives.filter(admitsPrereleases) : alternatives, text, version);
}

/** A pre-release that is locked stays, whatever the range names. Source: uv, pip 26 and packaging 26, Poetry. */
function keeps(text: string, range: string): boolean {
  const alternatives = readAlternatives(range);
  return alternatives !== undefined && meetsAny(alternatives, text, parsePep440(text));
}

function read(range: string): RangeReading {
  const alternatives = readAlternatives(range);
  if (alternatives === undefined) return { kind: 'invalid' };
  if (alternatives.some((it) => it.length === 0)) return { kind: 'any' };
  const [clauses = [], another] = alternatives;
  if (another !== undefined) return { kind: 'range' };
  const pin = clauses.find(
    (it) =>
      (it.operator === '===' || (it.operator === '==' && !it.wildcard)) &&
      meetsAll(clauses, it.text, parsePep440(it.text)),
  );
  return pin ? { kind: 'pin', version: pin.text, exact: true } : { kind: 'range' };
}

/** The highest that satisfies. Pre-releases count where the specifier names one, or where nothing else satisfies. */
function pick(range: string, versions: readonly string[]): string | undefined {
  const alternatives = readAlternatives(range);
  if (alternatives === undefined) return undefined;
  const admitting = alternatives.filter(admitsPrereleases);
  let best: { readonly text: string; readonly version: Pep440; readonly passedOver: boolean } | undefined;
  let unordered: string | undefined;
  for (const text of versions) {
    const version = parsePep440(text);
    if (!meetsAny(alternatives, text, version)) continue;
    if (version === undefined) {
      // Met by `===` alone.
      unordered ??= text;
      continue;
    }
    const passedOver = isPrerelease(version) && !meetsAny(admitting, text, version);
    if (best === undefined || (best.passedOver && !passedOver)) best = { text, version, passedOver };
    else if (best.passedOver === passedOver && comparePep440(version, best.version) > 0)
      best = { text, version, passedOver };
  }
  return best?.text ?? unordered;
}

function isStable(text: string): boolean {
  const version = parsePep440(text);
  return version !== undefined && !isPrerelease(version);
}

/** The service pads to three numbers. Text that is no version stays as it is. */
function canonical(text: string): string {
  const version = parsePep440(text);
  return version === undefined ? text : printPep440(version, 3);
}
