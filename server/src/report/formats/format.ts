import type { Report, Tool } from '../report.ts';

/**
 * A value as indented JSON that a terminal may show: what would order it about, turn the direction of its text or take
 * no room is written as an escape, which every reader of JSON takes for the same character.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f\u2028\u2029\p{Cf}\p{Default_Ignorable_Code_Point}]/gu,
    (it) => it.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** A way to write a report down: one row of the table in `report/formats/index.ts`. */
export interface Format {
  /** As `--format` names it. */
  readonly name: string;
  /** Whether programs read it: its texts are English then, whatever the reader's language. */
  readonly isForPrograms?: true;
  /** @returns the whole text, with its last line end */
  readonly write: (report: Report, style: FormatContext) => string;
}

export interface FormatContext {
  /** Whether the reader is a terminal that shows colours. */
  readonly color: boolean;
  /** How many columns the reader's terminal has; absent where it is none. */
  readonly columns?: number;
  readonly tool: Tool;
  /** Reads what the page of a report consists of, beside its data. */
  readonly page: () => PageAssets;
}

/** A script and a style sheet, each to stand in a document. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}
