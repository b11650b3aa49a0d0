import * as l10n from '@vscode/l10n';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import { isoDay } from '../../engine/base/dates.ts';
import { positionsIn } from '../../engine/formats/text/positions.ts';
import type { ConnectionStatus } from '../../engine/model/connection.ts';
import { ratingText } from '../../engine/model/severity-rating.ts';
import { expiredIgnores, type ProjectFile } from '../../engine/policy/project-file.ts';
import { buildReport, type FindingStatus } from '../../engine/report/build/build-report.ts';
import { withConnections } from '../../engine/report/build/connections.ts';
import type { FindingWithoutStatus } from '../../engine/report/build/findings.ts';
import { declaredVersion } from '../../engine/report/build/inventory.ts';
import { relativePath } from '../../engine/report/build/paths.ts';
import { formats } from '../../engine/report/formats/index.ts';
import { sanitize } from '../../engine/report/formats/texts.ts';
import type { ScanResult } from '../../engine/report/scan/scan.ts';
import type { Command, Terminal } from '../command.ts';
import { isUnknown, printMissing } from '../lookup.ts';
import {
  checkWritable,
  printFailures,
  printFixes,
  printReport,
  printSyntaxProblems,
  printUnchecked,
  printUnlisted,
  printUnread,
  printUpdates,
  printWays,
  withoutUnknown,
} from '../print.ts';
import { AllExcludedError, prepareScan } from '../scan.ts';
import { readBaseline, strictestBaseline, writeBaseline } from './baseline.ts';
import { findChange, type LoosenedFile, loosenedText, unreadableBaseText } from './change.ts';
import { type FailOn, failOnFor, isFailure } from './fail-on.ts';
import { fixFiles } from './fix.ts';
import { gapsIn, isMissingArchived, printGaps, withUnaskedRepositories } from './gaps.ts';
import { type CheckOptions, checkOptions, readCheckOptions } from './options.ts';

/** `package-insights check`: reports the findings of the editor for every manifest in some folders. */
export const checkCommand: Command<typeof checkOptions> = {
  name: 'check',
  usage: '[PATH…] [--format NAME] [--fail-on LIST]',
  summary: () => l10n.t('Check the dependencies of manifests'),
  options: checkOptions,
  notes: () => [l10n.t('Exit codes: 0 no findings that count, 1 findings that count, 2 failed or incomplete.')],
  examples: [
    'package-insights check',
    'package-insights check services/*/pom.xml --fail-on advisory:high,no-match',
    'package-insights check --format sarif --output insights.sarif',
    'package-insights check --fix --dry-run',
    'package-insights check --baseline insights-baseline.json --write-baseline',
  ],
  isForPrograms: ({ format }) => formats.some((it) => it.name === format && it.isForPrograms),
  takesPositionals: true,
  async run(given, terminal) {
    const options = readCheckOptions(given, terminal);
    const { baseline, output } = options;
    // Errors of these files are reported before any request.
    for (const it of [output, baseline?.write ? baseline.file : undefined])
      if (it !== undefined) await checkWritable(it, terminal);
    const known = baseline && !baseline.write ? await readBaseline(baseline.file, terminal) : undefined;
    const deciding = [options.config, known && baseline?.file].filter((it) => it !== undefined);
    const change = await findChange(options.base, deciding, terminal);
    const before = change.kind === 'known' ? change.base : undefined;
    const accepted = known && before && baseline ? strictestBaseline(known, baseline.file, before, terminal) : known;
    const insights = await terminal.insights(options.settings);
    try {
      const judged = { ...options, ...(before && { projectsBefore: before.projects, former: before.former }) };
      const { scan, files } = await prepareScan(judged, insights, terminal).catch((error: unknown) => {
        // The change itself may exclude them.
        if (change.kind === 'unreadable' && error instanceof AllExcludedError)
          terminal.error(`package-insights check: ${unreadableBaseText(change.by)}`);
        throw error;
      });
      let scanned = await scan();
      const loosened = loosenedFiles(scanned.snapshots, terminal);
      if (baseline && known !== accepted) loosened.push({ path: baseline.file, members: [] });
      if (loosened.length > 0) terminal.error(`package-insights check: ${loosenedText(loosened)}`);
      // Without a file that decides about findings, there is nothing that a change could have loosened.
      const isDecided = known !== undefined || scanned.snapshots.some((it) => it.project) || isExcludedByFile(scanned);
      const isBaseMissing = change.kind === 'unreadable' && isDecided;
      if (isBaseMissing) terminal.error(`package-insights check: ${unreadableBaseText(change.by)}`);
      const fixes =
        options.fix === 'no'
          ? undefined
          : await fixFiles(scanned.snapshots, {
              facts: insights,
              files,
              directory: terminal.directory,
              scope: options.scope,
              dry: options.fix === 'dry',
            });
      if (fixes) printFixes(fixes, options, terminal);
      if (options.fix === 'yes' && fixes?.files.some((it) => it.outcome.kind === 'changed')) {
        scanned = await scan();
        printUpdates(scanned.snapshots, terminal);
      }

      const { directory, clock } = terminal;
      const reporting = { settingsFor: () => options.settings, directory, now: clock.now() };
      const { snapshots } = scanned;
      const failOn = failOnFor(
        options,
        snapshots.map((it) => it.project?.project),
        before !== undefined,
      );
      const built = buildReport(scanned, reporting, statusOfFindings(failOn, accepted));
      const report = withConnections(
        withUnaskedRepositories(built, failOn, insights, options.settings),
        await connectionsFor(options, terminal),
      );
      const malicious = report.findings.filter((it) => it.code === 'malicious').map((it) => sanitize(it.subject));
      if (malicious.length > 0)
        terminal.error(`package-insights check: ${ratingText('malicious')}: ${[...new Set(malicious)].join(', ')}`);
      const gaps = gapsIn(report, snapshots, failOn, options.allowPrivate);
      const listed = withoutUnknown(report, options);
      if (options.fix !== 'dry' && !baseline?.write) {
        await printReport(listed, options, terminal);
        if (!options.quiet) {
          printUnlisted(report, listed, 'check', terminal);
          printWays(report, options, terminal);
        }
      }
      printProjectProblems(scanned.snapshots, terminal);
      printUnread(report.unread, 'check', terminal);
      if (!options.quiet) printSyntaxProblems(report.unclear, 'check', terminal);
      if (!options.quiet && options.format.name === 'cyclonedx')
        printMissing(scanned.snapshots, (it) => isUnknown(it) && declaredVersion(it) === undefined, 'check', terminal);
      if (!options.quiet) printUnchecked(report, 'check', terminal);
      printFailures(report, 'check', options.settings, terminal);
      const counting = gaps.filter((it) => it.passedBy === undefined);
      const isMissing = isMissingArchived(report, failOn);
      const isSure = report.failures.length === 0 && !isMissing && !counting.some((it) => it.gap === 'unread');
      const isFound = report.findings.some((it) => it.counts);
      if (baseline?.write === true || !isFound) printGaps(options.quiet ? counting : gaps, 'check', terminal);
      if (!isSure || isBaseMissing || fixes?.files.some((it) => it.outcome.kind === 'refused')) return 2;
      // A baseline of an incomplete check would hide findings.
      if (baseline?.write) {
        const accepting = report.findings.filter((it) => !it.ignored && it.code !== 'malicious');
        await writeBaseline(baseline.file, accepting, terminal);
        if (!options.quiet) terminal.out(acceptedText(accepting.length, baseline.file));
        if (
          report.findings.length > accepting.length &&
          report.findings.some((it) => it.code === 'malicious' && it.counts)
        )
          return 1;
        return counting.length > 0 ? 2 : 0;
      }
      // Findings take precedence over gaps.
      if (isFound) return 1;
      return counting.length > 0 ? 2 : 0;
    } finally {
      await insights.close();
    }
  },
};

