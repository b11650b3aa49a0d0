import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { faults, forms, secret, startFaultyService } from '../harness/faulty-service.ts';
import { folderWith, runProgram } from './program.ts';

/* A credential is sent to the address that it is for, and is in nothing else, whatever the service does. */

const folder = folderWith({});
after(() => folder.remove());

const service = await startFaultyService();
after(() => service.close());

const services = ['CODE_HOST', 'LINK_SAFETY', 'TOKEN_AUDIT'];
/** One for each place of a credential: in a header, and in the query under two names. */
const commands = [
  ['call', 'code-host.rateLimit.get'],
  ['call', 'link-safety.threatLists.list'],
  ['audit', '--json', '--all-clients'],
] as const;

for (const [name, behavior] of Object.entries(faults)) {
  test(`a service that answers with “${name}” gets no credential into outputs, files or other hosts`, async () => {
    service.play(behavior);
    const cache = join(folder.path, name);
    const environment = Object.fromEntries([
      ['PACKAGE_INSIGHTS_CACHE_DIR', cache],
      ...services.flatMap((it) => [
        [`PACKAGE_INSIGHTS_${it}_URL`, service.url],
        [`PACKAGE_INSIGHTS_${it}_TOKEN`, secret],
      ]),
    ]);
    const before = service.received.length;
    const outputs = await Promise.all(commands.map((args) => runProgram(args, folder.path, environment)));
    // It was sent, so it could have leaked.
    assert.ok(service.received.slice(before).some((it) => forms.some((form) => it.includes(form))));
    const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
    assert.ok(files.some((it) => it.name.startsWith('ledger')));
    const texts: [string, string][] = [
      ...outputs.map(({ out, error }, at): [string, string] => [`output ${at}`, out + error]),
      ...files.map((it): [string, string] => [it.name, readFileSync(join(it.parentPath, it.name), 'latin1')]),
    ];
    for (const [where, text] of texts) {
      for (const form of forms) assert.equal(text.includes(form), false, `${where}: ${text.slice(0, 500)}`);
    }
    assert.deepEqual(service.elsewhere, []);
  });
}

test('the lists of connections and of their use contain no credential', async () => {
  const environment = { PACKAGE_INSIGHTS_CACHE_DIR: join(folder.path, 'echo') };
  const token = { PACKAGE_INSIGHTS_CODE_HOST_URL: 'https://code.example', PACKAGE_INSIGHTS_CODE_HOST_TOKEN: secret };
  for (const args of [['connections'], ['usage', '--format', 'json']]) {
    const { code, out, error } = await runProgram(args, folder.path, { ...environment, ...token });
    assert.equal(code, 0, error);
    for (const form of forms) assert.equal(`${out}${error}`.includes(form), false);
  }
});
