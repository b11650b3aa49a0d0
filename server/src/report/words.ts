import * as l10n from '@vscode/l10n';
import { type Severity, severities } from '../model/finding.ts';
import {
  bestFix,
  type Failure,
  type OldAnswers,
  type Report,
  type ReportedFinding,
  type Unclear,
  type Withheld,
} from './report.ts';

/**
 * A text of a package made safe to print: a terminal takes control characters for orders, and characters that turn
 * the direction of writing or take no room make a line say something else. Line ends become spaces.
 */
export function visible(text: string): string {
  return text.replace(/[\r\n\t\u2028\u2029]+/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\ufffd');
}

/** A text as words of markdown, whatever it holds. */
export function inMarkdown(text: string): string {
  return visible(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/[\\`*_[\]~|#!]/g, '\\$&');
}

/** `3 look-ups failed: connection refused` */
export function failureText({ count, reason }: Failure): string {
  return count === 1
    ? l10n.t('1 look-up failed: {0}', visible(reason))
    : l10n.t('{0} look-ups failed: {1}', count, visible(reason));
}

/** `3 answers are up to 5 days old, and could not be asked for again` */
export function oldText({ count, since }: OldAnswers, at: string): string {
  const age = ageText(Date.parse(at) - Date.parse(since));
  return count === 1
    ? l10n.t('1 answer is {0} old, and could not be asked for again', age)
    : l10n.t('{0} answers are up to {1} old, and could not be asked for again', count, age);
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** In the largest unit of which it has two; `ms` below a minute is one. */
function ageText(ms: number): string {
  if (ms >= 2 * day) return l10n.t('{0} days', Math.floor(ms / day));
  if (ms >= 2 * hour) return l10n.t('{0} hours', Math.floor(ms / hour));
  if (ms >= 2 * minute) return l10n.t('{0} minutes', Math.floor(ms / minute));
  return l10n.t('1 minute');
}

/** `not looked up, since names stay private: 3 dependencies from the registry npm.inside.example (.npmrc)` */
export function withheldText({ count, origin }: Withheld): string {
  return count === 1
    ? l10n.t('not looked up, since names stay private: 1 dependency from {0}', visible(origin))
    : l10n.t('not looked up, since names stay private: {0} dependencies from {1}', count, visible(origin));
}

/** `app/pom.xml:12: not all of the text is understood: dependencies may be missing` */
export function unclearText({ path, line }: Unclear): string {
  const said = l10n.t('not all of the text is understood: dependencies may be missing');
  return `${visible(path)}:${line}: ${said}`;
}

/** `app/pom.xml cannot be read, so its dependencies are missing` */
export function unreadText(path: string): string {
  return l10n.t('{0} cannot be read, so its dependencies are missing', visible(path));
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

/** Whether nobody has accepted a finding yet, in a project file or a baseline. */
export function isNew({ known, ignored }: Pick<ReportedFinding, 'known' | 'ignored'>): boolean {
  return !known && !ignored;
}

/** `3 findings (1 error, 2 warnings; 1 ignored) in 2 of 5 manifests, 120 dependencies` */
export function summary({ findings, manifests, dependencies, failures }: Report): string {
  const looked = l10n.t('{0}, {1}', manifestsIn(manifests), dependenciesIn(dependencies));
  const fresh = findings.filter(isNew);
  const ignored = findings.filter((it) => it.ignored).length;
  const known = findings.length - fresh.length - ignored;
  const left = [
    ...(known > 0 ? [l10n.t('{0} more in the baseline', known)] : []),
    ...(ignored > 0 ? [l10n.t('{0} ignored', ignored)] : []),
  ];
  const apart = left.length > 0 ? ` (${left.join(', ')})` : '';
  const failed = failures.reduce((sum, it) => sum + it.count, 0);
  if (fresh.length === 0) return withFailed(l10n.t('No findings{0} in {1}', apart, looked), failed);
  const parts = severities.flatMap((severity) => {
    const { length } = fresh.filter((it) => it.severity === severity);
    return length > 0 ? [countOf(severity, length)] : [];
  });
  const files = new Set(fresh.map((it) => it.path)).size;
  const by = ` (${[parts.join(', '), ...left].join('; ')})`;
  const text =
    fresh.length === 1
      ? l10n.t('1 finding{0} in {1} of {2}', by, files, looked)
      : l10n.t('{0} findings{1} in {2} of {3}', fresh.length, by, files, looked);
  return withFailed(text, failed);
}

function withFailed(text: string, failed: number): string {
  if (failed === 0) return text;
  return failed === 1
    ? l10n.t('{0}; incomplete, 1 look-up failed', text)
    : l10n.t('{0}; incomplete, {1} look-ups failed', text, failed);
}

function manifestsIn(count: number): string {
  return count === 1
    ? l10n.t({ message: '1 manifest', comment: 'behind “in” or “of”' })
    : l10n.t({ message: '{0} manifests', args: [count], comment: 'behind “in” or “of”' });
}

function dependenciesIn(count: number): string {
  return count === 1 ? l10n.t('1 dependency') : l10n.t('{0} dependencies', count);
}

/** Where a finding could be moved to, in few words: `4.18.1`, `4.18.1, by hand: its hashes pin the very files`. */
export function target(finding: Pick<ReportedFinding, 'fixes'>): string | undefined {
  const best = bestFix(finding);
  if (best === undefined) return undefined;
  const notes = [
    ...(best.flaw === undefined ? [] : [l10n.t('which is flawed itself: {0}', best.flaw)]),
    ...(best.refused === undefined ? [] : [l10n.t('by hand: {0}', best.refused)]),
  ];
  return visible(notes.length === 0 ? best.version : `${best.version}, ${notes.join('; ')}`);
}
