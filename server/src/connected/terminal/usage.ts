import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { fileTrouble } from '../../engine/base/file-error.ts';
import { messageOf } from '../../engine/base/text.ts';
import { type Budget, connectionNames } from '../../engine/model/connection.ts';
import { jsonText } from '../../engine/report/formats/format.ts';
import { sanitize } from '../../engine/report/formats/texts.ts';
import { padTo, widthOf } from '../../engine/report/formats/wrap.ts';
import { type Command, type OptionTable, type OptionValues, UsageError } from '../../terminal/command.ts';
import { csvCell } from '../../terminal/csv.ts';
import { formatOption } from '../../terminal/options.ts';
import { checkWritable, writeOutput } from '../../terminal/print.ts';
import { type DayUsage, usageIds } from '../ledger/usage.ts';
import type { UsageExport } from '../ledger/usage_export_pb.ts';
import type { ConnectedTerminal } from './connected-terminal.ts';

/** Loaded to export, and to read an export. */
type Messages = typeof import('../ledger/usage-export.ts');

interface UsageFormat {
  readonly name: string;
  write(days: readonly DayUsage[], message: UsageExport, messages: Messages): string | Uint8Array;
}

const formats = [
  { name: 'table', write: writeTable },
  { name: 'json', write: (_days, message, { writers }) => `${jsonText(writers.json(message))}\n` },
  { name: 'csv', write: (days, _message, { nameOf }) => writeCsv(days, nameOf) },
  { name: 'text', write: (_days, message, { writers }) => writers.text(message) },
  { name: 'binary', write: (_days, message, { writers }) => writers.binary(message) },
] as const satisfies readonly UsageFormat[];

const usageOptions = {
  since: { value: 'DAY', help: () => l10n.t('the first day (UTC), for example 2026-11-01'), read: readDay },
  until: { value: 'DAY', help: () => l10n.t('the last day'), read: readDay },
  format: formatOption(formats),
  output: { value: 'FILE', help: () => l10n.t('write the usage to this file') },
  ledger: {
    value: 'PATH',
    help: () => l10n.t('the ledger in this file or folder; default: the one of this machine'),
  },
  read: { value: 'FILE', help: () => l10n.t('show an export in the format “binary” instead of a ledger') },
} as const satisfies OptionTable;

/** `package-insights usage`: shows and exports what was sent to services, by day. */
export const usageCommand: Command<typeof usageOptions> = {
  name: 'usage',
  usage: '[--since DAY] [--until DAY] [--format NAME]',
  summary: () => l10n.t('Show how much was sent to connected services, by day'),
  options: usageOptions,
  notes: () => [
    l10n.t(
      'The formats json, text and binary contain the protobuf message packageinsights.UsageExport; binary requires --output.',
    ),
    l10n.t('Exit codes: 0 done, 2 could not run.'),
  ],
  examples: [
    'package-insights usage --since 2026-11-01',
    'package-insights usage --format binary --output usage.binpb',
    'package-insights usage --read usage.binpb --format csv',
  ],
  isForPrograms: ({ format }) => format !== undefined && format !== 'table',
  takesPositionals: false,
  async run({ options }, terminal: ConnectedTerminal) {
    const { since = FIRST_DAY, until = LAST_DAY, format, output, ledger, read } = options;
    if (since > until) throw new UsageError(l10n.t('--since is later than --until'));
    if (ledger !== undefined && read !== undefined)
      throw new UsageError(l10n.t('--ledger and --read exclude each other'));
    if (format.name === 'binary' && output === undefined)
      throw new UsageError(l10n.t('the format “binary” requires --output'));
    if (output !== undefined) await checkWritable(output, terminal);
    const written = await write(options, { since, until }, terminal);
    if (output !== undefined) await writeOutput(output, written, terminal);
    else terminal.out(String(written).replace(/\n$/, ''));
    return 0;
  },
};

async function write(
  { format, ledger, read }: OptionValues<typeof usageOptions>,
  { since, until }: { readonly since: string; readonly until: string },
  terminal: ConnectedTerminal,
): Promise<string | Uint8Array> {
  const counted = read === undefined ? await readLedger(ledger, since, until, terminal) : undefined;
  if (counted && format.name === 'table') return writeTable(counted);
  const messages = await import('../ledger/usage-export.ts');
  const message =
    counted === undefined
      ? messages.between(await readExport(read ?? '', messages, terminal), since, until)
      : messages.exportOf(counted, budgetsIn(terminal));
  return format.write(messages.daysOf(message), message, messages);
}

/** Before and after every text, also that of a day in an export from elsewhere. */
const [FIRST_DAY, LAST_DAY] = ['', '\uffff'];

