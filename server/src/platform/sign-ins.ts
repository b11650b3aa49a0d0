import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isRecord } from '../engine/base/text.ts';
import {
  type ConnectionName,
  type Credential,
  type Credentials,
  connectionKeys,
  readConnectionAddress,
  type SignIns,
} from '../engine/model/connection.ts';
import type { Clock } from '../engine/model/ports.ts';
import type { Keyring } from './keyring.ts';

/** The services that a person has signed in to: their addresses are in a file of the user, their credentials in the keyring. */
export interface KeptSignIns extends SignIns {
  /** As settings: `{ connections: { codeHost: { baseUrl } } }`. */
  settings(): { readonly connections: Readonly<Record<string, object>> };
  readonly credentials: Credentials;
}

/** How long a credential, or the failure to read it, is remembered, in ms: a failure may take half a minute. */
const REMEMBERED = 5 * 60_000;

export interface SignInParts {
  readonly directory: string;
  readonly keyring: Keyring;
  readonly clock: Pick<Clock, 'now'>;
}

export function openSignIns({ directory, keyring, clock }: SignInParts): KeptSignIns {
  const file = join(directory, 'connections.json');
  const remembered = new Map<string, { readonly at: number; readonly read: Promise<Credential | undefined> }>();
  let known: Readonly<Record<string, unknown>> | undefined;

  function addresses(): Readonly<Record<string, unknown>> {
    known ??= readAddresses(file);
    return known;
  }

  function write(name: ConnectionName, baseUrl: string | undefined): void {
    const { [connectionKeys[name]]: _, ...others } = addresses();
    known = { ...others, ...(baseUrl !== undefined && { [connectionKeys[name]]: baseUrl }) };
    const kept = Object.fromEntries(Object.entries(known).map(([key, it]) => [key, { baseUrl: it }]));
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const beside = join(directory, `.${randomUUID()}.tmp`);
    try {
      writeFileSync(beside, `${JSON.stringify(kept, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
      renameSync(beside, file);
    } catch (error) {
      rmSync(beside, { force: true });
      throw error;
    }
  }

  return {
    settings: () => ({
      connections: Object.fromEntries(Object.entries(addresses()).map(([key, baseUrl]) => [key, { baseUrl }])),
    }),
    credentials: {
      read(name, baseUrl) {
        const kept = addresses()[connectionKeys[name]];
        const account = accountOf(name, baseUrl);
        // Nothing else starts the process of the keyring.
        if (typeof kept !== 'string' || accountOf(name, kept) !== account) return Promise.resolve(undefined);
        const before = remembered.get(account);
        if (before && Math.abs(clock.now() - before.at) < REMEMBERED) return before.read;
        const read = keyring.read(account).then((secret) => (secret ? { secret } : undefined));
        remembered.set(account, { at: clock.now(), read });
        return read;
      },
    },
    async keep(name, baseUrl, { secret }) {
      const before = addresses()[connectionKeys[name]];
      const account = accountOf(name, baseUrl);
      await keyring.keep(account, secret);
      write(name, baseUrl);
      remembered.clear();
      if (typeof before !== 'string' || accountOf(name, before) === account) return;
      // It is not used any more, so a keyring that fails now may keep it.
      await keyring.remove(accountOf(name, before)).catch(() => {});
    },
    async remove(name) {
      const kept = addresses()[connectionKeys[name]];
      if (kept === undefined) return false;
      write(name, undefined);
      remembered.clear();
      if (typeof kept === 'string') await keyring.remove(accountOf(name, kept));
      return true;
    },
  };
}

/** No workspace and no cache can change it. */
export function configDirectory(
  environment: Readonly<NodeJS.ProcessEnv> = process.env,
  platform: NodeJS.Platform = process.platform,
  home = homedir(),
): string {
  const { XDG_CONFIG_HOME: xdg, APPDATA: roaming } = environment;
  if (xdg?.startsWith('/')) return join(xdg, 'package-insights');
  if (platform === 'win32') return join(roaming || join(home, 'AppData', 'Roaming'), 'package-insights');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'package-insights');
  return join(home, '.config', 'package-insights');
}

/** A credential belongs to one address of one service. */
function accountOf(name: ConnectionName, baseUrl: string): string {
  const address = readConnectionAddress(baseUrl);
  return `${name} ${address.kind === 'valid' ? address.origin + address.prefix : baseUrl}`;
}

/** The addresses by key, as they are. Of a file that cannot be read every address is invalid, so that nothing is sent. */
function readAddresses(file: string): Readonly<Record<string, unknown>> {
  const unreadable = Object.fromEntries(Object.values(connectionKeys).map((key) => [key, null]));
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isRecord(value)) return unreadable;
    const keys = Object.values(connectionKeys).filter((key) => Object.hasOwn(value, key));
    return Object.fromEntries(
      keys.map((key) => {
        const row = value[key];
        return [key, (isRecord(row) ? row['baseUrl'] : undefined) ?? null];
      }),
    );
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing ? {} : unreadable;
  }
}
