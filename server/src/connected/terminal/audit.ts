import * as l10n from '@vscode/l10n';
import { jsonText } from '../../engine/report/formats/format.ts';
import { sanitize } from '../../engine/report/formats/texts.ts';
import { type Command, type OptionTable, UsageError } from '../../terminal/command.ts';
import { notOneOf, numberFrom } from '../../terminal/options.ts';
import { auditEventNames, ownClientId, type TimelineEntry } from '../model/audit.ts';
import type { ConnectedTerminal } from './connected-terminal.ts';

/** Events at most, unless `--limit` says otherwise. */
const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 100_000;

const auditOptions = {
  event: {
    value: 'NAME',
    names: auditEventNames,
    help: () => l10n.t('only these events: {0}', auditEventNames.join(', ')),
    read(text: string, option: string): string {
      if (auditEventNames.some((it) => it === text)) return text;
      throw notOneOf(text, auditEventNames, option);
    },
  },
  since: { value: 'DAY', help: () => l10n.t('from this day (UTC): 2026-11-23'), read: readDay },
  until: { value: 'DAY', help: () => l10n.t('to the end of this day (UTC)'), read: readDay },
  client: {
    value: 'ID',
    help: () => l10n.t('the client id to compare with the requests of this machine; default: {0}', ownClientId),
    default: ownClientId,
  },
  'all-clients': { help: () => l10n.t('the events of every client; nothing is compared') },
  limit: {
    value: 'N',
    help: () => l10n.t('events at most; default: {0}', DEFAULT_LIMIT),
    read: numberFrom(1, MAX_LIMIT),
    default: DEFAULT_LIMIT,
  },
  json: { help: () => l10n.t('print a JSON list') },
} as const satisfies OptionTable;

/** `package-insights audit`: what the credentials were used for. */
export const auditCommand: Command<typeof auditOptions> = {
  name: 'audit',
  usage: '[--event NAME] [--since DAY] [--json]',
  summary: () => l10n.t('Show what your credentials were used for, and what of it this machine did not do'),
  options: auditOptions,
  notes: () => [
    l10n.t(
      'Activities beyond the requests that this machine has counted for a connection in an hour are marked. Exit codes: 0 all explained, 1 at least one is not, 2 not complete.',
    ),
  ],
  examples: [
    'package-insights audit --since 2026-11-01',
    'package-insights audit --all-clients --event authorize --json',
  ],
  isForPrograms: ({ json }) => json === true,
  takesPositionals: false,
  async run({ options }, terminal: ConnectedTerminal) {
    const services = await terminal.services(terminal.settings({}));
    try {
      const { event, since, until, client, limit } = options;
      const aborting = new AbortController();
      terminal.ended.then(() => aborting.abort());
      const { entries, isCut, problem } = await services.audit(
        {
          limit,
          ...(event !== undefined && { eventName: event }),
          ...(since !== undefined && { since }),
          ...(until !== undefined && { until }),
          ...(!options['all-clients'] && { clientId: client }),
        },
        aborting.signal,
        (count) => terminal.status?.(l10n.t('{0} events read', count)),
      );
      terminal.status?.('');
      if (options.json) terminal.out(jsonText(entries.map(toJson)));
      else for (const it of entries) terminal.out(lineOf(it));
      const unexplained = entries.filter((it) => it.isFromElsewhere).length;
      if (unexplained > 0)
        terminal.error(
          `package-insights audit: ${l10n.t('{0} of {1} events are not from this machine', unexplained, entries.length)}`,
        );
      else if (problem === undefined && entries.length === 0)
        terminal.error(`package-insights audit: ${l10n.t('no events')}`);
      if (isCut) terminal.error(`package-insights audit: ${l10n.t('there are more events: --limit shows them')}`);
      if (problem !== undefined) terminal.error(`package-insights audit: ${sanitize(problem)}`);
      if (problem !== undefined || isCut) return 2;
      return unexplained > 0 ? 1 : 0;
    } finally {
      services.close();
    }
  },
};

function readDay(text: string, option: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new UsageError(l10n.t('{0} requires a day like 2026-11-23, not “{1}”', option, text));
}

function lineOf({ event, text, connection, isFromElsewhere }: TimelineEntry): string {
  const time = event.at === undefined ? l10n.t('unknown time') : new Date(event.at).toISOString();
  const about = [connection, event.ipAddress, event.clientType, event.productBucket].filter((it) => it !== undefined);
  const mark = isFromElsewhere ? l10n.t('not from this machine') : undefined;
  const notes = [...(mark === undefined ? [] : [mark]), ...about].join(', ');
  return sanitize(`${time}  ${text}${notes === '' ? '' : `  (${notes})`}`);
}

function toJson({ event, connection, isFromElsewhere }: TimelineEntry): object {
  const { at, responseBytes, ...rest } = event;
  return {
    ...(at !== undefined && { time: new Date(at).toISOString() }),
    ...rest,
    ...(responseBytes !== undefined && { responseBytes: String(responseBytes) }),
    ...(connection && { connection }),
    isFromThisMachine: isFromElsewhere !== true,
  };
}
