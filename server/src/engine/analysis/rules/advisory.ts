import * as l10n from '@vscode/l10n';
import { versioning } from '../../ecosystems/versioning.ts';
import { conflictOf, type EvaluatedDependency, type UnusualFix } from '../../model/evaluated-dependency.ts';
import { packageId } from '../../model/keys.ts';
import { byRating, isMalware, type Rated, type Rating, ratedText, ratingOf } from '../../model/severity-rating.ts';
import type { Advisory } from '../../model/signals/advisory.ts';
import type { TargetVerdict } from '../../model/verdict.ts';
import { ageText, heldBackText } from './cooldown-text.ts';
import type { Rule } from './rule.ts';

/** Advisories listed below one message. The hover links to more. */
const MAX_LISTED_ADVISORIES = 10;

/** The resolved version itself has known advisories; those of its dependencies do not count. */
export const advisory: Rule = {
  code: 'advisory',
  find(evaluated, { recommended, blocked, isWithoutFix, unusualFix }) {
    const { resolution, advisories, heldFix } = evaluated;
    const [worst] = bySeverity(advisories);
    if (resolution.kind !== 'version' || worst === undefined || advisories.some(isAwaited)) return undefined;
    const { rating } = ratedOf(worst);
    const better = recommended ?? blocked;
    const wayOut =
      better !== undefined && better.fixed >= advisories.length
        ? fixedText(evaluated, better)
        : isWithoutFix && !heldFix
          ? l10n.t('no fix')
          : unusualFix && !heldFix
            ? unusualFixText(unusualFix)
            : '';
    const message = [
      `${[countText(advisories, worst), wayOut].filter((it) => it !== '').join(', ')}.`,
      heldFix && (better === undefined || better.fixed < advisories.length)
        ? l10n.t('{0} fixes it, and is kept back: {1}.', heldFix.version, heldBackText(heldFix))
        : '',
      conflictText(evaluated),
    ];
    return {
      severity: rating === 'critical' || rating === 'high' ? 'error' : 'warning',
      message: message.filter((it) => it !== '').join(' '),
      details: bySeverity(advisories).slice(0, MAX_LISTED_ADVISORIES).map(describe),
    };
  },
};

/**
 * `fixed in 4.17.21` is what the records say; of another version it is only known that none of them affects it. A young
 * one is no safer than another young version: a person should know.
 */
function fixedText(evaluated: EvaluatedDependency, { version, age, kinds }: TargetVerdict): string {
  const text = [
    version,
    ...(age === undefined ? [] : [ageText(age)]),
    ...(kinds.includes('safe') && isSampled(evaluated) ? [nearestKnownText()] : []),
  ].join(', ');
  return isNamedFix(evaluated, version) ? l10n.t('fixed in {0}', text) : l10n.t('not affected: {0}', text);
}

/** Of a version that may not be the nearest one, since the service knows only some. */
export function nearestKnownText(): string {
  return l10n.t('nearest that the service knows');
}

export function isSampled({ package: list }: EvaluatedDependency): boolean {
  return list?.state === 'ready' && list.value.isSample === true;
}

/** Whether the records of all advisories together name a version as the first one without them. */
function isNamedFix({ linked, resolution, advisories, shared }: EvaluatedDependency, version: string): boolean {
  if (resolution.kind !== 'version') return false;
  const { compare } = versioning[linked.key.system];
  const packages = new Set((shared?.users.map((it) => it.linked) ?? [linked]).map((it) => packageId(it.key)));
  const bounds = advisories.map(({ facts }) => {
    const named = facts.state === 'ready' ? (facts.value.fixed ?? []) : [];
    const [first] = named
      .flatMap((it) => (packages.has(packageId(it.key)) ? it.versions : []))
      .filter((it) => compare(it, resolution.version) > 0)
      .sort(compare);
    return first;
  });
  const [last] = bounds.flatMap((it) => it ?? []).sort((a, b) => compare(b, a));
  return last !== undefined && !bounds.includes(undefined) && compare(last, version) === 0;
}

/** Why the packages that share a version stay; `''` if they do not. */
export function conflictText(evaluated: EvaluatedDependency): string {
  const conflict = conflictOf(evaluated);
  return conflict ? l10n.t('No common version: {0}.', conflict.reason) : '';
}

/** A clause: `no fixed stable version; 2.0.0-rc.1 fixes it` */
export function unusualFixText({ version, kind, requires = '' }: UnusualFix): string {
  if (kind === 'unsupported') return l10n.t('{0} fixes it, but is for {1}', version, requires);
  return kind === 'pre-release'
    ? l10n.t('no fixed stable version; {0} fixes it', version)
    : l10n.t('only the deprecated {0} fixes it', version);
}

/**
 * Whether its details may arrive any moment, and with them the severity of a finding. Such a finding is not reported yet:
 * each is reported once, with its final severity, or says that it is being looked up.
 */
function isAwaited({ facts }: Advisory): boolean {
  return facts.state === 'pending' && !facts.isLate;
}

/** `3 vulnerabilities, worst high 7.4` */
function countText(all: readonly Advisory[], worst: Advisory): string {
  if (!isCountKnown(all)) return l10n.t('Vulnerabilities, severity is being looked up');
  const severity = severityText(worst);
  if (all.length === 1) return l10n.t('1 vulnerability, {0}', severity);
  return l10n.t('{0} vulnerabilities, worst {1}', all.length, severity);
}

/** `high 7.4`, `unrated`; `being looked up` while it is requested */
export function severityText(advisory: Advisory): string {
  if (advisory.facts.state === 'pending' && !isMalware(advisory)) return l10n.t('being looked up');
  return ratedText(ratedOf(advisory));
}

/** Whether the number of vulnerabilities is known: before, aliases may be counted separately. */
export function isCountKnown(all: readonly Advisory[]): boolean {
  return all.every((it) => it.facts.state !== 'pending');
}

/** Worst first; those without a rating last. */
export function bySeverity(all: readonly Advisory[]): Advisory[] {
  return [...all].sort((a, b) => bySeverityOf(a, b) || (a.id < b.id ? -1 : 1));
}

/** The worse one first. */
export function bySeverityOf(a: Advisory, b: Advisory): number {
  return byRating(ratedOf(a), ratedOf(b));
}

/** The rating of the worst; undefined without any, and while one of them is being looked up. */
export function worstRatingOf(all: readonly Advisory[]): Rating | undefined {
  const [worst] = bySeverity(all);
  return worst === undefined || !isCountKnown(all) ? undefined : ratedOf(worst).rating;
}

export function ratedOf(advisory: Advisory): Rated {
  const { score, level, isExploited } = advisory.facts.state === 'ready' ? advisory.facts.value : {};
  const rating = score === undefined ? (level ?? 'unrated') : ratingOf(score);
  return {
    rating: isMalware(advisory) ? 'malicious' : rating,
    ...(score !== undefined && { score }),
    ...(isExploited && { exploited: true }),
  };
}

/** `GHSA-… high 7.4: Prototype pollution` */
function describe(it: Advisory): string {
  const title = it.facts.state === 'ready' ? it.facts.value.title : '';
  return [`${it.id} ${severityText(it)}`, ...(title ? [title] : [])].join(': ');
}
