import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { fileTrouble } from '../../engine/base/file-error.ts';
import { isLoopback } from '../../engine/base/loopback.ts';
import { parseServiceAddress } from '../../engine/model/links.ts';
import type { FoundRegistry } from '../../engine/model/registries/client-registries.ts';
import { type System, systemNames, systems } from '../../engine/model/system.ts';
import { sanitize } from '../../engine/report/formats/texts.ts';
import { type OptionTable, type OptionValues, UsageError } from '../../terminal/command.ts';
import { numberFrom } from '../../terminal/options.ts';
import type { ServiceOptions } from '../http-server.ts';
import { readStoreAddress, type StoreAddress } from '../store/address.ts';
import type { RegistrySources, TeamService } from '../team/options.ts';
import type { ServiceTerminal } from './service-terminal.ts';

/** The options of `serve` with a database or an upstream service. */
export const teamOptions = {
  store: {
    value: 'ADDRESS',
    help: () =>
      l10n.t(
        'serve from a database, sqlite:FILE or postgres://…; with --upstream by default a file in --state, otherwise memory',
      ),
    read: readStore,
  },
  upstream: {
    value: 'URL',
    help: () => l10n.t('ask this service for what the database lacks or has kept for too long'),
  },
  registries: {
    help: () =>
      l10n.t(
        'ask the registries of this machine’s package managers for what the catalog lacks; they know no vulnerabilities',
      ),
  },
  registry: {
    value: 'SYSTEM=URL',
    isRepeatable: true,
    help: () => l10n.t('with --registries: the registry of a system, such as cargo=https://…; repeatable'),
  },
  'registry-credentials': {
    help: () => l10n.t('with --registries: send registries the credentials that their clients would send'),
  },
  'upstream-budget': {
    value: 'N',
    help: () => l10n.t('send it at most so many requests in a minute; default: no limit'),
    read: numberFrom(1, 1_000_000),
  },
  shared: {
    value: 'ADDRESS',
    help: () => l10n.t('coordinate the instances of the service in a Redis or Valkey, redis://…; requires --upstream'),
    read: readShared,
  },
  'tokens-file': {
    value: 'FILE',
    help: () => l10n.t('answer only requests with a bearer token of this file'),
  },
  'without-tokens': {
    help: () => l10n.t('with --store or --upstream: answer the whole network without tokens'),
  },
  'tls-cert': { value: 'FILE', help: () => l10n.t('the certificate with its chain, as PEM; requires --tls-key') },
  'tls-key': { value: 'FILE', help: () => l10n.t('the private key of the certificate, as PEM') },
  'allow-origin': {
    value: 'ORIGIN',
    isRepeatable: true,
    help: () => l10n.t('pages of this origin may read the answers; repeatable'),
  },
} as const satisfies OptionTable;

type TeamOptionValues = OptionValues<typeof teamOptions>;

/** Whether the options are of a team's service. The others of the table require one of the three. */
export function isTeam({ store, upstream, registries }: TeamOptionValues): boolean {
  return store !== undefined || upstream !== undefined || registries === true;
}

export function refuseTeamOptions(options: TeamOptionValues): void {
  const given = Object.keys(teamOptions).find((it) => {
    const value = options[it as keyof TeamOptionValues];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
  });
  if (given !== undefined)
    throw new UsageError(l10n.t('{0} requires {1}', `--${given}`, '--store / --upstream / --registries'));
}

/** What a team's service adds to those of `serveHttp`. */
export interface TeamServing {
  readonly team: TeamService;
  readonly options: Pick<
    ServiceOptions,
    'source' | 'pages' | 'origins' | 'isPrivate' | 'isAllowed' | 'tls' | 'onAnswered' | 'onFault'
  >;
}

/**
 * @param host the address to listen on
 * @param onProgress called when registries are asked
 */
export async function openTeamServing(
  given: TeamOptionValues & { readonly state: string | undefined; readonly catalog: string | undefined },
  host: string,
  terminal: ServiceTerminal,
  onProgress: NonNullable<RegistrySources['onProgress']>,
): Promise<TeamServing> {
  const { upstream, registries, 'tokens-file': tokensFile } = given;
  if (registries && upstream !== undefined)
    throw new UsageError(l10n.t('{0} and {1} cannot be combined', '--registries', '--upstream'));
  for (const name of ['registry', 'registry-credentials'] as const) {
    const value = given[name];
    if (!registries && value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0))
      throw new UsageError(l10n.t('{0} requires {1}', `--${name}`, '--registries'));
  }
  if (upstream !== undefined && parseServiceAddress(upstream) === undefined)
    throw new UsageError(l10n.t('{0} requires an http or https address, not “{1}”', '--upstream', upstream));
  for (const name of ['shared', 'upstream-budget'] as const) {
    if (given[name] !== undefined && upstream === undefined)
      throw new UsageError(l10n.t('{0} requires {1}', `--${name}`, '--upstream'));
  }
  const isOpen = !isLoopback(host) && host !== '::1';
  if (isOpen && tokensFile === undefined && !given['without-tokens'])
    throw new UsageError(
      l10n.t('{0} beyond this machine requires {1} or {2}', '--host', '--tokens-file', '--without-tokens'),
    );
  // Everybody in the network would read what only this person may.
  if (isOpen && tokensFile === undefined && given['registry-credentials'])
    throw new UsageError(l10n.t('{0} beyond this machine requires {1}', '--registry-credentials', '--tokens-file'));
  if (tokensFile !== undefined && given['without-tokens'])
    throw new UsageError(l10n.t('{0} and {1} cannot be combined', '--tokens-file', '--without-tokens'));
  const tls = await readCertificate(given, terminal);
  const origins = given['allow-origin'].map(readOrigin);
  const tokens = tokensFile === undefined ? undefined : await read(tokensFile, terminal);
  const team = await openTeam(
    {
      store: await storeOf(given, terminal),
      upstream,
      upstreamBudget: given['upstream-budget'],
      shared: given.shared,
      ...(registries && { registries: { ...(await registriesFor(given, terminal)), onProgress } }),
      tokens,
    },
    terminal,
  );
  const { source, pages, isAllowed, onAnswered, onFault } = team;
  return {
    team,
    options: {
      source,
      pages,
      origins,
      isPrivate: true,
      ...(isAllowed && { isAllowed }),
      ...(tls && { tls }),
      onAnswered,
      onFault,
    },
  };
}

