import { isRecord } from '../../engine/base/text.ts';
import type { Machine } from './advance.ts';
import type { DeploymentRecord, Label, OperationRecord, OperationTarget, Work } from './records.ts';
import { Refusal } from './refusal.ts';
import { newId } from './store.ts';
import type { TypeCatalog } from './type-catalog.ts';

/** A request to a method, with what answers it. */
export interface Call {
  readonly machine: Machine;
  readonly catalog: TypeCatalog;
  /** In ms since the epoch. */
  readonly now: number;
  /** The address of the user. */
  readonly caller: string;
  readonly project: string;
  /** The other parameters of the path. */
  readonly values: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Empty for a method without a body. */
  readonly body: Readonly<Record<string, unknown>>;
  /** `http://127.0.0.1:8080/deployments/v2beta/projects/demo/global` */
  readonly base: string;
}

/** The form of names. Source: the patterns of the contract. */
export const namePattern = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/** @throws Refusal */
export function readText(body: Call['body'], name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new Refusal(400, `Invalid value for field '${name}': a text is required`, name);
}

/** @throws Refusal */
export function readLabels(body: Call['body']): readonly Label[] | undefined {
  const value = body['labels'];
  if (value === undefined || value === null) return undefined;
  const refuse = (reason: string): never => {
    throw new Refusal(400, `Invalid value for field 'labels': ${reason}`, 'labels');
  };
  if (!Array.isArray(value)) return refuse('a list is required');
  if (value.length > 64) return refuse('64 labels at most');
  const seen = new Set<string>();
  return value.map((it): Label => {
    const key: unknown = isRecord(it) ? it['key'] : undefined;
    const text: unknown = isRecord(it) ? (it['value'] ?? '') : undefined;
    if (typeof key !== 'string' || typeof text !== 'string') return refuse('each requires a key and a value');
    // Source: documentation of the labels of deployments.
    if (!/^[a-z][-a-z0-9]{0,62}$/.test(key) || !/^(?:[a-z][-a-z0-9]{0,62})?$/.test(text)) {
      return refuse(`${key}=${text} must consist of lower-case letters, digits and dashes`);
    }
    if (seen.has(key)) return refuse(`${key} is given twice`);
    seen.add(key);
    return { key, value: text };
  });
}

/** @throws Refusal */
export function readEnum<T extends string>(query: URLSearchParams, name: string, values: readonly [T, ...T[]]): T {
  const text = query.get(name);
  if (text === null) return values[0];
  const found = values.find((it) => it === text);
  if (found !== undefined) return found;
  throw new Refusal(400, `Invalid value '${text}'. Values must match one of ${values.join(', ')}`, name);
}

/** @throws Refusal */
export function readFlag(query: URLSearchParams, name: string): boolean {
  return readEnum(query, name, ['false', 'true']) === 'true';
}

/** @throws Refusal for a name that a body and a path give differently, or that is invalid */
export function readName(body: Call['body'], inPath: string | undefined, pattern = namePattern): string {
  const name = readText(body, 'name') ?? inPath;
  if (name === undefined || name === '')
    throw new Refusal(400, "Required field 'name' not specified", 'name', 'required');
  if (inPath !== undefined && name !== inPath) {
    throw new Refusal(400, `Invalid value for field 'name': '${name}' is not the name of the path`, 'name');
  }
  if (pattern.test(name)) return name;
  throw new Refusal(
    400,
    `Invalid value for field 'name': '${name}'. Must match regex '${pattern.source.slice(1, -1)}'`,
    'name',
  );
}

export function missing({ project }: Call, collection: string, name: string): Refusal {
  return new Refusal(404, `The object 'projects/${project}/global/${collection}/${name}' is not found.`);
}

/** @throws Refusal */
export function findDeployment(call: Call, name = call.values['deployment'] ?? ''): DeploymentRecord {
  const found = call.machine.store.get('deployment', { project: call.project, name });
  if (found === undefined) throw missing(call, 'deployments', name);
  return found;
}

/** Records an operation that begins now. */
export function startOperation(
  { machine: { store }, project, caller, now }: Call,
  type: string,
  target: OperationTarget,
  work: Work,
  findings: Partial<Pick<OperationRecord, 'warnings'>> = {},
): OperationRecord {
  const random = newId();
  const hex = BigInt(random).toString(16).padStart(16, '0');
  const operation: OperationRecord = {
    name: `operation-${now}-${hex.slice(0, 13)}-${hex.slice(8)}-${BigInt(newId()).toString(16).slice(0, 8)}`,
    id: newId(),
    ...{ type, user: caller, target, insertTime: now, status: 'PENDING', errors: [], warnings: [], work },
    ...findings,
  };
  store.put('operation', { project, name: operation.name }, operation);
  return operation;
}

/** @throws Refusal while an operation of the same thing runs */
export function requireIdle({ machine: { store }, project }: Call, collection: string, name: string): void {
  const running = runningOf({ store, project }, collection, name);
  if (running === undefined) return;
  const message = `Resource '${name}' has an ongoing conflicting operation: 'projects/${project}/global/operations/${running.name}'.`;
  throw new Refusal(409, message, undefined, 'conflict');
}

export function runningOf(
  { store, project }: { readonly store: Machine['store']; readonly project: string },
  collection: string,
  name: string,
): OperationRecord | undefined {
  return store
    .running()
    .find(
      (it) =>
        it.project === project && it.operation.target.collection === collection && it.operation.target.name === name,
    )?.operation;
}
