import * as l10n from '@vscode/l10n';
import { type Rewrite, refuse } from '../../model/versioning.ts';
import {
  comparePep440,
  isPrerelease,
  type Pep440,
  parsePep440,
  printPep440,
  printRelease,
  publicPart,
} from './pep440.ts';
import {
  admitsPrereleases,
  type Clause,
  heldNumbers,
  meetsAll,
  readAlternatives,
  readSpecifier,
  splitAlternatives,
} from './specifiers.ts';

/**
 * Moves a specifier. Where it joins several with `||`, that one is moved which holds the target already.
 *
 *     ^1.2 || ^2.0        to 2.3.4   is     ^1.2 || ^2.3
 */
export function rewriteSpecifier(range: string, target: string): Rewrite {
  const alternatives = splitAlternatives(range);
  if (alternatives.length === 1) return rewriteOne(range, target);
  if (readAlternatives(range) === undefined) return refuse(l10n.t('its requirement cannot be read'));
  const version = parsePep440(target);
  const held = alternatives.find(({ text }) => meetsAll(readSpecifier(text) ?? [], target, version));
  if (held === undefined) return refuse(l10n.t('none of the ranges it joins holds {0}', target.trim()));
  const moved = rewriteOne(held.text, target);
  if (!moved.ok) return moved;
  const end = held.start + held.text.length;
  return { ok: true, text: range.slice(0, held.start) + moved.text + range.slice(end) };
}

/**
 * Moves the one clause of a specifier that says where it starts. Everything else in it is a bound, and stays.
 *
 *     >= 1.2, <3, !=2.0   to 2.1     is     >= 2.1, <3, !=2.0
 *     ~=2.1               to 2.3.4   is     ~=2.3
 *     ==1.*               to 2.3.4   is     ==2.*
 *     ^1.2                to 2.3.4   is     ^2.3
 */
function rewriteOne(range: string, target: string): Rewrite {
  const clauses = readSpecifier(range);
  if (clauses === undefined) return refuse(l10n.t('its requirement cannot be read'));
  if (clauses.length === 0) return refuse(l10n.t('no version is written here'));
  const text = target.trim();
  const version = parsePep440(text);
  const found = movable(clauses, text, version);
  if (found.kind === 'none') return refuse(found.reason);
  const { clause } = found;
  if (version === undefined && clause.operator !== '===') return refuse(l10n.t('{0} is not a version', text));
  const bound = clauses.find((it) => it !== clause && !meetsAll([it], text, version));
  if (bound !== undefined) return refuse(l10n.t('its {0} leaves out {1}', spell(bound), text));
  const moved = move(clause, text, version);
  if (moved === undefined) return refuse(l10n.t('its {0} has too few numbers to say {1}', spell(clause), text));
  const rewritten = range.slice(0, clause.start) + moved + range.slice(clause.end);
  const result = readSpecifier(rewritten);
  if (result === undefined || !meetsAll(result, text, version))
    return refuse(l10n.t('its {0} cannot be moved to {1}', spell(clause), text));
  if (version && isPrerelease(version) && !admitsPrereleases(result)) return refuse(l10n.t('it takes no pre-releases'));
  return rewritten === range ? refuse(l10n.t('it already accepts {0}', text)) : { ok: true, text: rewritten };
}

type Movable = { readonly kind: 'one'; readonly clause: Clause } | { readonly kind: 'none'; readonly reason: string };

/**
 * The clause that says where a specifier starts: a pin before a floor, a floor before a compatible release, which then
 * is its bound, and that before a wildcard.
 */
function movable(clauses: readonly Clause[], text: string, version: Pep440 | undefined): Movable {
  const kinds: readonly ((it: Clause) => boolean)[] = [
    (it) => it.operator === '===' || (it.operator === '==' && !it.wildcard),
    (it) => it.operator === '>=',
    (it) => it.operator === '~=' || it.operator === '^' || it.operator === '~',
    (it) => it.operator === '==',
  ];
  for (const isKind of kinds) {
    const [clause, another] = clauses.filter(isKind);
    if (another !== undefined) return { kind: 'none', reason: l10n.t('it says more than once where it starts') };
    if (clause !== undefined) return { kind: 'one', clause };
  }
  if (clauses.some((it) => it.operator === '>')) {
    // What it names is left out, so nothing that could stand there would mean the target.
    const bound = clauses.find((it) => !meetsAll([it], text, version));
    const reason = bound
      ? l10n.t('its {0} leaves out {1}', spell(bound), text)
      : l10n.t('it already accepts {0}', text);
    return { kind: 'none', reason };
  }
  const below = clauses.find((it) => it.operator === '<' || it.operator === '<=');
  return {
    kind: 'none',
    reason: below ? l10n.t('it has only an upper bound, {0}', spell(below)) : l10n.t('it only leaves versions out'),
  };
}

/** The text that takes the place of a clause's version; undefined where its precision cannot say the target. */
function move(clause: Clause, text: string, version: Pep440 | undefined): string | undefined {
  if (clause.operator === '===') return text;
  if (version === undefined) return undefined;
  const { length } = clause.version.release;
  if (clause.wildcard) return printRelease(version, length) + clause.text.slice(-2);
  switch (clause.operator) {
    case '==':
      return text;
    case '>=':
      // Only an equality may have a local part.
      return text.replace(/\+.*$/s, '');
    case '~=':
      if (!isPrerelease(version)) return printRelease(version, length);
      return version.release.length > length ? undefined : printPep440({ ...version, local: [] }, length);
    case '^':
    case '~':
      return moveHolding(clause, clause.operator, version);
    default:
      return undefined;
  }
}

/** As many numbers as before; where they would say the same again, all of them, unless that lowers the bound. */
function moveHolding(clause: Clause, operator: '^' | '~', version: Pep440): string | undefined {
  const before = parsePep440(clause.text);
  const whole = printPep440({ ...version, local: [] });
  if (before && comparePep440(before, publicPart(version)) === 0) return clause.text;
  if (before === undefined || isPrerelease(version)) return whole;
  const kept = printRelease(version, before.release.length);
  if (kept !== clause.text) return kept;
  return heldNumbers(operator, before) === heldNumbers(operator, version) ? whole : kept;
}

function spell(clause: Clause): string {
  return clause.operator !== '===' && clause.bare ? clause.text : `${clause.operator}${clause.text}`;
}
