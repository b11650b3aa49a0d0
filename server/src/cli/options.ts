import { parseArgs } from 'node:util';
import * as l10n from '@vscode/l10n';
import { serviceAddress } from '../model/links.ts';
import type { Settings } from '../model/settings.ts';
import { type Command, type Flags, type Given, type Terminal, UsageError } from './command.ts';

/** The options of every command that asks the service. */
export const serviceOptions = {
  'base-url': { type: 'string' },
  offline: { type: 'boolean' },
  'max-age': { type: 'string' },
} as const;

export function serviceHelp(): string {
  return l10n.t(`\
  --base-url URL      the Package Insights Service to ask; else PACKAGE_INSIGHTS_BASE_URL,
                      else the public one
  --offline           ask nothing: what was looked up before is all there is
  --max-age MINUTES   ask again for what was looked up longer ago; usually the service says how
                      long its answers hold, and a day is the most`);
}

/** The settings that a person's flags and machine come to. */
export function readServiceSettings(flags: Flags, terminal: Terminal): Settings {
  const fromFlag = textOf(flags, 'base-url');
  const baseUrl = fromFlag ?? terminal.baseUrl;
  const maximal = numberOf(flags, 'max-age', 0, 43_200);
  const usual = {
    lookUpDefaults: false,
    offline: flags['offline'] === true,
    ...(maximal > 0 && { 'freshness.max': maximal }),
  };
  if (baseUrl === undefined) return terminal.settings(usual);
  if (serviceAddress(baseUrl) === undefined) {
    const where = fromFlag === undefined ? 'PACKAGE_INSIGHTS_BASE_URL' : '--base-url';
    throw new UsageError(l10n.t('{0} takes an http or https address, not “{1}”', where, baseUrl));
  }
  return terminal.settings({ ...usual, baseUrl });
}

/** The text of an option; undefined where it was not given. */
export function textOf(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

/** The row of a table of formats that `--format` names, else the first. */
export function formatOf<Formats extends readonly [Named, ...Named[]]>(
  flags: Flags,
  formats: Formats,
): Formats[number] {
  const name = textOf(flags, 'format') ?? formats[0].name;
  const format = formats.find((it) => it.name === name);
  if (format) return format;
  const names = formats.map((it) => it.name).join(', ');
  throw new UsageError(l10n.t('{0} takes one of {1}, not “{2}”', '--format', names, name));
}

interface Named {
  readonly name: string;
}

/** A whole number of an option, from 1 on. */
export function numberOf(flags: Flags, name: string, usual: number, most: number): number {
  const text = textOf(flags, name);
  if (text === undefined) return usual;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 1 && value <= most)) {
    throw new UsageError(l10n.t('{0} takes a number from {1} to {2}, not “{3}”', `--${name}`, 1, most, text));
  }
  return value;
}

/** What stands behind a command. Throws where an option is not there, or lacks what belongs to it. */
export function readArguments(command: Command, args: readonly string[]): Given {
  const { options } = command;
  const { values, positionals, tokens } = parsed(command, args);
  const fail = (message: string): never => {
    const usage = l10n.t('usage: {0}', `package-insights ${command.name} ${command.usage}`);
    throw new UsageError(`${message}\n${usage}`);
  };
  for (const it of tokens) {
    if (it.kind === 'positional' && !command.takesWords) fail(l10n.t('{0} takes no “{1}”', command.name, it.value));
    if (it.kind !== 'option') continue;
    const { type } = (Object.hasOwn(options, it.name) ? options[it.name] : undefined) ?? {};
    if (type === undefined) {
      const help = `package-insights ${command.name} --help`;
      fail(l10n.t('there is no option {0}; {1} lists them', it.rawName, help));
    }
    // An option in the place of a value means that the value was forgotten, and nothing that a variable had none.
    const isForgotten = it.value === undefined || it.value === '' || (!it.inlineValue && /^-./.test(it.value));
    if (type === 'string' && isForgotten) fail(l10n.t('{0} needs a value', it.rawName));
    if (type === 'boolean' && it.value !== undefined) fail(l10n.t('{0} takes no value', it.rawName));
  }
  return { flags: values, words: positionals };
}

/** What can be read of the flags before it is known whether they are sound. */
export function flagsIn(command: Command, args: readonly string[]): Flags {
  return parsed(command, args).values;
}

function parsed({ options }: Command, args: readonly string[]) {
  return parseArgs({ args: [...args], options, allowPositionals: true, strict: false, tokens: true });
}
