import * as l10n from '@vscode/l10n';
import type { Command } from '../../terminal/command.ts';
import { rawPositionals } from '../../terminal/options.ts';
import { reportFleetCommand, reportOptions } from './report.ts';
import { partOptions, runFleetCommand, runOptions } from './run.ts';
import { workFleetCommand } from './worker.ts';

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

/** `package-insights fleet worker`: checks repositories that a queue gives it. */
const workerCommand: Command<typeof partOptions> = {
  name: 'fleet',
  usage: 'worker --queue ADDRESS',
  summary: () => l10n.t('Take repositories of a fleet from a queue and check them'),
  options: partOptions,
  notes: () => [l10n.t('Exit codes: 0 done, 2 could not run.')],
  examples: [
    'package-insights fleet worker --queue redis://queue.example:6379 --results postgres://insights@db.example/fleet',
  ],
  takesPositionals: true,
  run: workFleetCommand,
};

/** `package-insights fleet`: checks many repositories as one. */
export const fleetCommand: Command<typeof runOptions> = {
  name: 'fleet',
  usage: 'LIST | worker | report',
  summary: () => l10n.t('Check many repositories as one, and show which of them have a package'),
  options: runOptions,
  notes: () => [
    l10n.t(
      'LIST is a file, or - for standard input, with a repository a line: a folder, an address of git, or an archive.',
    ),
    l10n.t('package-insights fleet worker --help lists the options of a worker, report --help those of the report.'),
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
      case 'worker':
        return workerCommand as Command;
      case 'report':
        return reportCommand as Command;
      default:
        return fleetCommand as Command;
    }
  },
  run: runFleetCommand,
};
