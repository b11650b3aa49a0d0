import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Snapshot } from '../engine/analysis/snapshot.ts';
import { groupBy } from '../engine/base/collections.ts';
import { fileTrouble } from '../engine/base/file-error.ts';
import { withoutLogCommands } from '../engine/base/log-commands.ts';
import type { Settings } from '../engine/model/settings.ts';
import { uncheckedLinksIn, withCheckedLinks } from '../engine/report/build/checked-links.ts';
import { relativePath } from '../engine/report/build/paths.ts';
import type { FormatContext } from '../engine/report/formats/format.ts';
import {
  excludedText,
  failureReasonText,
  isMostlyUnchecked,
  isNew,
  isUnknownHint,
  oldText,
  placesText,
  privateDependenciesText,
  publicRegistryHints,
  repositoriesText,
  sanitize,
  shortfallText,
  summaryLines,
  syntaxProblemText,
  targetText,
  uncheckedText,
  unreadText,
  withholdingLineHints,
  withoutAdvisoriesGap,
} from '../engine/report/formats/texts.ts';
import type { Report, SyntaxProblem } from '../engine/report/report.ts';
import type { FixResult, Located, Stuck, Update } from './check/fix.ts';
import type { CheckOptions } from './check/options.ts';
import { checkLinks } from './checked-links.ts';
import { type Terminal, UsageError } from './command.ts';
import { writeAtomically } from './replace-file.ts';

/**
 * The findings without the packages that the service does not know, where that is only a hint: private ones are usual,
 * and would hide the others. Formats for programs and the page, which filters, have all.
 */
export function withoutUnknown(
  report: Report,
  { format, showNotFound }: Pick<CheckOptions, 'format' | 'showNotFound'>,
): Report {
  if (showNotFound || format.isForPrograms || format.name === 'html') return report;
  return { ...report, findings: report.findings.filter((it) => !isUnknownHint(it) || !isNew(it)) };
}

/** How to list the packages that the service does not know, which the summary counts. */
export function printUnlisted(all: Report, listed: Report, command: string, { error }: Terminal): void {
  if (all.findings.length === listed.findings.length) return;
  const option = '--show-not-found';
  const said = isMostlyUnchecked(all)
    ? l10n.t('{0} lists what is unknown to the service, {1} makes it count', option, '--fail-on not-found')
    : l10n.t('{0} lists what is unknown to the service', option);
  error(`package-insights ${command}: ${said}`);
}

/** How to find what leads out of the affected packages that dependencies bring, where it was not searched. */
export function printWays({ findings }: Report, { ways, format }: CheckOptions, { error }: Terminal): void {
  if (ways || format.isForPrograms || !findings.some((it) => it.below !== undefined && isNew(it))) return;
  error(
    `package-insights check: ${l10n.t('{0} searches the ways out of affected packages that dependencies bring', '--ways')}`,
  );
}

/** Writes a report to the chosen destination. */
export async function printReport(report: Report, options: CheckOptions, terminal: Terminal): Promise<void> {
  const { format, output, quiet, color } = options;
  const links = format.isForPrograms
    ? undefined
    : await checkLinks((it) => uncheckedLinksIn(report, it), options.settings, terminal);
  const checked = links === undefined ? report : withCheckedLinks(report, links);
  const shown = quiet ? { ...checked, findings: checked.findings.filter((it) => it.counts) } : checked;
  const style: FormatContext = {
    color,
    ...(terminal.columns !== undefined && output === undefined && { columns: terminal.columns }),
    tool: { name: 'package-insights', version: terminal.version },
    page: terminal.page,
  };
  if (output !== undefined) {
    await writeOutput(output, format.write(shown, style), terminal);
    if (!quiet) terminal.out(summaryLines(report).join('\n'));
  } else if (!quiet || format.name !== 'table' || shown.findings.length > 0) {
    terminal.out(format.write(shown, style).replace(/\n$/, ''));
  }
  const isSaid = output === undefined ? format.name === 'table' && shown.findings.length > 0 : false;
  if (quiet && !isSaid) printShortfall(report, 'check', terminal);
}

