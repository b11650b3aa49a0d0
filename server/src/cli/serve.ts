import { CatalogError, loadCatalog } from '../service/load.ts';
import { serve } from '../service/serve.ts';
import { type Command, UsageError } from './command.ts';

/** `package-insights serve`: the Package Insights Service over a catalog, until it is told to end. */
export const serveCommand: Command = {
  name: 'serve',
  usage: '[--port N] [--host ADDRESS] [--catalog DIR]',
  summary: 'Start a Package Insights Service over a catalog on this machine',
  help: `\
  --port N            the port to listen on; usually one that is free
  --host ADDRESS      the address to listen on; usually this machine alone
  --catalog DIR       a catalog other than the one that comes with the program

Examples:
  package-insights serve --port 8080
  package-insights check --base-url http://127.0.0.1:8080`,
  options: { port: { type: 'string' }, host: { type: 'string' }, catalog: { type: 'string' } },
  takesWords: false,
  async run({ flags }, terminal) {
    const port = readPort(flags['port']);
    const directory = typeof flags['catalog'] === 'string' ? flags['catalog'] : terminal.catalog;
    const catalog = await loadCatalog(directory).catch((error: unknown) => {
      throw error instanceof CatalogError
        ? new UsageError(`the catalog in ${directory} cannot be used: ${error.message}`)
        : error;
    });
    const host = typeof flags['host'] === 'string' ? { host: flags['host'] } : {};
    const service = await serve({ catalog, port, ...host, onFault: (it) => terminal.error(String(it)) }).catch(
      (error: unknown) => {
        throw new UsageError(`cannot listen: ${error instanceof Error ? error.message : String(error)}`);
      },
    );
    terminal.out(`listening on ${service.url}`);
    await terminal.ended;
    await service.close();
    return 0;
  },
};

function readPort(given: unknown): number {
  if (given === undefined) return 0;
  const port = Number(given);
  if (typeof given !== 'string' || !/^\d+$/.test(given) || port > 65535) {
    throw new UsageError(`--port takes a number from 0 to 65535, not “${String(given)}”`);
  }
  return port;
}
