import * as l10n from '@vscode/l10n';
import type { Snapshot } from '../engine/snapshot.ts';
import { homepage } from '../model/homepage.ts';
import type { Settings } from '../model/settings.ts';
import type { Style } from '../report/format.ts';
import type { Report, Unclear } from '../report/report.ts';
import {
  coverageText,
  failureText,
  isComplete,
  oldText,
  summary,
  uncheckedText,
  unclearText,
  unreadText,
  unsaidTexts,
  visible,
  withheldText,
} from '../report/words.ts';
import { relativePath } from '../survey/view.ts';
import type { CheckOptions } from './check-options.ts';
import type { Terminal } from './command.ts';
import type { FileFix } from './fix.ts';
import { writeOutput } from './output.ts';

/** Puts a report where the person wants it. */
export async function printReport(report: Report, options: CheckOptions, terminal: Terminal): Promise<void> {
  const { format, output, quiet, color } = options;
  const shown = quiet ? { ...report, findings: report.findings.filter((it) => it.counts) } : report;
  const style: Style = {
    color,
    ...(terminal.columns !== undefined && output === undefined && { columns: terminal.columns }),
    tool: { name: 'package-insights', version: terminal.version, homepage },
    page: terminal.page,
  };
  if (output !== undefined) {
    await writeOutput(output, format.write(shown, style), terminal);
    if (!quiet) terminal.out(summary(report));
  } else if (!quiet || format.name !== 'table' || shown.findings.length > 0) {
    terminal.out(format.write(shown, style).replace(/\n$/, ''));
  }
  const isSaid = output === undefined ? format.name === 'table' && shown.findings.length > 0 : false;
  if (quiet && !isSaid) printIncomplete(report, 'check', terminal);
}

/** What was changed, or would be, as a patch; and which files could not be. */
export function printFixes(fixes: readonly FileFix[], options: CheckOptions, terminal: Terminal): void {
  // Standard output may be for a program that expects a report, and nothing else.
  const isForReport = options.fix === 'yes' && options.format.name !== 'table' && options.output === undefined;
  const print = isForReport ? terminal.error : terminal.out;
  for (const { path, outcome } of fixes) {
    if (outcome.kind === 'refused')
      terminal.error(`package-insights check: ${visible(l10n.t('{0} is left as it is: {1}', path, outcome.reason))}`);
    else if (options.fix === 'dry' || !options.quiet) {
      const diff = outcome.diff.replace(/\n$/, '');
      print(options.color ? diff.replace(/\r$/gm, '').replace(/[^\n\t]+/g, visible) : diff);
    }
  }
}

/** `packages/app/package-lock.json still has other versions: run npm install` */
export function printUpdates(snapshots: readonly Snapshot[], terminal: Terminal): void {
  const updates = snapshots.flatMap(({ subjects, lockfiles }) => {
    const stale = subjects.map(({ resolution: it }) => (it.kind === 'version' ? it.stale?.lockfile : undefined));
    return lockfiles
      .filter((it) => stale.includes(it.format.id))
      .map(({ directory, format }) => {
        const path = relativePath(directory + format.id, terminal.directory);
        return l10n.t('{0} still has other versions: run {1}', path, format.update);
      });
  });
  for (const it of [...new Set(updates)].sort()) terminal.error(`package-insights check: ${visible(it)}`);
}

/** `app/pom.xml:12: not all of the text is understood: dependencies may be missing` */
export function printUnclear(unclear: readonly Unclear[], command: string, terminal: Terminal): void {
  for (const it of unclear) terminal.error(`package-insights ${command}: ${unclearText(it)}`);
}

/** `app/pom.xml cannot be read, so its dependencies are missing` */
export function printUnread(unread: readonly string[], command: string, terminal: Terminal): void {
  for (const it of unread) terminal.error(`package-insights ${command}: ${unreadText(it)}`);
}

/** `3 look-ups failed: connection refused`, of which service, and how old the answers are that are shown in place. */
export function printFailures(
  { failures, old, at }: Pick<Report, 'failures' | 'old' | 'at'>,
  command: string,
  { baseUrl, offline }: Settings,
  terminal: Terminal,
): void {
  for (const it of failures) terminal.error(`package-insights ${command}: ${failureText(it)}`);
  if (old) terminal.error(`package-insights ${command}: ${oldText(old, at)}`);
  if (failures.length === 0 || offline || failures.some((it) => it.reason.includes(baseUrl))) return;
  terminal.error(`package-insights ${command}: ${visible(l10n.t('the service is {0}', baseUrl))}`);
}

/**
 * Says how many dependencies the service did not hear of, because they come from a registry of their own, and which; and
 * of how many nobody can tell the version.
 */
export function printUnchecked(
  { withheld, unchecked }: Pick<Report, 'withheld' | 'unchecked'>,
  command: string,
  terminal: Terminal,
): void {
  const said = [...withheld.map(withheldText), ...unsaidTexts({ withheld }), ...unchecked.map(uncheckedText)];
  for (const it of said) terminal.error(`package-insights ${command}: ${it}`);
}

/** `incomplete: 0 of 133 looked up: …`, where a report does not say so itself. */
export function printIncomplete(report: Report, command: string, terminal: Terminal): void {
  const coverage = coverageText(report);
  if (coverage !== undefined && !isComplete(report))
    terminal.error(`package-insights ${command}: ${l10n.t('incomplete: {0}', coverage)}`);
}
