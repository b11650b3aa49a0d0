import { parseArgs } from 'node:util';
import * as l10n from '@vscode/l10n';
import { similarNames } from '../engine/base/similar-names.ts';
import { parseServiceAddress } from '../engine/model/links.ts';
import type { Settings } from '../engine/model/settings.ts';
import {
  type Arguments,
  type Command,
  type Option,
  type OptionTable,
  type OptionValues,
  type RawOptions,
  type Terminal,
  UsageError,
} from './command.ts';

/** In minutes: 30 days. */
const MAX_AGE = 43_200;

/** The options of every command that uses the service. */
export const serviceOptions = {
  'base-url': {
    value: 'URL',
    help: () =>
      l10n.t('the Package Insights Service; default: PACKAGE_INSIGHTS_BASE_URL, otherwise the public service'),
  },
  offline: { help: () => l10n.t('send no requests, use cached answers only') },
  'max-age': {
    value: 'MINUTES',
    help: () =>
      l10n.t(
        'refresh older answers; default: the lifetime that the service reports, at most an hour for versions, a day for lists',
      ),
    read: numberFrom(1, MAX_AGE),
  },
} as const satisfies OptionTable;

/** The settings that the options and the environment give. */
export function readServiceSettings(given: OptionValues<typeof serviceOptions>, terminal: Terminal): Settings {
  const baseUrl = given['base-url'] ?? terminal.baseUrl;
  const maxAge = given['max-age'];
  const settings = {
    lookUpDefaults: false,
    offline: given.offline,
    ...(maxAge !== undefined && { 'freshness.max': maxAge }),
  };
  if (baseUrl === undefined) return terminal.settings(settings);
  if (parseServiceAddress(baseUrl) === undefined) {
    const where = given['base-url'] === undefined ? 'PACKAGE_INSIGHTS_BASE_URL' : '--base-url';
    throw new UsageError(l10n.t('{0} requires an http or https address, not “{1}”', where, baseUrl));
  }
  return terminal.settings({ ...settings, baseUrl });
}

/** Reads a whole number between two bounds. */
export function numberFrom(min: number, max: number) {
  return (text: string, option: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new UsageError(l10n.t('{0} requires a number from {1} to {2}, not “{3}”', option, min, max, text));
  };
}

/** `--format`: names a row of a table of formats, of which the first is the default. */
export function formatOption<Formats extends readonly [Named, ...Named[]]>(formats: Formats) {
  const names = formats.map((it) => it.name);
  const list = names.join(', ');
  return {
    value: 'NAME',
    names,
    help: () => list,
    default: formats[0] as Formats[number],
    read(text: string, option: string): Formats[number] {
      const format = formats.find((it) => it.name === text);
      if (format) return format;
      throw notOneOf(text, names, option);
    },
  } as const satisfies Option;
}

/** `--fix requires one of safe, in-major, default, not “inmajor”; did you mean in-major?` */
export function notOneOf(text: string, names: readonly string[], option: string): UsageError {
  const said = l10n.t('{0} requires one of {1}, not “{2}”', option, names.join(', '), text);
  return new UsageError(withProposal(said, text, names));
}

/** Adds the name that a mistaken one may mean. */
export function withProposal(said: string, text: string, names: readonly string[]): string {
  const [meant] = similarNames(text, names);
  return meant === undefined ? said : l10n.t('{0}; did you mean {1}?', said, meant);
}

interface Named {
  readonly name: string;
}

/** Reads the arguments of a command. @throws UsageError for unknown options, and for missing and invalid values */
export function readArguments<Table extends OptionTable>(
  command: Command<Table>,
  args: readonly string[],
): Arguments<Table> {
  const { values, positionals, tokens } = parse(command, args);
  const fail = (message: string): never => {
    const usage = l10n.t('usage: {0}', `package-insights ${command.name} ${command.usage}`);
    throw new UsageError(`${message}\n${usage}`);
  };
  for (const [at, it] of tokens.entries()) {
    if (it.kind === 'positional' && !command.takesPositionals) {
      fail(l10n.t('{0} does not accept “{1}”', command.name, it.value));
    }
    if (it.kind !== 'option') continue;
    const option = Object.hasOwn(command.options, it.name) ? command.options[it.name] : undefined;
    if (option === undefined) {
      const help = `package-insights ${command.name} --help`;
      const meant = similarOption(it.name, command.options);
      if (meant !== undefined) fail(l10n.t('unknown option {0}; did you mean {1}?', it.rawName, meant));
      fail(l10n.t('unknown option {0}; {1} lists all options', it.rawName, help));
    }
    // Reports a forgotten value (`--output --quiet`) and an empty variable (`--output "$FILE"`).
    if (option?.alone !== undefined && it.value === undefined) {
      const next = tokens[at + 1];
      if (next?.kind === 'positional' && option.names?.includes(next.value))
        fail(l10n.t('{0} takes its value behind “=”: {1}', it.rawName, `${it.rawName}=${next.value}`));
      continue;
    }
    const isMissing = it.value === undefined || it.value === '' || (!it.inlineValue && /^-./.test(it.value));
    if (option?.value !== undefined && isMissing) fail(l10n.t('{0} requires a value', it.rawName));
    if (option?.value === undefined && it.value !== undefined) fail(l10n.t('{0} does not take a value', it.rawName));
  }
  const read = Object.entries(command.options).map(([name, option]) => [name, readOption(name, option, values[name])]);
  // Each row of the table gives the value of its type.
  return { options: Object.fromEntries(read) as OptionValues<Table>, positionals };
}

/**
 * The option that a mistaken one may mean: `--format json` for `--json`, and the reverse, because some commands have
 * formats, others only JSON; otherwise the nearest name.
 */
function similarOption(name: string, options: OptionTable): string | undefined {
  if (name === 'format' && Object.hasOwn(options, 'json')) return '--json';
  const option = Object.entries(options).find(([, it]) => it.names?.includes(name))?.[0];
  if (option !== undefined) return `--${option} ${name}`;
  const [nearest] = similarNames(name, Object.keys(options));
  return nearest && `--${nearest}`;
}

function readOption(
  name: string,
  { value, alone, isRepeatable, read, default: usual }: Option,
  given: RawOptions[string],
) {
  if (value === undefined) return given === true;
  if (alone !== undefined && given === true) return alone;
  const values = [given ?? []].flat().map((it) => (read ? read(String(it), `--${name}`) : it));
  return isRepeatable ? values : (values.at(-1) ?? usual);
}

/** The words of a command line that may be invalid, without its options and their values. */
export function rawPositionals(command: Command, args: readonly string[]): readonly string[] {
  return parse(command, args).positionals;
}

/** The options of a command line that may be invalid. */
export function rawOptions(command: Command, args: readonly string[]): RawOptions {
  return parse(command, args).values;
}

function parse({ options }: { readonly options: OptionTable }, args: readonly string[]) {
  const config = Object.entries(options).map(([name, { value, alone, isRepeatable = false }]) => {
    return [
      name,
      {
        type: value === undefined || alone !== undefined ? ('boolean' as const) : ('string' as const),
        multiple: isRepeatable,
      },
    ];
  });
  return parseArgs({
    args: [...args],
    options: Object.fromEntries(config),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
}
