import {
  type ConnectionName,
  type ConnectionStatus,
  type ConnectionTrial,
  connectionNames,
} from '../../model/connection.ts';
import { fieldsIn, textIn } from '../params.ts';
import type { OwnRequest } from './index.ts';

export interface ConnectionsAnswer {
  /** In the order of `connectionNames`, also those that are not connected. */
  readonly connections: readonly ConnectionStatus[];
}

/** The connected services with their use, budgets, holds and last errors. */
export const connectionsRequest: OwnRequest<object, ConnectionsAnswer> = {
  method: 'packageInsights/connections',
  read: (params) => fieldsIn(params),
  async answer(_, { services }) {
    return { connections: (await (await services.load())?.connections.list()) ?? [] };
  },
};

export interface TryConnectionParams {
  readonly connection: ConnectionName;
  readonly baseUrl: string;
  /** The credential, encrypted for this server; absent without one. */
  readonly sealed?: string;
}

/** Tries an address and a credential before they are kept. Sends one request to that address. */
export const tryConnectionRequest: OwnRequest<TryConnectionParams, ConnectionTrial | null> = {
  method: 'packageInsights/tryConnection',
  read(params) {
    const { connection: given } = fieldsIn(params);
    const connection = connectionNames.find((it) => it === given);
    const [baseUrl, sealed] = [textIn(params, 'baseUrl'), textIn(params, 'sealed')];
    return connection && baseUrl ? { connection, baseUrl, ...(sealed !== undefined && { sealed }) } : undefined;
  },
  async answer({ connection, baseUrl, sealed }, { services }) {
    const loaded = await services.load();
    const secret = sealed === undefined ? undefined : services.unseal(sealed);
    return loaded ? loaded.connections.try(connection, baseUrl, secret ? { secret } : undefined) : null;
  },
};
