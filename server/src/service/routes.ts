import { isRecord } from '../engine/base/text.ts';
import type { PackageKey, VersionKey } from '../engine/model/keys.ts';
import { type Purl, parsePurl } from '../engine/model/purl.ts';
import { isSystem, type System } from '../engine/model/system.ts';
import { answerBatch, type BatchKind } from './batch.ts';
import { answerQuery } from './query.ts';
import { badRequest, notFound, type Reply, replyWith } from './replies.ts';
import { type Answer, mapAnswer, type Source, unknown } from './source.ts';

export interface ServiceRequest {
  readonly method: string;
  /** Path and query of the request line. */
  readonly target: string;
  readonly body: string;
}

/** A reply, and the method of the interface that gave it: `GetVersion`. `none` for a path that it does not have. */
export interface RoutedReply {
  readonly reply: Reply;
  readonly route: string;
}

/** Answers one request. The table below is the whole interface. */
export async function answerRequest(source: Source, pageSize: number, request: ServiceRequest): Promise<RoutedReply> {
  const [path, query] = partsOf(request.target);
  const found = findRoute(path);
  if (found === undefined) return { route: 'none', reply: notFound('page') };
  const given = { source, pageSize, parameters: new URLSearchParams(query), body: request.body };
  return { route: found.route.name, reply: await answerRoute(found, request.method, given) };
}

/** Whether the answer to a request depends on its body. */
export function readsBody({ method, target }: Pick<ServiceRequest, 'method' | 'target'>): boolean {
  return method === 'POST' && findRoute(partsOf(target)[0])?.route.method === 'POST';
}

function partsOf(target: string): readonly [path: string, query: string] {
  const cut = target.indexOf('?');
  return cut === -1 ? [target, ''] : [target.slice(0, cut), target.slice(cut + 1)];
}

interface FoundRoute {
  readonly route: Route;
  /** Percent-encoded, of the wildcards. */
  readonly values: readonly string[];
}

function findRoute(path: string): FoundRoute | undefined {
  for (const route of routes) {
    const values = match(route.path, path);
    if (values !== undefined) return { route, values };
  }
  return undefined;
}

async function answerRoute(
  { route, values }: FoundRoute,
  method: string,
  given: Omit<RouteRequest, 'values'>,
): Promise<Reply> {
  if (!(route.method === method || (route.method === 'GET' && method === 'HEAD'))) {
    return { kind: 'text', status: 405, text: 'method not allowed', allow: route.method };
  }
  const decoded = values.map(decode);
  if (decoded.includes(undefined)) return badRequest('the path is not percent-encoded correctly');
  const [first = '', second = '', third = ''] = decoded;
  return route.answer({ ...given, values: [first, second, third] });
}

interface RouteRequest {
  readonly source: Source;
  readonly pageSize: number;
  readonly values: readonly [string, string, string];
  readonly parameters: URLSearchParams;
  readonly body: string;
}

interface Route {
  /** As in the documentation of the interface. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** `*` is one percent-encoded segment, of which a text after it is cut off first. */
  readonly path: readonly string[];
  readonly answer: (asked: RouteRequest) => Reply | Promise<Reply>;
}

const version = ['v3alpha', 'systems', '*', 'packages', '*', 'versions'];

const routes: readonly Route[] = [
  {
    name: 'GetSimilarlyNamedPackages',
    method: 'GET',
    path: ['v3alpha', 'systems', '*', 'packages', '*:similarlyNamedPackages'],
    answer: getSimilar,
  },
  { name: 'GetPackage', method: 'GET', path: ['v3alpha', 'systems', '*', 'packages', '*'], answer: getPackage },
  { name: 'GetRequirements', method: 'GET', path: [...version, '*:requirements'], answer: getRequirements },
  { name: 'GetVersion', method: 'GET', path: [...version, '*'], answer: getVersion },
  { name: 'GetVersionBatch', method: 'POST', path: ['v3alpha', 'versionbatch'], answer: getVersionBatch },
  { name: 'Query', method: 'GET', path: ['v3alpha', 'query'], answer: (it) => answerQuery(it.source, it.parameters) },
  { name: 'PurlLookup', method: 'GET', path: ['v3alpha', 'purl', '*'], answer: purlLookup },
  { name: 'PurlLookupBatch', method: 'POST', path: ['v3alpha', 'purlbatch'], answer: purlLookupBatch },
  { name: 'GetAdvisory', method: 'GET', path: ['v3alpha', 'advisories', '*'], answer: getAdvisory },
  { name: 'GetProject', method: 'GET', path: ['v3alpha', 'projects', '*'], answer: getProject },
];

