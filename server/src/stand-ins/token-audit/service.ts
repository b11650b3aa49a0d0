import { isSameSecret } from '../../service/callers.ts';
import type { Reply } from '../../service/replies.ts';
import type { ServiceRequest } from '../../service/routes.ts';

/** A call that was served: what its activity record tells. */
export interface ServedCall {
  /** In ms since the epoch. */
  readonly at: number;
  /** The service: `code-host`. */
  readonly api: string;
  /** `GET repos/lodash/lodash` */
  readonly method: string;
  readonly responseBytes: number;
  /** The product of the `User-Agent` header: `package-insights`. */
  readonly client: string;
  readonly address: string;
}

export interface KeptCall extends ServedCall {
  /** Grows with each call. */
  readonly id: number;
}

/** Where served calls are kept. */
export interface ServedCalls {
  add(call: ServedCall): void;
  /** Newest first. `before`: the number of a call, which is left out with all later ones. */
  list(query: CallQuery): readonly KeptCall[];
  close(): void;
}

export interface CallQuery {
  /** In ms since the epoch. */
  readonly since?: number;
  readonly until?: number;
  readonly before?: number;
  readonly count: number;
  readonly filters: readonly Filter[];
}

/** `client_id==package-insights` */
export interface Filter {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
}

export interface TokenAuditServiceOptions {
  readonly calls: ServedCalls;
  /** What `access_token` of the query must be. */
  readonly token: string;
}

export interface TokenAuditService {
  /** Undefined for the path of another service. */
  answer(request: ServiceRequest): Reply | undefined;
}

const path = '/admin/reports/v1/activity/users/all/applications/token';
const eventNames = ['activity', 'authorize', 'request', 'revoke'];
/** Source: the shape of `maxResults`. */
const MAX_RESULTS = 1000;
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)$/;

/** The audit listing of the calls that this process has served. All of them are events of the name `activity`. */
export function createTokenAuditService({ calls, token }: TokenAuditServiceOptions): TokenAuditService {
  return {
    answer({ method, target }) {
      const url = new URL(target, 'http://service.example');
      if (url.pathname !== path) return undefined;
      if (method !== 'GET' && method !== 'HEAD') return refusal(405, 'method not allowed');
      const given = url.searchParams;
      if (!isSameSecret(given.get('access_token') ?? '', token))
        return refusal(401, 'the access token is missing or invalid');
      const query = readQuery(given);
      if (typeof query === 'string') return refusal(400, query);
      const eventName = given.get('eventName');
      const isActivity = eventName === null || eventName === 'activity';
      const found = isActivity ? calls.list({ ...query, count: query.count + 1 }) : [];
      const page = found.slice(0, query.count);
      const last = page.at(-1);
      return {
        kind: 'json',
        body: {
          kind: 'admin#reports#activities',
          ...(page.length > 0 && { items: page.map(activityOf) }),
          ...(found.length > page.length && last && { nextPageToken: String(last.id) }),
        },
      };
    },
  };
}

/** The query, or why it is invalid. */
function readQuery(given: URLSearchParams): CallQuery | string {
  const eventName = given.get('eventName');
  if (eventName !== null && !eventNames.includes(eventName)) return `unknown eventName ${eventName}`;
  const count = Number(given.get('maxResults') ?? MAX_RESULTS);
  if (!Number.isInteger(count) || count < 1 || count > MAX_RESULTS)
    return `maxResults must be from 1 to ${MAX_RESULTS}`;
  const pageToken = given.get('pageToken');
  if (pageToken !== null && !/^\d{1,15}$/.test(pageToken)) return 'invalid pageToken';
  const times: Record<string, number> = {};
  for (const [name, key] of [
    ['startTime', 'since'],
    ['endTime', 'until'],
  ] as const) {
    const text = given.get(name);
    if (text === null) continue;
    if (!timeForm.test(text) || Number.isNaN(Date.parse(text))) return `${name} must be a time of RFC 3339`;
    times[key] = Date.parse(text);
  }
  const filters = readFilters(given.get('filters'));
  if (filters === undefined) return 'invalid filters';
  return { ...times, count, filters, ...(pageToken !== null && { before: Number(pageToken) }) };
}

function readFilters(text: string | null): Filter[] | undefined {
  if (text === null) return [];
  const filters: Filter[] = [];
  for (const part of text.split(',')) {
    const [, name, operator, value] = /^([^<>=]+)(==|<>|<=|>=|<|>)(.+)$/.exec(part) ?? [];
    if (name === undefined || operator === undefined || value === undefined) return undefined;
    filters.push({ name, operator, value });
  }
  return filters;
}

type Parameter = { readonly name: string; readonly value?: string; readonly intValue?: string };

function parametersOf({ api, method, responseBytes, client }: ServedCall): readonly Parameter[] {
  return [
    { name: 'api_name', value: api },
    { name: 'app_name', value: client },
    { name: 'client_id', value: client },
    { name: 'client_type', value: 'NATIVE_DESKTOP' },
    { name: 'method_name', value: method },
    { name: 'num_response_bytes', intValue: String(responseBytes) },
    { name: 'product_bucket', value: api === 'scheduling' ? 'CALENDAR' : 'OTHER' },
  ];
}

function activityOf(call: KeptCall): object {
  return {
    kind: 'admin#reports#activity',
    id: {
      time: new Date(call.at).toISOString(),
      uniqueQualifier: String(call.id),
      applicationName: 'token',
      customerId: 'C00000000',
    },
    actor: { callerType: 'USER', email: 'user@service.example' },
    ipAddress: call.address,
    events: [{ type: 'auth', name: 'activity', parameters: parametersOf(call) }],
  };
}

function refusal(code: number, message: string): Reply {
  return { kind: 'json', status: code, body: { error: { code, message, errors: [{ message, domain: 'global' }] } } };
}

/** Whether a call is one that the filters want. Numbers are compared as numbers. */
export function matches(call: ServedCall, filters: readonly Filter[]): boolean {
  return filters.every(({ name, operator, value }) => {
    const parameter = parametersOf(call).find((it) => it.name === name);
    if (parameter === undefined) return false;
    const isNumber = parameter.intValue !== undefined;
    const [own, other] = isNumber ? [Number(parameter.intValue), Number(value)] : [parameter.value ?? '', value];
    switch (operator) {
      case '==':
        return own === other;
      case '<>':
        return own !== other;
      case '<':
        return own < other;
      case '<=':
        return own <= other;
      case '>':
        return own > other;
      default:
        return own >= other;
    }
  });
}
