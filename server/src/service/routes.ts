import { isRecord } from '../base/text.ts';
import type { PackageKey, VersionKey } from '../model/keys.ts';
import { type Purl, parsePurl } from '../model/purl.ts';
import { isSystem, type System } from '../model/system.ts';
import { answerBatch, type BatchKind } from './batch.ts';
import { answerQuery } from './query.ts';
import { badRequest, notFound, type Reply, replyWith } from './replies.ts';
import type { Source, SourceAnswer } from './source.ts';

export interface ServiceRequest {
  readonly method: string;
  /** Path and query of the request line. */
  readonly target: string;
  readonly body: string;
}

/** Answers one request. The table below is the whole interface. */
export function answerRequest(source: Source, pageSize: number, request: ServiceRequest): Reply {
  const cut = request.target.indexOf('?');
  const path = cut === -1 ? request.target : request.target.slice(0, cut);
  const parameters = new URLSearchParams(cut === -1 ? '' : request.target.slice(cut + 1));
  for (const route of routes) {
    const values = match(route.path, path);
    if (values === undefined) continue;
    if (!(route.method === request.method || (route.method === 'GET' && request.method === 'HEAD'))) {
      return { kind: 'text', status: 405, text: 'method not allowed', allow: route.method };
    }
    const decoded = values.map(decode);
    if (decoded.includes(undefined)) return badRequest('the path is not percent-encoded correctly');
    const [first = '', second = '', third = ''] = decoded;
    return route.answer({ source, pageSize, values: [first, second, third], parameters, body: request.body });
  }
  return notFound('page');
}

interface RouteRequest {
  readonly source: Source;
  readonly pageSize: number;
  readonly values: readonly [string, string, string];
  readonly parameters: URLSearchParams;
  readonly body: string;
}

interface Route {
  readonly method: 'GET' | 'POST';
  /** `*` is one percent-encoded segment, of which a text after it is cut off first. */
  readonly path: readonly string[];
  readonly answer: (asked: RouteRequest) => Reply;
}

const version = ['v3alpha', 'systems', '*', 'packages', '*', 'versions'];

const routes: readonly Route[] = [
  { method: 'GET', path: ['v3alpha', 'systems', '*', 'packages', '*:similarlyNamedPackages'], answer: getSimilar },
  { method: 'GET', path: ['v3alpha', 'systems', '*', 'packages', '*'], answer: getPackage },
  { method: 'GET', path: [...version, '*:requirements'], answer: getRequirements },
  { method: 'GET', path: [...version, '*'], answer: getVersion },
  { method: 'POST', path: ['v3alpha', 'versionbatch'], answer: getVersionBatch },
  { method: 'GET', path: ['v3alpha', 'query'], answer: (it) => answerQuery(it.source, it.parameters) },
  { method: 'GET', path: ['v3alpha', 'purl', '*'], answer: purlLookup },
  { method: 'POST', path: ['v3alpha', 'purlbatch'], answer: purlLookupBatch },
  { method: 'GET', path: ['v3alpha', 'advisories', '*'], answer: getAdvisory },
  { method: 'GET', path: ['v3alpha', 'projects', '*'], answer: getProject },
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

function getPackage({ source, values: [system, name] }: RouteRequest): Reply {
  const known = readSystem(system);
  if (known === undefined) return notFound('system');
  return replyWith(source.package({ system: known, name }), 'package');
}

function getVersion({ source, values: [system, name, version] }: RouteRequest): Reply {
  const known = readSystem(system);
  if (known === undefined) return notFound('system');
  const found = source.version({ system: known, name, version });
  return replyWith(found, 'version', () => missing(source, { system: known, name }));
}

function getRequirements({ source, values: [system, name, version] }: RouteRequest): Reply {
  const known = readSystem(system);
  if (known === undefined) return notFound('system');
  const key = { system: known, name, version };
  const found = source.requirements(key);
  return replyWith(found, 'requirements', () =>
    source.version(key) === undefined ? missing(source, key) : 'requirements',
  );
}

/** What is missing where a version is unknown: its package, or only the version. */
function missing(source: Source, key: PackageKey): string {
  return source.package(key) === undefined ? 'package' : 'version';
}

function getVersionBatch({ source, pageSize, body }: RouteRequest): Reply {
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
    answer: (key) => {
      const found = key && source.version(key);
      return found === 'not kept' ? notKept : found && { version: found };
    },
  };
  return answerBatch(kind, body, pageSize);
}

function purlLookup({ source, values: [text] }: RouteRequest): Reply {
  const reading = parsePurl(text);
  if (reading.kind === 'invalid') return badRequest(`not a purl of a package or version: ${reading.reason}`);
  const { purl } = reading;
  const what = purl.version === undefined ? 'package' : 'version';
  return replyWith(lookUp(source, purl), what, () => missing(source, purl.key));
}

function purlLookupBatch({ source, pageSize, body }: RouteRequest): Reply {
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
    answer: (purl) => {
      const result = purl && lookUp(source, purl);
      return result === 'not kept' ? notKept : result && { result };
    },
  };
  return answerBatch(kind, body, pageSize);
}

/** In a batch, beside the request: a field that the interface does not know, so other clients pass it over. */
const notKept = { notKept: true };

function lookUp(source: Source, { key, version }: Purl): SourceAnswer<object> {
  if (version === undefined) {
    const found = source.package(key);
    return typeof found === 'object' ? { package: found } : found;
  }
  const found = source.version({ ...key, version });
  return typeof found === 'object' ? { version: found } : found;
}

function getSimilar({ source, values: [system, name] }: RouteRequest): Reply {
  const known = readSystem(system);
  if (known === undefined) return notFound('system');
  return source.similar ? replyWith(source.similar({ system: known, name }), 'package') : notFound('page');
}

function getProject({ source, values: [id] }: RouteRequest): Reply {
  return source.project ? replyWith(source.project(id), 'project') : notFound('page');
}

function getAdvisory({ source, values: [id] }: RouteRequest): Reply {
  return replyWith(source.advisory(id), 'advisory');
}