function readDay(text: string, option: string): string {
  // Dates in years with four digits sort by their text.
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.startsWith(text) === true;
  if (isDay) return text;
  throw new UsageError(l10n.t('{0} requires a day such as {1}, not “{2}”', option, '2026-11-01', text));
}

function readLedger(
  ledger: string | undefined,
  since: string,
  until: string,
  terminal: ConnectedTerminal,
): Promise<readonly DayUsage[]> {
  const path = ledger === undefined ? undefined : resolve(terminal.directory, ledger);
  return terminal.usage(path, since, until).catch((error: unknown) => {
    throw new UsageError(
      ledger === undefined
        ? l10n.t('the usage cannot be read: {0}', fileTrouble(error))
        : l10n.t('{0} cannot be read: {1}', ledger, fileTrouble(error)),
    );
  });
}

async function readExport(
  file: string,
  { readExport: decode }: Messages,
  terminal: ConnectedTerminal,
): Promise<UsageExport> {
  const bytes = await readFile(resolve(terminal.directory, file)).catch((error: unknown) => {
    throw new UsageError(l10n.t('{0} cannot be read: {1}', file, fileTrouble(error)));
  });
  try {
    return decode(bytes);
  } catch (error) {
    throw new UsageError(l10n.t('{0} is no export of usage: {1}', file, messageOf(error)));
  }
}

/** Those of connected services. */
function budgetsIn(terminal: ConnectedTerminal): readonly Budget[] {
  const { connections } = terminal.settings({});
  return connectionNames
    .filter((it) => connections[it].baseUrl !== '')
    .map((service) => ({ service, perDay: connections[service].dailyBudget }));
}

/** The quantities that have a column. */
const shown: ReadonlySet<number> = new Set(Object.values(usageIds));

/**
 *     Day         Service     Requests   Sent  Received  Time  Units  Kept answers
 *     2026-11-23  scheduling        12  340 B     12 kB  4 s      16             3
 */
function writeTable(days: readonly DayUsage[]): string {
  if (days.length === 0) return `${l10n.t('No requests were counted.')}\n`;
  const rows = [
    [
      l10n.t('Day'),
      l10n.t('Service'),
      l10n.t('Requests'),
      l10n.t('Sent'),
      l10n.t('Received'),
      l10n.t('Time'),
      l10n.t('Units'),
      l10n.t('Kept answers'),
    ],
    ...days.map(({ day, service, usage, units }) => {
      const amount = (id: number): bigint => usage.get(id) ?? 0n;
      return [
        sanitize(day),
        sanitize(service),
        `${amount(usageIds.callCount)}`,
        sizeText(amount(usageIds.bytesSent)),
        sizeText(amount(usageIds.bytesReceived)),
        timeText(amount(usageIds.latencyMs)),
        `${units}`,
        `${amount(usageIds.keptCallCount)}`,
      ];
    }),
  ];
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => widthOf(row[at] ?? ''))));
  const lines = rows.map((row) =>
    row
      .map((cell, at) => (at < 2 ? padTo(cell, widths[at] ?? 0) : ' '.repeat((widths[at] ?? 0) - widthOf(cell)) + cell))
      .join('  '),
  );
  const others = new Set(days.flatMap(({ usage }) => [...usage.keys()].filter((it) => !shown.has(it))));
  // A table that leaves something out says so.
  const more =
    others.size === 0 ? [] : ['', l10n.t('Quantities that have no column, see --format csv: {0}', others.size)];
  return `${[...lines, ...more].join('\n')}\n`;
}

/** `340 B`, `12 kB`, `3 MB` */
function sizeText(bytes: bigint): string {
  if (bytes < 1_000n) return `${bytes} B`;
  if (bytes < 1_000_000n) return `${bytes / 1_000n} kB`;
  return `${bytes / 1_000_000n} MB`;
}

/** `340 ms`, `12 s` */
function timeText(ms: bigint): string {
  return ms < 1_000n ? `${ms} ms` : `${ms / 1_000n} s`;
}

/** One quantity a line, with every number. Source: RFC 4180. */
function writeCsv(days: readonly DayUsage[], nameOf: Messages['nameOf']): string {
  const rows = days.flatMap(({ day, service, usage, actions, units }) => [
    ...[...usage].map(([id, amount]) => [day, service, 'usage', id, nameOf('usage', id), amount]),
    ...[...actions].map(([id, amount]) => [day, service, 'action', id, nameOf('action', id), amount]),
    ...(units === 0n ? [] : [[day, service, 'units', '', '', units]]),
  ]);
  const lines = [['day', 'service', 'kind', 'id', 'name', 'amount'], ...rows].map((row) => row.map(csvCell).join(','));
  return `${lines.join('\n')}\n`;
}
