import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import * as l10n from '@vscode/l10n';
import { chargedHttp } from '../connected/connections/charged-http.ts';
import type { ConnectedServices } from '../connected/model/connected-services.ts';
import { joinRepositories } from '../connected/model/join-repositories.ts';
import type { ServiceSession } from '../connected/terminal/connected-terminal.ts';
import { fileTrouble } from '../engine/base/file-error.ts';
import { withoutLogCommands } from '../engine/base/log-commands.ts';
import { isSameVersionIn } from '../engine/ecosystems/versioning.ts';
import { createInsights } from '../engine/facts/store/fact-store.ts';
import { createHttp } from '../engine/http/client.ts';
import { proxiesOf } from '../engine/http/proxy.ts';
import type { HttpClient, HttpOptions } from '../engine/http/types.ts';
import type { AnswerStore } from '../engine/model/answers/answer-store.ts';
import {
  type ConnectionName,
  type Credentials,
  connectionKeys,
  connectionVariable,
} from '../engine/model/connection.ts';
import type { ConnectedInsights } from '../engine/model/ports.ts';
import { accessOf } from '../engine/model/registries/asked-registries.ts';
import { joinPrivateFacts } from '../engine/model/registries/join-private.ts';
import type { Settings } from '../engine/model/settings.ts';
import type { PageAssets } from '../engine/report/formats/format.ts';
import { sanitize } from '../engine/report/formats/texts.ts';
import { readSettings } from '../engine/settings/read.ts';
import { foldersOfCommand } from '../platform/cache-directory.ts';
import { enforceCertificateChecks } from '../platform/checked-tls.ts';
import { systemClock } from '../platform/clock.ts';
import { environmentConnections } from '../platform/connections.ts';
import { diskFiles } from '../platform/files.ts';
import { cacheTroubleText, openAnswerCache, readCachedServices } from '../platform/kept-answers.ts';
import { systemKeyring } from '../platform/keyring.ts';
import { loadTranslations, localeOf } from '../platform/language.ts';
import { machineCredentials } from '../platform/machine-credentials.ts';
import { machineRegistries } from '../platform/machine-settings.ts';
import { builtInRegistries } from '../platform/registries/built-in-registries.ts';
import { readSecret } from '../platform/secret-input.ts';
import { configDirectory, openSignIns } from '../platform/sign-ins.ts';
import { userAgent, version } from '../platform/version.ts';
import { gateLimits } from '../service/registries/gate.ts';
import { run } from '../terminal/main.ts';
import { statusLine } from '../terminal/terminal.ts';
import { commands, type WholeTerminal } from './commands.ts';
import { openUserLedger, readUsage } from './user-ledger.ts';

/** Resolves at the first Ctrl-C or signal to end; a second one ends the process as usual. */
const ended = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
});

/** The catalog: beside the bundle, or beside the sources of the service. */
const catalog =
  [join(import.meta.dirname, 'catalog'), join(import.meta.dirname, '..', '..', 'catalog')].find((it) =>
    existsSync(it),
  ) ?? 'catalog';

const fromEnvironment = environmentConnections(process.env);
const signIns = openSignIns({ directory: configDirectory(), keyring: systemKeyring(), clock: systemClock });
/** Those of the environment come first. */
const credentials: Credentials = {
  read: async (name, baseUrl) =>
    (await fromEnvironment.credentials.read(name, baseUrl)) ?? (await signIns.credentials.read(name, baseUrl)),
};
/** Undefined as long as texts are English. */
let locale: string | undefined;

/** Keeps the process alive while a command waits for an answer, since timers of the clock do not. */
const awake = setInterval(() => {}, 2 ** 30);

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader has closed the pipe.
  if (error.code === 'EPIPE') process.exit();
  const what = l10n.t('{0} cannot be written: {1}', l10n.t('standard output'), fileTrouble(error));
  complain(what);
  process.exit(2);
});

main()
  .then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      // Its text may repeat what a file or a service says.
      console.error(inspect(error).replace(/[^\n]+/g, sanitize));
      process.exitCode = 2;
    },
  )
  .finally(() => clearInterval(awake));

/** Writes a line beside those of the command. */
function complain(line: string): void {
  console.error(`package-insights: ${sanitize(line)}`);
}

