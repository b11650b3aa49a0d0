import { cyclonedx } from './cyclonedx.ts';
import type { Format } from './format.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import { sarif } from './sarif.ts';
import { table } from './table.ts';

/** Every format of a report, one row each; the first is the default. */
export const formats: readonly [Format, ...Format[]] = [table, json, sarif, markdown, html, cyclonedx];
