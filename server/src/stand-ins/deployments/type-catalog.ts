import { isRecord } from '../../engine/base/text.ts';
import { compileSchema } from './properties.ts';

/** The resource types that are served: a file of the catalog. */
export interface TypeCatalog {
  readonly providers: readonly CatalogProvider[];
}

/** An API, whose collections are types. */
export interface CatalogProvider {
  /** `compute-v1` */
  readonly name: string;
  readonly description: string;
  readonly descriptorUrl: string;
  readonly types: readonly CatalogType[];
}

export interface CatalogType {
  /** The collection, by which the provider names it: `instances`. */
  readonly name: string;
  /** By which `types.list` and configurations name it: `compute.v1.instance`. */
  readonly alias: string;
  readonly title: string;
  readonly description: string;
  readonly documentationLink: string;
  readonly status: TypeStatus;
  /** Its path, with properties: `{datasetReference.datasetId}`. A path is unique, so it decides how far a name must be. */
  readonly path: string;
  /** Properties that cannot be changed. */
  readonly fixed?: readonly string[];
  readonly quota?: Quota;
  /** Outputs that the service makes: paths as above. */
  readonly computed?: Readonly<Record<string, string>>;
  /** JSON Schema. */
  readonly input: object;
  readonly output: object;
}

export type TypeStatus = 'SUPPORTED' | 'EXPERIMENTAL' | 'DEPRECATED';

/** How many resources of a type a project may have. */
export interface Quota {
  readonly metricName: string;
  readonly limitName: string;
  readonly limit: number;
}

const statuses: readonly unknown[] = ['SUPPORTED', 'EXPERIMENTAL', 'DEPRECATED'] satisfies readonly TypeStatus[];

/** Reads the text of a file, or says what is wrong in it. */
export function readTypeCatalog(
  text: string,
): { readonly kind: 'catalog'; readonly catalog: TypeCatalog } | { readonly kind: 'invalid'; readonly reason: string } {
  try {
    const value: unknown = JSON.parse(text);
    const problem = problemOf(value);
    if (problem !== undefined) return { kind: 'invalid', reason: problem };
    return { kind: 'catalog', catalog: value as TypeCatalog };
  } catch (error) {
    return { kind: 'invalid', reason: error instanceof Error ? error.message : String(error) };
  }
}

function problemOf(value: unknown): string | undefined {
  const providers = isRecord(value) ? value['providers'] : undefined;
  if (!Array.isArray(providers)) return 'providers must be a list';
  const seen = new Set<unknown>();
  for (const [at, provider] of providers.entries()) {
    const place = `providers[${at}]`;
    if (!isRecord(provider)) return `${place} must be an object`;
    for (const it of ['name', 'description', 'descriptorUrl']) {
      if (typeof provider[it] !== 'string') return `${place}.${it} must be a text`;
    }
    if (!Array.isArray(provider['types'])) return `${place}.types must be a list`;
    for (const [index, type] of provider['types'].entries()) {
      const problem = problemOfType(type) ?? (seen.has(type.alias) ? 'alias is used twice' : undefined);
      if (problem !== undefined) return `${place}.types[${index}]: ${problem}`;
      seen.add(type.alias);
    }
  }
  return undefined;
}

function problemOfType(type: unknown): string | undefined {
  if (!isRecord(type)) return 'it must be an object';
  for (const it of ['name', 'alias', 'title', 'description', 'documentationLink', 'path']) {
    if (typeof type[it] !== 'string') return `${it} must be a text`;
  }
  if (!statuses.includes(type['status'])) return `status must be one of ${statuses.join(', ')}`;
  const { fixed = [], quota, computed = {} } = type;
  if (!Array.isArray(fixed) || !fixed.every((it) => typeof it === 'string')) return 'fixed must be a list of names';
  const parts = [...String(type['path']).matchAll(/\{(\w+)/g)].map(([, name = '']) => name);
  const loose = parts.find((it) => it !== 'project' && !fixed.includes(it));
  if (loose !== undefined) return `fixed must contain ${loose}, a part of the path`;
  if (quota !== undefined && !(isRecord(quota) && typeof quota['limit'] === 'number')) return 'quota requires a limit';
  if (!isRecord(computed) || !Object.values(computed).every((it) => typeof it === 'string')) {
    return 'computed must be a map of texts';
  }
  for (const it of ['input', 'output'] as const) {
    const schema = type[it];
    if (!isRecord(schema)) return `${it} must be a schema`;
    compileSchema(schema);
  }
  return undefined;
}

/** The project whose type providers are those of the catalog. */
export const catalogProject = 'gcp-types';

/**
 * Finds the type of a resource: `compute.v1.instance`, `gcp-types/compute-v1:instances`, or the type of a provider that a
 * project has of its own.
 * @param descriptorOf the address of the descriptor of a provider of a project
 */
export function findType(
  { providers }: TypeCatalog,
  type: string,
  descriptorOf: (project: string, provider: string) => string | undefined,
): CatalogType | undefined {
  const [, project, provider = '', name] = /^([^/]+)\/([^/:]+):(.+)$/.exec(type) ?? [];
  if (project === undefined) return providers.flatMap((it) => it.types).find((it) => it.alias === type);
  const found =
    project === catalogProject
      ? providers.find((it) => it.name === provider)
      : providerOf({ providers }, descriptorOf(project, provider));
  return found?.types.find((it) => it.name === name);
}

/** The provider with a descriptor: no descriptor is ever fetched. */
export function providerOf({ providers }: TypeCatalog, descriptorUrl: unknown): CatalogProvider | undefined {
  return providers.find((it) => it.descriptorUrl === descriptorUrl);
}

/** @returns undefined where a property of the path is absent */
export function fillPath(path: string, properties: Readonly<Record<string, unknown>>): string | undefined {
  let isWhole = true;
  const filled = path.replace(/\{([\w.]+)\}/g, (_, names: string) => {
    let value: unknown = properties;
    for (const name of names.split('.')) value = isRecord(value) ? value[name] : undefined;
    isWhole &&= typeof value === 'string' || typeof value === 'number';
    return String(value);
  });
  return isWhole ? filled : undefined;
}
