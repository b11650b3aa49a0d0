/*
 * Writes server/src/connected/api/tables/ from descriptions of the services: methods with parameters, and schemas.
 *
 *     node test/tools/api-tables.ts DIRECTORY [MEMBER…]
 *
 * DIRECTORY holds scheduling.json, deployments.json, link-safety.json and token-audit.json, each
 * `{ methods: { 'events.list': { verb, path, parameters, request, response } }, schemas }` in the terms of JSON Schema.
 * Each MEMBER is left out of all schemas.
 * Units, effects, rules and required members of bodies come from the contract, and stand below.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ParameterRow, ServiceTable, TableRow } from '../../server/src/connected/api/service-table.ts';
import { root } from './paths.ts';

interface Shape {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly ref?: string;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape;
  readonly readOnly?: boolean;
  readonly required?: boolean;
  readonly repeated?: boolean;
  readonly pattern?: string;
  readonly minimum?: string;
  readonly maximum?: string;
  readonly default?: string;
  readonly in?: 'path' | 'query';
}

interface MethodShape {
  readonly verb: TableRow['verb'];
  readonly path: string;
  readonly parameters: Readonly<Record<string, Shape>>;
  readonly request?: string;
  readonly response?: string;
}

interface Description {
  readonly methods: Readonly<Record<string, MethodShape>>;
  readonly schemas: Readonly<Record<string, Shape>>;
}

/** What the contract says of one service. */
interface Contract {
  readonly service: 'scheduling' | 'deployments' | 'link-safety' | 'token-audit';
  /** Precedes the paths of the description, and is part of the base address. */
  readonly basePath: string;
  /** Methods of the description that the contract does not have. */
  readonly absent: readonly string[];
  /** Parameters that the contract fixes. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Parameters that the description gives as plain text. */
  readonly parameters?: Readonly<Record<string, ParameterRow>>;
  /** Enums that the contract or this program restricts. */
  readonly enums?: Readonly<Record<string, readonly string[]>>;
  /** Methods that only read, although their verb is POST. */
  readonly reads: readonly string[];
  readonly destroys: readonly string[];
  /** Quota units by method; 1 where absent. */
  readonly units: (name: string, verb: string) => number;
  readonly rules: (name: string, verb: string, method: MethodShape) => readonly string[];
  /** Required members of bodies. */
  readonly requires: Readonly<Record<string, string>>;
}

const channel = 'address id type';

