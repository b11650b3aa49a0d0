/** One figure, with the baseline of the same run. */
export interface Row {
  readonly what: string;
  readonly unit: 'ms' | 'MB' | 'kB' | 'requests' | 'connections';
  readonly value: number;
  /** The figure of the baseline. */
  readonly floor?: number;
  /** The name of the baseline. */
  readonly against?: string;
}

/** The median of some figures. */
export function median(figures: readonly number[]): number {
  return percentile(figures, 0.5);
}

export function mean(figures: readonly number[]): number {
  return figures.reduce((sum, it) => sum + it, 0) / figures.length;
}

/** @param share from 0 to 1 */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 *     start → initialize response      96.2 ms     61.0    × 1.58   bare language server
 */
export function printed(rows: readonly Row[]): string {
  const width = Math.max(...rows.map((it) => it.what.length));
  return rows
    .map(({ what, unit, value, floor, against = '' }) => {
      const own = `${digits(value).padStart(9)} ${unit.padEnd(8)}`;
      const least =
        floor === undefined ? '' : `${digits(floor).padStart(9)}  × ${(value / floor).toFixed(2).padEnd(8)}`;
      return `${what.padEnd(width)} ${own} ${least}${against}`.trimEnd();
    })
    .join('\n');
}

function digits(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 1);
}
