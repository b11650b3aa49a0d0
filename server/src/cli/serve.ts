import { hostname } from 'node:os';
import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { dayOf } from '../base/dates.ts';
import { fileTrouble } from '../base/file-error.ts';
import { messageOf } from '../base/text.ts';
import { visible } from '../report/formats/texts.ts';
import { cachedSource } from '../service/cached-source.ts';
import { CatalogError, loadCatalog } from '../service/catalog/load.ts';
import { catalogSource } from '../service/catalog/source.ts';
import { serveHttp } from '../service/http-server.ts';
import type { Source } from '../service/source.ts';
import { type Command, type Flags, type Terminal, UsageError } from './command.ts';
import { textOf } from './options.ts';

/** `package-insights serve`: a Package Insights Service over a catalog, or over kept answers, until it is told to end. */
export const serveCommand: Command = {
  name: 'serve',
  usage: '[--port N] [--catalog DIR | --from-cache [PATH]]',
  summary: () => l10n.t('Start a Package Insights Service on this machine, over a catalog or what is kept'),
  help: () =>
    l10n.t(`\
  --port N            the port to listen on; usually one that is free
  --host ADDRESS      the address to listen on; usually this machine alone
  --catalog DIR       a catalog other than the one that comes with the program
  --from-cache        serve what check, lookup, identify or an editor looked up before: the answers
                      kept on this machine, or those in the file or folder PATH
  --base-url URL      with --from-cache: the service whose answers are served, where answers of
                      several are kept; usually the one that most are of
  --allow-host NAME   with --from-cache: a further name under which others reach this machine;
                      as often as needed

Examples:
  package-insights serve --port 8080
  package-insights serve --from-cache carried/answers-1.sqlite --port 8080
  package-insights check --base-url http://127.0.0.1:8080`),
  options: {
    port: { type: 'string' },
    host: { type: 'string' },
    catalog: { type: 'string' },
    'from-cache': { type: 'boolean' },
    'base-url': { type: 'string' },
    'allow-host': { type: 'string', multiple: true },
  },
  takesWords: true,
  // What it answers is for programs, the reasons in it included.
  isForPrograms: ({ help, h }) => help !== true && h !== true,
  async run({ flags, words }, terminal) {
    const port = readPort(flags['port']);
    const source = await sourceOf(flags, words, terminal);
    const host = textOf(flags, 'host');
    const onFault = (fault: unknown) => terminal.error(visible(String(fault)));
    const privateTo = flags['from-cache'] === true ? { names: ownNames(flags) } : undefined;
    const service = await serveHttp({
      source,
      port,
      ...(host !== undefined && { host }),
      ...(privateTo && { privateTo }),
      onFault,
    }).catch((error: unknown) => {
      throw new UsageError(l10n.t('cannot listen: {0}', messageOf(error)));
    });
    // Programs that start this one look for the line, so it is the same in every language.
    terminal.out(`listening on ${service.url}`);
    await terminal.ended;
    await service.close();
    return 0;
  },
};

/** Under which others may reach this machine: what it calls itself, and what the person says. */
function ownNames(flags: Flags): string[] {
  const allowed = flags['allow-host'];
  return [hostname(), ...(Array.isArray(allowed) ? allowed : [])].map((it) => String(it).toLowerCase());
}

async function sourceOf(flags: Flags, words: readonly string[], terminal: Terminal): Promise<Source> {
  if (flags['from-cache'] === true) {
    if (flags['catalog'] !== undefined)
      throw new UsageError(l10n.t('{0} and {1} exclude each other', '--from-cache', '--catalog'));
    return keptFrom(flags, words, terminal);
  }
  if (words.length > 0) throw new UsageError(l10n.t('{0} goes with {1}', words[0] ?? '', '--from-cache'));
  for (const flag of ['base-url', 'allow-host']) {
    if (flags[flag] !== undefined) throw new UsageError(l10n.t('{0} goes with {1}', `--${flag}`, '--from-cache'));
  }
  const directory = textOf(flags, 'catalog') ?? terminal.catalog;
  const catalog = await loadCatalog(resolve(terminal.directory, directory)).catch((error: unknown) => {
    throw error instanceof CatalogError
      ? new UsageError(l10n.t('the catalog in {0} cannot be used: {1}', directory, error.message))
      : error;
  });
  return catalogSource(catalog);
}

async function keptFrom(flags: Flags, words: readonly string[], terminal: Terminal): Promise<Source> {
  const [word, ...more] = words;
  if (more.length > 0) throw new UsageError(l10n.t('{0} takes one file or folder', '--from-cache'));
  const where = word ?? l10n.t('the cache of this machine');
  const services = await terminal.kept(word && resolve(terminal.directory, word)).catch((error: unknown) => {
    throw new UsageError(l10n.t('{0} cannot be read: {1}', where, fileTrouble(error)));
  });
  const baseUrl = textOf(flags, 'base-url')?.replace(/\/+$/, '');
  const [kept] = services.filter((it) => baseUrl === undefined || it.baseUrl === baseUrl);
  if (kept === undefined) {
    const others = services.map((it) => it.baseUrl).join(', ');
    throw new UsageError(
      services.length === 0
        ? l10n.t('nothing is kept in {0}', where)
        : l10n.t('nothing of {0} is kept in {1}, but of {2}', baseUrl ?? '', where, others),
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
  // The file may have been carried here by anybody.
  terminal.out(visible(about));
  return cachedSource(kept);
}

function readPort(given: unknown): number {
  if (given === undefined) return 0;
  const port = Number(given);
  if (typeof given !== 'string' || !/^\d+$/.test(given) || port > 65535) {
    throw new UsageError(l10n.t('{0} takes a number from {1} to {2}, not “{3}”', '--port', 0, 65535, String(given)));
  }
  return port;
}
