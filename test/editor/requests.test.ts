import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerRequests } from '../../server/src/editor/requests/index.ts';
import type { Session } from '../../server/src/editor/session.ts';

type Handler = (params: unknown, token: unknown) => Promise<unknown>;

test('a failed report does not prevent the next one', async () => {
  const handlers = new Map<string, Handler>();
  const session = {
    isInitialized: true,
    connection: { onRequest: (method: string, handler: Handler) => handlers.set(method, handler) },
    states: ['broken', 'none'],
    get folders() {
      if (this.states.shift() === 'broken') throw new Error('broken');
      return [];
    },
  };
  answerRequests(session as unknown as Session);
  const ask = (): Promise<unknown> | undefined =>
    handlers.get('packageInsights/report')?.({}, { isCancellationRequested: false });
  const [first, second] = [ask(), ask()];
  await assert.rejects(first ?? Promise.resolve(), /broken/);
  assert.equal(await second, null);
});