/** Finds the registries, and prints one line for each system. */
async function registriesFor(
  given: TeamOptionValues & { readonly catalog: string | undefined },
  terminal: ServiceTerminal,
): Promise<RegistrySources> {
  const { accessOf, found, asked } = await terminal.clientRegistries({
    given: new Map(given.registry.map(readRegistry)),
    withCredentials: given['registry-credentials'] === true,
    labels: { given: '--registry', builtIn: l10n.t('its client') },
  });
  const addresses = new Map<System, readonly string[]>();
  for (const [system, it] of found) {
    const name = systemNames[system];
    if (it && it.addresses.length > 0) addresses.set(system, it.addresses);
    terminal.error(sanitize(registryText(system, it)));
    const others = (asked.get(system) ?? []).filter((address) => !it?.addresses.includes(address));
    if (others.length > 0) terminal.error(sanitize(l10n.t('{0}, some names: {1}', name, others.join(' '))));
  }
  return { catalog: resolve(terminal.directory, given.catalog ?? terminal.catalog), accessOf, addresses, asked };
}

function registryText(system: System, found: FoundRegistry | undefined): string {
  const name = systemNames[system];
  if (found === undefined) return l10n.t('{0}: no registry; give {1}', name, `--registry ${system.toLowerCase()}=URL`);
  const { addresses, from } = found;
  return addresses.length === 0
    ? l10n.t('{0}: not asked, since {1} makes its client work offline', name, from)
    : `${name}: ${addresses.join(' ')} (${from})`;
}

/** `cargo=https://crates.acme.example/index` */
function readRegistry(text: string): readonly [System, string] {
  const at = text.indexOf('=');
  const system = systems.find((it) => it === text.slice(0, Math.max(0, at)).toUpperCase());
  const address = text.slice(at + 1);
  const isPlain = /^https?:/i.test(address) && URL.canParse(address) && new URL(address).username === '';
  if (system && isPlain) return [system, address];
  throw new UsageError(
    l10n.t('{0} requires {1}, not “{2}”', '--registry', 'SYSTEM=URL', sanitize(text.replace(/:\/\/.*@/s, '://…@'))),
  );
}

async function openTeam(
  options: Parameters<ServiceTerminal['openTeam']>[0],
  terminal: ServiceTerminal,
): Promise<TeamService> {
  try {
    return await terminal.openTeam(options);
  } catch (error) {
    if (error instanceof Error && error.name === 'Unusable') throw new UsageError(error.message);
    throw error;
  }
}

export function readStore(text: string, option: string): StoreAddress {
  const address = readStoreAddress(text);
  if (address) return address;
  throw new UsageError(
    l10n.t('{0} requires {1}, not “{2}”', option, 'sqlite:FILE / postgres://…', text.replace(/:\/\/.*/s, '://…')),
  );
}

function readShared(text: string, option: string): string {
  if (/^rediss?:\/\/./.test(text) && URL.canParse(text)) return text;
  throw new UsageError(l10n.t('{0} requires {1}, not “{2}”', option, 'redis://…', text.replace(/:\/\/.*/s, '://…')));
}

async function storeOf(
  { store, state }: TeamOptionValues & { readonly state: string | undefined },
  terminal: ServiceTerminal,
): Promise<StoreAddress | undefined> {
  if (store) return storeIn(store, terminal);
  if (state === undefined) return undefined;
  const folder = resolve(terminal.directory, state);
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new UsageError(l10n.t('{0} cannot be used: {1}', folder, fileTrouble(error)));
  });
  return { kind: 'sqlite', path: join(folder, 'insights.sqlite') };
}

/** The address with an absolute path. */
export function storeIn(store: StoreAddress, { directory }: ServiceTerminal): StoreAddress {
  return store.kind === 'sqlite' ? { kind: 'sqlite', path: resolve(directory, store.path) } : store;
}

async function readCertificate(given: TeamOptionValues, terminal: ServiceTerminal): Promise<ServiceOptions['tls']> {
  const { 'tls-cert': cert, 'tls-key': key } = given;
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) throw new UsageError(l10n.t('{0} requires {1}', '--tls-key', '--tls-cert'));
  if (key === undefined) throw new UsageError(l10n.t('{0} requires {1}', '--tls-cert', '--tls-key'));
  return { cert: await read(cert, terminal), key: await read(key, terminal) };
}

async function read(path: string, { directory }: ServiceTerminal): Promise<string> {
  try {
    return await readFile(resolve(directory, path), 'utf8');
  } catch (error) {
    throw new UsageError(l10n.t('{0} cannot be read: {1}', path, fileTrouble(error)));
  }
}

function readOrigin(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text;
  throw new UsageError(l10n.t('{0} requires {1}, not “{2}”', '--allow-origin', 'https://host:port', text));
}
