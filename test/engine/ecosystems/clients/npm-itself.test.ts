import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { npmRegistries } from '../../../../server/src/engine/ecosystems/npm/registries.ts';
import { readPictures } from '../../../harness/picture.ts';
import { configurationsOf } from './configuration.ts';
import { observe, type RealClient } from './real-client.ts';

/** The npm that runs these tests, where one does. test/tools/differential/registry-access.ts does this with all clients. */
const started = process.env['npm_execpath'];
const npm: readonly [string, ...string[]] = started?.endsWith('npm-cli.js') ? [process.execPath, started] : ['npm'];

const client: RealClient = {
  command: (name) => [...npm, 'view', name, '--fetch-retries=0', '--no-update-notifier'],
  environment: { npm_config_globalconfig: '/dev/null' },
};

test('npm itself asks the registries that its picture shows, with the same credentials', async () => {
  const [configuration] = readPictures(import.meta.dirname)
    .filter((it) => it.path === join(import.meta.dirname, 'npm.txt'))
    .flatMap(configurationsOf);
  assert.ok(configuration);
  const read = npmRegistries.accessTo(configuration.inputs);
  const compared = configuration.asked.flatMap((name) => {
    const [registry] = read({ name })?.registries ?? [];
    return registry === undefined || registry.refusal ? [] : [{ name, registry }];
  });
  assert.ok(compared.length > 5);
  await Promise.all(
    compared.map(async ({ name, registry }) => {
      const sent = await observe(client, configuration, name);
      const ours = { address: registry.address, authorization: registry.credential?.open() ?? '-' };
      assert.deepEqual(sent, ours, name);
    }),
  );
});
