import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText } from '../client/src/escape.ts';

/** What VS Code makes a link of in a message, and a picture of in a list. Source: its linkedText.ts and iconLabels.ts. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const icon = /\$\([a-z0-9-]+(?:~[a-z]+)?\)/i;

test('a text of strangers is neither a link, nor a picture, nor turned around', () => {
  const names = [
    '[open](command:workbench.action.closeWindow).jar',
    '[a](https://a.example)',
    '$(check) safe',
    '\u202egpj.jar',
  ];
  for (const it of names) {
    assert.ok(link.test(it) || icon.test(it) || /\u202e/.test(it), it);
    const shown = plainText(`Identifying ${it}`);
    assert.ok(!link.test(shown) && !icon.test(shown) && !/\u202e/.test(shown), shown);
  }
  assert.equal(plainText('lodash 4.17.21 · (MIT OR Apache-2.0) [x]'), 'lodash 4.17.21 · (MIT OR Apache-2.0) [x]');
});
