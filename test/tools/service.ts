import { join } from 'node:path';
import { root } from './paths.ts';
import { type Running, start } from './processes.ts';

export interface Service extends Running {
  /** `http://127.0.0.1:40123`. */
  readonly url: string;
}

/** Starts the Package Insights Service over the embedded catalog, from the bundle, on the loopback interface. */
export async function startService(): Promise<Service> {
  const cli = join(root, 'dist', 'cli.js');
  const running = await start(
    { name: 'the Package Insights Service', command: process.execPath, args: [cli, 'serve', '--port', '0'] },
    /listening on (http:\/\/127\.0\.0\.1:\d+)/,
  );
  return { ...running, url: running.said[1] ?? '' };
}
