import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProxyAuthProbe, type UsableProxyDecision } from '../../../server/src/engine/http/proxy.ts';

const decision: UsableProxyDecision = { kind: 'proxy', origin: 'http://proxy.example:3128', authorization: 'Basic x' };

type Answer = { readonly kind: 'received' | 'failure' | 'aborted'; readonly of?: string };

/** Requests by name, each of which ends when the test says so. */
function make() {
  const authProbe = createProxyAuthProbe<Answer>();
  const sent: string[] = [];
  const ends = new Map<string, (answer: Answer) => void>();
  const answers: string[] = [];
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    authProbe,
    sent,
    answers,
    async send(name: string, by: UsableProxyDecision = decision) {
      const go = (): Promise<Answer> => {
        sent.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      };
      authProbe.send(by, go).then(({ kind, of }) => answers.push(`${name}: ${kind}${of ? ` of ${of}` : ''}`));
      await turn();
    },
    async end(name: string, kind: Answer['kind']) {
      ends.get(name)?.({ kind, of: name });
      await turn();
    },
  };
}

test('the first goes alone, and with its answer all others', async () => {
  const { sent, send, end } = make();
  for (const name of ['a', 'b', 'c']) await send(name);
  assert.deepEqual(sent, ['a']);
  await end('a', 'received');
  assert.deepEqual(sent, ['a', 'b', 'c']);
  await send('d');
  assert.deepEqual(sent, ['a', 'b', 'c', 'd']);
});

test('waiting requests fail with the first rejected one, and a later one is tried again', async () => {
  const { sent, answers, send, end } = make();
  for (const name of ['a', 'b', 'c']) await send(name);
  await end('a', 'failure');
  assert.deepEqual(sent, ['a']);
  assert.deepEqual(answers.sort(), ['a: failure of a', 'b: failure of a', 'c: failure of a']);
  await send('d');
  assert.deepEqual(sent, ['a', 'd']);
});

test('where the first is given up, the next goes alone', async () => {
  const { sent, answers, send, end } = make();
  for (const name of ['a', 'b', 'c']) await send(name);
  await end('a', 'aborted');
  assert.deepEqual(sent, ['a', 'b']);
  assert.deepEqual(answers, ['a: aborted of a']);
});

test('once the credentials were taken, all go, and what the first fails for is its own affair', async () => {
  const { authProbe, sent, answers, send, end } = make();
  for (const name of ['a', 'b']) await send(name);
  authProbe.onAuthorized(decision);
  await send('c');
  assert.deepEqual(sent, ['a', 'b', 'c']);
  await end('a', 'failure');
  assert.deepEqual(answers, ['a: failure of a']);
  await send('d');
  assert.deepEqual(sent.at(-1), 'd');
});

test('requests without credentials, or with others, do not wait', async () => {
  const { sent, send } = make();
  await send('a');
  for (const name of ['b', 'c']) await send(name, { kind: 'proxy', origin: 'http://proxy.example:3128' });
  for (const name of ['d', 'e']) await send(name, { kind: 'direct' });
  await send('f', { ...decision, authorization: 'Basic y' });
  assert.deepEqual(sent, ['a', 'b', 'c', 'd', 'e', 'f']);
});
