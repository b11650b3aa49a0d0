import * as l10n from '@vscode/l10n';
import { buildReport } from '../engine/report/build/build-report.ts';
import { noticeFormats, noticesOf } from '../engine/report/formats/notices.ts';
import { isComplete } from '../engine/report/formats/texts.ts';
import { failOnFor } from './check/fail-on.ts';
import { gapsIn, printGaps } from './check/gaps.ts';
import type { Command, OptionTable } from './command.ts';
import { isUnknown, printMissing } from './lookup.ts';
import { formatOption } from './options.ts';
import {
  checkWritable,
  printExcluded,
  printFailures,
  printShortfall,
  printSyntaxProblems,
  printUnchecked,
  printUnread,
  writeOutput,
} from './print.ts';
import { allOption, allowPrivateOption, prepareScan, readScanOptions, scanOptions } from './scan.ts';

const noticesOptions = {
  format: formatOption(noticeFormats),
  all: allOption,
  output: { value: 'FILE', help: () => l10n.t('write the notices to this file') },
  'allow-private': allowPrivateOption,
  ...scanOptions,
} as const satisfies OptionTable;

/** `package-insights notices`: lists the licenses of all resolved versions in the manifests of some folders. */
export const noticesCommand: Command<typeof noticesOptions> = {
  name: 'notices',
  usage: '[PATH…] [--format NAME] [--output FILE]',
  summary: () => l10n.t('List the licenses of all dependencies, for a notices file'),
  options: noticesOptions,
  notes: () => [l10n.t('Exit codes: 0 complete, 2 failed or incomplete.')],
  examples: [
    'package-insights notices --all --output NOTICES.txt',
    'package-insights notices package-lock.json --format markdown',
  ],
  isForPrograms: ({ format }) => format === 'json',
  takesPositionals: true,
  async run({ options: given, positionals }, terminal) {
    const { format, output } = given;
    const options = readScanOptions(given, positionals, terminal);
    const { settings } = options;
    if (output !== undefined) await checkWritable(output, terminal);
    const insights = await terminal.insights(settings);
    try {
      const { scan } = await prepareScan(options, insights, terminal);
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
      printExcluded(report, 'notices', terminal);
      printSyntaxProblems(unclear, 'notices', terminal);
      printMissing(scanned.snapshots, isUnknown, 'notices', terminal);
      printUnchecked(report, 'notices', terminal);
      printFailures(report, 'notices', settings, terminal);
      // Unknown packages are counted above.
      if (!isComplete(report)) printShortfall(report, 'notices', terminal);
      const gaps = gapsIn(report, scanned.snapshots, failOnFor({}, []), given['allow-private']);
      printGaps(gaps, 'notices', terminal);
      return failures.length > 0 || gaps.some((it) => it.passedBy === undefined) ? 2 : 0;
    } finally {
      await insights.close();
    }
  },
};
