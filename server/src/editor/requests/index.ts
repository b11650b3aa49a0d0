import { type CancellationToken, ErrorCodes, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import type { OwnRequest } from '../extension.ts';
import type { ServerState } from '../state/server-state.ts';
import { broughtRequest, waysOutRequest } from './brought.ts';
import { dependenciesRequest } from './dependencies.ts';
import { identifyRequest } from './identify.ts';
import { installRequest } from './install.ts';
import { checkLinksRequest } from './links.ts';
import { noticesRequest } from './notices.ts';
import { lineRequest, lookUpPurlRequest, readPurlRequest } from './purl.ts';
import { purlAtRequest } from './purl-hover.ts';
import { reportRequest } from './report.ts';
import { requirementsRequest, upgradeRequest } from './requirements.ts';
import { updatesRequest } from './updates.ts';
import { versionsRequest } from './versions.ts';

/** Every request of our own, one row each. */
const requests: readonly OwnRequest<unknown, unknown>[] = [
  requirementsRequest,
  upgradeRequest,
  broughtRequest,
  waysOutRequest,
  dependenciesRequest,
  identifyRequest,
  readPurlRequest,
  lookUpPurlRequest,
  purlAtRequest,
  lineRequest,
  reportRequest,
  noticesRequest,
  installRequest,
  versionsRequest,
  updatesRequest,
  checkLinksRequest,
];

/** The names of the requests. */
export const ownMethods: readonly string[] = requests.map((it) => it.method);

/**
 * Answers our own requests over the connection.
 * @param more those of extensions
 */
export function answerRequests(server: ServerState, more: readonly OwnRequest<unknown, unknown>[] = []): void {
  let before: Promise<unknown> = Promise.resolve();
  for (const { method, isHeavy, read, answer } of [...requests, ...more]) {
    server.client.connection.onRequest(method, async (params: unknown, token: CancellationToken) => {
      if (!server.client.isInitialized)
        return new ResponseError(ErrorCodes.ServerNotInitialized, 'not initialized yet');
      const wanted = read(params);
      if (wanted === undefined) return new ResponseError(ErrorCodes.InvalidParams, `${method}: not what it needs`);
      await server.settings.known;
      if (!isHeavy) return answer(wanted, server, token);
      const own = before.then(() =>
        token.isCancellationRequested
          ? new ResponseError(LSPErrorCodes.RequestCancelled, `${method}: cancelled before its turn`)
          : answer(wanted, server, token),
      );
      // The next request starts even if this one fails.
      before = own.catch(() => undefined);
      return own;
    });
  }
}
