import * as l10n from '@vscode/l10n';
import { findingCodes } from '../../model/finding.ts';
import type { Format } from '../../report/formats/format.ts';
import { formats } from '../../report/formats/index.ts';
import { type Given, type Terminal, UsageError } from '../command.ts';
import { formatOf, serviceHelp, textOf } from '../options.ts';
import { readScanOptions, type ScanOptions, scanOptions } from '../scan.ts';
import { readFailOn, usualFailOn } from './fail-on.ts';

/** What a person asked of a check. */
export interface CheckOptions extends ScanOptions {
  /** As typed, and readable. Absent where nobody said: then the usual findings count, and what the project files add. */
  readonly failOn?: string;
  /** That names stay private makes no difference to the exit code. */
  readonly allowPrivate: boolean;
  readonly format: Format;
  /** Where the report goes; absent for the terminal. */
  readonly output?: string;
  readonly quiet: boolean;
  readonly color: boolean;
  /** Whether files are changed: `dry` only says how they would be. */
  readonly fix: 'no' | 'dry' | 'yes';
  /** A file of findings that do not count, and whether it is written anew. */
  readonly baseline?: { readonly file: string; readonly write: boolean };
}

export const checkOptions = {
  ...scanOptions,
  format: { type: 'string' },
  'fail-on': { type: 'string' },
  'allow-private': { type: 'boolean' },
  output: { type: 'string' },
  config: { type: 'string' },
  quiet: { type: 'boolean' },
  'no-color': { type: 'boolean' },
  fix: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  baseline: { type: 'string' },
  'write-baseline': { type: 'boolean' },
} as const;

export function checkHelp(): string {
  return l10n.t(
    `\
  --format NAME       {0}
  --fail-on LIST      which findings make the exit code 1, each with a level if you like
                      (advisory:high, deprecated:error), or none:
                      {1}.
                      Usually {2}, and what project files add.
                      What is left unchecked makes it 2: withheld, unread and unclear usually, unchecked
                      where it is named; withheld:off and the like let it pass
  --allow-private     packages whose names stay private do not make the exit code 2
  --all               lockfiles and bills of materials in the folders, too: what dependencies bring along
  --output FILE       write the report there, and only its summary here
  --config FILE       a project file for all manifests, in place of the .package-insights.json nearest to each
  --quiet             show only what counts for --fail-on, and nothing else
  --no-color          no colours, as with NO_COLOR in the environment
  --fix               move every deprecated or affected dependency to a sound version, print what
                      changed, then check what is left; with --dry-run, only print
  --baseline FILE     findings that this file lists do not count; --write-baseline lists those of now
  --public-registry HOST
                      packages of this registry are public, and may be looked up; as often as needed
  --timeout SECONDS   how long to wait for the service in all; usually 120
{3}

Exit codes: 0 nothing that counts, 1 findings that count, 2 it could not be checked, or not wholly.

Examples:
  package-insights check
  package-insights check services/*/pom.xml --fail-on advisory:high,no-match
  package-insights check --format sarif --output insights.sarif
  package-insights check --fix --dry-run
  package-insights check --baseline insights-baseline.json --write-baseline`,
    formats.map((it) => it.name).join(', '),
    findingCodes.join(', '),
    usualFailOn,
    serviceHelp(),
  );
}

export function readCheckOptions(given: Given, terminal: Terminal): CheckOptions {
  const { flags } = given;
  const output = textOf(flags, 'output');
  const baseline = textOf(flags, 'baseline');
  const config = textOf(flags, 'config');
  const failOn = textOf(flags, 'fail-on');
  // Whether it can be read is told before anything is asked.
  if (failOn !== undefined) readFailOn(failOn);
  if (flags['dry-run'] === true && flags['fix'] !== true)
    throw new UsageError(l10n.t('{0} goes with {1}', '--dry-run', '--fix'));
  if (flags['write-baseline'] === true && baseline === undefined) {
    throw new UsageError(l10n.t('{0} needs {1}', '--write-baseline', '--baseline FILE'));
  }
  // Neither writes a report, and a file that is missing in the end is noticed late.
  for (const it of ['dry-run', 'write-baseline'])
    if (flags[it] === true && output !== undefined)
      throw new UsageError(l10n.t('{0} and {1} exclude each other', `--${it}`, '--output'));
  return {
    ...readScanOptions(given, terminal),
    ...(failOn !== undefined && { failOn }),
    allowPrivate: flags['allow-private'] === true,
    format: formatOf(flags, formats),
    ...(output !== undefined && { output }),
    ...(config !== undefined && { config }),
    quiet: flags['quiet'] === true,
    color: terminal.color && flags['no-color'] !== true && output === undefined,
    fix: flags['fix'] !== true ? 'no' : flags['dry-run'] === true ? 'dry' : 'yes',
    ...(baseline !== undefined && { baseline: { file: baseline, write: flags['write-baseline'] === true } }),
  };
}
