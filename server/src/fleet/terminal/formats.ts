import * as l10n from '@vscode/l10n';
import { uncheckedLinksIn, withCheckedLinks } from '../../engine/report/build/checked-links.ts';
import { jsonText } from '../../engine/report/formats/format.ts';
import { html } from '../../engine/report/formats/html.ts';
import { checkLinks } from '../../terminal/checked-links.ts';
import { type Terminal, UsageError } from '../../terminal/command.ts';
import { csvCell } from '../../terminal/csv.ts';
import type { Answer, Question } from '../answers/answer.ts';
import type { AnswerRow } from '../answers/answer-row.ts';
import type { ChangedRow } from '../answers/changes.ts';
import { type FlatTable, packageText, tableOfGroups, tableOfRows } from '../answers/columns.ts';
import type { Group, Grouping } from '../answers/groups.ts';
import { MAX_PAGE_DEPENDENCIES, mergeReports } from '../answers/merged-report.ts';
import type { Summary } from '../answers/summary.ts';
import type { Results, Run } from '../results/results.ts';
import { groupLines, rowLines, summaryTexts } from './texts.ts';

/** What a report of a fleet shows. */
export interface Shown {
  readonly answered: Answer;
  /** Set where the rows are what has changed since. */
  readonly earlier?: Run;
  readonly question: Question;
  readonly rows: readonly (AnswerRow | ChangedRow)[];
  readonly summary: Summary;
  /** Absent where each row is shown. */
  readonly groups?: { readonly by: Grouping; readonly groups: readonly Group[] };
}

interface FleetFormat {
  readonly name: string;
  /** Whether programs read it, so that the summary goes to standard error. */
  readonly isForPrograms?: true;
  readonly isBinary?: true;
  write(shown: Shown, results: Results, terminal: Terminal): Promise<string | Uint8Array>;
}

export const fleetFormats: readonly [FleetFormat, ...FleetFormat[]] = [
  { name: 'table', write: async (shown) => writeTable(shown) },
  { name: 'json', isForPrograms: true, write: async (shown, _, { version }) => writeJson(shown, version) },
  { name: 'csv', isForPrograms: true, write: async (shown) => writeCsv(shown) },
  { name: 'parquet', isForPrograms: true, isBinary: true, write: writeParquet },
  { name: 'html', isForPrograms: true, write: writePage },
];

function writeTable({ rows, groups, summary }: Shown): string {
  const lines = groups ? groupLines(groups.groups, groups.by) : rowLines(rows);
  return [...lines, ...(lines.length > 0 ? [''] : []), ...summaryTexts(summary), ''].join('\n');
}

/** `version` increases when a field changes its meaning or is removed. */
function writeJson({ answered: { run }, earlier, rows, groups, summary }: Shown, version: string): string {
  const shown = groups
    ? { [groups.by]: groups.groups }
    : { rows: rows.map(({ identity: _, subject: __, ...it }) => ({ ...it, package: packageText(it) })) };
  return `${jsonText({
    version: 1,
    tool: { name: 'package-insights', version },
    run: { id: run.id, at: run.at, options: run.options, invalidLines: run.bad },
    ...(earlier && { since: { id: earlier.id, at: earlier.at } }),
    summary,
    ...shown,
  })}\n`;
}

/** Source: RFC 4180. A cell that a spreadsheet would take for a formula begins with an apostrophe. */
function writeCsv(shown: Shown): string {
  const table = tableOf(shown);
  const lines = [table.columns.map((it) => it.name), ...table.rows];
  return `${lines.map((line) => line.map((it) => csvCell(it ?? '')).join(',')).join('\r\n')}\r\n`;
}

function tableOf({ rows, groups }: Shown): FlatTable {
  return groups ? tableOfGroups(groups.groups, groups.by) : tableOfRows(rows);
}

async function writeParquet(shown: Shown): Promise<Uint8Array> {
  const fleet = await import('../fleet.ts');
  return fleet.writeParquet(tableOf(shown), shown.summary);
}

/** The page of `check`, of all repositories. @throws UsageError */
async function writePage(shown: Shown, results: Results, terminal: Terminal): Promise<string> {
  const { answered, question, earlier } = shown;
  if (earlier) throw new UsageError(l10n.t('{0} shows one run, without {1}', '--format html', '--since'));
  const isRestricted = Object.keys(question).some((it) => it !== 'repository');
  const merged = await mergeReports(results, answered, isRestricted);
  if (merged.kind === 'too many dependencies') {
    const options = '--package, --advisory, --license, --owner, --repository';
    throw new UsageError(
      l10n.t('the page would have more than {0} dependencies; restrict it with {1}', MAX_PAGE_DEPENDENCIES, options),
    );
  }
  const tool = { name: 'package-insights', version: terminal.version };
  const links = await checkLinks((it) => uncheckedLinksIn(merged.report, it), terminal.settings({}), terminal);
  const checked = links === undefined ? merged.report : withCheckedLinks(merged.report, links);
  return html.write(checked, { color: false, tool, page: terminal.page });
}
