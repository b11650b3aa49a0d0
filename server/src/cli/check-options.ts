import { findingCodes } from '../model/finding.ts';
import type { Settings } from '../model/settings.ts';
import type { Format } from '../report/format.ts';
import { formats } from '../report/index.ts';
import { type Given, type Terminal, UsageError } from './command.ts';
import { type FailOn, readFailOn, usualFailOn } from './fail-on.ts';
import { numberOf, readServiceSettings, serviceHelp, serviceOptions, textOf } from './flags.ts';

/** What a person asked of a check. */
export interface CheckOptions {
  /** Files and folders, as typed. */
  readonly paths: readonly string[];
  readonly settings: Settings;
  readonly failOn: FailOn;
  readonly format: Format;
  /** Where the report goes; absent for the terminal. */
  readonly output?: string;
  readonly quiet: boolean;
  readonly color: boolean;
  /** How long the service is waited for in all, in ms. */
  readonly patience: number;
}

export const checkOptions = {
  ...serviceOptions,
  format: { type: 'string' },
  'fail-on': { type: 'string' },
  output: { type: 'string' },
  quiet: { type: 'boolean' },
  'no-color': { type: 'boolean' },
  timeout: { type: 'string' },
} as const;

export const checkHelp = `\
  --format NAME       ${formats.map((it) => it.name).join(', ')}
  --fail-on LIST      which findings make the exit code 1: ${findingCodes.filter((it) => it !== 'license').join(', ')},
                      each with a level if you like (advisory:high, deprecated:error), or none.
                      Usually ${usualFailOn}
  --output FILE       write the report there, and only its summary here
  --quiet             show only what counts for --fail-on, and nothing else
  --no-color          no colours, as with NO_COLOR in the environment
  --timeout SECONDS   how long to wait for the service in all; usually 120
${serviceHelp}

Exit codes: 0 clean, 1 findings that count, 2 it could not be checked, or not wholly.

Examples:
  package-insights check
  package-insights check services/*/pom.xml --fail-on advisory:high,no-match
  package-insights check --format sarif --output insights.sarif`;

export function readCheckOptions({ flags, words }: Given, terminal: Terminal): CheckOptions {
  const output = textOf(flags, 'output');
  return {
    paths: words.length > 0 ? words : ['.'],
    settings: readServiceSettings(flags, terminal),
    failOn: readFailOn(textOf(flags, 'fail-on') ?? usualFailOn),
    format: readFormat(textOf(flags, 'format')),
    ...(output !== undefined && { output }),
    quiet: flags['quiet'] === true,
    color: terminal.color && flags['no-color'] !== true && output === undefined,
    patience: numberOf(flags, 'timeout', 120, 1, 86_400) * 1000,
  };
}

function readFormat(name: string | undefined): Format {
  if (name === undefined) return formats[0];
  const format = formats.find((it) => it.name === name);
  if (format === undefined) {
    throw new UsageError(`--format takes one of ${formats.map((it) => it.name).join(', ')}, not “${name}”`);
  }
  return format;
}
