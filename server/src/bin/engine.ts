import * as nodeModule from 'node:module';
import type { Connection } from 'vscode-languageserver';
import { chargedHttp, createLateLedger } from '../connected/connections/charged-http.ts';
import { connectedEditor } from '../connected/editor/extensions.ts';
import type { Initialize } from '../editor/opening.ts';
import { serve } from '../editor/server.ts';
import { clientFiles, filesOnBoth } from '../editor/sync/client-files.ts';
import { lockfileFormats } from '../engine/ecosystems/lockfile-formats.ts';
import { createInsights } from '../engine/facts/store/fact-store.ts';
import { createHttp } from '../engine/http/client.ts';
import { followProxies } from '../engine/http/proxy.ts';
import { fileOnDisk } from '../engine/lookup/file-on-disk.ts';
import type { Network } from '../engine/model/network.ts';
import { searchEach } from '../engine/report/scan/folder-manifests.ts';
import { findManifestsThrough } from '../engine/report/scan/folders-by-files.ts';
import { findManifestsOnDisk } from '../engine/report/scan/folders-on-disk.ts';
import { enforceCertificateChecks } from '../platform/checked-tls.ts';
import { systemClock } from '../platform/clock.ts';
import { collectGarbage } from '../platform/collect.ts';
import { environmentConnections } from '../platform/connections.ts';
import { diskFiles } from '../platform/files.ts';
import { createGraphThread } from '../platform/graph-thread.ts';
import { cacheTroubleText, openAnswerCache } from '../platform/kept-answers.ts';
import { hasKeyring, systemKeyring } from '../platform/keyring.ts';
import { loadTranslations, localeOf } from '../platform/language.ts';
import { machineCredentials } from '../platform/machine-credentials.ts';
import { machineRegistries } from '../platform/machine-settings.ts';
import { optimizeLess } from '../platform/optimizing.ts';
import { pagesAddress } from '../platform/pages.ts';
import { builtInRegistries } from '../platform/registries/built-in-registries.ts';
import { unsealer } from '../platform/sealed.ts';
import { configDirectory, openSignIns } from '../platform/sign-ins.ts';
import { userAgent, version } from '../platform/version.ts';

/**
 * Everything of the language server but the response to `initialize`: it joins a connection, the disk, the network and a
 * cache to the engine.
 */
export function startEngine(connection: Connection): Initialize {
  const noNetwork: Network = {};
  let network = (): Network => noNetwork;
  const http = createHttp({
    clock: systemClock,
    proxies: followProxies(() => network(), process.env),
    systemCa: () => network().systemCertificates === true,
    userAgent,
  });
  /** Whether a service is connected. Otherwise nothing is counted, and the ledger is not loaded. */
  let isConnected = (): boolean => false;
  const ledger = createLateLedger(() => isConnected());

  const { PACKAGE_INSIGHTS_SESSION_KEY: sessionKey } = process.env;
  // No process that this one starts gets it.
  delete process.env['PACKAGE_INSIGHTS_SESSION_KEY'];
  const fromEnvironment = environmentConnections(process.env);
  /** Of the terminal program. The extension has no keyring: VS Code keeps its credentials. */
  const signIns = hasKeyring()
    ? openSignIns({ directory: configDirectory(), keyring: systemKeyring(), clock: systemClock })
    : undefined;
  /** The language of all texts. */
  let locale: string | undefined;
  let folders = (): readonly string[] => [];
  const kept = openAnswerCache({
    // Not the working directory: an editor that the desktop starts has the home folder, or the root.
    folders: () => folders(),
    log: (line) => connection.console.warn(line),
    onTrouble: (trouble, directory) => connection.console.warn(cacheTroubleText(trouble, directory)),
  });

  const connected = connectedEditor({
    async load(host) {
      const { connectServices } = await import('./connected.ts');
      const services = connectServices(host, { http, cache: kept.cache, folders: () => folders() }, locale, (line) =>
        connection.console.warn(line),
      );
      ledger.opened(services.ledger);
      return services;
    },
    credentials: {
      read: async (name, baseUrl) =>
        (await fromEnvironment.credentials.read(name, baseUrl)) ?? (await signIns?.credentials.read(name, baseUrl)),
    },
    unseal: unsealer(sessionKey),
  });

  const engine = serve({
    connection,
    insights: (settings) => {
      enforceCertificateChecks(process.env, (line) => connection.console.warn(line));
      network = () => settings().network ?? noNetwork;
      isConnected = () => Object.values(settings().connections).some((it) => it.baseUrl !== '');
      const charged = chargedHttp(http, 'insights', systemClock, ledger);
      const insights = createInsights({
        settings,
        http: charged,
        clock: systemClock,
        cache: kept.cache,
        onKept: (received) => ledger.chargeKept({ service: 'insights', at: systemClock.now(), received }),
        onManyAnswers: collectGarbage,
      });
      return connected.joined({ ...insights, close: () => insights.close().then(kept.close) });
    },
    readGraph: createGraphThread(import.meta.dirname, new Set(lockfileFormats.map((it) => it.id))),
    disk: (roots, readsFiles) => {
      folders = roots;
      return {
        ...filesOnBoth(diskFiles(roots), clientFiles({ connection, clock: systemClock, roots }), readsFiles),
        machine: machineRegistries(roots),
        builtIn: builtInRegistries(roots),
        credentials: machineCredentials(roots),
      };
    },
    findManifests: (files) => searchEach(findManifestsOnDisk, findManifestsThrough(files)),
    findLocalFile: fileOnDisk,
    privateFacts: async (host) => (await import('./private.ts')).openPrivateFacts(host, http, locale),
    clock: systemClock,
    version,
    pages: pagesAddress(),
    baseUrl: process.env['PACKAGE_INSIGHTS_BASE_URL'],
    preload: async () => {
      await http.prepare();
      optimizeLess();
    },
    environmentSettings: fromEnvironment.settings,
    extend: connected.extend,
    chooseLanguage: (chosen) => {
      locale = chosen ?? localeOf(process.env);
      loadTranslations(locale);
      return locale;
    },
  });
  flushLater();
  return engine;
}

/** In ms. */
const FLUSH_DELAY = 3000;

/** Writes the compiled code after the first answers, if the client chose a folder for it. */
function flushLater(): void {
  setTimeout(() => {
    // Node before 22.10 has no compile cache to write.
    if ('flushCompileCache' in nodeModule) nodeModule.flushCompileCache();
  }, FLUSH_DELAY).unref();
}
