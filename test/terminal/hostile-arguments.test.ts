import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CachedService } from '../../server/src/engine/model/cached-answers.ts';
import { runHere } from './terminal.ts';

/** Sets the title of a terminal, and turns the direction of writing. */
const orders = '\u001b]0;owned\u0007\u202e';

test('names on the command line, of a hook for example, give no orders to the terminal', async () => {
  const lines = [
    [orders],
    ['check', orders],
    ['check', `${orders}.txt`],
    ['check', '--format', orders],
    ['check', `--${orders}`],
    ['check', '--base-url', `http://${orders}`],
    ['check', '--config', orders],
    ['check', '--baseline', orders],
    ['identify', orders],
    ['lookup', orders],
  ];
  for (const it of lines) {
    const { code, out, error } = await runHere(it, import.meta.dirname);
    assert.equal(code, 2, it.join(' '));
    assert.doesNotMatch(out + error, /(?!\n)[\p{Cc}\p{Cf}]/u, it.join(' '));
  }
});

test('a file of kept answers that was carried here gives none, either, whatever times it holds', async () => {
  const nothing = () => undefined;
  const facts = {
    version: nothing,
    package: nothing,
    advisory: nothing,
    requirements: nothing,
    project: nothing,
    similar: nothing,
    query: nothing,
    isUnknown: () => false,
  };
  const counts = { packages: 1, versions: 1, advisories: 1, since: 9e15, until: Number.NaN };
  const kept: CachedService = { baseUrl: `http://${orders}`, ...counts, ...facts };
  const given = { cachedServices: async () => [kept], ended: Promise.resolve() };
  const { code, out, error } = await runHere(['serve', '--from-cache', 'carried'], import.meta.dirname, given);
  assert.equal(code, 0);
  assert.match(out, /^packages: 1, .*\nlistening on /);
  assert.doesNotMatch(out + error, /(?!\n)[\p{Cc}\p{Cf}]/u);
});
