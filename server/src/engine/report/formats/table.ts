import * as l10n from '@vscode/l10n';
import type { Severity } from '../../model/finding.ts';
import { type Rating, ratedText } from '../../model/severity-rating.ts';
import type { ReportedAdvisory } from '../report.ts';
import { type Answer, findingsByPackage, type PackageFindings, type Place } from './by-package.ts';
import type { Format } from './format.ts';
import {
  belowLines,
  byHandText,
  isNew,
  isWithoutFix,
  problemsOf,
  requiredLines,
  sanitize,
  summaryLines,
  targetText,
  wordFor,
} from './texts.ts';
import { cut, padTo, widthOf, wrap } from './wrap.ts';

/**
 * For people at a terminal: what to do with each package, worst first.
 *
 *     lodash 4.17.15  high 7.4  3 vulnerabilities  → 4.17.21 (patch)
 *         app/package.json:3:15, web/package.json:12:15
 *         GHSA-35jh-r3h4-6jhm  high 7.4    Command Injection in lodash
 *         GHSA-29mw-wpgm-hmr9  medium 5.3  ReDoS in lodash
 *
 *     request 2.88.2  warning  deprecated
 *         app/package.json:4:16
 *         request has been deprecated
 *
 *     40 of 41 dependencies in 3 manifests checked: 3 findings (2 errors, 1 warning)
 *     Not checked: 1 unknown to the service
 *
 * In a terminal lines end at its width; programs that filter lines get each whole.
 */
export const table: Format = {
  name: 'table',
  write(report, { color, columns = Number.POSITIVE_INFINITY }) {
    const paint = color ? painted : plain;
    const blocks = findingsByPackage(report.findings.filter(isNew)).map((it) => [...block(it, paint, columns), '']);
    const [headline = '', ...rest] = summaryLines(report);
    const summary = [
      ...wrap(headline, columns).map((it) => paint('bold', it)),
      ...rest.flatMap((it) => wrap(it, columns)),
    ];
    return `${[...blocks.flat(), ...summary].join('\n')}\n`;
  },
};

const MARGIN = '    ';
/** In columns. A longer list of places is hard to read, however wide the output. */
const MAX_LIST_WIDTH = 100;
/** In columns. A narrower title is below its advisory. */
const MIN_TITLE_WIDTH = 20;
/** Further ones are counted; the formats for programs have all. */
const MAX_PLACES = 5;
const MAX_ADVISORIES = 5;

type Paint = (style: keyof typeof styles, text: string) => string;

function block(found: PackageFindings, paint: Paint, columns: number): string[] {
  const room = Math.max(1, columns - MARGIN.length);
  const below = (text: string): string[] => wrap(text, room).map((it) => MARGIN + it);
  // The packages that a dependency brings are listed, which says more than their number.
  const reasons = new Set(found.findings.flatMap((it) => (it.below === undefined ? (it.reason ?? []) : [])));
  const brought = new Set(found.findings.flatMap(belowLines));
  return [
    ...heading(found, paint, columns),
    ...placeLines(found, room).map((it) => MARGIN + paint('dim', it)),
    ...[...reasons].flatMap((it) => below(sanitize(it))),
    ...advisoryLines(found.advisories, paint, room).map((it) => MARGIN + it),
    ...[...brought, ...requiredLines(found.findings)].flatMap(below),
  ];
}

/** `lodash 4.17.15  high 7.4  3 vulnerabilities  → 4.17.21 (patch)`; the answer is on a line of its own if there is no room. */
function heading(found: PackageFindings, paint: Paint, columns: number): string[] {
  const { subject, advisories, severity } = found;
  const [worst] = advisories;
  const [name, badge, what] = [
    sanitize(subject),
    worst ? ratedText(worst) : wordFor(severity),
    problemsOf(found)
      .map((it) => it.text)
      .join(', '),
  ];
  const answer = headingAnswer(found);
  const style = worst && worst.rating !== 'unrated' ? styleOfRating[worst.rating] : styleOf[severity];
  const start = [paint('bold', name), paint(style, badge), what].join('  ');
  if (answer === undefined) return [start];
  const width = widthOf([name, badge, what, answer].join('  '));
  const color = found.answers[0]?.fix ? 'green' : 'red';
  if (width <= columns) return [`${start}  ${paint(color, answer)}`];
  return [start, ...wrap(answer, columns - MARGIN.length).map((it) => MARGIN + paint(color, it))];
}

/** The reason why it cannot be applied is below, with the places. */
function headingAnswer(found: PackageFindings): string | undefined {
  const { fix } = found.answers[0] ?? {};
  if (fix) return `→ ${targetText(fix)}`;
  return isWithoutFix(found) ? l10n.t('no fixed version') : undefined;
}

