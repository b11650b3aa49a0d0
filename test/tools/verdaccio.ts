import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { downloadsFolder } from './downloads.ts';
import { npm } from './npm.ts';
import { type Running, start } from './processes.ts';
import { madeOnce, scratchFolder } from './scratch.ts';

/** A registry of npm by others, fetched when it is first needed: 64 MB, too much for each `npm ci`. */
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
  const program = await fetched();
  if (program === undefined) return undefined;
  const folder = scratchFolder(join(downloadsFolder, 'registries'), 'verdaccio-');
  writeFileSync(join(folder, 'config.yaml'), configuration);
  const url = `http://127.0.0.1:${await freePort()}`;
  const running: Running = await start(
    {
      name: 'verdaccio',
      command: process.execPath,
      args: [join(program, 'node_modules/verdaccio/bin/verdaccio'), '--config', 'config.yaml', '--listen', url],
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

async function fetched(): Promise<string | undefined> {
  try {
    return await madeOnce(join(downloadsFolder, `verdaccio@${VERDACCIO}`), async (folder) => {
      console.error(`Fetching verdaccio@${VERDACCIO} with npm (once).`);
      const manifest = {
        private: true,
        dependencies: { verdaccio: VERDACCIO },
        // It names a tag that mirrors of the registry do not keep.
        overrides: { 'node-fetch': '2.7.0' },
      };
      writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
      await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], folder);
    });
  } catch (error) {
    console.error(String(error));
    return undefined;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address ? address.port : 0;
}
