import * as l10n from '@vscode/l10n';
import { type PageTexts, pageTexts } from './page-texts.ts';
import type { Report, Tool } from './report.ts';
import { coverageText, isComplete, unsaidTexts } from './words.ts';

/** What the page of a report is given: all that it shows, its words included. */
export interface PageData {
  readonly report: Report;
  readonly tool: Tool;
  readonly texts: PageTexts;
  /** How much was checked, and what to do about it; absent where all was. */
  readonly coverage?: { readonly text: string; readonly isComplete: boolean; readonly notes: readonly string[] };
}

/** All that the page of a report is given. */
export function pageDataOf(report: Report, tool: Tool): PageData {
  const text = coverageText(report);
  const said = text === undefined ? undefined : isComplete(report) ? text : l10n.t('Incomplete: {0}.', text);
  return {
    report,
    tool,
    texts: pageTexts(),
    ...(said !== undefined && { coverage: { text: said, isComplete: isComplete(report), notes: unsaidTexts(report) } }),
  };
}
