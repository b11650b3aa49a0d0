import { isRecord } from '../../engine/base/text.ts';
import type { Clock } from '../../engine/model/ports.ts';
import type { ServicesHead, ServicesRequest } from '../../service/http-server.ts';
import type { Reply } from '../../service/replies.ts';
import { advance, type Durations, type Machine, usualDurations } from './advance.ts';
import type { Call } from './call.ts';
import {
  cancelPreview,
  deleteDeployment,
  getDeployment,
  getIamPolicy,
  insertDeployment,
  listDeployments,
  patchDeployment,
  setIamPolicy,
  stopDeployment,
  testIamPermissions,
  updateDeployment,
} from './deployments.ts';
import { getManifest, getOperation, getResource, listManifests, listOperations, listResources } from './parts.ts';
import { Refusal, refusalReply } from './refusal.ts';
import type { Store } from './store.ts';
import { findType, type TypeCatalog } from './type-catalog.ts';
import {
  changesOf,
  getCompositeType,
  getProviderType,
  getTypeProvider,
  listCompositeTypes,
  listProviderTypes,
  listTypeProviders,
  listTypes,
} from './types.ts';

export interface DeploymentsServiceOptions {
  readonly catalog: TypeCatalog;
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  /** The address of the user that a request is from; undefined without a valid credential. */
  readonly callerOf: (headers: ServicesRequest['headers']) => string | undefined;
  readonly durations?: Durations;
}

/** The deployment-management service. Nothing is deployed anywhere: it keeps records of what would be. */
export interface DeploymentsService {
  /** Undefined for a path that it does not have. */
  answer(request: ServicesRequest): Reply | undefined;
  readsBody(request: ServicesHead): boolean;
  close(): void;
}

interface Route {
  readonly verb: string;
  /** Below `/v2beta/projects/{project}/global/`. */
  readonly path: string;
  readonly answer: (call: Call) => object;
}

const deployment = 'deployments/{deployment}';
const typeProviders = changesOf('typeProvider');
const compositeTypes = changesOf('compositeType');

/** All methods of the contract. */
const routes: readonly Route[] = [
  { verb: 'GET', path: 'types', answer: listTypes },
  { verb: 'GET', path: 'typeProviders', answer: listTypeProviders },
  { verb: 'POST', path: 'typeProviders', answer: typeProviders.insert },
  { verb: 'GET', path: 'typeProviders/{typeProvider}', answer: getTypeProvider },
  { verb: 'PATCH', path: 'typeProviders/{typeProvider}', answer: typeProviders.patch },
  { verb: 'PUT', path: 'typeProviders/{typeProvider}', answer: typeProviders.update },
  { verb: 'DELETE', path: 'typeProviders/{typeProvider}', answer: typeProviders.delete },
  { verb: 'GET', path: 'typeProviders/{typeProvider}/types', answer: listProviderTypes },
  { verb: 'GET', path: 'typeProviders/{typeProvider}/types/{type}', answer: getProviderType },
  { verb: 'GET', path: 'compositeTypes', answer: listCompositeTypes },
  { verb: 'POST', path: 'compositeTypes', answer: compositeTypes.insert },
  { verb: 'GET', path: 'compositeTypes/{compositeType}', answer: getCompositeType },
  { verb: 'PATCH', path: 'compositeTypes/{compositeType}', answer: compositeTypes.patch },
  { verb: 'PUT', path: 'compositeTypes/{compositeType}', answer: compositeTypes.update },
  { verb: 'DELETE', path: 'compositeTypes/{compositeType}', answer: compositeTypes.delete },
  { verb: 'GET', path: 'deployments', answer: listDeployments },
  { verb: 'POST', path: 'deployments', answer: insertDeployment },
  { verb: 'GET', path: deployment, answer: getDeployment },
  { verb: 'PUT', path: deployment, answer: updateDeployment },
  { verb: 'PATCH', path: deployment, answer: patchDeployment },
  { verb: 'DELETE', path: deployment, answer: deleteDeployment },
  { verb: 'POST', path: `${deployment}/stop`, answer: stopDeployment },
  { verb: 'POST', path: `${deployment}/cancelPreview`, answer: cancelPreview },
  { verb: 'GET', path: 'deployments/{resource}/getIamPolicy', answer: getIamPolicy },
  { verb: 'POST', path: 'deployments/{resource}/setIamPolicy', answer: setIamPolicy },
  { verb: 'POST', path: 'deployments/{resource}/testIamPermissions', answer: testIamPermissions },
  { verb: 'GET', path: `${deployment}/manifests`, answer: listManifests },
  { verb: 'GET', path: `${deployment}/manifests/{manifest}`, answer: getManifest },
  { verb: 'GET', path: `${deployment}/resources`, answer: listResources },
  { verb: 'GET', path: `${deployment}/resources/{resource}`, answer: getResource },
  { verb: 'GET', path: 'operations', answer: listOperations },
  { verb: 'GET', path: 'operations/{operation}', answer: getOperation },
];

