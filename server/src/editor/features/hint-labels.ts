import * as l10n from '@vscode/l10n';
import { recommendedFix } from '../../engine/analysis/fixes.ts';
import { bySeverity, isCountKnown, ratedOf } from '../../engine/analysis/rules/advisory.ts';
import { isUnknown } from '../../engine/analysis/rules/not-found.ts';
import { licenseInShort, verdictOf } from '../../engine/analysis/verdict.ts';
import { conflictOf, type EvaluatedDependency, factsOf } from '../../engine/model/evaluated-dependency.ts';
import { rowOf, type VersionSummary } from '../../engine/model/facts.ts';
import type { AffectedBelow } from '../../engine/model/graph/below.ts';
import type { HintMarks, HintPart, Settings } from '../../engine/model/settings.ts';
import { allRatings, isMalware, type Rating, ratingText, suspicions } from '../../engine/model/severity-rating.ts';
import type { TargetVerdict, Verdict } from '../../engine/model/verdict.ts';
import { activeBelow, findIgnore, ignoredCount, isDeprecationIgnored } from '../../engine/policy/ignores.ts';
import { withheldInShort } from './hover/lookup-status.ts';

export interface Label {
  /** With its separator: `⚠ high → ` */
  readonly before: string;
  /** `4.17.21`; `''` for none */
  readonly target: string;
  /** What gives way to the target, with its separator: ` · 3 vulnerabilities` */
  readonly rest?: string;
  /** When an update is scheduled, with its separator: ` · scheduled Tue 24 Nov 14:00` */
  readonly after?: string;
  /** Set if a shorter label says as much, or leaves room for the target. */
  readonly isExtra?: boolean;
}

export function lengthOf({ before, target, rest = '', after = '' }: Label): number {
  return before.length + target.length + rest.length + after.length;
}

/**
 * The labels of a hint, longest first; empty while nothing is known. Shorter ones omit first what repeats the text, then the
 * license, then counts. The severity and the target, or that there is none, are in all of them, and so is what a person
 * would otherwise take for sound: `deprecated`, `not checked`, `2 ignored`.
 */
