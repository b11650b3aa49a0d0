import * as l10n from '@vscode/l10n';
import { type UpdateScope, updateScopes } from '../../engine/analysis/update-plan.ts';
import { findingCodes } from '../../engine/model/finding.ts';
import { levels } from '../../engine/model/severity-rating.ts';
import type { Format } from '../../engine/report/formats/format.ts';
import { formats } from '../../engine/report/formats/index.ts';
import { MAX_WAYS } from '../../engine/report/scan/scan.ts';
import { type Arguments, type OptionTable, type Terminal, UsageError } from '../command.ts';
import { formatOption, notOneOf } from '../options.ts';
import { allOption, allowPrivateOption, readScanOptions, type ScanOptions, scanOptions } from '../scan.ts';
import { defaultFailOn, type FailOnOptions, readFailOn, readFailOnOptions, readLevel } from './fail-on.ts';

/** The options of a check. */
export interface CheckOptions extends ScanOptions, FailOnOptions {
  /** Withheld packages do not affect the exit code. */
  readonly allowPrivate: boolean;
  readonly format: Format;
  /** The file for the report; absent for the terminal. */
  readonly output?: string;
  readonly quiet: boolean;
  /** List the packages that the service does not know; otherwise people get their number. */
  readonly showNotFound: boolean;
  readonly color: boolean;
  /** Whether files are changed; `dry` only prints the changes. */
  readonly fix: 'no' | 'dry' | 'yes';
  /** Which versions a fix moves to. */
  readonly scope: UpdateScope;
  /** A file of accepted findings, and whether to write it. */
  readonly baseline?: { readonly file: string; readonly write: boolean };
  /** The revision where the checked change begins; absent if the CI says so. */
  readonly base?: string;
}

export const checkOptions = {
  format: formatOption(formats),
  'fail-on': {
    value: 'LIST',
    help: () =>
      l10n.t(
        'findings that lead to exit code 1, each with an optional level (advisory:high, deprecated:error), or none: {0}. Default: {1}, plus the additions of project files. Gaps lead to exit code 2: withheld, unread and unclear by default, unchecked if listed; withheld:off, unread:off and unclear:off accept them',
        findingCodes.join(', '),
        defaultFailOn,
      ),
    read(text: string): string {
      readFailOn(text);
      return text;
    },
  },
  unrated: {
    value: 'LEVEL',
    names: levels,
    help: () =>
      l10n.t(
        'the level at which vulnerabilities without a rating count for --fail-on: {0}. Default: what project files say, otherwise high',
        levels.join(', '),
      ),
    read: readLevel,
  },
  'allow-private': allowPrivateOption,
  all: allOption,
  output: { value: 'FILE', help: () => l10n.t('write the report to this file, and the summary to standard output') },
  config: {
    value: 'FILE',
    help: () => l10n.t('one project file for all manifests instead of the nearest .package-insights.json'),
  },
  base: {
    value: 'REVISION',
    help: () =>
      l10n.t(
        'what has changed since this revision of git loosens neither project files nor the baseline; default: the base of a pull request, as the CI names it',
      ),
  },
  quiet: { help: () => l10n.t('show only findings that count for --fail-on') },
  'show-not-found': { help: () => l10n.t('list the packages that the service does not know, not only their number') },
  ways: {
    help: () =>
      l10n.t(
        'search the ways out of up to {0} affected packages that dependencies bring: what to run, which update leads out, which override; changes nothing',
        MAX_WAYS,
      ),
  },
  'no-color': { help: () => l10n.t('no colors, as with NO_COLOR in the environment') },
  fix: {
    value: 'SCOPE',
    alone: 'safe',
    names: updateScopes,
    help: () =>
      l10n.t(
        'update dependencies, print the changes, then check again; with --dry-run, only print the changes. safe (if no scope is given): deprecated and affected dependencies to the nearest version without problems; in-major: all to their latest minor version; default: all to their latest version',
      ),
    read(text: string, option: string): UpdateScope {
      const scope = updateScopes.find((it) => it === text);
      if (scope) return scope;
      throw notOneOf(text, updateScopes, option);
    },
  },
  'dry-run': {},
  baseline: {
    value: 'FILE',
    help: () => l10n.t('findings in this file do not count; --write-baseline writes the current ones'),
  },
  'write-baseline': {},
  ...scanOptions,
} as const satisfies OptionTable;

export function readCheckOptions(
  { options, positionals }: Arguments<typeof checkOptions>,
  terminal: Terminal,
): CheckOptions {
  const { output, baseline, config, fix, quiet, format } = options;
  const isDry = options['dry-run'];
  const write = options['write-baseline'];
  if (isDry && fix === undefined) throw new UsageError(l10n.t('{0} requires {1}', '--dry-run', '--fix'));
  if (write && baseline === undefined) {
    throw new UsageError(l10n.t('{0} requires {1}', '--write-baseline', '--baseline FILE'));
  }
  // Neither writes a report, and a missing file would be noticed late.
  for (const it of ['dry-run', 'write-baseline'] as const)
    if (options[it] && output !== undefined)
      throw new UsageError(l10n.t('{0} and {1} cannot be combined', `--${it}`, '--output'));
  const scanning = readScanOptions(options, positionals, terminal);
  const isForProblems = fix === undefined || fix === 'safe';
  return {
    ...scanning,
    // Dependencies without problems move, too.
    ...(!isForProblems && { settings: { ...scanning.settings, lookUpDefaults: true } }),
    ...(fix && { updates: fix }),
    ...readFailOnOptions(options, terminal),
    allowPrivate: options['allow-private'],
    format,
    ...(output !== undefined && { output }),
    ...(config !== undefined && { config }),
    ...(options.base !== undefined && { base: options.base }),
    quiet,
    showNotFound: options['show-not-found'],
    ways: options.ways,
    color: terminal.color && !options['no-color'] && output === undefined,
    fix: fix === undefined ? 'no' : isDry ? 'dry' : 'yes',
    scope: fix ?? 'safe',
    ...(baseline !== undefined && { baseline: { file: baseline, write } }),
  };
}
