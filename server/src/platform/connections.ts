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
  readonly settings: { readonly connections: Readonly<Record<string, object>> };
  /** A credential belongs to the address beside it. */
  readonly credentials: Credentials;
}

export function environmentConnections(environment: Readonly<NodeJS.ProcessEnv>): EnvironmentConnections {
  const addressOf = (name: ConnectionName): string | undefined => environment[connectionVariable(name, 'URL')];
  const mode = environment['PACKAGE_INSIGHTS_LINK_SAFETY_MODE'];
  const connections = Object.fromEntries(
    connectionNames.map((name) => {
      const baseUrl = addressOf(name);
      const isChecking = name === 'link-safety' && mode !== undefined;
      return [connectionKeys[name], { ...(baseUrl !== undefined && { baseUrl }), ...(isChecking && { mode }) }];
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
