import assert from 'node:assert/strict';
import { test } from 'node:test';
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
