import {
  type ConnectionName,
  type Credentials,
  connectionKeys,
  connectionNames,
  connectionVariable,
} from '../model/connection.ts';

/** The connections that the environment sets, for the terminal and for editors without a secret storage. */
export interface EnvironmentConnections {
  /** As settings: `{ connections: { codeHost: { baseUrl } } }`. */
  readonly settings: { readonly connections: Readonly<Record<string, { readonly baseUrl: string }>> };
  /** A credential belongs to the address beside it. */
  readonly credentials: Credentials;
}

export function environmentConnections(environment: Readonly<NodeJS.ProcessEnv>): EnvironmentConnections {
  const addressOf = (name: ConnectionName): string | undefined => environment[connectionVariable(name, 'URL')];
  const connections = Object.fromEntries(
    connectionNames.flatMap((name) => {
      const baseUrl = addressOf(name);
      return baseUrl === undefined ? [] : [[connectionKeys[name], { baseUrl }]];
    }),
  );
  return {
    settings: { connections },
    credentials: {
      async read(name, baseUrl) {
        const secret = environment[connectionVariable(name, 'TOKEN')];
        const isOfAddress = addressOf(name)?.replace(/\/+$/, '') === baseUrl;
        return secret && isOfAddress ? { secret } : undefined;
      },
    },
  };
}
