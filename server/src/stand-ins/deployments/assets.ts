import { isRecord } from '../../engine/base/text.ts';
import { checkProperties, undeclaredProperties } from './properties.ts';
import type { AssetRecord, Intent, OperationError, PlannedResource, ResourceRecord, Warning } from './records.ts';
import { ReferenceProblem, resolveReferences } from './references.ts';
import type { Store } from './store.ts';
import { type CatalogType, fillPath } from './type-catalog.ts';

/** Where resources are said to be. Nothing is there: the service keeps records of them, and runs nothing. */
const resourcesUrl = 'https://resources.example/';

/** Codes of errors as the service that runs a type answers them. */
type ResourceStatus = 400 | 404 | 409 | 403;

const statusReasons: Readonly<Record<ResourceStatus, string>> = {
  400: 'invalid',
  403: 'quotaExceeded',
  404: 'notFound',
  409: 'conflict',
};

/** A resource that cannot become what is declared. */
export class ResourceProblem extends Error {
  readonly errors: readonly OperationError[];

  constructor(errors: readonly OperationError[]) {
    super(errors.map((it) => it.message).join('; '));
    this.errors = errors;
  }
}

export interface Place {
  readonly project: string;
  readonly deployment: string;
}

/**
 * What is wrong with a declared resource, as far as can be known before it is deployed, and what is to be said of it.
 * @param type undefined if it is unknown
 */
export function checkDeclared(
  { deployment }: Place,
  { name, type: typeName, properties, problem, warnings: inherited = [] }: PlannedResource,
  type: CatalogType | undefined,
): { readonly errors: readonly OperationError[]; readonly warnings: readonly Warning[] } {
  const location = locationOf(deployment, name);
  if (problem) return { errors: [{ ...problem, location }], warnings: [] };
  if (type === undefined) {
    const message = `resource ${name} has the type ${typeName}, which does not exist`;
    return { errors: [{ code: 'TYPE_NOT_FOUND', message, location }], warnings: [] };
  }
  const errors = checkProperties(properties, type.input).map((it) => resourceError(deployment, name, type, 400, it));
  const data = [{ key: 'resource', value: name }];
  const warnings: Warning[] = undeclaredProperties(properties, type.input).map((it) => ({
    code: 'UNDECLARED_PROPERTIES',
    message: `resource ${name}: properties.${it} is not in the schema of ${type.alias}`,
    data: [...data, { key: 'property', value: it }],
  }));
  if (type.status !== 'SUPPORTED') {
    const word = type.status.toLowerCase();
    warnings.push({
      code: `${type.status}_TYPE_USED`,
      message: `resource ${name}: the type ${typeName} is ${word}`,
      data,
    });
  }
  return { errors, warnings: [...inherited, ...warnings] };
}

export interface Deployed {
  readonly url: string;
  readonly finalProperties: object;
}

/**
 * Creates, acquires or changes a resource.
 * @throws ResourceProblem
 */
export function deployResource(
  store: Store,
  place: Place,
  {
    resource,
    existing,
    intent,
    type,
    id,
    at,
  }: {
    readonly resource: PlannedResource;
    readonly existing: ResourceRecord | undefined;
    readonly intent: Intent;
    readonly type: CatalogType;
    readonly id: string;
    readonly at: number;
  },
): Deployed {
  const { name } = resource;
  const refuse = (status: ResourceStatus, message: string, details?: object): never => {
    throw new ResourceProblem([resourceError(place.deployment, name, type, status, message, details)]);
  };
  const finalProperties = resolved(store, place, resource);
  const [wrong] = checkProperties(finalProperties, type.input);
  if (wrong !== undefined) refuse(400, wrong);
  const values = { name, ...finalProperties, project: place.project };
  const path = fillPath(type.path, values);
  const url =
    path === undefined ? refuse(400, `a property of the address ${type.path} is missing`) : resourcesUrl + path;
  const before = existing?.url === undefined ? undefined : store.get('asset', { project: '', name: existing.url });
  if (before) {
    if (before.type !== type.alias) refuse(400, `the type of a resource cannot be changed: it is ${before.type}`);
    const old: Readonly<Record<string, unknown>> = { ...before.properties };
    const fixed = type.fixed?.find(
      (it) =>
        JSON.stringify(old[it]) !== JSON.stringify(values[it as keyof typeof values]) &&
        (it in old || it in finalProperties),
    );
    if (fixed !== undefined) refuse(400, `properties.${fixed} of a ${type.alias} cannot be changed`);
  } else {
    const taken = store.get('asset', { project: '', name: url });
    const isOther = taken && (taken.project !== place.project || taken.deployment !== undefined);
    if (isOther || (taken && intent === 'CREATE'))
      refuse(409, `the resource ${path} already exists${takenBy(taken, place)}`);
    if (!taken && intent === 'ACQUIRE') refuse(404, `the resource ${path} was not found, so it cannot be acquired`);
    if (!taken) checkQuota(store, place, type, refuse);
  }
  const outputs = {
    ...finalProperties,
    name: values.name,
    id,
    selfLink: url,
    creationTimestamp: new Date(at).toISOString(),
    ...computedOf(type, values),
  };
  store.put(
    'asset',
    { project: '', name: url },
    {
      url,
      ...{ project: place.project, deployment: place.deployment, resource: name },
      type: type.alias,
      properties: finalProperties,
      outputs,
    },
  );
  return { url, finalProperties };
}

