import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CredentialError } from '../../server/src/engine/model/connection.ts';
import { readSettings } from '../../server/src/engine/settings/read.ts';
import { type Keyring, systemKeyring } from '../../server/src/platform/keyring.ts';
import { configDirectory, openSignIns } from '../../server/src/platform/sign-ins.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sign-ins-'));
after(() => rmSync(scratch, { recursive: true }));

const secret = 'opensesame-0123456789';
const here = 'https://code.example/api';

function setUp(name: string) {
  const entries = new Map<string, string>();
  let questions = 0;
  const keyring: Keyring = {
    async read(account) {
      questions++;
      return entries.get(account);
    },
    keep: async (account, given) => void entries.set(account, given),
    remove: async (account) => void entries.delete(account),
  };
  const directory = join(scratch, name);
  const open = () => openSignIns({ directory, keyring, clock: { now: () => 0 } });
  return { open, entries, directory, questions: () => questions };
}

function connectedBy(settings: object): string[] {
  return Object.entries(readSettings(settings).connections).flatMap(([name, it]) => (it.baseUrl === '' ? [] : [name]));
}

test('a credential is given for the address that it was kept for, and for no other', async () => {
  const { open, entries, questions, directory } = setUp('address');
  assert.equal(await open().credentials.read('code-host', here), undefined);
  // Without a sign-in, the keyring is not even asked.
  assert.deepEqual([questions(), existsSync(directory)], [0, false]);
  await open().keep('code-host', here, { secret });
  const later = open();
  assert.deepEqual(connectedBy(later.settings()), ['code-host']);
  assert.deepEqual(await later.credentials.read('code-host', here), { secret });
  assert.deepEqual(await later.credentials.read('code-host', 'https://CODE.example:443/api/'), { secret });
  for (const it of ['https://code.example', 'https://other.example/api', 'http://code.example/api', ''])
    assert.equal(await later.credentials.read('code-host', it), undefined, it);
  assert.equal(await later.credentials.read('token-audit', here), undefined);
  const file = join(directory, 'connections.json');
  assert.doesNotMatch(readFileSync(file, 'utf8'), /opensesame/);
  if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o077, 0);
  // A person who changes the file gets no credential for another address.
  writeFileSync(file, JSON.stringify({ codeHost: { baseUrl: 'https://other.example/api' } }));
  assert.equal(await open().credentials.read('code-host', 'https://other.example/api'), undefined);
  await later.keep('code-host', 'https://new.example', { secret: 'another' });
  assert.deepEqual([...entries.values()], ['another']);
  assert.deepEqual([await later.remove('code-host'), await later.remove('code-host')], [true, false]);
  assert.deepEqual([entries.size, connectedBy(open().settings())], [0, []]);
});

test('a file of addresses that cannot be read connects nothing, and nothing else is lifted by it', () => {
  const { open, directory } = setUp('broken');
  mkdirSync(directory);
  const file = join(directory, 'connections.json');
  for (const text of ['', '{', '[]', 'null', '{"codeHost":1}', '{"codeHost":{"baseUrl":["https://code.example"]}}']) {
    writeFileSync(file, text);
    const settings = readSettings({}, open().settings());
    assert.equal(settings.connections['code-host'].baseUrl, '', text);
    if (text !== '[]') assert.ok(settings.connections['code-host'].invalid, text);
    // The environment comes first.
    const { baseUrl, invalid } = readSettings({ connections: { codeHost: { baseUrl: here } } }, open().settings())
      .connections['code-host'];
    assert.deepEqual([baseUrl, invalid], [here, undefined], text);
  }
  writeFileSync(file, JSON.stringify({ codeHost: { baseUrl: here, dailyBudget: 9 }, offline: false, baseUrl: here }));
  assert.deepEqual(open().settings(), { connections: { codeHost: { baseUrl: here } } });
});

test('a keyring that never answers, crashes or is not installed is given up with a reason', async () => {
  const programs = {
    'did not answer within 0.5 s': 'setInterval(() => {}, 1000)',
    'cannot be used: unknown': 'process.abort()',
    'is not installed': `process.stdout.write('{"kind":"missing"}')`,
    'cannot be used: locked': `process.stdout.write('{"kind":"failed","reason":"locked"}')`,
  };
  for (const [reason, code] of Object.entries(programs)) {
    const program = join(scratch, 'keyring.mjs');
    writeFileSync(program, code);
    const keyring = systemKeyring(program, 500);
    const isClear = (error: unknown) => error instanceof CredentialError && error.message.includes(reason);
    // An answer may take longer than that where many programs run; then it is the first reason.
    const late = (error: unknown) => isClear(error) || String(error).includes('did not answer');
    await assert.rejects(keyring.read('code-host https://code.example'), late, reason);
  }
  const leaking = join(scratch, 'leaking.mjs');
  writeFileSync(
    leaking,
    `process.stdin.on('data', (it) => console.log(JSON.stringify({ kind: 'failed', reason: String(it) })))`,
  );
  await assert.rejects(
    systemKeyring(leaking, 10_000).keep('code-host', secret),
    (error) => !String(error).includes(secret),
  );
});

test('the addresses are kept where the system keeps settings of a person', () => {
  assert.equal(configDirectory({ XDG_CONFIG_HOME: '/there' }, 'linux', '/home/me'), '/there/package-insights');
  assert.equal(
    configDirectory({ XDG_CONFIG_HOME: 'relative' }, 'linux', '/home/me'),
    '/home/me/.config/package-insights',
  );
  assert.equal(configDirectory({}, 'darwin', '/Users/me'), '/Users/me/Library/Application Support/package-insights');
});
