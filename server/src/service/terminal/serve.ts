import { hostname } from 'node:os';
import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { dayOf } from '../../engine/base/dates.ts';
import { fileTrouble } from '../../engine/base/file-error.ts';
import { messageOf } from '../../engine/base/text.ts';
import { sanitize } from '../../engine/report/formats/texts.ts';
import { type Command, type OptionTable, type OptionValues, UsageError } from '../../terminal/command.ts';
import { numberFrom } from '../../terminal/options.ts';
import { cachedSource } from '../cached-source.ts';
import { CatalogError, loadCatalog } from '../catalog/load.ts';
import { catalogSource } from '../catalog/source.ts';
import { serveHttp } from '../http-server.ts';
import type { OfferedServices } from '../offered-services.ts';
import type { Source } from '../source.ts';
import { isTeam, openTeamServing, refuseTeamOptions, teamOptions } from './serve-team.ts';
import type { ServiceTerminal } from './service-terminal.ts';

const serveOptions = {
  port: {
    value: 'N',
    help: () => l10n.t('the port to listen on; default: a free port'),
    read: numberFrom(0, 65_535),
    default: 0,
  },
  host: { value: 'ADDRESS', help: () => l10n.t('the address to listen on; default: this machine only') },
  catalog: { value: 'DIR', help: () => l10n.t('another catalog than the embedded one') },
  'from-cache': {
    help: () =>
      l10n.t(
        'serve cached answers of check, lookup, identify and editors: those of this machine, or those in the file or folder PATH',
      ),
  },
  'base-url': {
    value: 'URL',
    help: () =>
      l10n.t('with --from-cache: the service whose answers are served; default: the one with the most answers'),
  },
  'allow-host': {
    value: 'NAME',
    isRepeatable: true,
    help: () => l10n.t('another name of this machine in the network; repeatable'),
  },
  repositories: {
    value: 'FILE',
    help: () => l10n.t('the repositories of the code host; default: those of the catalog'),
  },
  'unsafe-links': {
    value: 'FILE',
    help: () => l10n.t('the lists of unsafe links; default: those of the catalog'),
  },
  user: {
    value: 'EMAIL',
    isRepeatable: true,
    help: () => l10n.t('another user of the services, with a token of their own; repeatable'),
  },
  'instant-operations': {
    help: () => l10n.t('operations of deployments end at once, which otherwise take seconds'),
  },
  ...teamOptions,
  state: { value: 'DIR', help: () => l10n.t('keep what services remember in this folder; default: for this run only') },
} as const satisfies OptionTable;

/**
 * `package-insights serve`: runs a Package Insights Service over a catalog or over cached answers until it is stopped.
 */
export const serveCommand: Command<typeof serveOptions> = {
  name: 'serve',
  usage: '[--port N] [--catalog DIR | --from-cache [PATH] | --store ADDRESS | --upstream URL | --registries]',
  summary: () => l10n.t('Start a Package Insights Service on this machine, over a catalog or cached answers'),
  options: serveOptions,
  examples: [
    'package-insights serve --port 8080',
    'package-insights serve --from-cache carried/answers-1.sqlite --port 8080',
    'package-insights check --base-url http://127.0.0.1:8080',
    'package-insights serve --registries --state insights --port 8080',
    'package-insights serve --store postgres://insights@db.example/insights --upstream https://insights.example',
  ],
  takesPositionals: true,
  // Programs read its answers, including the reasons in them.
  isForPrograms: ({ help, h }) => help !== true && h !== true,
  async run({ options, positionals }, terminal: ServiceTerminal) {
    const { port, host } = options;
    if (isTeam(options)) return serveTeam(options, positionals, terminal);
    refuseTeamOptions(options);
    const source = await openSource(options, positionals, terminal);
    const onFault = (fault: unknown) => terminal.error(sanitize(String(fault)));
    const isPrivate = options['from-cache'];
    const offered = isPrivate ? undefined : await offer(options, terminal);
    const service = await serveHttp({
      source,
      port,
      ...(host !== undefined && { host }),
      ownHost: { names: hostNames(options['allow-host']) },
      ...(isPrivate && { isPrivate }),
      ...(offered && { services: offered.services, onServed: offered.note }),
      onFault,
    }).catch((error: unknown) => {
      throw new UsageError(l10n.t('cannot listen: {0}', messageOf(error)));
    });
    // Programs that start this one parse the line, so it is the same in every language.
    terminal.out(`listening on ${service.url}`);
    if (offered) {
      terminal.out(`insights ${service.url}`);
      for (const [name, address] of offered.addresses(service.url)) terminal.out(`${name} ${address}`);
      for (const { email, token } of offered.users) terminal.out(`user ${email} ${token}`);
      terminal.out(`token ${offered.token}`);
      for (const it of offered.notes) terminal.error(it);
    }
    await terminal.ended;
    await service.close();
    offered?.close();
    return 0;
  },
};

/** In ms. A request that waits for an upstream service is answered in this time. Orchestrators kill after 30 s. */
const DRAIN_PATIENCE = 25_000;

