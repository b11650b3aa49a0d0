import * as l10n from '@vscode/l10n';
import type { ScanProgress } from '../engine/report/scan/progress.ts';

/** The part of a terminal's stream that a status line uses. */
interface TerminalStream {
  readonly columns: number;
  write(text: string): unknown;
}

/** The last line of a terminal. */
export interface StatusLine {
  /** Replaces the previous line, always within one line of the terminal. `''` removes it. */
  show(line: string): void;
  /** Prints lines above it. */
  above(print: () => void): void;
}

export function statusLine(stream: TerminalStream): StatusLine {
  let shown = '';
  function show(line: string): void {
    // Some terminals do not report their width.
    const cut = line.slice(0, (stream.columns || 80) - 1);
    if (cut === shown) return;
    shown = cut;
    // Source: ECMA-48, “Erase in line”: from the start of the line to its end.
    stream.write(`\r\x1b[2K${cut}`);
  }
  return {
    show,
    above(print) {
      const before = shown;
      show('');
      print();
      show(before);
    },
  };
}

const BAR_WIDTH = 24;

/** `[############············] 412 of 824 looked up` */
export function progressLine({ asked, pending }: ScanProgress): string {
  const done = asked - pending;
  const filled = asked === 0 ? 0 : Math.floor((BAR_WIDTH * done) / asked);
  return `[${'#'.repeat(filled)}${'·'.repeat(BAR_WIDTH - filled)}] ${l10n.t('{0} of {1} looked up', done, asked)}`;
}
