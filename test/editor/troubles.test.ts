import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logFailures } from '../../server/src/editor/publish/status.ts';
import type { ServerState } from '../../server/src/editor/state/server-state.ts';

/** A log, and how documents stand: why each could not be asked about, and whether something of it was answered. */
function setUp() {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const client = { loggedFailures: new Set(), connection: { console: { warn: say, info: say } } };
  const server = { client, settings: { current: {} } };
  return {
    lines,
    tell: (...documents: readonly (readonly [reasons: readonly string[], isAnswered: boolean])[]) =>
      logFailures(
        server as unknown as ServerState,
        documents.map(([reasons, isAnswered]) => ({ failures: new Set(reasons), isAnswered })),
      ),
  };
}

test('the log does not say that the service answers again while some requests still fail', () => {
  const { lines, tell } = setUp();
  tell([['connection refused'], false]);
  tell([['connection refused'], false], [[], true]);
  assert.deepEqual(lines, ['lookups failed: connection refused']);
  tell([[], true], [[], true]);
  assert.deepEqual(lines.slice(1), ['the service answers again']);
});

test('of reasons that are worded anew each time the log tells five', () => {
  const { lines, tell } = setUp();
  for (let at = 0; at < 10; at++) tell([[`reason ${at}`], false]);
  assert.equal(lines.length, 5);
});
