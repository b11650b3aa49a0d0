import { listAudit } from '../connected/audit/listing.ts';
import { createGovernor, governedClient } from '../connected/code-host/governor.ts';
import { createCodeHost } from '../connected/code-host/repositories.ts';
import { createConnections } from '../connected/connections/connections.ts';
import { createMemoryHolds, createMemoryLedger } from '../connected/connections/memory.ts';
import { createDeploymentDocuments } from '../connected/deployments/document-kind.ts';
import { type ConnectedLinkSafety, createLinkSafety } from '../connected/link-safety/link-safety.ts';
import { createListStore } from '../connected/link-safety/list-store.ts';
import { listThreatLists } from '../connected/link-safety/offered-lists.ts';
import type { ConnectedHost, ConnectedServices } from '../connected/model/connected-services.ts';
import { createRequestCalls } from '../connected/requests/calls.ts';
import { createRequestKind } from '../connected/requests/kind.ts';
import { createEventStore } from '../connected/scheduling/event-store.ts';
import { createSchedule } from '../connected/scheduling/schedule.ts';
import { createMemoryCache } from '../engine/facts/cache/cache.ts';
import type { Http } from '../engine/http/types.ts';
import type { AnswerStore } from '../engine/model/answers/answer-store.ts';
import { type ConnectionName, type Connections, usualThreatLists } from '../engine/model/connection.ts';
import { nothingChecked } from '../engine/model/links.ts';
import { cacheDirectory, cacheTrouble, ledgerDirectory } from '../platform/cache-directory.ts';
import { systemClock } from '../platform/clock.ts';
import { loadTranslations } from '../platform/language.ts';
import { version } from '../platform/version.ts';
import { openUserLedger } from './user-ledger.ts';

/*
 * The connected services of a program. A bundle of its own, which the programs load when the first service is connected or
 * a person asks for them.
 */

export interface ConnectedParts {
  readonly http: Pick<Http, 'request'>;
  /** Keeps answers about repositories; only for this process where it is absent. */
  readonly cache?: AnswerStore;
  /** Paths or file URIs of the folders that are open or checked. */
  readonly folders: () => readonly string[];
}

/**
 * @param locale of all texts; undefined for English. This bundle has its own copy of the translations.
 * @param log called when use cannot be kept on disk
 */
export function connectServices(
  host: ConnectedHost,
  { http, cache = createMemoryCache(), folders }: ConnectedParts,
  locale: string | undefined,
  log?: (line: string) => void,
): ConnectedServices {
  if (locale !== undefined) loadTranslations(locale);
  const { ledger, holds } = openUserLedger(log) ?? { ledger: createMemoryLedger(), holds: createMemoryHolds() };
  const direct = createConnections({ ...host, http, clock: systemClock, random: Math.random, ledger, holds });
  const addressOf = (): string => host.settings().connections['code-host'].baseUrl;
  const governor = createGovernor({
    client: direct.client('code-host'),
    ...{ holds, clock: systemClock },
    isSignedIn: () =>
      host.credentials.read('code-host', addressOf()).then(
        (it) => it !== undefined,
        () => false,
      ),
  });
  const repositories = createCodeHost({
    ...{ governor, cache, clock: systemClock, baseUrl: addressOf },
    onKept: (received) => ledger.chargeKept({ service: 'code-host', at: systemClock.now(), received }),
  });
  const connections: Connections = {
    ...direct,
    client: (name) => (name === 'code-host' ? governedClient(direct.client(name), governor) : direct.client(name)),
  };
  const schedule = createSchedule({
    client: connections.client('scheduling'),
    ...{ settings: host.settings, clock: systemClock, random: Math.random },
    // Of the user, as the ledger: editors and terminals plan in one calendar.
    store: createEventStore({ directory: ledgerDirectory(), clock: systemClock, ...(log && { log }) }),
    ...(log && { log }),
  });
  const manifests = createDeploymentDocuments({
    client: connections.client('deployments'),
    ...{ clock: systemClock, store: cache },
    settings: () => {
      const { connections: chosen, deployments: more } = host.settings();
      return { baseUrl: chosen.deployments.baseUrl, project: more.project };
    },
  });
  const directory = cacheDirectory();
  const isOurs = directory !== undefined && cacheTrouble(directory, folders()) === undefined;
  const store = createListStore({ directory: isOurs ? directory : undefined, clock: systemClock, ...(log && { log }) });
  let links: { readonly choice: string; readonly checks: ConnectedLinkSafety } | undefined;
  const checkListeners: (() => void)[] = [];

  const isConnected = (name: ConnectionName): boolean => {
    const { baseUrl, invalid } = host.settings().connections[name];
    return baseUrl !== '' && invalid === undefined;
  };
  const requests = createRequestCalls({ connections, isConnected, clock: systemClock });

  function closeLinks(): void {
    links?.checks.close();
    links = undefined;
  }

  return {
    connections,
    ledger,
    repositories,
    schedule,
    requests,
    deployments: manifests.deployments,
    documents: [createRequestKind({ calls: requests, connections, isConnected }), manifests],
    audit: (query, signal, progress) => listAudit(connections, ledger, query, signal, progress),
    get links() {
      const { linkSafety: mode, threatLists } = host.settings();
      const choice = [mode, ...threatLists].join(' ');
      if (links?.choice === choice) return links.checks;
      closeLinks();
      if (mode === 'off' || mode === 'closed') return nothingChecked;
      const connection = connections.client('link-safety');
      const client = { clientId: 'package-insights', clientVersion: version };
      const isUsual = threatLists.join() === usualThreatLists.join();
      const checks = createLinkSafety({
        ...{ mode, connection, holds, store, client },
        ...{ clock: systemClock, random: Math.random },
        ...(!isUsual && { lists: threatLists }),
        ...(log && { log }),
      });
      for (const it of checkListeners) checks.onDidChange(it);
      links = { choice, checks };
      return checks;
    },
    onDidCheckLinks(listener) {
      checkListeners.push(listener);
      links?.checks.onDidChange(listener);
    },
    threatLists: (signal) => listThreatLists(connections.client('link-safety'), signal),
    close() {
      repositories.close();
      schedule.close();
      manifests.close();
      closeLinks();
      store.close();
      ledger.close();
    },
  };
}
