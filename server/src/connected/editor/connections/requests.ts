import * as l10n from '@vscode/l10n';
import { signalOf } from '../../../editor/dispatch.ts';
import type { OwnRequest } from '../../../editor/extension.ts';
import { fieldsIn, textIn } from '../../../editor/params.ts';
import {
  type ConnectionName,
  type ConnectionStatus,
  type ConnectionTrial,
  connectionNames,
  type OfferedThreatLists,
} from '../../../engine/model/connection.ts';
import type { AuditQuery, TimelineEntry } from '../../model/audit.ts';
import { ownClientId } from '../../model/audit.ts';
import type { Services } from './services.ts';

export interface ConnectionsAnswer {
  /** In the order of `connectionNames`, also those that are not connected. */
  readonly connections: readonly ConnectionStatus[];
}

/** The connected services with their use, budgets, holds and last errors. */
export const connectionsRequest = (services: Services): OwnRequest<object, ConnectionsAnswer> => ({
  method: 'packageInsights/connections',
  read: (params) => fieldsIn(params),
  async answer(_, { settings }) {
    const isNothingSet = Object.values(settings.current.connections).every((it) => it.baseUrl === '' && !it.invalid);
    // The view is open in windows where nothing is connected.
    if (isNothingSet) return { connections: connectionNames.map(unconnected) };
    return { connections: (await (await services.load())?.connections.list()) ?? [] };
  },
});

function unconnected(name: ConnectionName): ConnectionStatus {
  return { name, hasCredential: false, requestsToday: 0, holds: [] };
}

export interface TryConnectionParams {
  readonly connection: ConnectionName;
  readonly baseUrl: string;
  /** The credential, encrypted for this server; absent without one. */
  readonly sealed?: string;
}

/** Tries an address and a credential before they are kept. Sends one request to that address. */
export const tryConnectionRequest = (services: Services): OwnRequest<TryConnectionParams, ConnectionTrial | null> => ({
  method: 'packageInsights/tryConnection',
  read(params) {
    const { connection: given } = fieldsIn(params);
    const connection = connectionNames.find((it) => it === given);
    const [baseUrl, sealed] = [textIn(params, 'baseUrl'), textIn(params, 'sealed')];
    return connection && baseUrl ? { connection, baseUrl, ...(sealed !== undefined && { sealed }) } : undefined;
  },
  async answer({ connection, baseUrl, sealed }) {
    const loaded = await services.load();
    if (!loaded) return null;
    if (sealed === undefined) return loaded.connections.try(connection, baseUrl, undefined);
    const secret = services.unseal(sealed);
    // Without it the service may accept the request, and the credential would seem to be checked.
    if (!secret) return { ok: false, reason: l10n.t('the credential cannot be decrypted') };
    return loaded.connections.try(connection, baseUrl, { secret });
  },
});

/** The lists of the connected service that links can be checked against. Sends a request to it. */
export const threatListsRequest = (services: Services): OwnRequest<object, OfferedThreatLists | null> => ({
  method: 'packageInsights/threatLists',
  read: (params) => fieldsIn(params),
  answer: async (_, __, token) => (await services.load())?.threatLists(signalOf(token)) ?? null,
});

/** A use of a credential, for a list. */
export interface AuditRow {
  /** The method that was called, or the name of the event. */
  readonly label: string;
  /** A sentence without a full stop. */
  readonly text: string;
  /** In ms since the epoch. */
  readonly at?: number;
  readonly connection?: ConnectionName;
  /** This machine has counted fewer requests in that hour. */
  readonly isFromElsewhere: boolean;
}

export interface AuditAnswer {
  /** Newest first. */
  readonly rows: readonly AuditRow[];
  /** There are more. */
  readonly isCut: boolean;
  /** Why it is incomplete. */
  readonly problem?: string;
}

/** Rows in the view. The terminal program shows all. */
const MAX_ROWS = 200;

/** The latest uses of the credentials of this program. Sends requests to the connected token audit. */
export const auditRequest = (services: Services): OwnRequest<object, AuditAnswer | null> => ({
  method: 'packageInsights/audit',
  read: (params) => fieldsIn(params),
  async answer(_, __, token) {
    const query: AuditQuery = { limit: MAX_ROWS, clientId: ownClientId };
    const loaded = await services.load();
    if (!loaded) return null;
    const { entries, ...rest } = await loaded.audit(query, signalOf(token));
    return { rows: entries.map(rowOf), ...rest };
  },
});

function rowOf({ text, event, connection, isFromElsewhere }: TimelineEntry): AuditRow {
  const { at, name, method } = event;
  return {
    label: method ?? name,
    text,
    ...(at !== undefined && { at }),
    ...(connection && { connection }),
    isFromElsewhere: isFromElsewhere === true,
  };
}