function main(): Promise<number> {
  const { PACKAGE_INSIGHTS_BASE_URL: baseUrl, NO_COLOR: noColor = '', TERM: terminal } = process.env;
  // A dumb terminal understands neither colors nor replaced lines.
  const isDumb = terminal === 'dumb';
  const hasStatus = process.stderr.isTTY && !isDumb;
  const status = statusLine(process.stderr);
  const whole: WholeTerminal = {
    out: (line) => console.log(line),
    error: (line) => console.error(line),
    ...(hasStatus && { status: status.show }),
    color: process.stdout.isTTY === true && noColor === '' && !isDumb,
    ...(process.stdout.isTTY && process.stdout.columns > 0 && { columns: process.stdout.columns }),
    directory: process.cwd(),
    catalog,
    version,
    loadTranslations: () => {
      locale = localeOf(process.env);
      loadTranslations(locale);
    },
    ended,
    languageServer: async () => {
      // The server ends with its connection.
      clearInterval(awake);
      await import('./server.ts');
      // The editor's pipe, and the watch over its process, would keep this process alive.
      ended.then(() => process.exit());
    },
    // An empty variable, as CI sets for a missing secret, is an error like any other invalid address.
    ...(baseUrl !== undefined && { baseUrl }),
    environment: process.env,
    settings: (given) => readSettings(given, fromEnvironment.settings, signIns.settings()),
    clock: systemClock,
    disk: (given) => {
      const roots = () => given;
      return {
        ...diskFiles(roots),
        machine: machineRegistries(roots),
        builtIn: builtInRegistries(roots),
        credentials: machineCredentials(roots),
      };
    },
    insights: connect,
    services: connectAll,
    offerServices: async (options) => (await import('./served.ts')).offerServices(options),
    openTeam: async (options) => {
      const log = (line: string) => status.above(() => console.error(withoutLogCommands(line)));
      const http = openHttp(options.registries && { underWayBytes: gateLimits.bytes });
      return (await import('./team.ts')).openTeam({ ...options, version, clock: systemClock, http, log });
    },
    clientRegistries: async (options) =>
      (await import('../platform/registries/client-registries.ts')).findClientRegistries(options),
    importFiles: async (options) => (await import('../service/import/import-files.ts')).importFiles(options),
    page,
    cachedServices: readCachedServices,
    usage: readUsage,
    input: () => text(process.stdin),
    secret: readSecret,
    signIns,
    service: connectService,
  };
  return run(process.argv.slice(2), whole, commands);
}

/** The page's script and style: beside the bundle, or in the build folder of the sources. */
function page(): PageAssets {
  const folders = [import.meta.dirname, join(import.meta.dirname, '..', '..', '..', 'dist')];
  const folder = folders.find((it) => existsSync(join(it, 'report.js'))) ?? import.meta.dirname;
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8').trimEnd();
  return { script: read('report.js'), style: read('report.css') };
}

function openHttp(limits?: HttpOptions['limits']): HttpClient {
  enforceCertificateChecks(process.env, complain);
  const proxies = proxiesOf(process.env);
  return createHttp({ clock: systemClock, userAgent, proxies: () => proxies, ...(limits && { limits }) });
}

async function connect(settings: Settings): Promise<ConnectedInsights> {
  const http = openHttp();
  const kept = openAnswerCache({
    folders: foldersOfCommand,
    onTrouble: (trouble, directory) => complain(cacheTroubleText(trouble, directory)),
  });
  // Nothing is counted while nothing is connected.
  const isConnected = Object.values(settings.connections).some((it) => it.baseUrl !== '');
  const ledger = isConnected ? openUserLedger()?.ledger : undefined;
  const charged = ledger ? chargedHttp(http, 'insights', systemClock, ledger) : http;
  const packages = createInsights({
    settings: () => settings,
    http: charged,
    clock: systemClock,
    cache: kept.cache,
    onKept: (received) => ledger?.chargeKept({ service: 'insights', at: systemClock.now(), received }),
  });
  const { insights, join: joinTo } = joinRepositories(
    joinPrivateFacts(
      packages,
      async () =>
        (await import('./private.ts')).openPrivateFacts(
          { settings: () => settings, clock: systemClock, accessOf, isSameVersion: isSameVersionIn },
          http,
          locale,
        ),
      () => settings.privateRegistries === 'ask',
    ),
    true,
  );
  const hasCodeHost = settings.connections['code-host'].baseUrl !== '';
  const services = hasCodeHost ? await connectAll(settings, credentials, kept.cache) : undefined;
  await services?.repositories.refresh();
  if (services) joinTo(services.repositories);
  return {
    ...insights,
    async close() {
      await insights.close();
      services?.close();
      kept.close();
      await http.close();
      ledger?.close();
    },
  };
}

async function connectAll(
  settings: Settings,
  given: Credentials = credentials,
  cache?: AnswerStore,
): Promise<ConnectedServices> {
  const http = openHttp();
  const { connectServices } = await import('./connected.ts');
  const services = connectServices(
    { settings: () => settings, credentials: given },
    { http, ...(cache && { cache }), folders: foldersOfCommand },
    locale,
    complain,
  );
  return {
    ...services,
    close() {
      services.close();
      http.close();
    },
  };
}

/** @param baseUrl another address than the one of the environment */
async function connectService(name: ConnectionName, baseUrl: string | undefined): Promise<ServiceSession> {
  const variable = connectionVariable(name, 'URL');
  // A credential belongs to the address beside it; without one, to the address that the person gives.
  const address = process.env[variable] ?? baseUrl;
  const beside = environmentConnections({
    ...process.env,
    ...(address !== undefined && { [variable]: address }),
  }).credentials;
  const given = baseUrl === undefined ? {} : { connections: { [connectionKeys[name]]: { baseUrl } } };
  const settings = readSettings(given, fromEnvironment.settings, signIns.settings());
  const services = await connectAll(settings, {
    read: async (it, at) => (await beside.read(it, at)) ?? (await signIns.credentials.read(it, at)),
  });
  const client = services.connections.client(name);
  return {
    send: (request, signal) => client.send(request, { priority: 'asked', ...(signal && { signal }) }),
    close: services.close,
  };
}
