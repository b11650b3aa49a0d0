import { stringify } from 'yaml';
import type {
  CompositeTypeRecord,
  DeploymentRecord,
  ManifestRecord,
  OperationError,
  OperationRecord,
  ResourceRecord,
  TypeProviderRecord,
} from './records.ts';
import type { CatalogProvider, CatalogType } from './type-catalog.ts';

/** Records as the interface shows them. */
export interface Shown {
  /** `http://127.0.0.1:8080/deployments/v2beta/projects/demo/global` */
  readonly base: string;
}

/** Source: documentation of manifests, `manifestSizeLimitBytes`. */
export const MAX_MANIFEST_BYTES = 1_048_576;

export function timeText(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/** Without members that are undefined. */
function present<T extends object>(value: T): object {
  return Object.fromEntries(Object.entries(value).filter(([, it]) => it !== undefined));
}

export function shownDeployment(
  { base }: Shown,
  deployment: DeploymentRecord,
  operation: OperationRecord | undefined,
): object {
  const { name, id, description, labels, fingerprint, manifest, update, insertTime, updateTime } = deployment;
  const link = `${base}/deployments/${name}`;
  const linkOf = (it: string | undefined): string | undefined => it && `${link}/manifests/${it}`;
  return present({
    id,
    name,
    description,
    selfLink: link,
    insertTime: timeText(insertTime),
    updateTime: timeText(updateTime ?? insertTime),
    fingerprint,
    labels: labels.length > 0 ? labels : undefined,
    manifest: linkOf(manifest),
    update:
      update &&
      present({
        manifest: linkOf(update.manifest),
        description: update.description || undefined,
        labels: update.labels?.length ? update.labels : undefined,
      }),
    operation: operation && shownOperation({ base }, operation),
  });
}

export function shownOperation({ base }: Shown, operation: OperationRecord): object {
  const { name, id, type, user, target, status, insertTime, startTime, endTime, errors, warnings } = operation;
  const [first] = errors;
  const code = first && statusOf(first);
  return present({
    kind: 'deploymentmanager#operation',
    id,
    name,
    operationType: type,
    targetLink: `${base}/${target.collection}/${target.name}`,
    targetId: target.id,
    selfLink: `${base}/operations/${name}`,
    user,
    status,
    progress: progressOf(operation),
    insertTime: timeText(insertTime),
    startTime: timeText(startTime),
    endTime: timeText(endTime),
    // While it runs, errors are those of its resources.
    ...(status === 'DONE' &&
      first && { error: { errors }, httpErrorStatusCode: code, httpErrorMessage: phrases[code ?? 400] }),
    warnings: warnings.length > 0 ? warnings : undefined,
  });
}

const phrases: Readonly<Record<number, string>> = {
  400: 'BAD REQUEST',
  403: 'FORBIDDEN',
  404: 'NOT FOUND',
  409: 'CONFLICT',
};

function statusOf({ code, message }: OperationError): number {
  if (code !== 'RESOURCE_ERROR') return 400;
  return Number(/"ResourceErrorCode":"(\d{3})"/.exec(message)?.[1] ?? 400);
}

function progressOf({ status, work }: OperationRecord): number {
  if (status !== 'RUNNING') return status === 'DONE' ? 100 : 0;
  const steps = 'steps' in work ? work.steps : [];
  const ended = steps.filter((it) => it.state !== 'waiting' && it.state !== 'running').length;
  return steps.length === 0 ? 50 : Math.min(99, Math.round((100 * ended) / steps.length));
}

export function shownResource({ base }: Shown, resource: ResourceRecord): object {
  const { deployment, name, id, type, url, manifest, update, warnings, insertTime, updateTime } = resource;
  const linkOf = (it: string | undefined): string | undefined =>
    it && `${base}/deployments/${deployment}/manifests/${it}`;
  const exists = url !== undefined;
  return present({
    id,
    name,
    type,
    url,
    manifest: linkOf(manifest),
    insertTime: exists ? timeText(insertTime) : undefined,
    updateTime: timeText(updateTime ?? (exists ? insertTime : undefined)),
    properties: yaml(resource.properties),
    finalProperties: yaml(resource.finalProperties),
    accessControl: accessOf(resource.accessControl),
    warnings: warnings.length > 0 ? warnings : undefined,
    update:
      update &&
      present({
        intent: update.intent,
        state: update.state,
        manifest: linkOf(update.manifest),
        properties: yaml(update.properties),
        finalProperties: yaml(update.finalProperties),
        accessControl: accessOf(update.accessControl),
        error: update.errors && { errors: update.errors },
        warnings: update.warnings.length > 0 ? update.warnings : undefined,
      }),
  });
}

function accessOf(value: object | undefined): object | undefined {
  if (value === undefined) return undefined;
  return { gcpIamPolicy: stringify('gcpIamPolicy' in value ? value.gcpIamPolicy : value) };
}

/** The interface gives properties as texts of YAML. */
function yaml(value: object | undefined): string | undefined {
  return value === undefined || Object.keys(value).length === 0 ? undefined : stringify(value);
}

export function shownManifest({ base }: Shown, manifest: ManifestRecord): object {
  const { deployment, name, id, insertTime, config, imports, expandedConfig, layout } = manifest;
  return present({
    id,
    name,
    selfLink: `${base}/deployments/${deployment}/manifests/${name}`,
    insertTime: timeText(insertTime),
    config: { content: config },
    imports: imports.length > 0 ? imports : undefined,
    expandedConfig,
    layout,
    manifestSizeBytes: String(sizeOf(manifest)),
    manifestSizeLimitBytes: String(MAX_MANIFEST_BYTES),
  });
}

export function sizeOf({ config, imports }: Pick<ManifestRecord, 'config' | 'imports'>): number {
  return [config, ...imports.map((it) => it.content)].reduce((sum, it) => sum + Buffer.byteLength(it), 0);
}

export function shownTypeProvider(
  shown: Shown,
  record: TypeProviderRecord,
  operation: OperationRecord | undefined,
): object {
  return shownOwn('typeProviders', shown, record, operation);
}

export function shownCompositeType(
  shown: Shown,
  record: CompositeTypeRecord,
  operation: OperationRecord | undefined,
): object {
  return { status: 'SUPPORTED', ...shownOwn('compositeTypes', shown, record, operation) };
}

function shownOwn(
  collection: string,
  { base }: Shown,
  { name, id, insertTime, fields }: TypeProviderRecord,
  operation: OperationRecord | undefined,
): object {
  return present({
    id,
    name,
    selfLink: `${base}/${collection}/${name}`,
    insertTime: timeText(insertTime),
    ...fields,
    operation: operation && shownOperation({ base }, operation),
  });
}

/** When the types of the catalog were made: they are older than every project. */
const catalogTime = Date.UTC(2020, 0, 1);

export function shownCatalogProvider({ base }: Shown, { name, description, descriptorUrl }: CatalogProvider): object {
  const labels = [{ key: 'source', value: 'built-in' }];
  return { ...listed(name), selfLink: `${base}/typeProviders/${name}`, description, descriptorUrl, labels };
}

/**
 * A type of `types.list`. The shape has no status, so labels give it, and the provider that describes the type: the
 * parameters of `typeProviders.getType`.
 */
export function shownType({ base }: Shown, provider: CatalogProvider, type: CatalogType): object {
  return {
    ...listed(type.alias),
    selfLink: `${base}/types/${type.alias}`,
    description: type.description,
    base: { descriptorUrl: provider.descriptorUrl },
    labels: [
      { key: 'status', value: type.status },
      { key: 'typeProvider', value: provider.name },
      { key: 'type', value: type.name },
    ],
  };
}

export function shownTypeInfo({ base }: Shown, provider: string, type: CatalogType): object {
  return {
    kind: 'deploymentmanager#typeInfo',
    name: type.name,
    title: type.title,
    description: type.description,
    documentationLink: type.documentationLink,
    selfLink: `${base}/typeProviders/${provider}/types/${type.name}`,
    schema: { input: JSON.stringify(type.input), output: JSON.stringify(type.output) },
  };
}

/** The id of a type of the catalog is always the same. */
function listed(name: string): object {
  let id = 0xcbf29ce4n;
  for (const it of Buffer.from(name)) id = (id * 31n + BigInt(it)) & 0x7fffffffffffffffn;
  return { id: String(id), name, insertTime: timeText(catalogTime) };
}