/** The connections of the environment, for the formats that show them. */
async function connectionsFor(
  { format, settings }: CheckOptions,
  terminal: Terminal,
): Promise<readonly ConnectionStatus[]> {
  const isShown = format.name === 'html' || format.name === 'json';
  const isConnected = Object.values(settings.connections).some((it) => it.baseUrl !== '' || it.invalid !== undefined);
  if (!isShown || !isConnected) return [];
  const services = await terminal.services(settings);
  try {
    return await services.connections.list();
  } finally {
    services.close();
  }
}

type Accepted = Awaited<ReturnType<typeof readBaseline>>;

/** The project files that the checked change loosens, by their paths, and the settings files in which it makes a cooldown shorter. */
function loosenedFiles(snapshots: readonly Snapshot[], { directory }: Terminal): LoosenedFile[] {
  const files = new Map<string, LoosenedFile>();
  for (const { project } of snapshots) {
    if (!project?.loosened || project.loosened.length === 0) continue;
    const path = relativePath(project.project.uri, directory);
    files.set(path, { path, members: project.loosened });
  }
  const rules = snapshots.flatMap((it) => it.dependencies).flatMap((it) => it.cooldown?.rules ?? []);
  for (const { isLoosened, key, from } of new Set(rules)) {
    if (!isLoosened || from === undefined) continue;
    const members = files.get(from)?.members ?? [];
    if (!members.includes(key)) files.set(from, { path: from, members: [...members, key] });
  }
  return [...files.values()];
}

function isExcludedByFile({ excludedBy = [] }: ScanResult): boolean {
  return excludedBy.some((it) => it.by !== '--exclude');
}

/** A finding counts, and makes the exit code 1, unless it is ignored or in the baseline. */
function statusOfFindings(failOn: FailOn, accepted: Accepted | undefined) {
  return (it: FindingWithoutStatus): FindingStatus => {
    const known = accepted?.has(it) === true;
    return { counts: !known && !it.ignored && isFailure(it, failOn), known };
  };
}

/** `2 findings in insights-baseline.json now` */
function acceptedText(count: number, file: string): string {
  return count === 1 ? l10n.t('1 finding in {0} now', file) : l10n.t('{0} findings in {1} now', count, file);
}

/** Prints the problems of the project files that were used, since the invalid parts do not apply. */
export function printProjectProblems(snapshots: readonly Snapshot[], { directory, clock, error }: Terminal): void {
  const files = new Map<string, ProjectFile>();
  for (const { project } of snapshots) if (project) files.set(project.project.uri, project);
  const today = isoDay(clock.now());
  for (const [uri, { text, problems }] of files) {
    const positions = positionsIn(text);
    for (const { span, message } of [...problems, ...expiredIgnores(text, today)]) {
      const { line, character } = positions.at(span.start);
      error(sanitize(`package-insights: ${relativePath(uri, directory)}:${line + 1}:${character + 1}: ${message}`));
    }
  }
}
