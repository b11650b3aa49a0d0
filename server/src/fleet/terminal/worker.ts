import * as l10n from '@vscode/l10n';
import { fileTrouble } from '../../engine/base/file-error.ts';
import { sanitize } from '../../engine/report/formats/texts.ts';
import { type Arguments, type Terminal, UsageError } from '../../terminal/command.ts';
import { QUEUE_VARIABLE, queueAddress, resultsAddress } from './options.ts';
import { openResults } from './results.ts';
import { type partOptions, withParts } from './run.ts';

/** Takes repositories from a queue until it is stopped. */
export async function workFleetCommand(
  { options, positionals }: Arguments<typeof partOptions>,
  terminal: Terminal,
): Promise<number> {
  const [, extra] = positionals;
  if (extra !== undefined) throw new UsageError(l10n.t('{0} does not accept “{1}”', 'fleet worker', extra));
  const queue = queueAddress(options.queue, terminal);
  if (queue === undefined)
    throw new UsageError(l10n.t('a worker requires a queue: {0} or {1}', '--queue ADDRESS', QUEUE_VARIABLE));
  const { workForFleets } = await import('../fleet.ts');
  const results = await openResults(resultsAddress(options.results, terminal), true, terminal);
  const aborting = new AbortController();
  terminal.ended.then(() => aborting.abort());
  const log = (line: string) => terminal.error(`package-insights fleet worker: ${sanitize(line)}`);
  try {
    await withParts(options, terminal, (parts) =>
      workForFleets(queue, { results, signal: aborting.signal, log }, parts).catch((error: unknown) => {
        throw new UsageError(l10n.t('the queue cannot be used: {0}', fileTrouble(error)));
      }),
    );
    return 0;
  } finally {
    await results.close();
  }
}