/** The raw values of the wildcards, or undefined where the path is another one. */
function match(pattern: readonly string[], path: string): string[] | undefined {
  const segments = path.slice(1).split('/');
  if (segments.length !== pattern.length) return undefined;
  const values: string[] = [];
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (!expected.startsWith('*')) {
      if (segment !== expected) return undefined;
    } else {
      const suffix = expected.slice(1);
      const value = segment.slice(0, segment.length - suffix.length);
      if (!segment.endsWith(suffix) || value === '') return undefined;
      values.push(value);
    }
  }
  return values;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Systems are written in upper case; lower case is understood as well. */
function readSystem(text: string): System | undefined {
  const upper = text.toUpperCase();
  return isSystem(upper) ? upper : undefined;
}

async function getPackage({ source, values: [system, name] }: RouteRequest): Promise<Reply> {
  const known = readSystem(system);
  if (known === undefined) return notFound('system');
  return replyWith(await source.package({ system: known, name }), 'package');
}

async function getVersion({ source, values: [system, name, version] }: RouteRequest): Promise<Reply> {
  const known = readSystem(system);
  if (known === undefined) return notFound('system');
  return versionReply(source, { system: known, name }, await source.version({ system: known, name, version }));
}

async function getRequirements({ source, values: [system, name, version] }: RouteRequest): Promise<Reply> {
  const known = readSystem(system);
  if (known === undefined) return notFound('system');
  const key = { system: known, name, version };
  const answer = await source.requirements(key);
  if (answer.kind !== 'unknown') return replyWith(answer, 'requirements');
  const of = await source.version(key);
  return of.kind === 'unknown' ? versionReply(source, key, of) : replyWith(answer, 'requirements');
}

/** Where a version is unknown, its package is missing, or only the version. */
async function versionReply(source: Source, key: PackageKey, answer: Answer<object>): Promise<Reply> {
  if (answer.kind !== 'unknown') return replyWith(answer, 'version');
  const of = await source.package(key);
  return replyWith(answer, of.kind === 'unknown' ? 'package' : 'version');
}

function getVersionBatch({ source, pageSize, body }: RouteRequest): Promise<Reply> {
  const kind: BatchKind<VersionKey | undefined> = {
    name: 'versionbatch',
    read: ({ versionKey: key }) => {
      if (!isRecord(key)) return 'versionKey: expected an object';
      const { system, name, version } = key;
      if (typeof system !== 'string') return 'versionKey.system: expected a string';
      if (typeof name !== 'string') return 'versionKey.name: expected a string';
      if (typeof version !== 'string') return 'versionKey.version: expected a string';
      const known = readSystem(system);
      return { value: known && { system: known, name, version }, echo: { versionKey: { system, name, version } } };
    },
    answer: (key) => (key ? mapAnswer(source.version(key), (version) => ({ version })) : unknown),
  };
  return answerBatch(kind, body, pageSize);
}

async function purlLookup({ source, values: [text] }: RouteRequest): Promise<Reply> {
  const reading = parsePurl(text);
  if (reading.kind === 'invalid') return badRequest(`not a purl of a package or version: ${reading.reason}`);
  const { purl } = reading;
  const answer = await lookUp(source, purl);
  return purl.version === undefined ? replyWith(answer, 'package') : versionReply(source, purl.key, answer);
}

function purlLookupBatch({ source, pageSize, body }: RouteRequest): Promise<Reply> {
  const kind: BatchKind<Purl | undefined> = {
    name: 'purlbatch',
    read: ({ purl: text }) => {
      if (typeof text !== 'string') return 'purl: expected a string';
      const reading = parsePurl(text);
      // The contract has such a request fail. What names no package of the six systems only finds nothing.
      if (reading.kind === 'invalid')
        return reading.isRefused ? `purl: ${reading.reason}` : { value: undefined, echo: { purl: text } };
      if (reading.purl.version === undefined) return 'purl: it has no version';
      return { value: reading.purl, echo: { purl: text } };
    },
    answer: (purl) => (purl ? mapAnswer(lookUp(source, purl), (result) => ({ result })) : unknown),
  };
  return answerBatch(kind, body, pageSize);
}

function lookUp(source: Source, { key, version }: Purl): Promise<Answer<object>> {
  return version === undefined
    ? mapAnswer(source.package(key), (found) => ({ package: found }))
    : mapAnswer(source.version({ ...key, version }), (found) => ({ version: found }));
}

async function getSimilar({ source, values: [system, name] }: RouteRequest): Promise<Reply> {
  const known = readSystem(system);
  if (known === undefined) return notFound('system');
  return source.similar ? replyWith(await source.similar({ system: known, name }), 'package') : notFound('page');
}

async function getProject({ source, values: [id] }: RouteRequest): Promise<Reply> {
  return source.project ? replyWith(await source.project(id), 'project') : notFound('page');
}

async function getAdvisory({ source, values: [id] }: RouteRequest): Promise<Reply> {
  return replyWith(await source.advisory(id), 'advisory');
}
