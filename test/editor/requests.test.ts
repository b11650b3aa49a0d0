import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerRequests } from '../../server/src/editor/requests/index.ts';
import type { ServerState } from '../../server/src/editor/state/server-state.ts';

type Handler = (params: unknown, token: unknown) => Promise<unknown>;

test('a failed report does not prevent the next one', async () => {
  const handlers = new Map<string, Handler>();
  const states = ['broken', 'none'];
  const server = {
    client: {
      isInitialized: true,
      connection: { onRequest: (method: string, handler: Handler) => handlers.set(method, handler) },
    },
    settings: {},
    engine: {},
    folders: {
      get all() {
        if (states.shift() === 'broken') throw new Error('broken');
        return [];
      },
    },
  };
  answerRequests(server as unknown as ServerState);
  const ask = (): Promise<unknown> | undefined =>
    handlers.get('packageInsights/report')?.({}, { isCancellationRequested: false });
  const [first, second] = [ask(), ask()];
  await assert.rejects(first ?? Promise.resolve(), /broken/);
  assert.equal(await second, null);
});
