import { catalogSource } from '../../../server/src/service/catalog/source.ts';
import { answerRequest } from '../../../server/src/service/routes.ts';
import {
  type Act,
  reset,
  resetWithin,
  type ScriptedServer,
  scriptedServer,
  stallWithin,
  status,
} from '../../harness/scripted-server.ts';
import { inlineCatalog } from '../../harness/service.ts';
import type { Random } from './random.ts';
import { catalog } from './texts.ts';

const source = catalogSource(inlineCatalog(catalog));

/** The correct answers of the service. */
export const well: Act = async ({ method, path, body }, response) => {
  const { reply } = await answerRequest(source, 100, { method, target: path, body });
  if (reply.kind === 'text') response.writeHead(reply.status, { 'content-type': 'text/plain' }).end(reply.text);
  else {
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'public, max-age=3600' });
    response.end(JSON.stringify(reply.body));
  }
};

/** Begins an answer, and closes the connection before the server's deadline. */
const breakOff: Act = (request, response) => {
  stallWithin('{"responses":[')(request, response);
  setTimeout(() => response.socket?.resetAndDestroy(), 200).unref();
};

const late: Act = (request, response) => void setTimeout(() => well(request, response), 300).unref();

const faults: readonly Act[] = [
  status(429, 'slow down', { 'retry-after': '1' }),
  status(503, 'later', { 'retry-after': '1' }),
  status(500, 'internal error'),
  status(502, '<html>Bad gateway</html>', { 'content-type': 'text/html' }),
  reset,
  resetWithin(JSON.stringify({ responses: [] }).repeat(20)),
  breakOff,
  late,
  (_, response) => void response.writeHead(200).end('{"responses":[{"request"'),
  (_, response) => void response.writeHead(200).end('[1, null, {"a": []}]'),
  (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip at all'),
];

/** A service whose every tenth answer fails in some way. */
export function troubledService(random: Random): Promise<ScriptedServer> {
  return scriptedServer((request, response) => (random.chance(0.1) ? random.of(faults) : well)(request, response));
}
