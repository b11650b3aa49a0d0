import * as l10n from '@vscode/l10n';
import type { Command } from '../command.ts';
import { rawPositionals } from '../options.ts';
import { reportFleetCommand, reportOptions } from './report.ts';
import { runFleetCommand, runOptions } from './run.ts';

/** `package-insights fleet report`: shows what a fleet has. */
const reportCommand: Command<typeof reportOptions> = {
  name: 'fleet',
  usage: 'report [--package PACKAGE | --advisory ID | --license LICENSE] [--since RUN] [--format NAME]',
  summary: () => l10n.t('Show what repositories have, and who fixes it'),
  options: reportOptions,
  notes: () => [
    l10n.t(
      'Exit codes: 0 nothing that counts, 1 something that counts, or something at all for a package, 2 failed or incomplete.',
    ),
  ],
  examples: [
    "package-insights fleet report --package 'npm:lodash<4.17.21'",
    'package-insights fleet report --by owner',
    'package-insights fleet report --since last --format csv --output changes.csv',
  ],
  takesPositionals: true,
  run: reportFleetCommand,
};

/** `package-insights fleet`: checks many repositories as one. */
export const fleetCommand: Command<typeof runOptions> = {
  name: 'fleet',
  usage: 'LIST | report',
  summary: () => l10n.t('Check many repositories as one, and show which of them have a package'),
  options: runOptions,
  notes: () => [
    l10n.t(
      'LIST is a file, or - for standard input, with a repository a line: a folder, an address of git, or an archive.',
    ),
    l10n.t('package-insights fleet report --help lists the options of the report.'),
    l10n.t('Exit codes: 0 no findings that count, 1 findings that count, 2 failed or incomplete.'),
  ],
  examples: [
    'package-insights fleet repositories.txt',
    'package-insights fleet --resume last',
    "package-insights fleet report --package 'npm:lodash<4.17.21'",
  ],
  takesPositionals: true,
  async forArguments(args) {
    switch (rawPositionals(fleetCommand, args)[0]) {
      case 'report':
        return reportCommand as Command;
      default:
        return fleetCommand as Command;
    }
  },
  run: runFleetCommand,
};