/** Prints the changes, made or planned, as a patch, and the files that could not be changed. */
export function printFixes(
  { files, updates, stuck, patchBase }: FixResult,
  options: CheckOptions,
  terminal: Terminal,
): void {
  // A program may read the report from standard output.
  const isForReport = options.fix === 'yes' && options.format.name !== 'table' && options.output === undefined;
  const print = isForReport ? terminal.error : terminal.out;
  for (const { path, outcome } of files) {
    if (outcome.kind === 'refused')
      terminal.error(`package-insights check: ${sanitize(l10n.t('{0} was not changed: {1}', path, outcome.reason))}`);
    else if (options.fix === 'dry' || !options.quiet) {
      const diff = outcome.diff.replace(/\n$/, '');
      const printed = withoutLogCommands(diff.replace(controlling, '\ufffd'));
      print(options.color ? diff.replace(/\r$/gm, '').replace(/[^\n\t]+/g, sanitize) : printed);
      if (printed !== diff) {
        const why = l10n.t('this patch is for reading only: {0} contains what a terminal or log would act upon', path);
        terminal.error(`package-insights check: ${sanitize(why)}`);
      } else if (outcome.encoding) {
        const why = l10n.t('this patch is for reading only: {0} is in {1}', path, outcome.encoding);
        terminal.error(`package-insights check: ${sanitize(why)}`);
      }
    }
  }
  if (patchBase !== undefined && options.fix === 'dry') {
    const command = `git -C ${JSON.stringify(patchBase)} apply`;
    terminal.error(`package-insights check: ${sanitize(l10n.t('to make these changes here: {0}', command))}`);
  }
  if (options.quiet) return;
  // Not among the lines of the patch, which another program may apply.
  printList(updatesText(updates.length), updates, updateText, terminal);
  printList(stuckText(stuck.length), stuck, stuckLine, terminal);
}

/** Control characters but tabs, page and line ends: a log shows the colors, and hides the lines, that they order. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
const controlling = /(?![\t\n\f])[\u0000-\u001f\u007f-\u009f](?<!\r(?=\n|$))/g;

/** Further ones are counted. */
const MAX_PLACES = 5;

/** Prints each text once, with its places. */
function printList<T extends Located>(
  title: string,
  all: readonly T[],
  textOf: (it: T) => string,
  { error }: Terminal,
): void {
  if (all.length === 0) return;
  error(`package-insights check: ${title}`);
  for (const [text, located] of groupBy(all, textOf)) {
    const places = located.slice(0, MAX_PLACES).map((it) => `${it.path}:${it.line}`);
    error(`  ${sanitize(text)}  ${placesText(places, located.length - places.length)}`);
  }
}

function updatesText(count: number): string {
  return count === 1 ? l10n.t('1 update') : l10n.t('{0} updates', count);
}

function stuckText(count: number): string {
  return count === 1 ? l10n.t('1 dependency cannot be updated') : l10n.t('{0} dependencies cannot be updated', count);
}

/** `lodash 4.17.15 → 4.17.21 (patch, fixes 3 advisories)` */
function updateText({ subject, to, notes }: Update): string {
  return `${subject} → ${targetText({ version: to, notes })}`;
}

/** `urllib3 1.26.0 → 2.0.0: pinned by hash` */
function stuckLine({ subject, to, reason }: Stuck): string {
  return `${to === undefined ? subject : `${subject} → ${to}`}: ${reason}`;
}

/** `packages/app/package-lock.json still has other versions: run npm install` */
export function printUpdates(snapshots: readonly Snapshot[], terminal: Terminal): void {
  const updates = snapshots.flatMap(({ dependencies, lockfiles }) => {
    const stale = dependencies.map(({ resolution: it }) => (it.kind === 'version' ? it.stale?.lockfile : undefined));
    return lockfiles
      .filter((it) => stale.includes(it.format.id))
      .map(({ directory, format }) => {
        const path = relativePath(directory + format.id, terminal.directory);
        return l10n.t('{0} still contains other versions: run {1}', path, format.update);
      });
  });
  for (const it of [...new Set(updates)].sort()) terminal.error(`package-insights check: ${sanitize(it)}`);
}

