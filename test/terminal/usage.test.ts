import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { WholeTerminal } from '../../server/src/bin/commands.ts';
import { readUsage } from '../../server/src/bin/user-ledger.ts';
import { openLedger } from '../../server/src/connected/ledger/ledger.ts';
import { exportOf, readExport, writers } from '../../server/src/connected/ledger/usage-export.ts';
import { fakeClock } from '../harness/fake-clock.ts';
import { type Ended, folderWith } from './program.ts';
import { runHere } from './terminal.ts';

const folder = folderWith({ 'notes.txt': 'no ledger', 'damaged.binpb': 'no export' });
after(() => folder.remove());

const [first, second] = [Date.UTC(2026, 10, 22, 12), Date.UTC(2026, 10, 23, 12)];
const { ledger } = openLedger({ directory: folder.path, clock: fakeClock(second) });
for (let count = 0; count < 12; count++) {
  ledger.charge({
    service: 'scheduling',
    at: second,
    isSecure: true,
    sent: 30,
    received: 1000,
    latency: 350,
    units: 3,
  });
}
ledger.charge({ service: 'insights', at: first, isSecure: false, sent: 0, received: 7_654_321, latency: 35, units: 1 });
ledger.chargeKept({ service: 'insights', at: second, received: 5000 });
ledger.close();

function usage(args: string, given: Partial<WholeTerminal> = {}): Promise<Ended> {
  return runHere(['usage', ...args.split(' ').filter(Boolean)], folder.path, { usage: readUsage, ...given });
}

test('the table has a line for each day and service', async () => {
  assert.deepEqual(await usage('--ledger .'), {
    code: 0,
    error: '',
    out: `\
Day         Service     Requests   Sent  Received   Time  Units  Kept answers
2026-11-22  insights           1    0 B      7 MB  35 ms      1             0
2026-11-23  insights           0    0 B       0 B   0 ms      0             1
2026-11-23  scheduling        12  360 B     12 kB    4 s     36             0
`,
  });
});

test('only the days between two days are shown, both included', async () => {
  const days = async (args: string) =>
    [...(await usage(`--ledger ledger-1.sqlite ${args}`)).out.matchAll(/^2026-\S+/gm)].map(([day]) => day);
  assert.deepEqual(await days('--since 2026-11-23'), ['2026-11-23', '2026-11-23']);
  assert.deepEqual(await days('--until 2026-11-22'), ['2026-11-22']);
  assert.deepEqual(await days('--since 2026-11-22 --until 2026-11-23'), ['2026-11-22', '2026-11-23', '2026-11-23']);
  const none = await usage('--ledger . --since 2026-11-24');
  assert.deepEqual(none, { code: 0, out: 'No requests were counted.\n', error: '' });
});

test('CSV has every quantity with its number and name', async () => {
  const { out } = await usage('--ledger . --since 2026-11-23 --format csv');
  assert.equal(
    out,
    `\
day,service,kind,id,name,amount
2026-11-23,insights,usage,45,MEMCACHE_CALL_COUNT,1
2026-11-23,insights,usage,47,MEMCACHE_BYTES_RECEIVED,5000
2026-11-23,scheduling,usage,5,LATENCY_MS,4200
2026-11-23,scheduling,usage,8,URLFETCH_SERVICE_CALL_COUNT,12
2026-11-23,scheduling,usage,13,URLFETCH_SERVICE_BYTES_SENT,360
2026-11-23,scheduling,usage,14,URLFETCH_SERVICE_BYTES_RECEIVED,12000
2026-11-23,scheduling,usage,67,HTTPS_REQUESTS,12
2026-11-23,scheduling,action,15,URLFETCH_SERVICE_FETCH,12
2026-11-23,scheduling,action,16,URLFETCH_SERVICE_FETCH_DONE,12
2026-11-23,scheduling,units,,,36
`,
  );
});