/** Google's own clients write the name of the service before its version. */
const root = /^(?:\/deploymentmanager)?(\/v2beta\/projects)\/([^/]+)\/global\/(.+)$/;

/** Only the path and the query count. */
const base = 'http://service.invalid';

/** Source: the patterns of the contract. */
const projectPattern =
  /^(?:(?:[-a-z0-9]{1,63}\.)*(?:[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?):)?(?:[0-9]{1,19}|[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)$/;

export function createDeploymentsService(options: DeploymentsServiceOptions): DeploymentsService {
  const { catalog, store, clock, callerOf, durations = usualDurations } = options;
  const machine: Machine = {
    store,
    durations,
    typeOf: (project, type) =>
      findType(catalog, type, (owner, provider) => {
        const name = owner === 'projects' ? project : owner;
        return store.get('typeProvider', { project: name, name: provider })?.fields['descriptorUrl'] as
          | string
          | undefined;
      }),
  };

  function answer({ method, target, body, headers }: ServicesRequest): Reply | undefined {
    const found = findRoute(method, target);
    if (found === undefined) return undefined;
    const { route, prefix, rawProject, rest, searchParams } = found;
    try {
      const caller = callerOf(headers);
      if (caller === undefined) throw new Refusal(401, 'Login Required.', 'Authorization');
      const values = valuesOf(route.path, rest) ?? {};
      const project = decode(rawProject);
      if (!projectPattern.test(project))
        throw new Refusal(400, `Invalid value '${project}' for the project`, 'project');
      const now = clock.now();
      advance(machine, now);
      const host = headers['host'] ?? 'service.invalid';
      const call: Call = {
        ...{ machine, catalog, now, caller, project, values },
        query: searchParams,
        body: hasBody(method) ? readBody(body) : {},
        base: `http://${host}${prefix}/${project}/global`,
      };
      const shown = method === 'GET' ? route.answer(call) : store.inTransaction(() => route.answer(call));
      return { kind: 'json', body: shown };
    } catch (error) {
      if (error instanceof Refusal) return refusalReply(error);
      throw error;
    }
  }

  return {
    answer,
    readsBody: ({ method, target, headers }) =>
      hasBody(method) && callerOf(headers) !== undefined && findRoute(method, target) !== undefined,
    close: () => store.close(),
  };
}

interface FoundRoute {
  readonly route: Route;
  readonly prefix: string;
  /** Percent-encoded. */
  readonly rawProject: string;
  /** The path below `global/`. */
  readonly rest: string;
  readonly searchParams: URLSearchParams;
}

function findRoute(method: string, target: string): FoundRoute | undefined {
  if (!URL.canParse(target, base)) return undefined;
  const { pathname, searchParams } = new URL(target, base);
  const [, prefix = '', rawProject = '', rest] = root.exec(pathname) ?? [];
  if (rest === undefined) return undefined;
  const route = routes.find((it) => it.verb === method && valuesOf(it.path, rest));
  return route && { route, prefix, rawProject, rest, searchParams };
}

function hasBody(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

function valuesOf(path: string, target: string): Readonly<Record<string, string>> | undefined {
  const names = path.split('/');
  const segments = target.split('/');
  if (names.length !== segments.length) return undefined;
  const values: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    const segment = segments[at] ?? '';
    if (name.startsWith('{')) values[name.slice(1, -1)] = decode(segment);
    else if (name !== segment) return undefined;
  }
  return values;
}

/** A segment that is not percent-encoded correctly names nothing. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function readBody(body: string): Readonly<Record<string, unknown>> {
  if (body === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new Refusal(400, 'Parse Error: the body is not JSON', undefined, 'parseError');
  }
  if (isRecord(value)) return value;
  throw new Refusal(400, 'the body is not an object', undefined, 'parseError');
}
