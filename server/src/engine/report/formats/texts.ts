import * as l10n from '@vscode/l10n';
import { withoutGroupMark, withoutLogCommands } from '../../base/log-commands.ts';
import { withoutHidden } from '../../base/text.ts';
import { type FindingCode, findingCodes, type Severity, severities, wordForCode } from '../../model/finding.ts';
import type { OldAnswer } from '../../model/lookups.ts';
import { advisoriesAsOfText, ratedText } from '../../model/severity-rating.ts';
import type {
  Coverage,
  CoverageBelow,
  ExcludedManifests,
  Failure,
  OldAnswers,
  PrivateDependencies,
  Report,
  ReportedFinding,
  ReportedFix,
  SyntaxProblem,
  Unchecked,
} from '../report.ts';
import type { PackageFindings } from './by-package.ts';

/**
 * Makes a text of a package safe to print. Control characters would control the terminal; characters that change the
 * text direction or are invisible would disguise a line. Line ends become spaces. The log of a CI runs no part of it.
 */
export function sanitize(text: string): string {
  return withoutGroupMark(withoutLogCommands(withoutHidden(text.replace(/[\r\n\t\u2028\u2029]+/g, ' '), '\ufffd')));
}

/** Escapes a text for Markdown. An address in it is not a link, either. */
export function escapeMarkdown(text: string): string {
  return sanitize(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/[\\`*_[\]~|#!]/g, '\\$&')
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/(?<=www)\./gi, '\\.')
    .replace(/(?<=[\w.+-])@(?=[\w-])/g, '\\@');
}

/** `3 look-ups failed: connection refused` */
export function failureText({ count, reason }: Failure): string {
  return count === 1
    ? l10n.t('1 lookup failed: {0}', sanitize(reason))
    : l10n.t('{0} lookups failed: {1}', count, sanitize(reason));
}

/** The same beside the summary, which has the one number of them: `lookups failed: connection refused` */
export function failureReasonText({ reason }: Failure): string {
  return l10n.t('lookups failed: {0}', sanitize(reason));
}

/** `3 repositories not checked: the rate limit is used up, until 14:00` */
export function repositoriesText({ count, reason }: Failure): string {
  return `${uncheckedRepositories(count)}: ${sanitize(reason)}`;
}

function uncheckedRepositories(count: number): string {
  return count === 1 ? l10n.t('1 repository not checked') : l10n.t('{0} repositories not checked', count);
}

/** `3 answers are up to 5 days old, and could not be asked for again` */
export function oldText({ count, since }: OldAnswers, at: string): string {
  const age = ageText(Date.parse(at) - Date.parse(since));
  return count === 1
    ? l10n.t('1 answer is {0} old and could not be refreshed', age)
    : l10n.t('{0} answers are up to {1} old and could not be refreshed', count, age);
}

/** `the answer is 5 days old, and could not be asked for again: connection refused` */
export function oldAnswerText({ at, reason }: OldAnswer, now: number): string {
  return l10n.t('the answer is {0} old and could not be refreshed: {1}', ageText(now - at), sanitize(reason));
}

const MINUTE = 60_000;
const hour = 60 * MINUTE;
const day = 24 * hour;

/** The age in the largest unit that gives at least two; less than a minute counts as one. */
function ageText(ms: number): string {
  if (ms >= 2 * day) return l10n.t('{0} days', Math.floor(ms / day));
  if (ms >= 2 * hour) return l10n.t('{0} hours', Math.floor(ms / hour));
  if (ms >= 2 * MINUTE) return l10n.t('{0} minutes', Math.floor(ms / MINUTE));
  return l10n.t('1 minute');
}

/** `not looked up, since names stay private: 3 dependencies from the registry npm.inside.example (.npmrc:2)` */
export function privateDependenciesText({ count, ...it }: PrivateDependencies): string {
  const origin = sanitize(placedIn(it.origin, it));
  if (it.isUndecided)
    return count === 1
      ? l10n.t('not looked up yet: 1 dependency')
      : l10n.t('not looked up yet: {0} dependencies', count);
  return count === 1
    ? l10n.t('not looked up to keep names private: 1 dependency from {0}', origin)
    : l10n.t('not looked up to keep names private: {0} dependencies from {1}', count, origin);
}

/** A phrase with the line of the configuration in the place of its name. */
function placedIn(phrase: string, { from = '', place }: Pick<PrivateDependencies, 'from' | 'place'>): string {
  // What follows may repeat the name in a reason.
  const behind = phrase.indexOf(`(${from})`);
  const at = behind >= 0 ? behind + 1 : phrase.lastIndexOf(from);
  if (place === undefined || from === '' || at < 0) return phrase;
  return `${phrase.slice(0, at)}${place.path}:${place.line}${phrase.slice(at + from.length)}`;
}

/** More are no matter of one choice. */
const MAX_HOSTS = 5;

/**
 * What to choose where one line of a configuration withholds more dependencies than any other, although they may come from
 * elsewhere; empty where none does.
 */
export function withholdingLineHints({ withheld }: Pick<Report, 'withheld'>): string[] {
  const [most] = withheld;
  const line = most?.place ?? most?.mostlyAt;
  if (line === undefined || !most?.beside) return [];
  const place = sanitize(`${line.path}:${line.line}`);
  const beside = most.host === undefined ? [] : withheld.filter((it) => it.beside);
  const named = beside.flatMap(({ host, otherHosts = [] }) => (host === undefined ? [] : [host, ...otherHosts]));
  const hosts = [...new Set(named)].slice(0, MAX_HOSTS).map(sanitize);
  const options = hosts.map((it) => `--public-registry ${it}`).join(' ');
  const said =
    hosts.length === 0
      ? l10n.t('{0} keeps these names private: restrict that registry there to its own packages', place)
      : hosts.length === 1
        ? l10n.t(
            '{0} keeps these names private: if {1} contains only public packages, add {2}; otherwise restrict it there to its own packages',
            place,
            hosts.join(),
            options,
          )
        : l10n.t(
            '{0} and other registries keep these names private: if they contain only public packages, add {1}; otherwise restrict them to their own packages',
            place,
            options,
          );
  return [said];
}

/**
 * Advice where the service does not list public registries; empty where it does, or where no dependency was withheld.
 */
export function publicRegistryHints({ withheld }: Pick<Report, 'withheld'>): string[] {
  const said = l10n.t(
    'the service reports no public registries; list them with {0}, or in the setting {1}',
    '--public-registry HOST',
    'packageInsights.publicRegistries',
  );
  return withheld.some((it) => it.isPublicUnsaid) ? [said] : [];
}

/** `app/pom.xml:12: partly understood: dependencies may be missing` */
export function syntaxProblemText({ path, line, reason }: SyntaxProblem): string {
  const said = reason ?? l10n.t('partly understood: dependencies may be missing');
  return `${sanitize(path)}:${line}: ${said}`;
}

/** `app/pom.xml cannot be read, so its dependencies are missing` */
export function unreadText(path: string): string {
  return l10n.t('{0} cannot be read: its dependencies are missing', sanitize(path));
}

/** `1 error`, `2 warnings` */
function countOf(severity: Severity, count: number): string {
  switch (severity) {
    case 'error':
      return count === 1 ? l10n.t('1 error') : l10n.t('{0} errors', count);
    case 'warning':
      return count === 1 ? l10n.t('1 warning') : l10n.t('{0} warnings', count);
    case 'information':
      return count === 1 ? l10n.t('1 informational') : l10n.t('{0} informational', count);
    case 'hint':
      return count === 1 ? l10n.t('1 hint') : l10n.t('{0} hints', count);
  }
}

/** Whether neither a project file nor a baseline accepts the finding. */
export function isNew({ known, ignored }: Pick<ReportedFinding, 'known' | 'ignored'>): boolean {
  return !known && !ignored;
}

/** Whether each dependency from a registry was looked up, in every manifest, and has a fresh answer. */
export function isComplete({
  coverage,
  failures,
  repositories = [],
}: Pick<Report, 'coverage' | 'failures' | 'repositories'>): boolean {
  const {
    total,
    lookedUp,
    withheld,
    unknown,
    withoutAdvisories = 0,
    listed = 0,
    failed,
    unchecked,
    old,
    unread,
    unclear,
    below,
  } = coverage;
  const unsaid = withoutAdvisories + listed + (below?.listed ?? 0);
  const gaps = withheld + (below?.withheld ?? 0) + unsaid + failed + unchecked + old + unread + unclear;
  const isNothing = total > 0 && lookedUp === unknown;
  return !isNothing && gaps + failures.length + repositories.length === 0;
}

/** Whether a finding is only about a package that the service does not know, which is usual for private ones. */
export function isUnknownHint({ code, severity, counts }: ReportedFinding): boolean {
  return code === 'not-found' && severity === 'hint' && !counts;
}

/** The number of dependencies that the service knows. */
function checkedIn({ lookedUp, unknown, withoutAdvisories = 0, listed = 0 }: Coverage): number {
  return lookedUp - unknown - withoutAdvisories - listed;
}

/** Whether fewer than half of the dependencies were checked. Unknown packages are usual, but then they are the news. */
export function isMostlyUnchecked({ coverage }: Pick<Report, 'coverage'>): boolean {
  return checkedIn(coverage) * 2 < coverage.total;
}

/** `5 of 6 dependencies in 3 manifests checked`; without a total where all were checked. */
function checkedText({
  coverage,
  manifests,
  advisoriesAsOf: asOf,
}: Pick<Report, 'coverage' | 'manifests' | 'advisoriesAsOf'>): string {
  const { total } = coverage;
  const checked = checkedIn(coverage);
  const where = manifestsIn(manifests);
  const text =
    checked === total
      ? l10n.t('{0} in {1} checked', dependenciesIn(total), where)
      : l10n.t('{0} of {1} in {2} checked', checked, dependenciesIn(total), where);
  return asOf === undefined ? text : `${text} (${advisoriesAsOfText(Date.parse(asOf))})`;
}

/**
 * The gaps: `Not checked: 2 private, 1 unknown to the service; 1 manifest partly read`; undefined for none. The words are
 * those of the status item.
 */
export function coverageText({
  coverage,
  failures,
  repositories = [],
  old,
  at,
  excluded = [],
}: Pick<Report, 'coverage' | 'failures' | 'repositories' | 'old' | 'at' | 'excluded'>): string | undefined {
  const { unknown, withoutAdvisories = 0, listed = 0, failed, unchecked } = coverage;
  const { unread, unclear, leftOut, below } = coverage;
  const { fromWorkspace = 0 } = coverage;
  const lookups = failures.reduce((sum, it) => sum + it.count, 0);
  const unanswered = repositories.reduce((sum, it) => sum + it.count, 0);
  const dependencies = [
    ...withheldTexts(coverage),
    ...(withoutAdvisories > 0 ? [withoutAdvisoriesText(withoutAdvisories)] : []),
    ...(listed > 0 ? [listedText(listed)] : []),
    ...(unknown > 0 ? [l10n.t('{0} unknown to the service', unknown)] : []),
    ...(failed > 0 ? [l10n.t({ message: '{0} failed', args: [failed], comment: 'a number of dependencies' })] : []),
    ...(unchecked > 0 ? [l10n.t('{0} without a known version', unchecked)] : []),
  ];
  const parts = [
    ...(dependencies.length > 0 ? [l10n.t('Not checked: {0}', dependencies.join(', '))] : []),
    ...(failed === 0 && lookups > (below?.failed ?? 0) ? [failedText(lookups)] : []),
    ...(below ? coverageBelowText(below, coverage.undecided !== undefined) : []),
    ...(unread > 0 ? [unread === 1 ? l10n.t('1 manifest not read') : l10n.t('{0} manifests not read', unread)] : []),
    ...(unclear > 0
      ? [unclear === 1 ? l10n.t('1 manifest partly read') : l10n.t('{0} manifests partly read', unclear)]
      : []),
    ...(unanswered > 0 ? [uncheckedRepositories(unanswered)] : []),
    ...(old ? [oldText(old, at)] : []),
    ...(fromWorkspace > 0 ? [l10n.t('{0} taken from the workspace', fromWorkspace)] : []),
    ...(leftOut > 0 ? [l10n.t({ message: 'skipped: {0}', args: [leftOut], comment: 'a number of manifests' })] : []),
    ...(excluded.length > 0 ? [first(excluded, excludedText).join(', ')] : []),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

/** `2 private`, `3 not looked up (settings cannot be read)`, `144 not looked up yet` */
export function withheldTexts({
  withheld,
  undecided = 0,
  unreadable = 0,
}: Pick<Coverage, 'withheld' | 'undecided' | 'unreadable'>): string[] {
  const known = withheld - undecided - unreadable;
  return [
    ...(undecided > 0 ? [l10n.t('{0} not looked up yet', undecided)] : []),
    ...(known > 0 ? [l10n.t({ message: '{0} private', args: [known], comment: 'a number of dependencies' })] : []),
    ...(unreadable > 0 ? [l10n.t('{0} not looked up (settings cannot be read)', unreadable)] : []),
  ];
}

/** `8 of 9 brought along: 6 private or from no registry, 2 failed`; empty where all were checked. */
function coverageBelowText(
  { total, withheld, unknown, listed = 0, failed, off = 0 }: CoverageBelow,
  isUndecided: boolean,
): string[] {
  const reasons = [
    ...(withheld > 0
      ? [isUndecided ? l10n.t('{0} not looked up yet', withheld) : l10n.t('{0} private or from no registry', withheld)]
      : []),
    ...(unknown > 0 ? [l10n.t('{0} unknown to the service', unknown)] : []),
    ...(failed > 0 ? [l10n.t({ message: '{0} failed', args: [failed], comment: 'a number of dependencies' })] : []),
    ...(listed > 0 ? [listedText(listed)] : []),
    ...(off > 0 ? [leftOutText(off)] : []),
  ];
  if (reasons.length === 0) return [];
  const count = withheld + unknown + listed + failed + off;
  return [l10n.t('{0} of {1} that dependencies bring not checked ({2})', count, total, reasons.join(', '))];
}

/** `63 left out by packageInsights.lookUpBelow` */
function leftOutText(count: number): string {
  return l10n.t('{0} left out by {1}', count, 'packageInsights.lookUpBelow');
}

/** `63 that dependencies bring not checked: packageInsights.lookUpBelow is off` */
export function belowOffText(count: number): string {
  return l10n.t('{0} that dependencies bring not checked: {1} is off', count, 'packageInsights.lookUpBelow');
}

/** The same, as a gap of a report; empty for none. */
export function withoutAdvisoriesGap({ coverage: { withoutAdvisories, listed } }: Pick<Report, 'coverage'>): string[] {
  return [
    ...(withoutAdvisories ? [withoutAdvisoriesText(withoutAdvisories)] : []),
    ...(listed ? [listedText(listed)] : []),
  ];
}

/** `5 whose vulnerabilities the service does not know` */
export function listedText(count: number): string {
  return l10n.t('{0} whose vulnerabilities the service does not know', count);
}

/** `5 from private registries, vulnerabilities not checked` */
export function withoutAdvisoriesText(count: number): string {
  return l10n.t('{0} from private registries, vulnerabilities not checked', count);
}

/** Why dependencies were not looked up: `133 may come from registry.example (NuGet.config)`; undefined where all were. */
export function reasonsText({
  withheld,
  unchecked,
}: {
  readonly withheld: readonly PrivateDependencies[];
  readonly unchecked: readonly Pick<Unchecked, 'count' | 'reason'>[];
}): string | undefined {
  const reasons = [...first(withheld, originText), ...first(unchecked, uncheckedCountText)];
  return reasons.length === 0 ? undefined : reasons.join(', ');
}

/** Reasons in one line. Further ones are counted. */
const MAX_REASONS = 2;

function first<T extends { readonly count: number }>(all: readonly T[], textOf: (it: T) => string): string[] {
  const others = all.slice(MAX_REASONS).reduce((sum, it) => sum + it.count, 0);
  return [...all.slice(0, MAX_REASONS).map(textOf), ...(others > 0 ? [l10n.t('{0} for other reasons', others)] : [])];
}

/** `12 manifests excluded by web/.package-insights.json` */
export function excludedText({ count, by }: ExcludedManifests): string {
  return count === 1
    ? l10n.t('1 manifest excluded by {0}', sanitize(by))
    : l10n.t('{0} manifests excluded by {1}', count, sanitize(by));
}

/** `133 may come from registry.example (NuGet.config)` */
function originText(it: PrivateDependencies): string {
  const { count, host, from, place, beside, origin } = it;
  if (it.isUndecided) return l10n.t('{0} not looked up yet', count);
  if (it.isUnreadable && from !== undefined)
    return l10n.t('{0} not looked up: {1} could not be read', count, sanitize(from));
  const whole = host !== undefined && from !== undefined ? `${host} (${from})` : (host ?? origin);
  const named = placedIn(whole, { ...(from !== undefined && { from }), ...(place && { place }) });
  return beside
    ? l10n.t('{0} may come from {1}', count, sanitize(named))
    : l10n.t({
        message: '{0} from {1}',
        args: [count, sanitize(named)],
        comment: 'a number of dependencies, and where they come from',
      });
}

/** `2 not checked (no version is written here)` */
function uncheckedCountText({ count, reason }: Pick<Unchecked, 'count' | 'reason'>): string {
  return l10n.t('{0} not checked ({1})', count, sanitize(reason));
}

/** `2 not checked (no version is written here): app/pom.xml:12 and 1 more place` */
export function uncheckedText({ first: at, ...it }: Unchecked): string {
  return `${uncheckedCountText(it)}: ${placesText([`${at.path}:${at.line}`], it.count - 1)}`;
}

/**
 * `a/pom.xml:5, b/pom.xml:5 and 3 more places`
 * @param more the number of further places
 */
export function placesText(places: readonly string[], more: number): string {
  const listed = places.map(sanitize).join(', ');
  if (more === 0) return listed;
  return more === 1 ? l10n.t('{0} and 1 more place', listed) : l10n.t('{0} and {1} more places', listed, more);
}

function failedText(count: number): string {
  return count === 1 ? l10n.t('1 lookup failed') : l10n.t('{0} lookups failed', count);
}

/**
 * What was found among how many dependencies, then on a line of its own what was not checked. The first words say where
 * the check is incomplete, or where it has checked fewer than half.
 *
 *     41 dependencies in 3 manifests checked: 3 findings (1 error, 2 warnings; 1 ignored)
 *
 *     Only 6 of 188 dependencies in 12 manifests checked: no findings
 *     Not checked: 182 unknown to the service
 *
 *     Incomplete: 40 of 41 dependencies in 3 manifests checked, no findings
 *     Not checked: 1 private; 1 manifest partly read
 */
export function summaryLines(report: Report): string[] {
  const checked = checkedText(report);
  const found = findingsText(report);
  const coverage = coverageText(report);
  return [
    !isComplete(report)
      ? l10n.t('Incomplete: {0}, {1}', checked, found)
      : isMostlyUnchecked(report)
        ? l10n.t('Only {0}: {1}', checked, found)
        : l10n.t('{0}: {1}', checked, found),
    ...belowText(report),
    ...(coverage === undefined ? [] : [coverage]),
  ];
}

/** What dependencies bring is counted apart: each affected version once. */
function belowText({ findings }: Report): string[] {
  const count = new Set(findings.filter(isNew).flatMap((it) => (it.below ?? []).map(({ purl }) => purl))).size;
  if (count === 0) return [];
  return [
    count === 1
      ? l10n.t('Brought by dependencies: 1 affected package')
      : l10n.t('Brought by dependencies: {0} affected packages', count),
  ];
}

/** How much was checked, and what was not, without findings; undefined where enough was. */
export function shortfallText(report: Report): string | undefined {
  const coverage = coverageText(report);
  const said = [checkedText(report), ...(coverage === undefined ? [] : [coverage])].join('. ');
  if (!isComplete(report)) return l10n.t('Incomplete: {0}', said);
  return isMostlyUnchecked(report) ? l10n.t('Only {0}', said) : undefined;
}

/**
 * `3 findings (1 error, 2 warnings; 1 ignored)`, without unknown packages that are only a hint: the coverage counts them.
 */
function findingsText({ findings: all }: Report): string {
  const findings = all.filter((it) => !isUnknownHint(it));
  const fresh = findings.filter(isNew);
  const ignored = findings.filter((it) => it.ignored).length;
  const known = findings.length - fresh.length - ignored;
  const malicious = fresh.filter((it) => it.code === 'malicious');
  const severest = severities.flatMap((severity) => {
    const { length } = fresh.filter((it) => it.severity === severity && !malicious.includes(it));
    return length > 0 ? [countOf(severity, length)] : [];
  });
  if (malicious.length > 0) severest.unshift(l10n.t('{0} malicious', malicious.length));
  const left = [
    ...(severest.length > 0 ? [severest.join(', ')] : []),
    ...(known > 0 ? [l10n.t('{0} more in the baseline', known)] : []),
    ...(ignored > 0 ? [l10n.t('{0} ignored', ignored)] : []),
  ];
  const apart = left.length > 0 ? ` (${left.join('; ')})` : '';
  if (fresh.length === 0) return l10n.t('no findings{0}', apart);
  return fresh.length === 1 ? l10n.t('1 finding{0}', apart) : l10n.t('{0} findings{1}', fresh.length, apart);
}

/** Behind “in”, which has a case of its own in German. */
export function manifestsIn(count: number): string {
  return count === 1
    ? l10n.t({ message: '1 manifest', comment: 'behind “in”' })
    : l10n.t({ message: '{0} manifests', args: [count], comment: 'behind “in”' });
}

export function dependenciesIn(count: number): string {
  return count === 1 ? l10n.t('1 dependency') : l10n.t('{0} dependencies', count);
}

/** `4.17.21 (patch)` */
export function targetText({ version, notes }: Pick<ReportedFix, 'version' | 'notes'>): string {
  return sanitize(notes.length === 0 ? version : `${version} (${notes.join(', ')})`);
}

/** Why a version is not moved to automatically: `by hand: pinned by hash` */
export function byHandText(reason: string): string {
  return l10n.t('by hand: {0}', sanitize(reason));
}

export function wordFor(severity: Severity): string {
  switch (severity) {
    case 'error':
      return l10n.t('error');
    case 'warning':
      return l10n.t('warning');
    case 'information':
      return l10n.t('information');
    case 'hint':
      return l10n.t('hint');
  }
}

/** What is wrong, in short: `3 vulnerabilities`, `deprecated`. */
export function problemsOf({
  advisories,
  findings,
}: PackageFindings): { readonly code: FindingCode; readonly text: string }[] {
  const codes = new Set(findings.map((it) => it.code));
  return findingCodes.flatMap((code) => {
    if (!codes.has(code)) return [];
    const isInvented = code === 'not-found' && findings.some((it) => it.isNewName);
    const word = isInvented ? l10n.t('no such package (invented?)') : undefined;
    return [{ code, text: word ?? (code === 'advisory' ? advisoriesText(advisories.length) : wordForCode(code)) }];
  });
}

function advisoriesText(count: number): string {
  return count === 1 ? l10n.t('1 vulnerability') : l10n.t('{0} vulnerabilities', count);
}

/** Whether all versions of a package were checked, and none is safe. */
export function isWithoutFix({ findings, answers }: PackageFindings): boolean {
  return findings.some((it) => it.isWithoutFix) && answers.every((it) => !it.fix?.recommended);
}

/** Affected packages of one finding in texts for people. The formats for programs have all. */
const MAX_BELOW = 5;

/** Where the packages of a lockfile are required, each line once. */
export function requiredLines(findings: readonly Pick<ReportedFinding, 'required'>[]): string[] {
  return [...new Set(findings.flatMap((it) => (it.required ? sanitize(it.required.text) : [])))];
}

/**
 * What a dependency brings that is affected, with what leads out of it:
 *
 *     qs 6.11.0  high 7.5  GHSA-hrpp-h998-j3pp: express → body-parser → qs
 *     → Override qs with 6.12.0
 */
export function belowLines({ below = [] }: Pick<ReportedFinding, 'below'>): string[] {
  const lines = below.slice(0, MAX_BELOW).flatMap(({ name, version, path, advisories, ways, withoutWay }) => {
    const [worst] = advisories;
    const severity = worst ? `  ${ratedText(worst)}  ${worst.id}` : '';
    return [
      `${name} ${version}${severity}: ${path.map((it) => it.name).join(' → ')}`,
      ...(ways ?? []).map((it) => `→ ${it.command ?? it.title}`),
      ...(withoutWay === undefined ? [] : [withoutWay]),
    ].map(sanitize);
  });
  const more = below.length - MAX_BELOW;
  if (more <= 0) return lines;
  return [
    ...lines,
    more === 1 ? l10n.t('and 1 more affected package') : l10n.t('and {0} more affected packages', more),
  ];
}