/** Deletes what a deployment has, or leaves it without one. */
export function removeResource(store: Store, url: string, intent: Intent): void {
  const key = { project: '', name: url };
  const asset = store.get('asset', key);
  if (asset === undefined) return;
  if (intent !== 'ABANDON') {
    store.remove('asset', key);
    return;
  }
  const { deployment: _, resource: __, ...left } = asset;
  store.put('asset', key, left);
}

/** What references of a deployment find of a resource; undefined before it exists. */
export function outputsOf(store: Store, { project, deployment }: Place, name: string): object | undefined {
  const url = store.get('resource', { project, parent: deployment, name })?.url;
  return url === undefined ? undefined : store.get('asset', { project: '', name: url })?.outputs;
}

function resolved(
  store: Store,
  place: Place,
  { name, properties }: PlannedResource,
): Readonly<Record<string, unknown>> {
  try {
    const value = resolveReferences(properties, (it) => outputsOf(store, place, it));
    return isRecord(value) ? value : {};
  } catch (error) {
    if (!(error instanceof ReferenceProblem)) throw error;
    const location = locationOf(place.deployment, name);
    throw new ResourceProblem([{ code: 'INVALID_REFERENCE', message: `resource ${name}: ${error.message}`, location }]);
  }
}

function checkQuota(
  store: Store,
  { project }: Place,
  { alias, quota }: CatalogType,
  refuse: (status: ResourceStatus, message: string, details: object) => never,
): void {
  if (quota === undefined) return;
  const { metricName, limitName, limit } = quota;
  const used = store.list('asset', '').filter((it) => it.project === project && it.type === alias).length;
  if (used < limit) return;
  const quotaInfo = { metricName, limitName, limit, dimensions: { global: 'global' } };
  refuse(403, `quota ${limitName} exceeded: limit ${limit}`, { quotaInfo });
}

function computedOf({ computed = {} }: CatalogType, values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(computed).map(([name, path]) => [name, fillPath(path, values)]));
}

function takenBy(taken: AssetRecord | undefined, { project }: Place): string {
  if (taken?.project !== project) return '';
  return taken.deployment === undefined ? '' : ` and belongs to the deployment ${taken.deployment}`;
}

/** The message is JSON in a text, as documented. */
function resourceError(
  deployment: string,
  name: string,
  { alias }: CatalogType,
  status: ResourceStatus,
  message: string,
  details?: object,
): OperationError {
  const reason = statusReasons[status];
  const answer = { code: status, errors: [{ domain: 'global', message, reason }], message };
  const text = { ResourceType: alias, ResourceErrorCode: String(status), ResourceErrorMessage: answer };
  return {
    code: 'RESOURCE_ERROR',
    location: locationOf(deployment, name),
    message: JSON.stringify(text),
    ...(details && { errorDetails: [details] }),
  };
}

export function locationOf(deployment: string, resource: string): string {
  return `/deployments/${deployment}/resources/${resource}`;
}