const contracts: readonly Contract[] = [
  {
    service: 'scheduling',
    basePath: '',
    absent: ['calendars.transferOwnership'],
    enums: { EventType: ['birthday', 'default', 'focusTime', 'fromMail', 'outOfOffice', 'workingLocation'] },
    reads: ['freebusy.query'],
    destroys: ['acl.delete', 'calendarList.delete', 'calendars.clear', 'calendars.delete', 'events.delete'],
    units: (_, verb) => (verb === 'PATCH' ? 3 : 1),
    rules: (name, verb, { parameters }) => [
      ...(verb === 'PATCH' ? ['patch-units', 'patch-semantics'] : []),
      ...(verb === 'PUT' ? ['update-replaces'] : []),
      ...('syncToken' in parameters ? ['sync-token'] : []),
      ...('eventId' in parameters ? ['event-id'] : []),
      ...(name === 'events.import' ? ['import-default'] : []),
      ...(name === 'events.move' ? ['move-destination', 'move-default'] : []),
      ...(name === 'events.quickAdd' ? ['quick-add-text'] : []),
      ...(name === 'calendars.clear' ? ['clear-primary'] : []),
      ...(name === 'calendars.delete' ? ['delete-secondary'] : []),
    ],
    requires: {
      'acl.insert': 'role scope',
      'acl.update': 'role scope',
      'acl.watch': channel,
      'calendarList.insert': 'id',
      'calendarList.watch': channel,
      'calendars.insert': 'summary',
      'channels.stop': 'id resourceId',
      'events.import': 'end iCalUID start',
      'events.insert': 'end start',
      'events.update': 'end start',
      'events.watch': channel,
      'freebusy.query': 'timeMax timeMin',
      'settings.watch': channel,
    },
  },
  {
    service: 'deployments',
    basePath: 'deploymentmanager/v2beta/projects/',
    absent: [],
    reads: ['deployments.testIamPermissions'],
    destroys: ['compositeTypes.delete', 'deployments.delete', 'typeProviders.delete'],
    units: () => 1,
    rules: (name) => [
      ...(/^deployments\.(update|stop|cancelPreview)$/.test(name) ? ['fingerprint'] : []),
      ...(name === 'deployments.setIamPolicy' ? ['policy-replaces'] : []),
    ],
    requires: {
      'compositeTypes.insert': 'name',
      'deployments.insert': 'name',
      'deployments.setIamPolicy': 'policy',
      'deployments.testIamPermissions': 'permissions',
      'typeProviders.insert': 'name',
    },
  },
  {
    service: 'link-safety',
    basePath: '',
    absent: ['encodedFullHashes.get', 'encodedUpdates.get', 'threatHits.create'],
    enums: {
      PlatformType: [
        'PLATFORM_TYPE_UNSPECIFIED',
        'WINDOWS',
        'LINUX',
        'ANDROID',
        'OSX',
        'IOS',
        'ANY_PLATFORM',
        'ALL_PLATFORMS',
      ],
      ThreatEntryType: ['THREAT_ENTRY_TYPE_UNSPECIFIED', 'URL', 'EXECUTABLE', 'IP_RANGE', 'FILENAME', 'CERT'],
    },
    reads: ['fullHashes.find', 'threatListUpdates.fetch', 'threatMatches.find'],
    destroys: [],
    units: () => 1,
    rules: () => [],
    requires: {
      'fullHashes.find': 'threatInfo',
      'threatListUpdates.fetch': 'listUpdateRequests',
      'threatMatches.find': 'threatInfo',
    },
  },
  {
    service: 'token-audit',
    basePath: '',
    absent: [],
    fixed: { userKey: 'all', applicationName: 'token' },
    enums: { EventName: ['activity', 'authorize', 'request', 'revoke'] },
    parameters: {
      eventName: { type: 'EventName' },
      startTime: { type: 'date-time' },
      endTime: { type: 'date-time' },
      // The pattern of the description takes exponential time.
      filters: { type: 'string', pattern: '[^,]*[<>=][^,]*(?:,[^,]*[<>=][^,]*)*' },
    },
    reads: [],
    destroys: [],
    units: () => 1,
    rules: () => [],
    requires: {},
  },
];

/** Formats by their names here. */
const formats: Readonly<Record<string, string>> = { datetime: 'date-time', fieldmask: 'field-mask' };

const [directory = '', ...leftOut] = process.argv.slice(2);

for (const it of contracts) {
  const path = join(directory, `${it.service}.json`);
  const table = tableOf(it, JSON.parse(readFileSync(path, 'utf8')));
  writeFileSync(join(root, 'server', 'src', 'connected', 'api', 'tables', `${it.service}.json`), textOf(table));
}