export function labelsOf(evaluated: EvaluatedDependency, settings: HintSettings): readonly Label[] {
  const { hintMarks: marks, hintParts: parts } = settings;
  const { resolution, linked, shared } = evaluated;
  if (shared && resolution.kind !== 'version') return [];
  const withheld = withheldInShort(evaluated);
  if (withheld !== '') return [{ before: withheld, target: '' }];
  if (evaluated.isNewName) return [{ before: problemMarked(l10n.t('no such package?'), marks), target: '' }];
  if (!shared && isUnknown(evaluated)) return [{ before: l10n.t('unknown'), target: '' }];
  const verdict = verdictOf(evaluated);
  const isShown = (it: HintPart): boolean => parts.includes(it);
  const target = isShown('target') ? shownTarget(evaluated, verdict, marks) : '';
  const label = (head: readonly string[], rest: readonly string[] = []): Label => labelWith(target, head, rest, marks);
  if (resolution.kind === 'no-match') return [label([`${marks.problem} ${l10n.t('no matching version')}`.trim()])];
  if (isRefused(evaluated)) return [{ before: problemMarked(l10n.t('invalid requirement'), marks), target: '' }];
  if (resolution.kind !== 'version') return [];
  const facts = factsOf(evaluated);
  const listed = facts === undefined ? listedVersion(evaluated) : undefined;
  if (facts === undefined && listed === undefined && !verdict.isMalicious) return [];
  const { requirement } = linked;
  const isWritten = requirement.kind === 'text' && requirement.text.includes(resolution.version);
  const problems = problemsOf(evaluated, verdict, settings);
  const resolved = isShown('version') ? resolution.version : '';
  const version = isWritten ? '' : resolved;
  if (shared) {
    const moved = shared.count > 1 ? l10n.t('{0} dependencies', shared.count) : '';
    // A line that nothing is wrong with, and that no update concerns, is left alone.
    if (problems === undefined && target === '') return [];
    if (problems === undefined) return [label([moved]), label([])];
    const { head, kept, counts } = problems;
    return [label([head], [...kept, ...counts, moved]), label([head], [...kept, ...counts]), label([head], kept)];
  }
  if (listed?.isDeprecated && !isDeprecationIgnored(evaluated))
    return [{ before: `${problemMarked(l10n.t('deprecated'), marks)} · ${UNCHECKED}`, target: '' }];
  if (problems !== undefined) {
    const { head, kept, counts } = problems;
    const fewer = counts.map((_, at) => counts.slice(0, counts.length - at - 1));
    const now =
      version === '' ? '' : l10n.t({ message: 'now {0}', args: [version], comment: 'in a hint: the version in use' });
    return [[...counts, now], counts, ...fewer].map((it) => label([head], [...kept, ...it]));
  }
  const license = facts === undefined ? UNCHECKED : isShown('license') ? licenseInShort(facts) : '';
  const unchecked = uncheckedInShort(evaluated);
  const ignored = ignoredInShort(evaluated);
  const { uri, at } = (requirement.kind === 'text' && requirement.place) || {};
  const isRepeated = isWritten && uri === linked.uri && at?.span.start === linked.span.start;
  const shorter = label([version, license, unchecked], ignored);
  const forms = [
    { ...label([resolved, license, unchecked], ignored), isExtra: isRepeated && lengthOf(shorter) > 0 },
    { ...shorter, isExtra: target !== '' },
    label([version, facts === undefined ? UNCHECKED : unchecked], ignored),
    ...(facts === undefined || (ignored.length === 0 && unchecked === '') ? [] : [label([unchecked], ignored)]),
  ];
  // Something remains: a line without a hint looks as if it had not been looked up.
  return forms.filter((it, at) => at === 0 || lengthOf(it) > 0);
}

/** `⚠ high → 4.17.21 · 3 vulnerabilities`; without a target what is left of it, with one separator */
function labelWith(target: string, head: readonly string[], rest: readonly string[], marks: HintMarks): Label {
  const join = (texts: readonly string[]): string => texts.filter((it) => it !== '').join(' · ');
  if (target === '') return { before: join([...head, ...rest]), target };
  const after = join(rest);
  return {
    before: `${join(head)} ${marks.target}`.trim().concat(' ').trimStart(),
    target,
    ...(after !== '' && { rest: ` · ${after}` }),
  };
}

/** Whether its client refuses the requirement of a dependency. Of what a tool has written it is not checked. */
export function isRefused({ linked, resolution }: EvaluatedDependency): boolean {
  return resolution.kind === 'none' && resolution.refused !== undefined && !linked.isRecorded;
}

/** Whether the setting keeps the range of a dependency from the version to move to. */
function isOutOfRange(evaluated: EvaluatedDependency): boolean {
  return evaluated.boundedRanges === 'never' && recommendedFix(evaluated)?.move.ok === false;
}

/** The version to move to; `''` for none, for a lower one that is no way out, and where the setting keeps the range */
function shownTarget(evaluated: EvaluatedDependency, verdict: Verdict, marks: HintMarks): string {
  const { recommended, isMalicious } = verdict;
  const { resolution } = evaluated;
  if (recommended === undefined || isOutOfRange(evaluated)) return '';
  const mayGoBack = isMalicious || resolution.kind === 'no-match';
  return recommended.isDowngrade && !mayGoBack ? '' : targetText(recommended, marks);
}

/**
 * In place of the license while only the list of versions is known: neither it nor advisories were checked.
 *
 *     "chalk": "^5.3.0"      5.3.0 · … → 5.6.2
 */
const UNCHECKED = '…';

