import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { faults, forms, secret, startFaultyService } from '../harness/faulty-service.ts';
import { type Ended, folderWith, runScript } from './program.ts';

/* A credential is sent to the address that it is for, and is in nothing else, whatever the service does. */

const folder = folderWith({ 'package.json': '{"dependencies": {"lodash": "4.17.15"}}' });
const service = await startFaultyService();
after(() => {
  service.close();
  folder.remove();
});

const names = Object.keys(faults);
const services = ['CODE_HOST', 'LINK_SAFETY', 'SCHEDULING', 'DEPLOYMENTS', 'TOKEN_AUDIT'];
/** One for each service, whose credential is in a header, or in the query under two names. */
const commands = [
  ['call', 'code-host.rateLimit.get'],
  ['call', 'link-safety.threatLists.list'],
  ['schedule', 'list'],
  ['call', 'deployments.types.list', '--project', 'demo', '--all'],
  ['audit', '--json', '--all-clients'],
];
const exports = [['connections', '--json'], ...['json', 'text', 'csv'].map((it) => ['usage', '--format', it])];

let ended: Ended;
before(async () => {
  // Each fault has an address of its own, so that a wait that one requests does not stop the others.
  service.play((request, response) => {
    const [, , at = ''] = request.url?.split('/') ?? [];
    faults[names[Number(at)] ?? '']?.(request, response);
  });
  const environmentAt = (at: number): Record<string, string> => ({
    PACKAGE_INSIGHTS_SCHEDULING_CALENDAR: 'primary',
    ...Object.fromEntries(
      services.flatMap((it) => [
        [`PACKAGE_INSIGHTS_${it}_URL`, `${service.url}/${at}`],
        [`PACKAGE_INSIGHTS_${it}_TOKEN`, secret],
      ]),
    ),
  });
  const runs = names.map((name, at) => ({ name, environment: environmentAt(at), commands: [...commands, ...exports] }));
  const cache = join(folder.path, 'cache');
  ended = await runScript(join(import.meta.dirname, 'many-runs.ts'), [JSON.stringify(runs)], folder.path, {
    PACKAGE_INSIGHTS_CACHE_DIR: cache,
  });
});

for (const [at, name] of names.entries()) {
  test(`a service that answers with “${name}” gets the credential, and no output repeats it`, () => {
    const got = service.received.filter((it) => it.includes(`/api/${at}/`) && forms.some((form) => it.includes(form)));
    assert.ok(got.length >= services.length, `${got.length} requests with a credential\n${ended.error}`);
    const out = ended.out.split('--- ').find((it) => it.startsWith(`${name}\n`)) ?? assert.fail(ended.error);
    for (const form of forms) assert.equal(out.includes(form), false, out.slice(0, 500));
  });
}

test('no error, file or other host gets a credential', () => {
  const files = readdirSync(folder.path, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
  assert.ok(files.some((it) => it.name.startsWith('ledger')));
  for (const form of forms) {
    assert.equal(ended.error.includes(form), false, ended.error.slice(0, 500));
    for (const { parentPath, name } of files)
      assert.equal(readFileSync(join(parentPath, name), 'latin1').includes(form), false, name);
  }
  assert.deepEqual(service.elsewhere, []);
});