function tableOf(contract: Contract, { methods, schemas }: Description): ServiceTable {
  const enums: Record<string, readonly string[]> = { ...contract.enums };
  const written: Record<string, Record<string, string>> = {};

  function enumOf(values: readonly string[], name: string, parent: string): string {
    // `platformTypes` is a list of values of `PlatformType`.
    const short = (name.charAt(0).toUpperCase() + name.slice(1)).replace(/(?<=Type|Compression)s$/, '');
    if (contract.enums?.[short]) return short;
    const text = values.join();
    const known = Object.entries(enums).find(([, it]) => it.join() === text)?.[0];
    if (known !== undefined) return known;
    const free = short in enums || short in schemas ? `${parent}.${name}` : short;
    enums[free] = values;
    return free;
  }

  /** Names schemas as the type of a member, and writes them. */
  function typeOf(shape: Shape, name: string, parent: string): string {
    const { type, format, ref, items, properties, additionalProperties } = shape;
    if (ref !== undefined) {
      write(ref);
      return plainName(ref);
    }
    if (type === 'array') return `${items ? typeOf(items, name, parent) : 'any'}[]`;
    if (shape.enum) return enumOf(shape.enum, name, parent);
    if (additionalProperties) return `{${typeOf(additionalProperties, name, parent)}}`;
    if (properties) {
      const own = `${parent}.${name}`;
      writeMembers(own, properties);
      return own;
    }
    if (format !== undefined) {
      const plain = format.replace(/^[a-z]+-(?=(?:datetime|duration|fieldmask)$)/, '');
      return formats[plain] ?? plain;
    }
    if (type === 'object' || type === undefined) return 'any';
    return type;
  }

  function write(ref: string): void {
    const shape = schemas[ref];
    if (shape === undefined) throw new Error(`no schema ${ref}`);
    if (plainName(ref) in written) return;
    writeMembers(plainName(ref), shape.properties ?? {});
  }

  function writeMembers(name: string, properties: Readonly<Record<string, Shape>>): void {
    const members: Record<string, string> = {};
    written[name] = members;
    for (const [member, shape] of Object.entries(properties)) {
      // What other products keep in an operation.
      if (leftOut.includes(member) || member.endsWith('OperationMetadata')) continue;
      members[member] = `${typeOf(shape, member, name)}${shape.readOnly ? ' readonly' : ''}`;
    }
  }

  const named = new Map<string, Map<string, number>>();
  function parameterOf(name: string, shape: Shape): ParameterRow {
    const corrected = contract.parameters?.[name];
    if (corrected) return corrected;
    const type = shape.enum ? enumOf(shape.enum, name, 'parameter') : typeOf(shape, name, 'parameter');
    return {
      type: shape.repeated ? `${type}[]` : type,
      ...(shape.pattern !== undefined && { pattern: shape.pattern }),
      ...(shape.minimum !== undefined && { min: Number(shape.minimum) }),
      ...(shape.maximum !== undefined && { max: Number(shape.maximum) }),
      ...(shape.default && { default: shape.default }),
    };
  }
  const present = Object.entries(methods).filter(([name]) => !contract.absent.includes(name));
  for (const [, { parameters }] of present) {
    for (const [name, shape] of Object.entries(parameters)) {
      if (contract.fixed && name in contract.fixed) continue;
      const text = JSON.stringify(parameterOf(name, shape));
      const forms = named.get(name) ?? new Map<string, number>();
      named.set(name, forms.set(text, (forms.get(text) ?? 0) + 1));
    }
  }
  /** Each parameter as most methods have it. */
  const usual = Object.fromEntries(
    [...named]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, forms]) => {
        const [most] = [...forms].sort((a, b) => b[1] - a[1])[0] ?? ['{}'];
        return [name, JSON.parse(most) as ParameterRow];
      }),
  );

  const rows = present.map(([name, method]): TableRow => {
    const { verb, parameters, request, response } = method;
    let path = method.path.slice(contract.basePath.length);
    for (const [fixed, value] of Object.entries(contract.fixed ?? {})) path = path.replace(`{${fixed}}`, value);
    const query = Object.entries(parameters).filter(([, it]) => it.in === 'query');
    const own = Object.entries(parameters).flatMap(([parameter, shape]) => {
      if (contract.fixed && parameter in contract.fixed) return [];
      const row = parameterOf(parameter, shape);
      return JSON.stringify(row) === JSON.stringify(usual[parameter]) ? [] : [[parameter, row] as const];
    });
    const effect = contract.destroys.includes(name)
      ? 'destroy'
      : verb === 'GET' || contract.reads.includes(name)
        ? 'read'
        : 'write';
    for (const it of [request, response]) if (it !== undefined) write(it);
    const rules = contract.rules(name, verb, method);
    return {
      name,
      verb,
      path,
      ...(query.length > 0 && { query: query.map(([it, { required }]) => (required ? `${it}!` : it)).join(' ') }),
      ...(own.length > 0 && { own: Object.fromEntries(own) }),
      ...(request !== undefined && { body: plainName(request) }),
      ...(contract.requires[name] !== undefined && { requires: contract.requires[name] }),
      ...(response !== undefined && { response: plainName(response) }),
      units: contract.units(name, verb),
      effect,
      ...(rules.length > 0 && { rules: rules.join(' ') }),
    };
  });
  return { methods: rows, parameters: usual, enums: sorted(enums), schemas: sorted(written) };
}

/** Without the name and the version of a package: `VendorProductV4ThreatInfo` → `ThreatInfo`. */
function plainName(ref: string): string {
  return ref.replace(/^[A-Za-z]+V\d+(?=[A-Z])/, '');
}

function sorted<T>(values: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** One row a line. */
function textOf(table: ServiceTable): string {
  const block = (values: Readonly<Record<string, unknown>>): string =>
    Object.keys(values).length === 0
      ? '{}'
      : `{\n${Object.entries(values)
          .map(([name, it]) => `    ${JSON.stringify(name)}: ${JSON.stringify(it)}`)
          .join(',\n')}\n  }`;
  return `{
  "methods": [
${table.methods.map((it) => `    ${JSON.stringify(it)}`).join(',\n')}
  ],
  "parameters": ${block(table.parameters)},
  "enums": ${block(table.enums)},
  "schemas": ${block(table.schemas)}
}
`;
}