async function serveTeam(
  options: ServeOptions,
  positionals: readonly string[],
  terminal: ServiceTerminal,
): Promise<number> {
  const chosen = options.registries ? '--registries' : options.store === undefined ? '--upstream' : '--store';
  refuseBeside(options, chosen, [
    ...(options.registries ? [] : (['catalog'] as const)),
    'from-cache',
    'base-url',
    'repositories',
    'unsafe-links',
    'user',
    'instant-operations',
  ]);
  const [first] = positionals;
  if (first !== undefined) throw new UsageError(l10n.t('{0} requires {1}', first, '--from-cache'));
  const { port, host = '127.0.0.1' } = options;
  let url = '';
  const { team, options: serving } = await openTeamServing(options, host, terminal, ({ asked, waiting, failed }) =>
    terminal.status?.(l10n.t('{0} · registries asked: {1}, waiting: {2}, failed: {3}', url, asked, waiting, failed)),
  );
  const service = await serveHttp({
    ...serving,
    port,
    host,
    ownHost: { names: hostNames(options['allow-host']) },
  }).catch(async (error: unknown) => {
    await team.close();
    throw new UsageError(l10n.t('cannot listen: {0}', messageOf(error)));
  });
  url = service.url;
  terminal.out(`listening on ${url}`);
  await terminal.ended;
  terminal.status?.('');
  team.drain();
  await service.close(DRAIN_PATIENCE);
  await team.close();
  return 0;
}

function refuseBeside(options: ServeOptions, chosen: string, others: readonly (keyof ServeOptions)[]): void {
  for (const name of others) {
    const value = options[name];
    if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) continue;
    throw new UsageError(l10n.t('{0} and {1} cannot be combined', chosen, `--${name}`));
  }
}

async function offer(options: ServeOptions, terminal: ServiceTerminal): Promise<OfferedServices> {
  const { catalog, clock, directory } = terminal;
  const pathOf = (it: string | undefined) => it && resolve(directory, it);
  try {
    return await terminal.offerServices({
      repositories: pathOf(options.repositories),
      unsafeLinks: pathOf(options['unsafe-links']),
      state: pathOf(options.state),
      isInstant: options['instant-operations'] === true,
      users: options.user,
      catalog,
      clock,
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'Unusable') throw new UsageError(error.message);
    throw error;
  }
}

/** The names of this machine for other machines, in lower case. */
function hostNames(allowed: readonly string[]): string[] {
  return [hostname(), ...allowed].map((it) => it.toLowerCase());
}

type ServeOptions = OptionValues<typeof serveOptions>;

async function openSource(
  options: ServeOptions,
  positionals: readonly string[],
  terminal: ServiceTerminal,
): Promise<Source> {
  if (options['from-cache']) {
    const others = ['catalog', 'repositories', 'unsafe-links', 'state', 'instant-operations', 'user'] as const;
    refuseBeside(options, '--from-cache', others);
    return openCache(options, positionals, terminal);
  }
  const [first] = positionals;
  if (first !== undefined) throw new UsageError(l10n.t('{0} requires {1}', first, '--from-cache'));
  if (options['base-url'] !== undefined) throw new UsageError(l10n.t('{0} requires {1}', '--base-url', '--from-cache'));
  const directory = options.catalog ?? terminal.catalog;
  const catalog = await loadCatalog(resolve(terminal.directory, directory)).catch((error: unknown) => {
    throw error instanceof CatalogError
      ? new UsageError(l10n.t('invalid catalog in {0}: {1}', directory, error.message))
      : error;
  });
  return catalogSource(catalog);
}

async function openCache(
  options: ServeOptions,
  positionals: readonly string[],
  terminal: ServiceTerminal,
): Promise<Source> {
  const [path, ...more] = positionals;
  if (more.length > 0) throw new UsageError(l10n.t('{0} requires exactly one file or folder', '--from-cache'));
  const where = path ?? l10n.t('the cache of this machine');
  const services = await terminal.cachedServices(path && resolve(terminal.directory, path)).catch((error: unknown) => {
    throw new UsageError(l10n.t('{0} cannot be read: {1}', where, fileTrouble(error)));
  });
  const baseUrl = options['base-url']?.replace(/\/+$/, '');
  const [kept] = services.filter((it) => baseUrl === undefined || it.baseUrl === baseUrl);
  if (kept === undefined) {
    const others = services.map((it) => it.baseUrl).join(', ');
    throw new UsageError(
      services.length === 0
        ? l10n.t('{0} contains no answers', where)
        : l10n.t('{1} contains no answers of {0}, only of {2}', baseUrl ?? '', where, others),
    );
  }
  const { packages, versions, advisories, since, until } = kept;
  const about = l10n.t(
    'packages: {0}, versions: {1}, advisories: {2}; answers of {3} from {4} to {5}',
    packages,
    versions,
    advisories,
    kept.baseUrl,
    dayOf(since),
    dayOf(until),
  );
  // The file may come from an untrusted source.
  terminal.out(sanitize(about));
  return cachedSource(kept);
}