/** The resolved version in the list, while its own facts are requested. */
function listedVersion({
  resolution,
  version,
  package: list,
  shared,
}: EvaluatedDependency): VersionSummary | undefined {
  if (shared || resolution.kind !== 'version' || version?.state !== 'pending' || list?.state !== 'ready')
    return undefined;
  return rowOf(list.value.versions, resolution.version);
}

/** `not checked`, where whoever answers does not know the vulnerabilities of a version, and it would pass for sound. */
function uncheckedInShort({ linked: { key }, version }: EvaluatedDependency): string {
  const isUnchecked = version?.state === 'ready' && (version.value.areAdvisoriesUnknown || key.registry !== undefined);
  return isUnchecked ? l10n.t('not checked') : '';
}

/** Why there is no version to move to. */
function endingOf(evaluated: EvaluatedDependency, { isWithoutFix, unusualFix, fixUnknown }: Verdict): string {
  if (isWithoutFix) return l10n.t('no fix');
  if (isOutOfRange(evaluated)) return l10n.t('no fix in range');
  if (unusualFix?.kind === 'unsupported') return l10n.t('no fix for this project');
  if (unusualFix) return unusualFix.kind === 'pre-release' ? l10n.t('no stable fix') : l10n.t('only a deprecated fix');
  if (fixUnknown !== undefined) return l10n.t('fix unknown');
  return conflictOf(evaluated) ? l10n.t('no common version') : '';
}

export type HintSettings = Pick<Settings, 'hintMarks' | 'hintParts'>;

/** `4.17.21`, `5.0.0 (major)`, `go back to 1.0.0` */
function targetText({ version, step, isDowngrade }: TargetVerdict, { major }: HintMarks): string {
  if (isDowngrade) return l10n.t({ message: 'go back to {0}', args: [version], comment: 'in a hint' });
  return step === 'major' && major !== '' ? `${version} ${major}` : version;
}

interface Problems {
  /** With the mark: `⚠ high`, `⛔ malicious`, `⚠ critical transitive`, `⚠ deprecated` */
  readonly head: string;
  /** What no form omits. */
  readonly kept: readonly string[];
  /** `3 vulnerabilities`, `2 transitive`: the last one gives way first. */
  readonly counts: readonly string[];
}

/** What is wrong, of the version itself or of what it brings: the worst of both first. Undefined if nothing is. */
function problemsOf(
  evaluated: EvaluatedDependency,
  verdict: Verdict,
  { hintMarks: marks, hintParts }: HintSettings,
): Problems | undefined {
  const isShown = (it: HintPart): boolean => hintParts.includes(it);
  const { advisories, isCountKnown, isDeprecated, isLicenseDenied } = verdict;
  const flaws = advisories.filter((it) => !isMalware(it));
  const below = isShown('below') ? affectedBelow(evaluated) : [];
  const malware = malwareInShort(evaluated, verdict);
  const isBelowFirst = malware === '' ? isWorseBelow(verdict, below) : !verdict.isMalicious;
  const severity = malware === '' && isShown('severity') ? severityInShort(verdict, isBelowFirst ? below : []) : '';
  const facts = [isDeprecated ? l10n.t('deprecated') : '', isLicenseDenied ? l10n.t('license denied') : ''];
  const counts = [
    isShown('advisories') && flaws.length > 0 ? vulnerabilitiesInShort(flaws.length, isCountKnown) : '',
    below.length === 0 ? '' : isBelowFirst ? packagesInShort(below.length) : transitiveInShort(below.length),
  ];
  const all = [malware, severity, ...facts, ...counts].filter((it) => it !== '');
  const [first] = all;
  if (first === undefined) return undefined;
  const isOther = (it: string): boolean => it !== '' && it !== first;
  return {
    head: malware === '' ? problemMarked(first, marks) : `${MALICIOUS} ${malware}`,
    kept: [...facts.filter(isOther), endingOf(evaluated, verdict), ...ignoredInShort(evaluated)],
    counts: counts.filter(isOther),
  };
}

