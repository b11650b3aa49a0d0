import { join } from 'node:path';
import { connectionKeys, connectionNames, connectionVariable } from '../../server/src/engine/model/connection.ts';
import { root } from './paths.ts';
import { type Running, start } from './processes.ts';

export interface Service extends Running {
  /** `http://127.0.0.1:40123`. */
  readonly url: string;
  /** The addresses of the services that can be connected, by name: `code-host`. */
  readonly others: ReadonlyMap<string, string>;
  /** Their credential. */
  readonly token: string;
}

/** Starts the Package Insights Service over the embedded catalog, from the bundle, on the loopback interface. */
export async function startService(): Promise<Service> {
  const cli = join(root, 'dist', 'cli.js');
  const running = await start(
    { name: 'the Package Insights Service', command: process.execPath, args: [cli, 'serve', '--port', '0'] },
    /listening on (http:\/\/127\.0\.0\.1:\d+)\n([\s\S]*)^token (\S+)/m,
  );
  const [, url = '', lines = '', token = ''] = running.said;
  const others = new Map(
    lines.split('\n').flatMap((line): [string, string][] => {
      const [name = '', address = ''] = line.split(' ');
      return address === '' || name === 'insights' ? [] : [[name, address]];
    }),
  );
  return { ...running, url, others, token };
}

/** Connects every service of `serve`. A browser has no secret storage to fill, so the environment holds the token. */
export function connectAll({ others, token }: Service): {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string>>;
} {
  const settings: Record<string, unknown> = { 'packageInsights.connections.linkSafety.mode': 'private' };
  settings['packageInsights.connections.deployments.project'] = 'demo';
  const environment: Record<string, string> = {};
  for (const name of connectionNames) {
    const address = others.get(name);
    if (address === undefined) continue;
    settings[`packageInsights.connections.${connectionKeys[name]}.baseUrl`] = address;
    environment[connectionVariable(name, 'URL')] = address;
    environment[connectionVariable(name, 'TOKEN')] = token;
  }
  return { settings, environment };
}
