import { join } from 'node:path';
import { isSystem } from '../../server/src/engine/model/system.ts';
import { type Catalog, createCatalog } from '../../server/src/service/catalog/catalog.ts';
import { loadCatalog } from '../../server/src/service/catalog/load.ts';
import type {
  AdvisoryRecord,
  PackageRecord,
  ProjectRecord,
  VersionFields,
} from '../../server/src/service/catalog/record.ts';
import { catalogSource } from '../../server/src/service/catalog/source.ts';
import { type ReceivedRequest, serveHttp } from '../../server/src/service/http-server.ts';

/** The directory of the embedded catalog. */
export const catalogDirectory = join(import.meta.dirname, '..', '..', 'server', 'catalog');

/**
 * A small catalog as a picture writes it:
 *
 *     { "NPM left-pad": { "versions": ["1.2.0", "1.3.0"] },
 *       "NPM lodash": { "versions": { "4.17.15": {}, "4.17.21": { "isDefault": true } }, "shared": { "licenses": ["MIT"] } },
 *       "advisory GHSA-p6mc-m468-83gw": { "cvss3Score": 7.4,
 *         "affected": [{ "system": "NPM", "name": "lodash", "ranges": [{ "introduced": "3.7.0", "fixed": "4.17.19" }] }] } }
 *
 * The last of a list of versions is the default one. Versions are all that there are, but for a `"sample": true`.
 */
export type InlineCatalog = Readonly<Record<string, InlinePackage | Partial<AdvisoryRecord> | Partial<ProjectRecord>>>;

export interface InlinePackage {
  readonly versions: readonly string[] | Readonly<Record<string, VersionFields>>;
  readonly shared?: VersionFields;
  readonly sample?: boolean;
  readonly similar?: readonly string[];
  readonly projectStatus?: PackageRecord['projectStatus'];
}

export interface StartedService {
  readonly url: string;
  /** What arrived, in that order. */
  readonly requests: readonly ReceivedRequest[];
  close(): Promise<void>;
}

let embedded: Promise<Catalog> | undefined;

export function embeddedCatalog(): Promise<Catalog> {
  embedded ??= loadCatalog(catalogDirectory);
  return embedded;
}

/**
 * Starts the service on a free port, over a small catalog or, without one, over the embedded catalog.
 * @param options `pageSize` of batches
 */
export async function startService(
  catalog?: InlineCatalog | Catalog,
  options: { readonly pageSize?: number } = {},
): Promise<StartedService> {
  const requests: ReceivedRequest[] = [];
  const served =
    catalog === undefined ? await embeddedCatalog() : isCatalog(catalog) ? catalog : inlineCatalog(catalog);
  const { url, close } = await serveHttp({
    source: catalogSource(served),
    onRequest: (it) => requests.push(it),
    ...options,
  });
  return { url, requests, close };
}

/** A service whose catalog changes while it is in use. */
export interface ChangingService extends Omit<StartedService, 'requests'> {
  /** What arrived, in that order. A test may take it away. */
  readonly requests: ReceivedRequest[];
  /** From now on it serves this catalog alone. */
  serve(catalog: InlineCatalog): void;
}

export async function startChangingService(catalog: InlineCatalog): Promise<ChangingService> {
  const requests: ReceivedRequest[] = [];
  let source = catalogSource(inlineCatalog(catalog));
  const { url, close } = await serveHttp({
    source: {
      package: (it) => source.package(it),
      version: (it) => source.version(it),
      requirements: (it) => source.requirements(it),
      advisory: (it) => source.advisory(it),
      query: (it) => source.query(it),
    },
    onRequest: (it) => requests.push(it),
  });
  return {
    url,
    requests,
    close,
    serve(next) {
      source = catalogSource(inlineCatalog(next));
    },
  };
}

export function inlineCatalog(inline: InlineCatalog): Catalog {
  const records: PackageRecord[] = [];
  const advisories: AdvisoryRecord[] = [];
  const projects: ProjectRecord[] = [];
  for (const [key, value] of Object.entries(inline)) {
    const cut = key.indexOf(' ');
    const [kind, name] = [key.slice(0, cut), key.slice(cut + 1)];
    if (kind === 'project')
      projects.push({ source: 'the test', ...(value as Partial<ProjectRecord>), projectId: name });
    else if (kind === 'advisory') advisories.push(advisory(name, value as Partial<AdvisoryRecord>));
    else if (isSystem(kind) && 'versions' in value) {
      const { versions, shared = {}, sample = false, similar = [], projectStatus } = value as InlinePackage;
      const whole = { by: 'the test', asOf: '2026-01-01', count: Object.keys(versions).length };
      const record = { system: kind, name, sources: {}, from: [], shared, versions: fieldsOf(versions), similar };
      records.push({ ...record, ...(!sample && { whole }), ...(projectStatus && { projectStatus }) });
    } else throw new Error(`"${key}": expected "SYSTEM name" with versions, or "advisory ID"`);
  }
  return createCatalog(records, advisories, projects);
}

function fieldsOf(versions: InlinePackage['versions']): Readonly<Record<string, VersionFields>> {
  if (!isList(versions)) return versions;
  return Object.fromEntries(
    versions.map((it, index) => [it, index === versions.length - 1 ? { isDefault: true } : {}]),
  );
}

function isList(versions: InlinePackage['versions']): versions is readonly string[] {
  return Array.isArray(versions);
}

function advisory(id: string, given: Partial<AdvisoryRecord>): AdvisoryRecord {
  return {
    id,
    title: '',
    url: `https://advisories.example/${id}`,
    aliases: [],
    cvss3Score: 0,
    cvss3Vector: '',
    affected: [],
    source: 'test',
    ...given,
  };
}

function isCatalog(it: InlineCatalog | Catalog): it is Catalog {
  return typeof it.package === 'function';
}
