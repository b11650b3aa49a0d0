import { randomBytes } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { type OptionTable, type Terminal, UsageError } from '../../terminal/command.ts';
import { numberFrom } from '../../terminal/options.ts';
import type { RunOptions } from '../check-repository.ts';

/** The variable with the address of the results, for addresses with a password: arguments are visible to other users. */
export const RESULTS_VARIABLE = 'PACKAGE_INSIGHTS_FLEET_RESULTS';
export const QUEUE_VARIABLE = 'PACKAGE_INSIGHTS_FLEET_QUEUE';

/** Where results are kept. */
export const resultsOption = {
  value: 'ADDRESS',
  help: () =>
    l10n.t(
      'the file of the results, or the address of a PostgreSQL database (postgres://…); default: {0}, otherwise {1}',
      RESULTS_VARIABLE,
      DEFAULT_RESULTS,
    ),
} as const;

/** Where workers take repositories from. */
export const queueOption = {
  value: 'ADDRESS',
  help: () =>
    l10n.t(
      'the queue for workers on this and other machines (redis://…); default: {0}, otherwise this process',
      QUEUE_VARIABLE,
    ),
} as const;

export const DEFAULT_RESULTS = 'fleet.sqlite';

/** Chosen: beyond, batches of the service are full, and a repository waits for the processor instead of answers. */
const MAX_CONCURRENCY = 64;
const DEFAULT_CONCURRENCY = 8;

/** The options of whatever checks repositories. */
export const checkingOptions = {
  concurrency: {
    value: 'N',
    help: () => l10n.t('repositories that are checked at a time; default: {0}', DEFAULT_CONCURRENCY),
    read: numberFrom(1, MAX_CONCURRENCY),
    default: DEFAULT_CONCURRENCY,
  },
} as const satisfies OptionTable;

/** `20260101T120000Z-4f2a9c` */
export function newRunId(now: number): string {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  return `${time}-${randomBytes(3).toString('hex')}`;
}

export const defaultRunOptions: RunOptions = { allowPrivate: false, ways: false };

/** @throws UsageError for an empty address: an empty variable, as CI sets for a missing secret, must not lead elsewhere */
export function resultsAddress(given: string | undefined, { environment }: Terminal): string {
  const address = given ?? environment[RESULTS_VARIABLE] ?? DEFAULT_RESULTS;
  if (address.trim() !== '') return address;
  throw new UsageError(l10n.t('{0} is empty', RESULTS_VARIABLE));
}

/**
 * The address of the queue; undefined where there is none.
 * @throws UsageError for what is no address. The message does not repeat it, since it may contain a password
 */
export function queueAddress(given: string | undefined, { environment }: Terminal): string | undefined {
  const address = given ?? environment[QUEUE_VARIABLE];
  if (address === undefined || (/^rediss?:\/\/./.test(address) && URL.canParse(address))) return address;
  const where = given === undefined ? QUEUE_VARIABLE : '--queue';
  throw new UsageError(l10n.t('{0} requires an address such as {1}', where, 'redis://localhost:6379'));
}