/** `app/pom.xml:12: partly understood: dependencies may be missing` */
export function printSyntaxProblems(problems: readonly SyntaxProblem[], command: string, terminal: Terminal): void {
  for (const it of problems) terminal.error(`package-insights ${command}: ${syntaxProblemText(it)}`);
}

/** `app/pom.xml cannot be read, so its dependencies are missing` */
export function printUnread(unread: readonly string[], command: string, terminal: Terminal): void {
  for (const it of unread) terminal.error(`package-insights ${command}: ${unreadText(it)}`);
}

/** `12 manifests excluded by web/.package-insights.json` */
export function printExcluded({ excluded = [] }: Pick<Report, 'excluded'>, command: string, terminal: Terminal): void {
  for (const it of excluded) terminal.error(`package-insights ${command}: ${excludedText(it)}`);
}

/** `3 look-ups failed: connection refused`, with the service and the age of stale answers shown instead. */
export function printFailures(
  { failures, repositories = [], old, at }: Pick<Report, 'failures' | 'repositories' | 'old' | 'at'>,
  command: string,
  { baseUrl, offline }: Settings,
  terminal: Terminal,
): void {
  for (const it of failures) terminal.error(`package-insights ${command}: ${failureReasonText(it)}`);
  for (const it of repositories) terminal.error(`package-insights ${command}: ${repositoriesText(it)}`);
  if (old) terminal.error(`package-insights ${command}: ${oldText(old, at)}`);
  if (failures.length === 0 || offline || failures.some((it) => it.reason.includes(baseUrl))) return;
  terminal.error(`package-insights ${command}: ${sanitize(l10n.t('the service is {0}', baseUrl))}`);
}

/**
 * Prints the number of dependencies that were withheld for privacy, by registry, and of those without a known version.
 */
export function printUnchecked(
  report: Pick<Report, 'coverage' | 'withheld' | 'unchecked'>,
  command: string,
  terminal: Terminal,
): void {
  const { withheld, unchecked } = report;
  const said = [
    ...withheld.map(privateDependenciesText),
    ...withholdingLineHints({ withheld }),
    ...publicRegistryHints({ withheld }),
    ...withoutAdvisoriesGap(report),
    ...unchecked.map(uncheckedText),
  ];
  for (const it of said) terminal.error(`package-insights ${command}: ${it}`);
}

/** `Incomplete: 0 of 133 dependencies in 2 manifests checked. Not checked: …`, where the report does not contain it. */
export function printShortfall(report: Report, command: string, terminal: Terminal): void {
  const said = shortfallText(report);
  if (said !== undefined) terminal.error(`package-insights ${command}: ${said}`);
}

/**
 * Checks whether a file can be written, without writing it, before any request or change.
 * @param file as typed
 * @throws UsageError where it cannot
 */
export async function checkWritable(file: string, { directory }: Terminal): Promise<void> {
  const path = resolve(directory, file);
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory()) throw unwritable(file, l10n.t('it is a folder'));
  // With the dot, a file in place of the folder fails, too.
  const place = there ? path : `${dirname(path)}/.`;
  await access(place, constants.W_OK).catch((error: unknown) => {
    throw unwritable(file, fileTrouble(error));
  });
}

/**
 * Writes a file atomically: neither a concurrent reader nor a full disk leads to half of it.
 * @param file as typed
 * @throws UsageError where it cannot be written
 */
export async function writeOutput(file: string, text: string | Uint8Array, { directory }: Terminal): Promise<void> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  await writeAtomically(resolve(directory, file), bytes).catch((error: unknown) => {
    throw unwritable(file, fileTrouble(error));
  });
}

function unwritable(file: string, reason: string): UsageError {
  return new UsageError(l10n.t('{0} cannot be written: {1}', file, reason));
}