test('JSON and text are the formats of protobuf', async () => {
  const json = JSON.parse((await usage('--ledger . --since 2026-11-23 --format json')).out);
  assert.deepEqual(json.days[0], {
    day: '2026-11-23',
    service: 'insights',
    usage: [
      { id: 'MEMCACHE_CALL_COUNT', amount: '1' },
      { id: 'MEMCACHE_BYTES_RECEIVED', amount: '5000' },
    ],
    units: '0',
  });
  const { out } = await usage('--ledger . --until 2026-11-22 --format text');
  assert.match(
    out,
    /^days: \{\n {2}day: "2026-11-22"\n {2}service: "insights"\n {2}usage: \{\n {4}id: HTTP_REQUESTS\n/,
  );
});

test('a binary export is read back as it was, unknown numbers included', async () => {
  assert.deepEqual(await usage('--ledger . --format binary --output usage.binpb'), { code: 0, out: '', error: '' });
  assert.equal((await usage('--read usage.binpb')).out, (await usage('--ledger .')).out);
  assert.equal((await usage('--read usage.binpb --format json')).out, (await usage('--ledger . --format json')).out);

  const strange = {
    day: '2026-11-23',
    service: '=cmd|"x",1',
    usage: new Map([
      [8, 2n],
      [999, 2n ** 62n],
    ]),
    actions: new Map([[888, 1n]]),
    units: 0n,
  };
  folder.write('strange.binpb', writers.binary(exportOf([strange], [{ service: 'scheduling', perDay: 500 }])));
  await usage('--read strange.binpb --format binary --output again.binpb');
  const [before, again] = ['strange.binpb', 'again.binpb'].map((it) => readFileSync(join(folder.path, it)));
  assert.deepEqual(again, before);
  assert.equal(readExport(again ?? new Uint8Array()).budgets.length, 1);
  assert.match(
    (await usage('--read strange.binpb')).out,
    /2 +0 B[^\n]*\n\nQuantities that have no column, see --format csv: 1\n$/,
  );
  assert.equal(
    (await usage('--read strange.binpb --format csv')).out,
    `\
day,service,kind,id,name,amount
2026-11-23,"'=cmd|""x"",1",usage,8,URLFETCH_SERVICE_CALL_COUNT,2
2026-11-23,"'=cmd|""x"",1",usage,999,,4611686018427387904
2026-11-23,"'=cmd|""x"",1",action,888,,1
`,
  );
});

test('an export from elsewhere does not control the terminal', async () => {
  const day = {
    day: '\u001b[2J',
    service: ' =1\u009b\u202e\nx',
    usage: new Map([[8, 1n]]),
    actions: new Map(),
    units: 0n,
  };
  folder.write('hostile.binpb', writers.binary(exportOf([day], [])));
  for (const format of ['table', 'csv', 'json', 'text']) {
    const { out } = await usage(`--read hostile.binpb --format ${format}`);
    assert.match(out, /=1/, format);
    assert.match(out, /^[\P{C}\n]*$/u, format);
  }
});

test('the budgets of connected services are exported as overrides', async () => {
  const settings: WholeTerminal['settings'] = () => {
    const off = { baseUrl: '', dailyBudget: 0 };
    const scheduling = { baseUrl: 'https://calendar.example', dailyBudget: 100 };
    const connections = { 'code-host': off, 'link-safety': off, scheduling, deployments: off, 'token-audit': off };
    return { connections } as unknown as ReturnType<WholeTerminal['settings']>;
  };
  const { out } = await usage('--ledger . --format json', { settings });
  assert.deepEqual(JSON.parse(out).budgets, [
    {
      service: 'scheduling',
      limit: {
        quotaUsageId: 'URLFETCH_SERVICE_CALL_COUNT',
        bucketSize: '100',
        overridePolicy: 'OVERRIDE_IF_GREATER_ALWAYS',
      },
    },
  ]);
});

const mistakes: Readonly<Record<string, string>> = {
  '--since yesterday': '--since requires a day such as 2026-11-01, not “yesterday”',
  '--until 2026-02-30': '--until requires a day such as 2026-11-01, not “2026-02-30”',
  '--since 2026-11-02 --until 2026-11-01': '--since is later than --until',
  '--format binary': 'the format “binary” requires --output',
  '--ledger . --read usage.binpb': '--ledger and --read exclude each other',
  '--ledger missing': 'missing cannot be read: no such file or folder',
  '--ledger notes.txt': 'notes.txt cannot be read: file is not a database',
  '--read missing.binpb': 'missing.binpb cannot be read: no such file or folder',
  '--read damaged.binpb': 'damaged.binpb is no export of usage: ',
};

for (const [args, said] of Object.entries(mistakes)) {
  test(`usage ${args} fails: ${said}`, async () => {
    const { code, out, error } = await usage(args);
    assert.equal(code, 2);
    assert.equal(out, '');
    assert.ok(error.startsWith(`package-insights usage: ${said}`), error);
  });
}

test('a machine without a ledger has counted nothing', async () => {
  const empty = folderWith({});
  after(() => empty.remove());
  const { out, code } = await runHere(['usage', '--ledger', empty.path], empty.path, { usage: readUsage });
  assert.deepEqual({ out, code }, { out: 'No requests were counted.\n', code: 0 });
  // A process that was killed just after it had created the file.
  empty.write('ledger-1.sqlite', '');
  const later = await runHere(['usage', '--ledger', empty.path], empty.path, { usage: readUsage });
  assert.deepEqual([later.out, later.code], [out, code]);
});

test('without SQLite the usage cannot be read, and the command says so', async (t) => {
  t.mock.method(process, 'getBuiltinModule', () => undefined);
  const { code, error } = await usage('');
  assert.equal(code, 2);
  assert.match(error, /^package-insights usage: the usage cannot be read: this Node has no SQLite/);
});
