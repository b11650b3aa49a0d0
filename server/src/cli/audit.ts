import * as l10n from '@vscode/l10n';
import { adviceFor } from '../api/errors.ts';
import { pages } from '../api/pages.ts';
import { findMethod } from '../api/service-method.ts';
import { type AuditEvent, auditEventNames, eventText, readEvents } from '../audit/activity.ts';
import { type TimelineEntry, timelineOf } from '../audit/timeline.ts';
import { isRecord } from '../base/text.ts';
import type { ConnectedServices } from '../model/connection.ts';
import { jsonText } from '../report/formats/format.ts';
import { sanitize } from '../report/formats/texts.ts';
import { type Command, type OptionTable, type OptionValues, UsageError } from './command.ts';
import { notOneOf, numberFrom } from './options.ts';

/** The client id of this program, unless a person uses another. */
const OWN_CLIENT = 'package-insights';
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
    help: () => l10n.t('the client id to compare with the requests of this machine; default: {0}', OWN_CLIENT),
    default: OWN_CLIENT,
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
      'Activities beyond the requests that this machine has counted for a connection on a day are marked. Exit codes: 0 all explained, 1 at least one is not, 2 not complete.',
    ),
  ],
  examples: [
    'package-insights audit --since 2026-11-01',
    'package-insights audit --all-clients --event authorize --json',
  ],
  isForPrograms: ({ json }) => json === true,
  takesPositionals: false,
  async run({ options }, terminal) {
    const services = await terminal.services(terminal.settings({}));
    try {
      const listed = await list(services, options);
      const client = options['all-clients'] ? undefined : options.client;
      const entries = timelineOf(listed.events, client, (connection, day) =>
        services.ledger.requestsOn(connection, Date.parse(day)),
      );
      if (options.json) terminal.out(jsonText(entries.map(toJson)));
      else for (const it of entries) terminal.out(lineOf(it));
      const unexplained = entries.filter((it) => it.isFromElsewhere).length;
      if (unexplained > 0)
        terminal.error(
          `package-insights audit: ${l10n.t('{0} of {1} events are not from this machine', unexplained, entries.length)}`,
        );
      else if (listed.problem === undefined && entries.length === 0)
        terminal.error(`package-insights audit: ${l10n.t('no events')}`);
      if (listed.isCut)
        terminal.error(`package-insights audit: ${l10n.t('there are more events: --limit shows them')}`);
      if (listed.problem !== undefined) terminal.error(`package-insights audit: ${sanitize(listed.problem)}`);
      if (listed.problem !== undefined || listed.isCut) return 2;
      return unexplained > 0 ? 1 : 0;
    } finally {
      services.close();
    }
  },
};

interface Listed {
  readonly events: readonly AuditEvent[];
  /** Why it is incomplete. */
  readonly problem?: string;
  /** There are more events. */
  readonly isCut: boolean;
}

async function list(
  { connections }: ConnectedServices,
  { event, since, until, limit }: OptionValues<typeof auditOptions>,
): Promise<Listed> {
  const found = await findMethod('token-audit.activities.list');
  if (found.kind !== 'found') throw new Error('no method for the audit');
  const parameters = {
    ...(event !== undefined && { eventName: event }),
    ...(since !== undefined && { startTime: `${since}T00:00:00Z` }),
    ...(until !== undefined && { endTime: `${until}T23:59:59.999Z` }),
  };
  const client = connections.client('token-audit');
  const events: AuditEvent[] = [];
  for await (const page of pages((request) => client.send(request, { priority: 'asked' }), found.method, parameters)) {
    if (page.kind === 'done') {
      const items = isRecord(page.value) ? page.value['items'] : undefined;
      if (Array.isArray(items)) events.push(...items.flatMap(readEvents));
      if (events.length > limit) return { events: events.slice(0, limit), isCut: true };
    } else {
      return { events, isCut: false, problem: problemOf(page) };
    }
  }
  return { events, isCut: false };
}

type Page = Awaited<ReturnType<ReturnType<typeof pages>['next']>>['value'];

function problemOf(page: NonNullable<Exclude<Page, void>>): string {
  switch (page.kind) {
    case 'error':
      return adviceFor(page.error) ?? page.error.message;
    case 'failed':
      return page.reason;
    case 'refused':
      return page.problems.map((it) => it.message).join(', ');
    default:
      return l10n.t('interrupted');
  }
}

function readDay(text: string, option: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new UsageError(l10n.t('{0} requires a day like 2026-11-23, not “{1}”', option, text));
}

function lineOf({ event, connection, isFromElsewhere }: TimelineEntry): string {
  const time = event.at === undefined ? l10n.t('unknown time') : new Date(event.at).toISOString();
  const about = [connection, event.ipAddress, event.clientType, event.productBucket].filter((it) => it !== undefined);
  const mark = isFromElsewhere ? l10n.t('not from this machine') : undefined;
  const notes = [...(mark === undefined ? [] : [mark]), ...about].join(', ');
  return sanitize(`${time}  ${eventText(event)}${notes === '' ? '' : `  (${notes})`}`);
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
