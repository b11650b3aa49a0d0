import { type CancellationToken, ErrorCodes, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import type { Session } from '../session.ts';
import { dependenciesRequest } from './dependencies.ts';
import { identifyRequest } from './identify.ts';
import { noticesRequest } from './notices.ts';
import { lineRequest, lookUpPurlRequest, readPurlRequest } from './purl.ts';
import { purlAtRequest } from './purl-hover.ts';
import { reportRequest } from './report.ts';
import { requirementsRequest, upgradeRequest } from './requirements.ts';

/**
 * A request of our own, `packageInsights/…`, for what the Language Server Protocol has no word for. Any client may send
 * it once initialized; docs/editors.md describes each.
 */
export interface OwnRequest<Params, Answer> {
  readonly method: string;
  /** It reads many files, or large ones: one such request is answered after the other, however many are sent. */
  readonly isHeavy?: true;
  /** Checks what strangers send. Undefined where it is not what the request needs: the client hears of it. */
  readonly read: (params: unknown) => Params | undefined;
  answer(params: Params, session: Session, token: CancellationToken): Promise<Answer>;
}

/** Every request of our own, one row each. */
const requests: readonly OwnRequest<unknown, unknown>[] = [
  requirementsRequest,
  upgradeRequest,
  dependenciesRequest,
  identifyRequest,
  readPurlRequest,
  lookUpPurlRequest,
  purlAtRequest,
  lineRequest,
  reportRequest,
  noticesRequest,
];

/** What they are called. */
export const ownMethods: readonly string[] = requests.map((it) => it.method);

/** Answers our own requests over the session's connection. */
export function answerRequests(session: Session): void {
  let before: Promise<unknown> = Promise.resolve();
  for (const { method, isHeavy, read, answer } of requests) {
    session.connection.onRequest(method, async (params: unknown, token: CancellationToken) => {
      if (!session.isInitialized) return new ResponseError(ErrorCodes.ServerNotInitialized, 'not initialized yet');
      const wanted = read(params);
      if (wanted === undefined) return new ResponseError(ErrorCodes.InvalidParams, `${method}: not what it needs`);
      await session.settingsKnown;
      if (!isHeavy) return answer(wanted, session, token);
      const own = before.then(() =>
        token.isCancellationRequested
          ? new ResponseError(LSPErrorCodes.RequestCancelled, `${method}: cancelled before its turn`)
          : answer(wanted, session, token),
      );
      // Its failure is its own: the next one begins all the same.
      before = own.catch(() => undefined);
      return own;
    });
  }
}
