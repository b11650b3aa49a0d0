import { similarNames } from '../../engine/base/similar-names.ts';
import { type ConnectionName, connectionNames, type HttpVerb } from '../../engine/model/connection.ts';
import type { RuleName } from './rule-name.ts';
import type { Effect, ParameterRow, ServiceTable, TableRow } from './service-table.ts';

/** A method of a connected service: all that is needed to check, build and explain a call. */
export interface ServiceMethod {
  /** `scheduling.events.list` */
  readonly id: string;
  readonly connection: ConnectionName;
  readonly verb: HttpVerb;
  /** Below the base address, without a leading slash: `calendars/{calendarId}/events`. */
  readonly path: string;
  /** Those of the path first. */
  readonly parameters: readonly Parameter[];
  /** Absent if it takes no body. */
  readonly body?: BodyType;
  /** Absent if the answer is empty or not described. */
  readonly response?: TypeName;
  /** Quota units of one call. */
  readonly units: number;
  readonly effect: Effect;
  readonly rules: readonly RuleName[];
  /** The types of its service. */
  readonly types: Types;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: TypeName;
  readonly isRequired: boolean;
  readonly isRepeatable: boolean;
  /** A regular expression for the whole value. */
  readonly pattern?: string;
  readonly min?: number;
  readonly max?: number;
  /** What the service takes if it is absent. */
  readonly default?: string;
}

/** `int32`, or the name of an enum or an object of the service; see service-table.ts. */
export type TypeName = string;

export interface BodyType {
  readonly type: TypeName;
  readonly required: readonly string[];
}

/** The objects and enums of a service. */
export interface Types {
  /** The values of an enum; undefined for the name of anything else. */
  enumOf(name: TypeName): readonly string[] | undefined;
  /** The members of an object; undefined for the name of anything else. */
  membersOf(name: TypeName): readonly Member[] | undefined;
}

export interface Member {
  readonly name: string;
  readonly type: Type;
  /** Set by the service, which ignores it in a body. */
  readonly isReadOnly: boolean;
}

/** The type of a member. */
export type Type =
  | { readonly kind: 'list'; readonly of: Type }
  /** An object with any names. */
  | { readonly kind: 'map'; readonly of: Type }
  | { readonly kind: 'named'; readonly name: TypeName };

/** Reads `Event`, `Event[]` and `{string}`. */
export function readType(text: string): Type {
  if (text.endsWith('[]')) return { kind: 'list', of: readType(text.slice(0, -2)) };
  if (text.startsWith('{')) return { kind: 'map', of: readType(text.slice(1, -1)) };
  return { kind: 'named', name: text };
}

/** The tables are loaded when they are needed. */
const tables = {
  'code-host': async () => (await import('./tables/code-host.json', { with: { type: 'json' } })).default,
  'link-safety': async () => (await import('./tables/link-safety.json', { with: { type: 'json' } })).default,
  scheduling: async () => (await import('./tables/scheduling.json', { with: { type: 'json' } })).default,
  deployments: async () => (await import('./tables/deployments.json', { with: { type: 'json' } })).default,
  'token-audit': async () => (await import('./tables/token-audit.json', { with: { type: 'json' } })).default,
} as const satisfies Readonly<Record<ConnectionName, () => Promise<unknown>>>;

const loaded = new Map<ConnectionName, Promise<readonly ServiceMethod[]>>();

/** Every method of a service, in the order of its table. */
export function methodsOf(service: ConnectionName): Promise<readonly ServiceMethod[]> {
  const known = loaded.get(service) ?? load(service);
  loaded.set(service, known);
  return known;
}

async function load(service: ConnectionName): Promise<readonly ServiceMethod[]> {
  // A test compares the files with their type.
  const table = (await tables[service]()) as ServiceTable;
  const types = typesOf(table);
  return table.methods.map((row) => methodOf(service, row, table, types));
}

/** Every method of every service. */
export async function allMethods(): Promise<readonly ServiceMethod[]> {
  return (await Promise.all(connectionNames.map(methodsOf))).flat();
}

/** A method by its id, or the ids that a mistaken one may mean, the likeliest first. */
export async function findMethod(id: string): Promise<FoundMethod> {
  const service = connectionNames.find((it) => id.startsWith(`${it}.`));
  const own = service === undefined ? [] : await methodsOf(service);
  const method = own.find((it) => it.id === id);
  if (method) return { kind: 'found', method };
  const all = await allMethods();
  const near = similarNames(
    id,
    all.map((it) => it.id),
  );
  if (near.length > 0) return { kind: 'unknown', similar: near };
  // `events.list`, without its service.
  const names = all.map((it) => nameOf(it));
  const meant = similarNames(id, names);
  return { kind: 'unknown', similar: all.filter((it) => meant.includes(nameOf(it))).map((it) => it.id) };
}

export type FoundMethod =
  | { readonly kind: 'found'; readonly method: ServiceMethod }
  | { readonly kind: 'unknown'; readonly similar: readonly string[] };

/** `events.list` */
function nameOf({ id, connection }: ServiceMethod): string {
  return id.slice(connection.length + 1);
}

/** The parameter that names the resource of a method: the last one of its path. */
export function resourceParameter(method: ServiceMethod): Parameter | undefined {
  return method.parameters.findLast((it) => it.in === 'path');
}

function methodOf(service: ConnectionName, row: TableRow, table: ServiceTable, types: Types): ServiceMethod {
  const { name, verb, path, query = '', own = {}, body, requires = '', response, units, effect, rules = '' } = row;
  const parameterOf = (parameter: string, place: Parameter['in'], isRequired: boolean): Parameter => {
    const { type, ...more }: ParameterRow = own[parameter] ?? table.parameters[parameter] ?? { type: 'string' };
    const isRepeatable = type.endsWith('[]');
    return {
      name: parameter,
      in: place,
      type: isRepeatable ? type.slice(0, -2) : type,
      isRequired,
      isRepeatable,
      ...more,
    };
  };
  const inPath = [...path.matchAll(/\{([\w.]+)\}/g)].map(([, it = '']) => parameterOf(it, 'path', true));
  const inQuery = words(query).map((it) => parameterOf(it.replace('!', ''), 'query', it.endsWith('!')));
  return {
    id: `${service}.${name}`,
    connection: service,
    verb,
    path,
    parameters: [...inPath, ...inQuery],
    ...(body !== undefined && { body: { type: body, required: words(requires) } }),
    ...(response !== undefined && { response }),
    units,
    effect,
    rules: words(rules) as RuleName[],
    types,
  };
}

function words(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}

function typesOf({ enums, schemas }: ServiceTable): Types {
  const known = new Map<TypeName, readonly Member[]>();
  return {
    enumOf: (name) => (Object.hasOwn(enums, name) ? enums[name] : undefined),
    membersOf(name) {
      const rows = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
      if (rows === undefined) return undefined;
      const members =
        known.get(name) ??
        Object.entries(rows).map(([member, text]): Member => {
          const [type = '', mark] = text.split(' ');
          return { name: member, type: readType(type), isReadOnly: mark === 'readonly' };
        });
      known.set(name, members);
      return members;
    },
  };
}
