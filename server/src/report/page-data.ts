import type { PageTexts } from './page-texts.ts';
import type { Report, Tool } from './report.ts';

/** What the page of a report is given: all that it shows, its words included. */
export interface PageData {
  readonly report: Report;
  readonly tool: Tool;
  readonly texts: PageTexts;
}