/** `high`; `critical transitive` if what it brings is worse; `''` while the severity is being looked up */
function severityInShort({ advisories, worst }: Verdict, worse: readonly AffectedBelow[]): string {
  const below = ratingBelow(worse);
  if (below !== undefined) return transitiveText(ratingText(below));
  return advisories.length > 0 && worst && worst.rating !== 'malicious' ? ratingText(worst.rating) : '';
}

/** Whether what it brings is worse than the version itself. False while the severity of either is being looked up. */
function isWorseBelow({ advisories, worst }: Verdict, below: readonly AffectedBelow[]): boolean {
  const rating = ratingBelow(below);
  if (rating === undefined || rating === 'malicious' || (advisories.length > 0 && worst === undefined)) return false;
  return worst === undefined || allRatings.indexOf(rating) < allRatings.indexOf(worst.rating);
}

function ratingBelow(below: readonly AffectedBelow[]): Rating | undefined {
  const all = below.flatMap((it) => it.advisories);
  const [worst] = bySeverity(all);
  return worst && isCountKnown(all) ? ratedOf(worst).rating : undefined;
}

/** `malicious`, `malicious transitive`, or that it is only suspected; `''` without malware */
function malwareInShort({ advisories, below }: EvaluatedDependency, { isMalicious }: Verdict): string {
  const brought = (below?.affected ?? []).flatMap((it) => it.advisories);
  const all = [...advisories, ...brought].filter(isMalware);
  if (all.length === 0) return '';
  const isQuarantined = all.every((it) => it.id === suspicions.quarantined);
  const text = isQuarantined ? l10n.t({ message: 'malware suspected', comment: 'in a hint' }) : ratingText('malicious');
  return isMalicious ? text : transitiveText(text);
}

function transitiveText(severity: string): string {
  return l10n.t({
    message: '{0} transitive',
    args: [severity],
    comment: 'in a hint: the severity of what a dependency brings',
  });
}

/** Whatever marks and parts a person has chosen. */
const MALICIOUS = '⛔';

function problemMarked(text: string, { problem }: Pick<HintMarks, 'problem'>): string {
  return `${problem} ${text}`.trim();
}

/** `1 vulnerability`, `2 vulnerabilities`; without a number while aliases of one flaw may still be counted apart. */
function vulnerabilitiesInShort(count: number, isCountKnown: boolean): string {
  // These messages are separate because hints have little room.
  if (!isCountKnown) return l10n.t({ message: 'vulnerabilities', comment: 'in a hint' });
  return count === 1
    ? l10n.t({ message: '1 vulnerability', comment: 'in a hint' })
    : l10n.t({ message: '{0} vulnerabilities', args: [count], comment: 'in a hint' });
}

/** Packages with known vulnerabilities that the dependency brings; none where its finding about them is ignored. */
export function affectedBelow(evaluated: EvaluatedDependency): readonly AffectedBelow[] {
  if (findIgnore(evaluated.project, evaluated.linked.key, ['advisory-below'])) return [];
  return activeBelow(evaluated)?.affected ?? [];
}

/** `2 transitive` */
function transitiveInShort(count: number): string {
  return l10n.t({
    message: '{0} transitive',
    args: [count],
    comment: 'in a hint: the number of affected packages that a dependency brings',
  });
}

/** Of packages that are known to be brought: `2 packages`; `''` for one */
function packagesInShort(count: number): string {
  return count === 1 ? '' : l10n.t('{0} packages', count);
}

/** `2 ignored`: the findings that an ignore accepts; none for none */
function ignoredInShort(evaluated: EvaluatedDependency): readonly string[] {
  const count = ignoredCount(evaluated);
  return count === 0 ? [] : [l10n.t({ message: '{0} ignored', args: [count], comment: 'in a hint: findings' })];
}
