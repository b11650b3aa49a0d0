import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CancellationToken } from 'vscode-languageserver';
import { dispatch } from '../../server/src/editor/dispatch.ts';
import type { Feature } from '../../server/src/editor/features/feature.ts';
import type { ServerState } from '../../server/src/editor/state/server-state.ts';
import { Workspace } from '../../server/src/engine/analysis/workspace.ts';
import { positionsIn } from '../../server/src/engine/formats/text/positions.ts';
import { isPending } from '../../server/src/engine/model/evaluated-dependency.ts';
import type { Insight } from '../../server/src/engine/model/facts.ts';
import type { ConnectedInsights, Wanted } from '../../server/src/engine/model/ports.ts';
import { readSettings } from '../../server/src/engine/settings/read.ts';

const uri = 'file:///w/package.json';
const text = '{ "dependencies": { "a": "1.0.0", "b": "1.0.0", "c": "1.0.0", "d": "1.0.0" } }';
const list: Wanted = { kind: 'package', key: { system: 'NPM', name: 'a' } };
const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };

/** A document, features that ask about it, and what these say to the insights. */
function setUp() {
  const said: string[] = [];
  let known: Insight<never> = { state: 'pending' };
  let now = 0;
  const insights = {
    version: () => known,
    package: () => known,
    request: (owner: string, wanted: readonly Wanted[]) => {
      if (owner !== uri) said.push(`${owner} wants ${wanted.length}`);
    },
    requestAlso: () => {},
    release: (owner: string) => void said.push(`${owner} wants nothing more`),
    prioritize: (_: string, packages: ReadonlySet<string>) => void said.push(`${packages.size} in view`),
    whenSettled: async () => {
      known = { state: 'unknown', at: 0 };
    },
    revision: () => (known.state === 'pending' ? 0 : 1),
  } as Partial<ConnectedInsights> as ConnectedInsights;
  const files = { read: async () => undefined, find: async () => [] };
  const workspace = new Workspace(files, insights, () => readSettings({}), { now: () => 0, isTrusted: () => true });
  workspace.update({ uri, version: 1, text });
  const server = {
    client: { log: (_: string, error: unknown) => assert.fail(String(error)) },
    settings: { known: Promise.resolve() },
    engine: {
      workspace,
      insights,
      clock: { now: () => ++now, after: () => () => {} },
      contextFor: () => ({ positions: () => positionsIn(text, 'utf-16') }),
    },
  } as unknown as ServerState;
  return {
    said,
    async ask(feature: Partial<Feature<null, string>>): Promise<string> {
      const whole: Feature<null, string> = {
        method: 'textDocument/hover',
        patience: 800,
        uri: () => uri,
        emptyAnswer: () => 'nothing',
        answer: () => 'answer',
        ...feature,
      };
      return dispatch(whole, server)(null, token as Partial<CancellationToken> as CancellationToken);
    },
  };
}

test('what only an answer needed is not wanted any more once it is there', async () => {
  const { said, ask } = setUp();
  assert.equal(await ask({ neededFacts: () => [list] }), 'answer');
  assert.deepEqual(said, ['textDocument/hover wants 1', 'textDocument/hover wants nothing more']);
});

test('what is in view goes first', async () => {
  const { said, ask } = setUp();
  const end = text.indexOf('"c"');
  assert.equal(await ask({ inView: () => ({ start: 0, end }) }), 'answer');
  assert.equal(await ask({ inView: () => ({ start: 0, end: text.length }) }), 'answer');
  assert.deepEqual(said, ['2 in view', '4 in view']);
});

test('who waits for facts is answered with them', async () => {
  const { ask } = setUp();
  const answer = await ask({
    awaitedFacts: ({ dependencies }) => (dependencies.some(isPending) ? 'all' : undefined),
    answer: (snapshot) => (snapshot.dependencies.some(isPending) ? 'pending' : 'known'),
  });
  assert.equal(answer, 'known');
});
