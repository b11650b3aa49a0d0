import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { ConnectedInsights } from '../model/ports.ts';
import { fileUri } from '../model/uri.ts';
import { formats } from '../report/index.ts';
import type { Report } from '../report/report.ts';
import { findingsOf, sizeOf } from '../survey/findings.ts';
import { inventoryOf } from '../survey/inventory.ts';
import { createSurvey, type Surveyed } from '../survey/survey.ts';
import { findManifests } from '../survey/walk.ts';
import { withheldIn } from '../survey/withheld.ts';
import { readBaseline, writeBaseline } from './baseline.ts';
import { type CheckOptions, checkHelp, checkOptions, readCheckOptions } from './check-options.ts';
import { type Command, type Terminal, UsageError } from './command.ts';
import { failOnWith, isFailure } from './fail-on.ts';
import { fixFiles } from './fix.ts';
import { printFailures, printFixes, printReport, printUnclear, printUpdates } from './print.ts';
import { progressLine } from './progress.ts';
import { printProjectProblems } from './project-problems.ts';
import { printWithheld } from './withheld.ts';

/** `package-insights check`: what the editor finds, in every manifest of some folders. */
export const checkCommand: Command = {
  name: 'check',
  usage: '[PATH…] [--format NAME] [--fail-on LIST]',
  summary: () => l10n.t('Check the dependencies of the manifests in some folders'),
  help: checkHelp,
  options: checkOptions,
  isForPrograms: (flags) => formats.some((it) => it.name === flags['format'] && it.isForPrograms),
  takesWords: true,
  async run(given, terminal) {
    const options = readCheckOptions(given, terminal);
    const { baseline } = options;
    const file = baseline && resolve(terminal.directory, baseline.file);
    // Whether it can be read is told before anything is asked.
    const accepted = file && !baseline.write ? await readBaseline(file, baseline.file) : undefined;
    const insights = terminal.insights(options.settings);
    try {
      const survey = await surveyOf(options, insights, terminal);
      let surveyed = await survey();
      const fixes =
        options.fix === 'no' ? [] : await fixFiles(surveyed.snapshots, terminal.directory, options.fix === 'dry');
      printFixes(fixes, options, terminal);
      if (options.fix === 'yes' && fixes.some((it) => it.outcome.kind === 'changed')) {
        surveyed = await survey();
        printUpdates(surveyed.snapshots, terminal);
      }

      const report = reportOf(surveyed, options, terminal, accepted);
      if (options.fix !== 'dry' && !baseline?.write) await printReport(report, options, terminal);
      printProjectProblems(surveyed.snapshots, terminal);
      if (!options.quiet) printUnclear(surveyed.snapshots, terminal);
      if (!options.quiet) printWithheld(report.withheld, 'check', terminal);
      printFailures(report.failures, 'check', terminal);
      if (report.failures.length > 0 || fixes.some((it) => it.outcome.kind === 'refused')) return 2;
      // Half a list would let what is missing pass as new, or hide it.
      if (file && baseline.write) {
        const accepting = report.findings.filter((it) => !it.ignored);
        await writeBaseline(file, accepting);
        if (!options.quiet) terminal.out(acceptedText(accepting.length, baseline.file));
        return 0;
      }
      return report.findings.some((it) => it.counts) ? 1 : 0;
    } finally {
      await insights.close();
    }
  },
};

/** Looks at everything that was named, as often as it is called. */
async function surveyOf(
  options: CheckOptions,
  insights: ConnectedInsights,
  terminal: Terminal,
): Promise<() => Promise<Surveyed>> {
  const { files, roots, refused } = await findManifests(options.paths, terminal.directory, options);
  for (const it of refused) throw new UsageError(it);
  if (files.length === 0) throw new UsageError(l10n.t('there is no manifest in {0}', options.paths.join(', ')));
  const config = options.config === undefined ? undefined : resolve(terminal.directory, options.config);
  if (config !== undefined && !existsSync(config))
    throw new UsageError(l10n.t('there is no {0}', options.config ?? ''));
  const readable = [...roots, ...(config === undefined ? [] : [dirname(config)])];
  const aborting = new AbortController();
  terminal.ended.then(() => aborting.abort());
  const survey = createSurvey({
    files: terminal.disk(readable.map((it) => `${fileUri(it)}/`)),
    insights,
    settings: options.settings,
    clock: terminal.clock,
    patience: options.patience,
    ...(config !== undefined && { projectFile: fileUri(config) }),
    signal: aborting.signal,
    progress: (counts) => options.quiet || terminal.status?.(progressLine(counts)),
  });
  return async () => {
    const surveyed = await survey.look(files.map(fileUri));
    terminal.status?.('');
    return surveyed;
  };
}

function reportOf(
  { snapshots, failures }: Surveyed,
  { settings, failOn: chosen }: CheckOptions,
  { directory, clock }: Terminal,
  accepted: Awaited<ReturnType<typeof readBaseline>> | undefined,
): Report {
  const failOn = chosen ?? failOnWith(snapshots.flatMap((it) => it.project?.project.failOn ?? []));
  return {
    ...sizeOf(snapshots),
    at: new Date(clock.now()).toISOString(),
    ...inventoryOf(snapshots, directory, clock.now()),
    findings: findingsOf(snapshots, settings, directory).map((it) => {
      const known = accepted?.has(it) === true;
      return { ...it, counts: !known && !it.ignored && isFailure(it, failOn), known };
    }),
    failures,
    withheld: withheldIn(snapshots),
  };
}

/** `2 findings in insights-baseline.json now` */
function acceptedText(count: number, file: string): string {
  return count === 1 ? l10n.t('1 finding in {0} now', file) : l10n.t('{0} findings in {1} now', count, file);
}
