import type { Parameter, ServiceMethod, Type } from '../api/service-method.ts';
import { valueTypeOf } from '../api/value-types.ts';

/**
 * A new document for a method: its required parameters, with a value where there is a usual one, and a body with its
 * required members.
 *
 *     METHOD scheduling.events.insert
 *     calendarId: primary
 *
 *     {
 *       "end": {},
 *       "start": {}
 *     }
 */
export function templateFor(method: ServiceMethod): string {
  const required = method.parameters.filter((it) => it.isRequired);
  const head = [`METHOD ${method.id}`, ...required.map((it) => `${it.name}: ${usualValue(it, method) ?? ''}`)];
  const body = skeletonOf(method);
  const lines = body === undefined ? head : [...head, '', body];
  return `${lines.join('\n')}\n`;
}

/** The value that most calls give, if there is one. */
export function usualValue({ name, type, default: usual }: Parameter, { types, connection, rules }: ServiceMethod) {
  if (usual !== undefined) return usual;
  // Only the other ones can be deleted.
  if (connection === 'scheduling' && name === 'calendarId' && !rules.includes('delete-secondary')) return 'primary';
  return types.enumOf(type)?.[0];
}

/** The members that a body requires, and those that make a change conditional. */
export function skeletonOf(method: ServiceMethod): string | undefined {
  const { body, rules, types } = method;
  if (body === undefined) return undefined;
  const members = types.membersOf(body.type) ?? [];
  const conditional = [
    ...(rules.includes('update-replaces') ? ['etag'] : []),
    ...(rules.includes('fingerprint') ? ['fingerprint'] : []),
  ];
  const names = [...conditional, ...body.required].filter((it) => members.some((known) => known.name === it));
  const value = Object.fromEntries(
    [...new Set(names)].map((name): [string, unknown] => [
      name,
      emptyValue(members.find((it) => it.name === name)?.type, method),
    ]),
  );
  return JSON.stringify(value, undefined, 2);
}

/** The value of a type that says least. */
export function emptyValue(type: Type | undefined, { types }: ServiceMethod): unknown {
  if (type === undefined) return '';
  if (type.kind === 'list') return [];
  const members = type.kind === 'map' ? undefined : types.membersOf(type.name);
  // An object of lists says nothing while they are empty, so all of them are to be filled in.
  if (members?.every((it) => it.type.kind === 'list')) return Object.fromEntries(members.map((it) => [it.name, []]));
  if (type.kind === 'map' || members) return {};
  const values = types.enumOf(type.name);
  if (values) return values[0] ?? '';
  switch (valueTypeOf(type.name)?.json) {
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'any':
      return {};
    default:
      return '';
  }
}
