import { isRecord } from '../../engine/base/text.ts';
import { isSameUser } from './access.ts';
import { type Call, missing, readLabels, readName, readText, requireIdle, startOperation } from './call.ts';
import type { Template } from './expand.ts';
import { pageOf } from './lists.ts';
import type { ImportFile, TypeProviderRecord, Warning } from './records.ts';
import { Refusal } from './refusal.ts';
import { newId, type Store } from './store.ts';
import { type CatalogProvider, providerOf } from './type-catalog.ts';
import {
  shownCatalogProvider,
  shownCompositeType,
  shownOperation,
  shownType,
  shownTypeInfo,
  shownTypeProvider,
} from './wire.ts';

export function listTypes(call: Call): object {
  const items = call.catalog.providers.flatMap((provider) =>
    provider.types.map((type) => ({ name: type.alias, at: 0, shown: shownType(call, provider, type) })),
  );
  const { items: types, ...more } = pageOf(items, call.query);
  return { types, ...more };
}

/** Those of the catalog belong to every project. */
export function listTypeProviders(call: Call): object {
  const { catalog, query } = call;
  const own = recordsOf(call, 'typeProvider').map((it) => ({
    name: it.name,
    at: it.insertTime,
    shown: shownOwn(call, 'typeProvider', it),
  }));
  const names = new Set(own.map((it) => it.name));
  const common = catalog.providers.filter((it) => !names.has(it.name));
  const items = [...own, ...common.map((it) => ({ name: it.name, at: 0, shown: shownCatalogProvider(call, it) }))];
  const { items: typeProviders, ...more } = pageOf(items, query);
  return { typeProviders, ...more };
}

export function getTypeProvider(call: Call): object {
  const name = call.values['typeProvider'] ?? '';
  const own = find(call, 'typeProvider', name);
  if (own) return shownOwn(call, 'typeProvider', own);
  const common = call.catalog.providers.find((it) => it.name === name);
  if (common) return shownCatalogProvider(call, common);
  throw missing(call, 'typeProviders', name);
}

export function listProviderTypes(call: Call): object {
  const { name, provider } = describedProvider(call);
  const items = (provider?.types ?? []).map((it) => ({ name: it.name, at: 0, shown: shownTypeInfo(call, name, it) }));
  const { items: types, ...more } = pageOf(items, call.query);
  return { types, ...more };
}

export function getProviderType(call: Call): object {
  const { name, provider } = describedProvider(call);
  const { type = '' } = call.values;
  const found = provider?.types.find((it) => it.name === type);
  if (found) return shownTypeInfo(call, name, found);
  throw missing(call, `typeProviders/${name}/types`, type);
}

/** A provider of the project has the types of its descriptor, if the catalog has that: none is fetched. */
function describedProvider(call: Call): { readonly name: string; readonly provider: CatalogProvider | undefined } {
  const name = call.values['typeProvider'] ?? '';
  const own = find(call, 'typeProvider', name);
  const provider = own
    ? providerOf(call.catalog, own.fields['descriptorUrl'])
    : call.catalog.providers.find((it) => it.name === name);
  if (!own && !provider) throw missing(call, 'typeProviders', name);
  return { name, provider };
}

export function listCompositeTypes(call: Call): object {
  const items = recordsOf(call, 'compositeType').map((it) => ({
    name: it.name,
    at: it.insertTime,
    shown: shownOwn(call, 'compositeType', it),
  }));
  const { items: compositeTypes, ...more } = pageOf(items, call.query);
  return { compositeTypes, ...more };
}

export function getCompositeType(call: Call): object {
  return shownOwn(call, 'compositeType', found(call, 'compositeType'));
}

type OwnKind = 'typeProvider' | 'compositeType';

/** Source: the patterns of the contract. */
const ownName = /^[a-z](?:[-a-z0-9_.]{0,61}[a-z0-9])?$/;

/** The methods that change type providers or composite types. */
export function changesOf(kind: OwnKind) {
  return {
    insert(call: Call): object {
      const name = readName(call.body, undefined, ownName);
      if (find(call, kind, name)) {
        const message = `'projects/${call.project}/global/${kind}s/${name}' already exists and cannot be created.`;
        throw new Refusal(409, message, undefined, 'duplicate');
      }
      requireIdle(call, `${kind}s`, name);
      const fields = readFields[kind](call.body);
      return put(call, kind, 'insert', { name, id: newId(), insertTime: call.now, owner: call.caller, fields });
    },
    patch(call: Call): object {
      const record = owned(call, kind);
      const fields = readFields[kind]({ ...record.fields, ...call.body });
      return put(call, kind, 'patch', { ...record, fields });
    },
    update(call: Call): object {
      return put(call, kind, 'update', { ...owned(call, kind), fields: readFields[kind](call.body) });
    },
    delete(call: Call): object {
      const { name, id } = owned(call, kind);
      call.machine.store.remove(kind, { project: call.project, name });
      const operation = startOperation(call, 'delete', { collection: `${kind}s`, name, id }, { kind: 'none' });
      return shownOperation(call, operation);
    },
  };
}

function put(call: Call, kind: OwnKind, type: string, record: Omit<TypeProviderRecord, 'operation'>): object {
  const { name, id, fields } = record;
  const warnings = kind === 'typeProvider' ? warningsOf(call, name, fields) : [];
  const operation = startOperation(call, type, { collection: `${kind}s`, name, id }, { kind: 'none' }, { warnings });
  call.machine.store.put(kind, { project: call.project, name }, { ...record, operation: operation.name });
  return shownOperation(call, operation);
}

