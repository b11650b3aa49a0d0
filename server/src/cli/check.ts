import { fileUri } from '../model/uri.ts';
import type { Report } from '../report/report.ts';
import { type CheckOptions, checkHelp, checkOptions, readCheckOptions } from './check-options.ts';
import { type Command, type Terminal, UsageError } from './command.ts';
import { isFailure } from './fail-on.ts';
import { findingsOf, sizeOf } from './findings.ts';
import { describeFailure, printReport } from './print.ts';
import { progressLine } from './progress.ts';
import { createSurvey, type Surveyed } from './survey.ts';
import { findManifests } from './walk.ts';

/** `package-insights check`: what the editor finds, in every manifest of some folders. */
export const checkCommand: Command = {
  name: 'check',
  usage: '[PATH…] [--format NAME] [--fail-on LIST]',
  summary: 'Check the dependencies of the manifests in some folders',
  help: checkHelp,
  options: checkOptions,
  takesWords: true,
  async run(given, terminal) {
    const options = readCheckOptions(given, terminal);
    const { files, roots } = await findManifests(options.paths, terminal.directory);
    if (files.length === 0) throw new UsageError(`there is no manifest in ${options.paths.join(', ')}`);

    const insights = terminal.insights(options.settings);
    const aborting = new AbortController();
    terminal.ended.then(() => aborting.abort());
    try {
      const survey = createSurvey({
        files: terminal.disk(roots.map((it) => `${fileUri(it)}/`)),
        insights,
        settings: options.settings,
        clock: terminal.clock,
        patience: options.patience,
        signal: aborting.signal,
        progress: (counts) => options.quiet || terminal.status?.(progressLine(counts)),
      });
      const surveyed = await survey.look(files.map(fileUri));
      terminal.status?.('');
      const report = reportOf(surveyed, options, terminal);
      await printReport(report, options, terminal);
      for (const it of report.failures) terminal.error(`package-insights check: ${describeFailure(it)}`);
      if (report.failures.length > 0) return 2;
      return report.findings.some((it) => it.counts) ? 1 : 0;
    } finally {
      await insights.close();
    }
  },
};

function reportOf({ snapshots, counts }: Surveyed, options: CheckOptions, { directory }: Terminal): Report {
  const { settings, failOn, patience } = options;
  const late = { reason: `no answer within ${patience / 1000} s`, count: counts.pending };
  return {
    ...sizeOf(snapshots),
    findings: findingsOf(snapshots, settings, directory).map((it) => ({
      ...it,
      counts: isFailure(it, failOn),
      known: false,
    })),
    failures: [...counts.failures, ...(counts.pending > 0 ? [late] : [])],
  };
}
