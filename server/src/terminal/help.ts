import * as l10n from '@vscode/l10n';
import { wrap } from '../engine/report/formats/wrap.ts';
import type { Command, Commands, Option } from './command.ts';

/** Longer lines are hard to read, however wide the terminal. */
const MAX_WIDTH = 100;

/** Descriptions with less room than this beside the names are below them. */
const MIN_DESCRIPTION_WIDTH = 24;

/** A name and its description. */
type Row = readonly [name: string, description: string];

/** The help of the program: every command in a row, those of connected services last. */
export function programHelp({ own, connected }: Commands, columns: number | undefined): string {
  const width = Math.min(columns ?? MAX_WIDTH, MAX_WIDTH);
  const rowOf = ({ name, usage, summary }: Command): Row => [`${name} ${usage}`, summary()];
  const column = Math.max(...[...own, ...connected].map((it) => rowOf(it)[0].length)) + 4;
  const list = (all: readonly Command[]): string => all.map((it) => renderRow(rowOf(it), column, width)).join('\n');
  return [
    wrapped(
      `package-insights: ${l10n.t('license, deprecation, vulnerabilities and latest version of dependencies')}`,
      width,
    ),
    list(own),
    `${l10n.t('Connected services:')}\n${list(connected)}`,
    '  --help, --version; package-insights COMMAND --help',
  ].join('\n\n');
}

/** The column of the descriptions of options. */
const OPTION_COLUMN = 22;

/** The help of a command: usage, summary, options, notes, examples. */
export function commandHelp(command: Command, columns: number | undefined): string {
  const { name, usage, summary, options, notes, examples = [] } = command;
  const width = Math.min(columns ?? MAX_WIDTH, MAX_WIDTH);
  const rows = Object.entries(options).flatMap(([option, row]): Row[] =>
    row.help === undefined ? [] : [[optionText(option, row), row.help()]],
  );
  return [
    wrapped(`package-insights ${name} ${usage}`, width),
    wrapped(`${summary()}.`, width),
    ...(rows.length > 0 ? [rows.map((it) => renderRow(it, OPTION_COLUMN, width)).join('\n')] : []),
    ...(notes?.() ?? []).map((it) => wrapped(it, width)),
    // Not wrapped, so that they can be copied.
    ...(examples.length > 0 ? [[l10n.t('Examples:'), ...examples.map((it) => `  ${it}`)].join('\n')] : []),
  ].join('\n\n');
}

/** `--quiet`, `--output FILE`, `--fix[=SCOPE]` */
function optionText(name: string, { value, alone }: Option): string {
  if (value === undefined) return `--${name}`;
  return alone === undefined ? `--${name} ${value}` : `--${name}[=${value}]`;
}

/**
 * A description is beside its name, or below it where there is no room.
 *
 *     --all    lockfiles and BOMs         --all
 *              in the folders               lockfiles and BOMs in the folders
 */
function renderRow([name, description]: Row, column: number, width: number): string {
  const isBeside = width - column >= MIN_DESCRIPTION_WIDTH;
  const indent = isBeside ? column : 6;
  const lines = wrap(description, width - indent).map((it) => ' '.repeat(indent) + it);
  const head = `  ${name}`;
  const [first = '', ...others] = lines;
  const isOneLine = isBeside && head.length < column;
  return (isOneLine ? [head.padEnd(column) + first.trimStart(), ...others] : [head, ...lines]).join('\n');
}

function wrapped(text: string, width: number): string {
  return wrap(text, width).join('\n');
}
