import { createConnections } from './connections/connections.ts';
import { createMemoryHolds, createMemoryLedger } from './connections/memory.ts';
import type { Http } from './http/types.ts';
import type { ConnectedHost, ConnectedServices } from './model/connection.ts';
import { systemClock } from './platform/clock.ts';
import { loadTranslations } from './platform/language.ts';
import { openUserLedger } from './platform/ledger.ts';

/*
 * The connected services of a program. A bundle of its own, which the programs load when the first service is connected or
 * a person asks for them.
 */

/**
 * @param locale of all texts; undefined for English. This bundle has its own copy of the translations.
 * @param log called when use cannot be kept on disk
 */
export function connectServices(
  host: ConnectedHost,
  http: Pick<Http, 'request'>,
  locale: string | undefined,
  log?: (line: string) => void,
): ConnectedServices {
  if (locale !== undefined) loadTranslations(locale);
  const { ledger, holds } = openUserLedger(log) ?? { ledger: createMemoryLedger(), holds: createMemoryHolds() };
  const connections = createConnections({ ...host, http, clock: systemClock, random: Math.random, ledger, holds });
  return { connections, ledger, close: () => ledger.close() };
}
