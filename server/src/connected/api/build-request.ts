import * as l10n from '@vscode/l10n';
import { similarNames } from '../../engine/base/similar-names.ts';
import type { ApiRequest } from '../../engine/model/connection.ts';
import { checkBody, oneOf } from './check-body.ts';
import { type Problem, shown, withSimilar } from './problem.ts';
import {
  brokenRules,
  type Call,
  confirmation,
  etagOf,
  type RequestOptions,
  type RequiredCall,
  ruleBefore,
} from './rules.ts';
import { type Parameter, resourceParameter, type ServiceMethod } from './service-method.ts';
import { hasOffset, valueTypeOf } from './value-types.ts';

/** The values of parameters as a person writes them: several for one that is repeatable. */
export type GivenParameters = Readonly<Record<string, string | readonly string[]>>;

export type BuiltRequest =
  | {
      readonly ok: true;
      readonly request: ApiRequest;
      /** What the body contains that its schema does not know. It is sent as it is. */
      readonly notes: readonly Problem[];
      /** A call that must be made first; see `sendBuilt`. */
      readonly before?: RequiredCall;
    }
  /** Nothing may be sent. Each problem names a parameter, a place in the body, or a rule. */
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Builds the request of a call, after checking its parameters, its body and every rule of the contract.
 * @param body a value of JSON; undefined without one
 */
export function buildRequest(
  method: ServiceMethod,
  given: GivenParameters,
  body?: unknown,
  options: RequestOptions = {},
): BuiltRequest {
  const parameters = Object.fromEntries(
    Object.entries(given).map(([name, it]): [string, readonly string[]] => [name, typeof it === 'string' ? [it] : it]),
  );
  const call: Call = { method, parameters, body, options };
  const ruled = brokenRules(call);
  const checked = checkedBody(call);
  const problems = [
    ...unknownParameters(call),
    ...method.parameters.flatMap((it) => checkParameter(it, parameters[it.name] ?? [], call, ruled)),
    ...checkEtag(call),
    ...checked.problems,
    ...ruled,
  ];
  const resource = resourceParameter(method);
  const name = (resource && parameters[resource.name]?.[0]) ?? '';
  if (problems.length === 0) problems.push(...[confirmation(call, name) ?? []].flat());
  if (problems.length > 0) return { ok: false, problems };
  const etag = etagOf(call);
  const before = ruleBefore(method);
  const request: ApiRequest = {
    connection: method.connection,
    method: method.id,
    verb: method.verb,
    path: pathOf(call),
    ...(etag !== undefined && { headers: { 'if-match': etag } }),
    ...(method.body && { body: JSON.stringify(body ?? {}) }),
    units: method.units,
  };
  return { ok: true, request, notes: checked.notes, ...(before && { before }) };
}

function unknownParameters({ method, parameters }: Call): Problem[] {
  const known = method.parameters.map((it) => it.name);
  return Object.keys(parameters)
    .filter((it) => !known.includes(it))
    .map((name) => {
      const similar = similarNames(name, known);
      const message = withSimilar(l10n.t('{0} has no parameter {1}', method.id, shown(name)), similar);
      return { message, parameter: name, similar };
    });
}

/** @param ruled the broken rules: a rule that demands a parameter explains its absence better */
function checkParameter(
  parameter: Parameter,
  values: readonly string[],
  { method }: Call,
  ruled: readonly Problem[],
): Problem[] {
  const { name, isRequired, isRepeatable } = parameter;
  if (values.length === 0) {
    const isExplained = ruled.some((it) => it.parameter === name);
    if (!isRequired || isExplained) return [];
    return [{ message: l10n.t('{0} requires the parameter {1}', method.id, name), parameter: name }];
  }
  if (values.length > 1 && !isRepeatable)
    return [{ message: l10n.t('{0} is given {1} times', name, values.length), parameter: name }];
  return values.flatMap((it) => checkValue(parameter, it, method));
}

function checkValue(parameter: Parameter, value: string, { types }: ServiceMethod): Problem[] {
  const { name, type, pattern, min, max } = parameter;
  const refuse = (expected: string, similar: readonly string[] = []): Problem[] => [
    {
      message: withSimilar(l10n.t('{0} requires {1}, not {2}', name, expected, shown(value)), similar),
      parameter: name,
      ...(similar.length > 0 && { similar }),
    },
  ];
  // Half a surrogate pair cannot be encoded.
  if (!value.isWellFormed()) return refuse(l10n.t('text'));
  const values = types.enumOf(type);
  if (values) return values.includes(value) ? [] : refuse(oneOf(values), similarNames(value, values));
  const row = valueTypeOf(type);
  if (row && !row.accepts(value)) return refuse(row.expected());
  if (type === 'date-time' && !hasOffset(value))
    return refuse(l10n.t('a date and time with its offset from UTC, such as {0}', '2026-11-24T14:00:00Z'));
  if (row?.json === 'number') {
    if (min !== undefined && Number(value) < min) return refuse(l10n.t('a number from {0}', min));
    if (max !== undefined && Number(value) > max) return refuse(l10n.t('a number up to {0}', max));
  }
  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`).test(value))
    return refuse(l10n.t('text that matches {0}', pattern));
  if (parameter.in === 'path' && (value === '' || hasDotSegment(value)))
    return refuse(l10n.t('a name without “.” or “..” as a part of a path'));
  return [];
}

/** Whether a server that decodes the value might take it for another path. */
function hasDotSegment(value: string): boolean {
  return value.split(/[/\\]/).some((it) => it === '.' || it === '..');
}

function checkEtag(call: Call): Problem[] {
  const { etag } = call.options;
  if (etag !== undefined && (call.method.connection !== 'scheduling' || call.method.effect === 'read'))
    return [{ message: l10n.t('{0} does not accept the option etag', call.method.id) }];
  const used = etagOf(call);
  // A line end would begin another header.
  if (used === undefined || /^[\x21-\x7e]{1,200}$/.test(used)) return [];
  return [{ message: l10n.t('invalid etag: {0}', shown(used)), ...(etag === undefined && { member: ['etag'] }) }];
}

function checkedBody({ method, body }: Call): ReturnType<typeof checkBody> {
  if (method.body === undefined) {
    const problems =
      body === undefined ? [] : [{ message: l10n.t('{0} does not accept a body', method.id), member: [] }];
    return { problems, notes: [] };
  }
  if (body !== undefined) return checkBody(body, method.body, method.types);
  // Its only member is the fingerprint.
  if (method.rules.includes('fingerprint') && method.verb === 'POST') return { problems: [], notes: [] };
  return { problems: [{ message: l10n.t('{0} requires a body', method.id), member: [] }], notes: [] };
}

/** `calendars/primary/events?q=a%20b` */
function pathOf({ method, parameters }: Call): string {
  const path = method.path.replace(/\{([\w.]+)\}/g, (_, name: string) => encode(parameters[name]?.[0] ?? ''));
  const query = method.parameters
    .filter((it) => it.in === 'query')
    .flatMap(({ name }) => (parameters[name] ?? []).map((it) => `${encode(name)}=${encode(it)}`));
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** Everything but unreserved characters is encoded. Source: RFC 3986, section 2.3. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`);
}
