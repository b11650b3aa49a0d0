import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { downloadsFolder } from './downloads.ts';
import { freePort } from './free-port.ts';
import { npmPackage } from './npm-package.ts';
import { type Running, start } from './processes.ts';
import { scratchFolder } from './scratch.ts';

/** A registry of npm by others: 64 MB. */
const VERDACCIO = '6.10.4';

/** A running registry. */
export interface Verdaccio {
  readonly url: string;
  /** Makes a user, and returns a token of theirs. */
  user(name: string, password: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts one on the loopback; undefined where it cannot be fetched. Packages in `@acme` are for users alone. */
export async function startVerdaccio(): Promise<Verdaccio | undefined> {
  const program = await npmPackage('verdaccio', VERDACCIO, { 'node-fetch': '2.7.0' });
  if (program === undefined) return undefined;
  const folder = scratchFolder(join(downloadsFolder, 'registries'), 'verdaccio-');
  writeFileSync(join(folder, 'config.yaml'), configuration);
  const url = `http://127.0.0.1:${await freePort()}`;
  const running: Running = await start(
    {
      name: 'verdaccio',
      command: process.execPath,
      args: [join(program, 'bin/verdaccio'), '--config', 'config.yaml', '--listen', url],
      cwd: folder,
    },
    /http address/,
  );
  return {
    url,
    async user(name, password) {
      const reply = await fetch(`${url}/-/user/org.couchdb.user:${name}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, password }),
      });
      return String(JSON.parse(await reply.text()).token);
    },
    async stop() {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Bcrypt at its fastest: the passwords are those of tests. No other registry stands behind it. */
const configuration = `
storage: ./storage
auth:
  htpasswd: { file: ./htpasswd, algorithm: bcrypt, rounds: 1 }
packages:
  '@acme/*': { access: $authenticated, publish: $authenticated }
  '**': { access: $all, publish: $authenticated }
log: { type: stdout, format: pretty, level: warn }
`;
