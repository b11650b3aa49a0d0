import type { AnswerRow, Question } from '../../fleet/answers/answer.ts';
import type { ChangedRow } from '../../fleet/answers/changes.ts';
import { packageText, tableOfGroups, tableOfRows } from '../../fleet/answers/columns.ts';
import type { Group, Grouping } from '../../fleet/answers/groups.ts';
import type { Summary } from '../../fleet/answers/summary.ts';
import type { Results, Run } from '../../fleet/results/results.ts';
import { jsonText } from '../../report/formats/format.ts';
import type { Terminal } from '../command.ts';
import { csvCell } from '../csv.ts';
import { groupLines, rowLines, summaryTexts } from './texts.ts';

/** What a report of a fleet shows. */
export interface Shown {
  readonly run: Run;
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
];

function writeTable({ rows, groups, summary }: Shown): string {
  const lines = groups ? groupLines(groups.groups) : rowLines(rows);
  return [...lines, ...(lines.length > 0 ? [''] : []), ...summaryTexts(summary), ''].join('\n');
}

/** `version` increases when a field changes its meaning or is removed. */
function writeJson({ run, earlier, rows, groups, summary }: Shown, version: string): string {
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
function writeCsv({ rows, groups }: Shown): string {
  const table = groups ? tableOfGroups(groups.groups, groups.by) : tableOfRows(rows);
  const lines = [table.columns.map((it) => it.name), ...table.rows];
  return `${lines.map((line) => line.map((it) => csvCell(it ?? '')).join(',')).join('\r\n')}\r\n`;
}
