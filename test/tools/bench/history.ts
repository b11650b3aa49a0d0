import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Row } from './table.ts';

/** One run of the measurements: a line of the history. */
export interface Run {
  /** `2 × AMD EPYC, 24 GiB`. Runs of other machines are not compared. */
  readonly machine: string;
  readonly node: string;
  /** The commit that was measured; with a plus if files were changed after it. */
  readonly commit: string;
  /** ISO 8601. */
  readonly at: string;
  readonly rows: readonly Row[];
}

/** Former runs that a run is compared with. */
const MAX_FORMER = 5;
/** A row is worse if it exceeds the worst of the former runs by more than this share: they show the noise of the machine. */
const TOLERANCE = 0.1;

/** Appends a run to a history file of one JSON text a line. */
export function remember(path: string, run: Run): void {
  appendFileSync(path, `${JSON.stringify(run)}\n`);
}

/** The runs of a history file, the oldest first. A line that cannot be read is left out. */
export function readRuns(path: string): Run[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line): Run[] => {
      try {
        return line === '' ? [] : [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

/**
 * Lines about the rows that became worse than each of the last runs on the same machine. Ratios to the baseline of the
 * same run are compared where there is one, since a machine has slow hours:
 *
 *     start → initialize response: × 1.91, before × 1.48–1.60 (runs: 5, the last of 1f4d62b6)
 */
export function worseRows(run: Run, history: readonly Run[]): string[] {
  const former = history.filter((it) => it.machine === run.machine && it.node === run.node);
  return withFullNames(run.rows).flatMap((row) => {
    const before = former.flatMap((it) => {
      const same = withFullNames(it.rows).find((other) => other.what === row.what && other.unit === row.unit);
      return same === undefined ? [] : [{ commit: it.commit, figure: figureOf(same) }];
    });
    const last = before.slice(-MAX_FORMER);
    const figures = last.map((it) => it.figure).filter(Number.isFinite);
    const now = figureOf(row);
    if (figures.length === 0 || !(now > Math.max(...figures) * (1 + TOLERANCE))) return [];
    const [least, most] = [Math.min(...figures), Math.max(...figures)].map((it) => shown(it, row));
    const range = least === most ? least : `${least}–${most?.replace('× ', '')}`;
    const runs = `runs: ${figures.length}, the last of ${last.at(-1)?.commit}`;
    return [`${row.what}: ${shown(now, row)}, before ${range} (${runs})`];
  });
}

/** An indented row is about the one above: `  memory` is `start → initialize response: memory`. */
function withFullNames(rows: readonly Row[]): Row[] {
  let above = '';
  return rows.map((row) => {
    if (row.what.startsWith(' ')) return { ...row, what: `${above}: ${row.what.trim()}` };
    above = row.what;
    return row;
  });
}

/** The commit that is checked out in a folder. */
export function commitOf(checkout: string): string {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: checkout, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return `${git('rev-parse', '--short=8', 'HEAD')}${git('status', '--porcelain') === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}

function figureOf({ value, floor }: Row): number {
  return floor === undefined || floor === 0 ? value : value / floor;
}

function shown(figure: number, { floor, unit }: Row): string {
  const digits = figure < 10 ? figure.toFixed(2) : figure.toFixed(0);
  return floor === undefined || floor === 0 ? `${digits} ${unit}` : `× ${digits}`;
}