function warningsOf(
  { catalog }: Call,
  name: string,
  { descriptorUrl }: TypeProviderRecord['fields'],
): readonly Warning[] {
  if (providerOf(catalog, descriptorUrl)) return [];
  const message = `the type provider ${name} has no types: this service fetches no descriptors, and knows only those of its own type providers`;
  return [{ code: 'EXTERNAL_API_WARNING', message, data: [{ key: 'typeProvider', value: name }] }];
}

const readFields: Readonly<Record<OwnKind, (body: Call['body']) => Readonly<Record<string, unknown>>>> = {
  typeProvider(body) {
    const descriptorUrl = readText(body, 'descriptorUrl');
    if (descriptorUrl === undefined || !URL.canParse(descriptorUrl)) {
      throw new Refusal(400, "Invalid value for field 'descriptorUrl': an address is required", 'descriptorUrl');
    }
    const fields: Record<string, unknown> = { ...commonFields(body), descriptorUrl };
    for (const name of ['options', 'collectionOverrides', 'customCertificateAuthorityRoots'] as const) {
      if (body[name] !== undefined && body[name] !== null) fields[name] = body[name];
    }
    // A password would be in a file, and in every answer.
    if (isRecord(body['credential'])) {
      if (body['credential']['basicAuth'] !== undefined) {
        throw new Refusal(400, 'credential.basicAuth is not supported', 'credential.basicAuth');
      }
      fields['credential'] = body['credential'];
    }
    return fields;
  },
  compositeType(body) {
    const { templateContents, status = 'SUPPORTED' } = body;
    if (!isRecord(templateContents) || typeof templateContents['template'] !== 'string') {
      throw new Refusal(
        400,
        "Required field 'templateContents.template' not specified",
        'templateContents.template',
        'required',
      );
    }
    if (!['UNKNOWN_STATUS', 'DEPRECATED', 'EXPERIMENTAL', 'SUPPORTED'].includes(String(status))) {
      throw new Refusal(400, `Invalid value for field 'status': '${String(status)}'`, 'status');
    }
    const { interpreter = 'UNKNOWN_INTERPRETER' } = templateContents;
    if (!['UNKNOWN_INTERPRETER', 'PYTHON', 'JINJA'].includes(String(interpreter))) {
      throw new Refusal(400, `Invalid value for field 'templateContents.interpreter'`, 'templateContents.interpreter');
    }
    return { ...commonFields(body), status, templateContents };
  },
};

function commonFields(body: Call['body']): Record<string, unknown> {
  const description = readText(body, 'description');
  const labels = readLabels(body);
  return { ...(description !== undefined && { description }), ...(labels && labels.length > 0 && { labels }) };
}

function recordsOf({ machine: { store }, project }: Call, kind: OwnKind): readonly TypeProviderRecord[] {
  return store.list(kind, project);
}

function find({ machine: { store }, project }: Call, kind: OwnKind, name: string): TypeProviderRecord | undefined {
  return store.get(kind, { project, name });
}

function found(call: Call, kind: OwnKind): TypeProviderRecord {
  const name = call.values[kind] ?? '';
  const record = find(call, kind, name);
  if (record === undefined) throw missing(call, `${kind}s`, name);
  return record;
}

/** @throws Refusal unless the caller has created it, and nothing else changes it */
function owned(call: Call, kind: OwnKind): TypeProviderRecord {
  const name = call.values[kind] ?? '';
  if (kind === 'typeProvider' && !find(call, kind, name) && call.catalog.providers.some((it) => it.name === name)) {
    throw new Refusal(403, `The type provider '${name}' belongs to the service and cannot be changed`);
  }
  const record = found(call, kind);
  if (!isSameUser(record.owner, call.caller)) {
    throw new Refusal(
      403,
      `Required 'deploymentmanager.${kind}s.update' permission for 'projects/${call.project}/global/${kind}s/${name}'`,
    );
  }
  requireIdle(call, `${kind}s`, name);
  if (call.body['name'] !== undefined) readName(call.body, name, ownName);
  return record;
}

function shownOwn(call: Call, kind: OwnKind, record: TypeProviderRecord): object {
  const operation = call.machine.store.get('operation', { project: call.project, name: record.operation });
  return kind === 'typeProvider'
    ? shownTypeProvider(call, record, operation)
    : shownCompositeType(call, record, operation);
}

/** The template of a composite type of a project. */
export function templateOfComposite(store: Store, project: string, name: string): Template | undefined {
  const fields = store.get('compositeType', { project, name })?.fields;
  const contents = fields?.['templateContents'];
  if (!isRecord(contents)) return undefined;
  const status = fields?.['status'];
  const { template, interpreter, imports } = contents;
  return {
    text: String(template),
    interpreter: interpreter === 'PYTHON' || interpreter === 'JINJA' ? interpreter : 'UNKNOWN_INTERPRETER',
    imports: Array.isArray(imports) ? imports.filter(isImport) : [],
    ...((status === 'DEPRECATED' || status === 'EXPERIMENTAL') && { status }),
  };
}

function isImport(value: unknown): value is ImportFile {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['content'] === 'string';
}
