import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rowsOf } from '../../../server/src/engine/model/facts.ts';
import type { AskedRegistry } from '../../../server/src/engine/model/registries/access.ts';
import { Credential } from '../../../server/src/engine/model/registries/credential.ts';
import type { RegistryQuestion } from '../../../server/src/engine/model/registries/registry-client.ts';
import { npmRegistryClient } from '../../../server/src/engine/registries/npm.ts';
import { startServiceForFile } from '../../harness/file-service.ts';
import { folderWith } from '../../terminal/program.ts';
import { npm } from '../../tools/npm.ts';
import { startVerdaccio } from '../../tools/verdaccio.ts';
import { hoverWith } from './hover.ts';

/*
 * A registry of npm that is not ours, with packages that `npm publish` itself put there, looked up by our client and by
 * the real server. Packages in `@acme` are for users alone.
 */
const registry = await startVerdaccio();
const folder = folderWith({ 'empty.npmrc': '' });
after(async () => {
  await registry?.stop();
  folder.remove();
});
const skip = registry === undefined && 'verdaccio cannot be fetched';
const token = registry === undefined ? '' : await registry.user('anna', 'pass-word-1');
const host = registry === undefined ? '' : new URL(registry.url).host;

if (registry) {
  folder.write('publisher.npmrc', `registry=${registry.url}/\n//${host}/:_authToken=${token}\n`);
  const as = [`--userconfig=${folder.path}/publisher.npmrc`, '--no-update-notifier'];
  const publish = async (manifest: { readonly name: string; readonly version: string }, ...more: string[]) => {
    const name = `${manifest.name.replace('/', '+')}-${manifest.version}`;
    folder.write(`${name}/package.json`, JSON.stringify(manifest));
    await npm(['publish', ...as, ...more], `${folder.path}/${name}`);
  };
  const links = {
    repository: 'https://git.acme.example/core.git',
    homepage: 'https://acme.example/core',
    bugs: 'https://git.acme.example/core/issues',
  };
  await publish({ name: '@acme/core', version: '1.0.0', ...{ license: 'MIT' } });
  await publish({ name: '@acme/core', version: '1.1.0', ...{ license: 'Apache-2.0', ...links } });
  await publish({ name: '@acme/core', version: '2.0.0-rc.1', ...{ license: 'SEE LICENSE IN eula.txt' } }, '--tag=next');
  await publish({ name: 'open-acme', version: '0.1.0', ...{ licenses: [{ type: 'MIT' }, { type: 'ISC' }] } });
  await npm(['deprecate', '@acme/core@1.0.0', 'use 1.1', ...as], folder.path);
}

function question(name: string, credential?: Credential): RegistryQuestion {
  const asked: AskedRegistry = { protocol: 'npm', address: registry?.url ?? '', from: '~/.npmrc', namedBy: 'machine' };
  return {
    registry: { ...asked, ...(credential && { credential }) },
    name,
    async send({ url, accept = '*/*' }) {
      const authorization = credential?.open();
      const reply = await fetch(url, { headers: { accept, ...(authorization !== undefined && { authorization }) } });
      return { kind: 'reply', status: reply.status, headers: {}, text: await reply.text(), url: reply.url };
    },
  };
}

const bearer = (value: string): Credential => new Credential({ kind: 'bearer', token: value }, '~/.npmrc');

test('a published package is found with its versions, times, licenses, tags and deprecation', { skip }, async () => {
  const answer = await npmRegistryClient.list(question('@acme/core', bearer(token)));
  assert.equal(answer.kind, 'found');
  const { facts, version } = answer.value;
  assert.deepEqual(
    rowsOf(facts.versions).map((it) => [it.version, it.isDefault, it.isDeprecated]),
    [
      ['1.0.0', false, true],
      ['1.1.0', true, false],
      ['2.0.0-rc.1', false, false],
    ],
  );
  assert.ok(rowsOf(facts.versions).every((it) => it.publishedAt !== undefined && it.publishedAt <= Date.now()));
  assert.equal(version('1.0.0')?.deprecatedReason, 'use 1.1');
  assert.deepEqual(version('1.1.0')?.licenses, ['Apache-2.0']);
  assert.deepEqual(version('2.0.0-rc.1')?.licenses, ['non-standard']);
  assert.deepEqual(version('1.1.0')?.links, [
    { label: 'SOURCE_REPO', url: 'https://git.acme.example/core.git' },
    { label: 'HOMEPAGE', url: 'https://acme.example/core' },
    { label: 'ISSUE_TRACKER', url: 'https://git.acme.example/core/issues' },
  ]);
});

test('the registry tells apart who asks', { skip }, async () => {
  const basic = new Credential({ kind: 'basic', user: 'anna', password: 'pass-word-1' }, '~/.npmrc');
  assert.equal((await npmRegistryClient.list(question('@acme/core', basic))).kind, 'found');
  assert.equal((await npmRegistryClient.list(question('@acme/core', bearer('wrong')))).kind, 'denied');
  assert.equal((await npmRegistryClient.list(question('@acme/core'))).kind, 'denied');
  assert.equal((await npmRegistryClient.list(question('@acme/none', bearer(token)))).kind, 'absent');
  const open = await npmRegistryClient.list(question('open-acme'));
  assert.equal(open.kind, 'found');
  assert.deepEqual(open.value.version('0.1.0')?.licenses, ['MIT', 'ISC']);
});

test('the server shows what the registry has, with the token of the person alone', { skip }, async () => {
  const service = await startServiceForFile({ 'NPM lodash': { versions: ['4.17.21'] } });
  const text = '{ "dependencies": { "@acme/core": "1.0.0" } }';
  const shownWith = (npmrc: string): Promise<string> => hoverWith(npmrc, text, 'acme', service.url);
  const registered = `@acme:registry=${registry?.url}/\n`;
  const known = await shownWith(`${registered}//${host}/:_authToken=${token}\n`);
  assert.match(known, /License MIT/);
  assert.match(known, /use 1\.1/);
  assert.doesNotMatch(known, new RegExp(token.slice(0, 20).replace(/[^\w]/g, '.')));
  assert.match(await shownWith(registered), /requires a credential, and none was found/);
  const wrong = await shownWith(`${registered}//${host}/:_authToken=wrong\n`);
  assert.match(wrong, /does not accept the credential in ~.\.npmrc/);
  for (const { path, body } of service.requests) assert.doesNotMatch(decodeURIComponent(path + body), /acme/);
});
