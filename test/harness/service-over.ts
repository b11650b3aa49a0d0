import { createHttp } from '../../server/src/engine/http/client.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import type { Catalog } from '../../server/src/service/catalog/catalog.ts';
import { hashTypes } from '../../server/src/service/catalog/record.ts';
import { catalogSource } from '../../server/src/service/catalog/source.ts';
import { serveHttp } from '../../server/src/service/http-server.ts';
import { alone } from '../../server/src/service/mirror/coordination.ts';
import { createMirror } from '../../server/src/service/mirror/mirror.ts';
import { createUpstream } from '../../server/src/service/mirror/upstream.ts';
import { type Answer, mapAnswer, type QueryMatch, type Source } from '../../server/src/service/source.ts';
import type { Fact, FactAnswer, Store } from '../../server/src/service/store/store.ts';
import { type InlineCatalog, inlineCatalog, type StartedService, startService } from './service.ts';
import { type StoreKind, type Stores, storeKinds } from './stores.ts';

/** Everything that a service can answer from: a catalog, a filled store, and an empty one in front of another service. */
export const sourceKinds = [
  'catalog',
  ...storeKinds,
  ...storeKinds.map((it) => `${it} with an upstream` as const),
] as const;
export type SourceKind = (typeof sourceKinds)[number];

export function whyNotOver(kind: SourceKind, stores: Stores): string | false {
  return kind === 'catalog' ? false : (stores.whyNot[storeKindOf(kind)] ?? false);
}

function storeKindOf(kind: Exclude<SourceKind, 'catalog'>): StoreKind {
  return kind.split(' ')[0] as StoreKind;
}

/** Starts a service that answers from a kind of source what a catalog contains. */
export async function startServiceOver(
  kind: SourceKind,
  stores: Stores,
  inline: InlineCatalog,
): Promise<StartedService> {
  if (kind === 'catalog') return startService(inline);
  const catalog = inlineCatalog(inline);
  const store = await stores.open(storeKindOf(kind));
  const coordination = alone(systemClock.now);
  const common = { store, coordination, clock: systemClock, observe: () => {} };
  if (!kind.endsWith('upstream')) {
    await keepCatalog(store, catalog);
    const { url, close } = await serveHttp({ source: createMirror(common) });
    return { url, close, requests: [] };
  }
  const service = await startService(catalog);
  const http = createHttp({ clock: systemClock, userAgent: 'test' });
  const upstream = createUpstream({ baseUrl: service.url, http, random: Math.random, ...common });
  const { url, close } = await serveHttp({ source: createMirror({ ...common, upstream }) });
  return {
    url,
    requests: service.requests,
    async close() {
      await close();
      await http.close();
      await service.close();
    },
  };
}

/** Fills a store with all that a catalog answers. What advisories affect is kept beside the versions. */
export async function keepCatalog(store: Store, catalog: Catalog): Promise<void> {
  const source = catalogSource(catalog);
  const answers: FactAnswer[] = [];
  const keep = async (fact: Fact, answering: ReturnType<Source['version']> | undefined) => {
    const answer = await answering;
    if (answer?.kind !== 'found') return;
    answers.push({ fact, answer: { body: JSON.stringify(answer.body), asOf: Date.now(), lifetime: 3_600_000 } });
  };
  for (const record of catalog.records) {
    const of = catalog.package(record);
    if (of === undefined) continue;
    await keep({ kind: 'package', key: of.key }, source.package(of.key));
    await keep({ kind: 'similar', key: of.key }, source.similar?.(of.key));
    for (const { key, fields } of of.versions) {
      await keep({ kind: 'version', key }, mapAnswer(source.version(key), withoutAdvisories));
      await keep({ kind: 'requirements', key }, source.requirements(key));
      for (const type of hashTypes) {
        const digest = fields.hashes?.[type];
        if (digest === undefined) continue;
        const matches = (await source.query({ hash: { type, digest } })) as Answer<readonly QueryMatch[]>;
        await keep(
          { kind: 'file', type, digest },
          mapAnswer(matches, (all) => all.map(fileMatch)),
        );
      }
    }
  }
  for (const { id } of catalog.advisories.values()) await keep({ kind: 'advisory', id }, source.advisory(id));
  for (const id of catalog.projects.keys()) await keep({ kind: 'project', id }, source.project?.(id));
  const advisories = [...catalog.advisories.values()].map(({ id, affected }) => ({ id, modified: 1, affected }));
  await store.importPart({ id: 'catalog', from: 0, to: 1, answers, advisories });
}

function withoutAdvisories(version: object): object {
  return { ...version, advisoryKeys: [] };
}

function fileMatch({ version, artifacts }: QueryMatch): object {
  const { versionKey } = version as { readonly versionKey: object };
  return { versionKey, artifacts };
}
