import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { folderWith, runProgram, spawnProgram } from './program.ts';

const folder = folderWith({
  'repositories.json': JSON.stringify([{ id: 1, fullName: 'acme/old', archived: true, license: 'MIT' }]),
  'unsafe.jsonl': '{"list": "MALWARE", "url": "http://unsafe.example/download"}\n',
});
after(() => folder.remove());

/** The addresses and the token that `serve` prints. */
const said = new Map<string, string>();
const child = spawnProgram(
  ['serve', '--repositories', 'repositories.json', '--unsafe-links', 'unsafe.jsonl', '--state', 'state'],
  folder.path,
);
after(() => child.kill('SIGKILL'));
let out = '';
for await (const it of child.stdout?.setEncoding('utf8').iterator({ destroyOnReturn: false }) ?? []) {
  out += it;
  if (/^token .*$/m.test(out)) break;
}
for (const line of out.split('\n')) {
  const [name = '', value = ''] = line.split(' ');
  said.set(name, value);
}

const names = ['insights', 'code-host', 'link-safety', 'token-audit'];
const environment: Record<string, string> = { PACKAGE_INSIGHTS_CACHE_DIR: `${folder.path}/cache` };
for (const name of names.slice(1)) {
  const variable = `PACKAGE_INSIGHTS_${name.toUpperCase().replaceAll('-', '_')}`;
  environment[`${variable}_URL`] = said.get(name) ?? '';
  environment[`${variable}_TOKEN`] = said.get('token') ?? '';
}

test('serve prints one line a service with its address, and its token', () => {
  for (const name of names) assert.match(said.get(name) ?? '', /^http:\/\/127\.0\.0\.1:\d+/, name);
  assert.match(said.get('token') ?? '', /^[\w-]{24}$/);
});

test('each service is called with the token, and refuses another', async () => {
  const call = (args: readonly string[], more: Record<string, string> = {}) =>
    runProgram(['call', ...args], folder.path, { ...environment, ...more });
  const limits = await call(['code-host.rateLimit.get']);
  assert.equal(JSON.parse(limits.out).rate.limit, 5000, limits.error);
  const lists = await call(['link-safety.threatLists.list']);
  assert.match(lists.out, /MALWARE/, lists.error);
  const wrong = { PACKAGE_INSIGHTS_CODE_HOST_TOKEN: 'wrong', PACKAGE_INSIGHTS_LINK_SAFETY_TOKEN: 'wrong' };
  for (const id of ['code-host.rateLimit.get', 'link-safety.threatLists.list'])
    assert.equal((await call([id], wrong)).code, 2, id);
});

test('the audit lists the calls that were served, and tells which ones this machine did not count', async () => {
  const own = await runProgram(['audit', '--json'], folder.path, environment);
  const events: readonly { readonly api: string; readonly isFromThisMachine: boolean }[] = JSON.parse(own.out);
  assert.deepEqual([...new Set(events.map((it) => it.api))].sort(), ['code-host', 'link-safety']);
  assert.equal(
    events.every((it) => it.isFromThisMachine),
    true,
    own.out,
  );
  assert.equal(own.code, 0, own.error);
  const elsewhere = { ...environment, PACKAGE_INSIGHTS_CACHE_DIR: `${folder.path}/other` };
  const other = await runProgram(['audit'], folder.path, elsewhere);
  assert.equal(other.code, 1);
  assert.match(
    other.out,
    /package-insights called GET \/github\.com\/rate_limit on behalf of .*not from this machine, code-host/,
  );
});

test('the use of connections is listed with their budgets, and no output or file holds the token', async () => {
  const { out } = await runProgram(['connections'], folder.path, environment);
  assert.match(out, /^code-host: 127\.0\.0\.1:\d+, [1-9]\d* of 2000 requests today, with a credential$/m);
  assert.equal(out.includes(said.get('token') ?? '?'), false);
});

test('a request under the name of another site is refused', async () => {
  const url = new URL(said.get('insights') ?? '');
  for (const path of ['/v3alpha/systems/npm/packages/lodash', '/code-host/github.com/rate_limit']) {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request({ host: url.hostname, port: url.port, path, headers: { host: 'attacker.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    assert.equal(status, 421, path);
  }
});

test('a report names the connected services with their use', async () => {
  folder.write('package.json', '{ "dependencies": { "lodash": "4.17.21" } }');
  const args = ['check', 'package.json', '--base-url', said.get('insights') ?? ''];
  const { out } = await runProgram([...args, '--format', 'json'], folder.path, environment);
  const { connections } = JSON.parse(out);
  assert.deepEqual(
    connections.map((it: { readonly name: string }) => it.name),
    names.slice(1),
  );
  const page = await runProgram([...args, '--format', 'html'], folder.path, environment);
  assert.match(page.out, /link-safety: 127\.0\.0\.1:\d+, \d+ of 2000 requests today, with a credential/);
  assert.equal(`${out}${page.out}`.includes(said.get('token') ?? '?'), false);
});

test('a list of repositories with values of another kind is refused when it is read', async () => {
  const rows = [
    { fullName: ['acme/old'] },
    { formerNames: 'acme/new' },
    { formerNames: [1] },
    { license: {} },
    { id: 0.5 },
  ];
  for (const row of rows) {
    const odd = folderWith({ 'r.json': JSON.stringify([{ id: 1, fullName: 'acme/old', ...row }]) });
    const { code, error } = await runProgram(['serve', '--repositories', 'r.json'], odd.path, {});
    odd.remove();
    assert.equal(code, 2, JSON.stringify(row));
    assert.match(error, /is no list of repositories/);
  }
});
