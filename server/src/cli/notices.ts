import * as l10n from '@vscode/l10n';
import { buildReport } from '../report/build/build-report.ts';
import { noticeFormats, noticesOf } from '../report/formats/notices.ts';
import { failOnWith } from './check/fail-on.ts';
import { gapsIn, printGaps } from './check/gaps.ts';
import type { Command } from './command.ts';
import { isUnknown, printMissing } from './lookup.ts';
import { formatOf, serviceHelp, textOf } from './options.ts';
import {
  printFailures,
  printIncomplete,
  printSyntaxProblems,
  printUnchecked,
  printUnread,
  tryOutput,
  writeOutput,
} from './print.ts';
import { prepareScan, readScanOptions, scanOptions } from './scan.ts';

/** `package-insights notices`: the licences of everything that the manifests of some folders come to. */
export const noticesCommand: Command = {
  name: 'notices',
  usage: '[PATH…] [--format NAME] [--output FILE]',
  summary: () => l10n.t('List the licences of all dependencies, for a file of notices'),
  help: () =>
    l10n.t(
      `\
  --format NAME       {0}
  --all               lockfiles and bills of materials in the folders, too: what dependencies bring along
  --output FILE       write the notices there
  --allow-private     packages whose names stay private do not make the exit code 2
  --public-registry HOST
                      packages of this registry are public, and may be looked up; as often as needed
  --timeout SECONDS   how long to wait for the service in all; usually 120
{1}

Exit codes: 0 written, 2 it could not be made, or not wholly.

Examples:
  package-insights notices --all --output NOTICES.txt
  package-insights notices package-lock.json --format markdown`,
      noticeFormats.map((it) => it.name).join(', '),
      serviceHelp(),
    ),
  isForPrograms: (flags) => flags['format'] === 'json',
  options: {
    ...scanOptions,
    format: { type: 'string' },
    output: { type: 'string' },
    'allow-private': { type: 'boolean' },
  },
  takesWords: true,
  async run(given, terminal) {
    const { flags } = given;
    const format = formatOf(flags, noticeFormats);
    const options = readScanOptions(given, terminal);
    const { settings } = options;
    const output = textOf(flags, 'output');
    if (output !== undefined) await tryOutput(output, terminal);
    const insights = terminal.insights(settings);
    try {
      const scan = await prepareScan(options, insights, terminal);
      const { directory, clock } = terminal;
      const scanned = await scan();
      const report = buildReport(scanned, {
        settingsFor: () => settings,
        directory,
        now: clock.now(),
      });
      const { packages, failures, unread, unclear } = report;
      const text = format.write(noticesOf(packages));
      if (output === undefined) terminal.out(text.replace(/\n$/, ''));
      else await writeOutput(output, text, terminal);
      printUnread(unread, 'notices', terminal);
      printSyntaxProblems(unclear, 'notices', terminal);
      printMissing(scanned.snapshots, isUnknown, 'notices', terminal);
      printUnchecked(report, 'notices', terminal);
      printFailures(report, 'notices', settings, terminal);
      printIncomplete(report, 'notices', terminal);
      const gaps = gapsIn(report, scanned.snapshots, failOnWith(undefined, []), flags['allow-private'] === true);
      printGaps(gaps, 'notices', terminal);
      return failures.length > 0 || gaps.some((it) => it.passedBy === undefined) ? 2 : 0;
    } finally {
      await insights.close();
    }
  },
};
