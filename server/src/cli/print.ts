import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Style } from '../report/format.ts';
import type { Failure, Report } from '../report/report.ts';
import { count, summary, visible } from '../report/words.ts';
import type { CheckOptions } from './check-options.ts';
import { type Terminal, UsageError } from './command.ts';

const homepage = 'https://github.com/package-insights/package-insights';

/** Puts a report where the person wants it. */
export async function printReport(report: Report, options: CheckOptions, terminal: Terminal): Promise<void> {
  const { format, output, quiet, color } = options;
  const shown = quiet ? { ...report, findings: report.findings.filter((it) => it.counts) } : report;
  const style: Style = { color, tool: { name: 'package-insights', version: terminal.version, homepage } };
  if (output !== undefined) {
    await write(resolve(terminal.directory, output), format.write(shown, style));
    if (!quiet) terminal.out(summary(report));
  } else if (!quiet || format.name !== 'table' || shown.findings.length > 0) {
    terminal.out(format.write(shown, style).replace(/\n$/, ''));
  }
}

/** `3 look-ups failed: connection refused` */
export function describeFailure({ count: number, reason }: Failure): string {
  return `${count(number, 'look-up')} failed: ${visible(reason)}`;
}

async function write(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((error: unknown) => {
    throw new UsageError(`the report cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  });
}
