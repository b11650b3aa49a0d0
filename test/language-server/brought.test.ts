import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hover } from 'vscode-languageserver';
import { startServiceForFile } from '../harness/file-service.ts';
import { catalog, manifest, onLodash } from './scratch.ts';
import { strictClient } from './strict-client.ts';

/* How many packages a dependency brings, in its hover. */

const service = await startServiceForFile(catalog);

/** A package-lock.json in which lodash requires some packages. */
function lock(required: readonly string[], locked = required): string {
  const dependencies = (names: readonly string[]) => Object.fromEntries(names.map((it) => [it, '*']));
  return JSON.stringify({
    packages: {
      '': { dependencies: { lodash: '^4.17.15' } },
      'node_modules/lodash': { version: '4.17.15', dependencies: dependencies(required) },
      ...Object.fromEntries(locked.map((it) => [`node_modules/${it}`, { version: '1.0.0' }])),
    },
  });
}

test('the hover says what the lockfile says that a dependency brings', async () => {
  const client = await strictClient({
    capabilities: { textDocument: { hover: { contentFormat: ['plaintext'] } } },
    settings: { baseUrl: service.url },
    answer: () => null,
  });
  const shown = async (folder: string, text: string | undefined): Promise<string | undefined> => {
    if (text !== undefined) await client.open(`file:///${folder}/package-lock.json`, text);
    const uri = `file:///${folder}/package.json`;
    await client.open(uri, manifest.replace('4.17.15', '^4.17.15'));
    const hover = await client.ask<Hover>('textDocument/hover', uri, { position: onLodash });
    assert.ok(typeof hover.contents === 'object' && 'value' in hover.contents);
    return /Brings .*/.exec(hover.contents.value)?.[0];
  };
  assert.equal(await shown('two', lock(['a', 'b'])), 'Brings 2 packages');
  assert.equal(await shown('one', lock(['a'])), 'Brings 1 package');
  assert.equal(await shown('no', lock([])), 'Brings no other package');
  assert.equal(await shown('partial', lock(['a', 'gone'], ['a'])), 'Brings at least 1 package');
  assert.equal(await shown('several', lock(['a', 'b', 'gone'], ['a', 'b'])), 'Brings at least 2 packages');
  assert.equal(await shown('without', undefined), undefined);
  await client.stop();
});
