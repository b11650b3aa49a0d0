import type { Report, Tool } from '../report.ts';

/**
 * Writes a value as indented JSON that is safe to print: characters that control a terminal, change the text direction
 * or are invisible become escapes, which mean the same to every JSON parser, and so do the marks of commands in the log
 * of a CI.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f\u2028\u2029\p{Cf}\p{Default_Ignorable_Code_Point}]|(?<=#)#/gu,
    (it) => it.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** An output format of reports: one row of the table in `report/formats/index.ts`. */
export interface Format {
  /** The name for `--format`. */
  readonly name: string;
  /** Whether programs read it. Its texts are English then, regardless of the user's language. */
  readonly isForPrograms?: true;
  /** @returns the whole text, with its last line end */
  readonly write: (report: Report, style: FormatContext) => string;
}

export interface FormatContext {
  /** Whether the output is a terminal with colors. */
  readonly color: boolean;
  /** The width of the terminal; absent where the output is not one. */
  readonly columns?: number;
  readonly tool: Tool;
  /** Reads the assets of the page. */
  readonly page: () => PageAssets;
}

/** A script and a style sheet, to be embedded in a document. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}
