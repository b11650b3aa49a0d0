import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { Format } from './format.ts';
import { pageDataOf } from './page-texts.ts';

/**
 * One file for any browser: charts, and a list to search, sort and filter. It loads nothing, and its policy allows only
 * the embedded script.
 */
export const html: Format = {
  name: 'html',
  write(report, { tool, page }) {
    const { script, style } = page();
    const data = pageDataOf(report, tool);
    const policy = [
      "default-src 'none'",
      `script-src '${hashOf(script)}'`,
      // The script sets heights through the DOM, which no policy forbids.
      `style-src '${hashOf(style)}'`,
      "base-uri 'none'",
      "form-action 'none'",
    ];
    // The order matters: the script comes last and needs everything before it.
    return [
      '<!doctype html>',
      `<html lang="${l10n.t({ message: 'en', comment: 'the code of the language of these texts' })}">`,
      '<head>',
      '<meta charset="utf-8">',
      `<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">`,
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="referrer" content="no-referrer">',
      `<style>${style}</style>`,
      '</head>',
      '<body>',
      `<script type="application/json" id="data">${asData(data)}</script>`,
      `<script>${script}</script>`,
      '</body>',
      '</html>',
      '',
    ].join('\n');
  },
};

/** JSON that cannot end its element, and is no command in the log of a CI. */
function asData(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u0085\u2028\u2029]|(?<=#)#/g,
    (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
