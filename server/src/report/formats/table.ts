import * as l10n from '@vscode/l10n';
import { groupBy } from '../../base/collections.ts';
import type { Severity } from '../../model/finding.ts';
import type { ReportedFinding } from '../report.ts';
import type { Format } from './format.ts';
import { isNew, sanitize, summaryText, targetText } from './texts.ts';
import { widthOf, wrap } from './wrap.ts';

/**
 * For people at a terminal.
 *
 *     package.json
 *       3:15  error    advisory    lodash 4.17.15 has 1 known advisory: GHSA-…  → 4.18.1
 *       4:16  warning  deprecated  request 2.88.2 is deprecated
 *
 *     2 findings (1 error, 1 warning) in 1 of 3 manifests, 41 dependencies
 *
 * A terminal that is too narrow for a line gets it in several; programs that filter lines get each whole.
 */
export const table: Format = {
  name: 'table',
  write(report, { color, columns = Number.POSITIVE_INFINITY }) {
    const paint = color ? painted : plain;
    const shown = report.findings.filter(isNew);
    const lines: string[] = [];
    for (const [path, group] of groupBy(shown, (it) => it.path)) {
      lines.push(paint('underline', sanitize(path)), ...rows(group, paint, columns), '');
    }
    return `${[...lines, ...wrap(summaryText(report), columns).map((it) => paint('bold', it))].join('\n')}\n`;
  },
};

/** Columns that a message needs to be readable. */
const MIN_MESSAGE_WIDTH = 40;

type Paint = (style: keyof typeof styles, text: string) => string;

function rows(findings: readonly ReportedFinding[], paint: Paint, columns: number): string[] {
  const place = ({ region }: ReportedFinding): string => `${region.startLine}:${region.startColumn}`;
  const widest = (text: (it: ReportedFinding) => string): number =>
    findings.reduce((width, it) => Math.max(width, text(it).length), 0);
  const widths = {
    place: widest(place),
    severity: widest((it) => wordFor(it.severity)),
    code: widest((it) => it.code),
  };
  const left = 2 + widths.place + 2 + widths.severity + 2 + widths.code + 2;
  return findings.flatMap((it) => {
    const message = sanitize(it.message);
    const found = targetText(it);
    const to = found === undefined ? [] : [`→ ${found}`];
    const start = [
      paint('dim', place(it).padStart(widths.place)),
      paint(styleOf[it.severity], wordFor(it.severity).padEnd(widths.severity)),
      it.code.padEnd(widths.code),
    ];
    const green = (line: string): string => paint('green', line);
    if (left + widthOf([message, ...to].join('  ')) <= columns) {
      return [`  ${[...start, message, ...to.map(green)].join('  ')}`];
    }
    // In a narrow terminal the message is below its heading.
    const isBeside = columns - left >= MIN_MESSAGE_WIDTH;
    const margin = ' '.repeat(isBeside ? left : 4);
    const [first = '', ...others] = wrap(message, columns - margin.length);
    const targets = to.flatMap((line) => wrap(line, columns - margin.length)).map(green);
    const below = [...others, ...targets].map((line) => margin + line);
    const head = `  ${start.join('  ')}`;
    return isBeside ? [`${head}  ${first}`, ...below] : [head.trimEnd(), margin + first, ...below];
  });
}

function wordFor(severity: Severity): string {
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

/** The codes that begin and end each style. Source: ECMA-48, “Select graphic rendition”. */
const styles = {
  bold: [1, 22],
  dim: [2, 22],
  underline: [4, 24],
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

function plain(_: keyof typeof styles, text: string): string {
  return text;
}

function painted(style: keyof typeof styles, text: string): string {
  const [on, off] = styles[style];
  return `\x1b[${on}m${text}\x1b[${off}m`;
}