/**
 * The places, with what differs from the heading. A place is never broken between lines, so that it can be opened with a
 * click.
 *
 *     app/package.json:3:15, web/package.json:12:15
 *     lib/frozen.txt:1:8  by hand: pinned by hash
 */
function placeLines({ answers }: PackageFindings, room: number): string[] {
  const [first] = answers;
  let left = MAX_PLACES;
  const lines = answers.flatMap((answer) => {
    const shown = answer.places.slice(0, left);
    left -= shown.length;
    if (shown.length === 0) return [];
    const note = answerNote(answer, first);
    const places = wrapList(shown.map(placeText), Math.min(room, MAX_LIST_WIDTH));
    const last = places.pop() ?? '';
    if (note === '') return [...places, last];
    const whole = `${last}  ${note}`;
    return [...places, ...(widthOf(whole) <= room ? [whole] : [last, ...wrap(note, room - 2).map((it) => `  ${it}`)])];
  });
  const all = answers.reduce((sum, it) => sum + it.places.length, 0);
  const more = all - Math.min(all, MAX_PLACES);
  if (more === 0) return lines;
  return [...lines, more === 1 ? l10n.t('and 1 more place') : l10n.t('and {0} more places', more)];
}

function answerNote({ fix }: Answer, first: Answer | undefined): string {
  if (fix === undefined) return first?.fix ? l10n.t('no update') : '';
  const target = targetText(fix);
  const isSame = first?.fix !== undefined && target === targetText(first.fix);
  return [...(isSame ? [] : [`→ ${target}`]), ...(fix.refused === undefined ? [] : [byHandText(fix.refused)])].join(
    ', ',
  );
}

function placeText({ path, region, condition }: Place): string {
  const place = `${sanitize(path)}:${region.startLine}:${region.startColumn}`;
  return condition === undefined ? place : `${place} ${l10n.t('when {0}', sanitize(condition))}`;
}

/** Joins by commas, with line breaks only after a comma. */
function wrapList(parts: readonly string[], room: number): string[] {
  const lines: string[] = [];
  for (const [at, part] of parts.entries()) {
    const text = at < parts.length - 1 ? `${part},` : part;
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(text) <= room) lines[lines.length - 1] = `${last} ${text}`;
    else lines.push(text);
  }
  return lines;
}

/** The identifiers, with the severities of several, and their titles, cut at the width of the terminal. */
function advisoryLines(advisories: readonly ReportedAdvisory[], paint: Paint, room: number): string[] {
  const shown = advisories.slice(0, MAX_ADVISORIES);
  const isOne = advisories.length === 1;
  const idWidth = Math.max(0, ...shown.map((it) => widthOf(sanitize(it.id))));
  const severityWidth = Math.max(0, ...shown.map((it) => widthOf(ratedText(it))));
  const lines = shown.flatMap((it) => {
    const severity = ratedText(it);
    const title = sanitize(it.title);
    const left = idWidth + (isOne ? 0 : 2 + severityWidth) + 2;
    const isBeside = room - left >= MIN_TITLE_WIDTH;
    const start = [
      padTo(sanitize(it.id), idWidth),
      ...(isOne ? [] : [paint(styleOfRating[it.rating], padTo(severity, severityWidth))]),
    ];
    if (isBeside && title !== '') return [[...start, cut(title, room - left)].join('  ')];
    const [id = '', ...others] = [sanitize(it.id), ...(isOne ? [] : [paint(styleOfRating[it.rating], severity)])];
    return [[id, ...others].join('  '), ...(title === '' ? [] : wrap(title, room - 2).map((line) => `  ${line}`))];
  });
  const more = advisories.length - shown.length;
  if (more === 0) return lines;
  return [...lines, more === 1 ? l10n.t('and 1 more vulnerability') : l10n.t('and {0} more vulnerabilities', more)];
}

/** The codes that begin and end each style. Source: ECMA-48, “Select graphic rendition”. */
const styles = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
} as const;

const styleOf = {
  error: 'red',
  warning: 'yellow',
  information: 'blue',
  hint: 'dim',
} as const satisfies Record<Severity, keyof typeof styles>;

const styleOfRating = {
  malicious: 'red',
  critical: 'red',
  high: 'red',
  medium: 'yellow',
  low: 'blue',
  unrated: 'yellow',
} as const satisfies Record<Rating, keyof typeof styles>;

function plain(_: keyof typeof styles, text: string): string {
  return text;
}

function painted(style: keyof typeof styles, text: string): string {
  const [on, off] = styles[style];
  return `\x1b[${on}m${text}\x1b[${off}m`;
}
