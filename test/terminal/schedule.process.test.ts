import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import ICAL from 'ical.js';
import { nobody } from '../harness/nobody.ts';
import { folderWith, runProgram, spawnProgram } from './program.ts';

const manifest = (lodash: string): string => `{ "dependencies": { "lodash": "${lodash}", "minimist": "1.2.0" } }\n`;
const folder = folderWith({ 'app/package.json': manifest('4.17.15') });
after(() => folder.remove());
execFileSync('git', ['init', '-q'], { cwd: folder.path });

/** The addresses and the token that `serve` prints. */
const said = new Map<string, string>();
const service = spawnProgram(['serve'], folder.path);
after(() => service.kill('SIGKILL'));
for await (const line of createInterface({ input: service.stdout ?? process.stdin })) {
  const [name = '', value = ''] = line.split(' ');
  said.set(name, value);
  if (name === 'token') break;
}
const token = said.get('token') ?? '';
const environment: Record<string, string> = {
  PACKAGE_INSIGHTS_BASE_URL: said.get('insights') ?? '',
  PACKAGE_INSIGHTS_SCHEDULING_URL: said.get('scheduling') ?? '',
  PACKAGE_INSIGHTS_SCHEDULING_TOKEN: token,
  PACKAGE_INSIGHTS_CACHE_DIR: join(folder.path, 'cache'),
};

async function schedule(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const ended = await runProgram(['schedule', ...args], folder.path, { ...environment, ...more });
  assert.ok(!`${ended.out}${ended.error}`.includes(token), 'no credential in any output');
  return ended;
}

test('updates are planned, listed, exported and completed from the terminal', async () => {
  const none = await schedule(['list']);
  assert.deepEqual([none.code, none.out], [2, '']);
  assert.match(none.error, /no calendar is chosen for updates; package-insights schedule setup chooses one/);
  assert.match((await schedule(['setup', '--create'])).out, /^\* Dependency updates {2}/m);

  const dry = await schedule(['add', 'app', '--all', '--dry-run']);
  assert.equal(JSON.parse(dry.out).length, 2);
  assert.ok(!dry.out.includes(folder.path), 'no path of this machine in a request');

  const added = await schedule(['add', 'app', '--all']);
  assert.equal(added.code, 0, added.error);
  assert.match(added.out, /scheduled {2}Update lodash 4\.17\.15 → 4\.17\.21 .*\n {4}app\/package\.json:1/);

  folder.write('healthy/package.json', '{ "dependencies": { "chalk": "4.1.0" } }');
  assert.equal((await schedule(['add', 'healthy', '--all', '--dry-run'])).code, 1, 'nothing needs to move');
  const named = await schedule(['add', 'healthy', 'chalk', '--dry-run']);
  assert.equal(named.code, 0, `what is kept is not all that is known: ${named.error}`);

  const { out } = await schedule(['list', '--ics']);
  const events = new ICAL.Component(ICAL.parse(out)).getAllSubcomponents('vevent').map((it) => new ICAL.Event(it));
  assert.deepEqual(events.map((it) => it.summary).sort(), [
    'Update lodash 4.17.15 → 4.17.21',
    'Update minimist 1.2.0 → 1.2.6',
  ]);
  assert.ok(out.split('\r\n').every((it) => Buffer.byteLength(it) <= 75));

  folder.write('app/package.json', manifest('4.17.21'));
  const synced = await schedule(['sync']);
  assert.deepEqual(
    [synced.code, synced.out.includes('✓ Update lodash'), synced.out.includes('minimist')],
    [0, true, false],
  );
});

test('a calendar that is gone, a wrong credential and no connection are reported as such', async () => {
  const outcomes = await Promise.all([
    schedule(['list'], { PACKAGE_INSIGHTS_SCHEDULING_CALENDAR: 'gone@calendar.example' }),
    schedule(['setup'], { PACKAGE_INSIGHTS_SCHEDULING_TOKEN: 'wrong' }),
    schedule(['setup', '--offline']),
    schedule(['cancel', 'nothing']),
  ]);
  assert.deepEqual(
    outcomes.map((it) => [it.code, it.error.trim().replace('package-insights schedule: ', '')]),
    [
      [2, 'the calendar does not exist any more, or is not shared with you'],
      [2, 'the calendar service does not accept the credential'],
      [2, 'working offline'],
      [2, '“nothing” names no event: give a package, its purl, or the beginning of an id'],
    ],
  );
});

/** Processes, and how often all of them plan the same update at once. */
const [processes, rounds] = [
  Number(process.env['SCHEDULE_PROCESSES'] ?? 3),
  Number(process.env['SCHEDULE_ROUNDS'] ?? 4),
];

test('processes that plan the same update at once make one event', async () => {
  const adder = join(import.meta.dirname, '..', 'connected', 'scheduling', 'adder.ts');
  const env = { PATH: process.env['PATH'], ...nobody, ...environment };
  const start = (): ChildProcess =>
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', adder], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
  await schedule(['setup', '--create']);
  const all = Array.from({ length: processes }, start);
  after(() => all.forEach((it) => void it.kill('SIGKILL')));
  const lines = all.map((it) => createInterface({ input: it.stdout ?? process.stdin })[Symbol.asyncIterator]());
  for (let round = 1; round <= rounds; round++) {
    for (const it of all) it.stdin?.write(`9.0.${round}\n`);
    const said = await Promise.all(lines.map(async (it) => String((await it.next()).value)));
    assert.equal(new Set(said.map((it) => it.split(' ')[0])).size, 1, said.join(', '));
    assert.equal(said.filter((it) => it.endsWith('true')).length, 1, said.join(', '));
  }
  for (const it of all) it.stdin?.end();
  const listed = await schedule(['list', '--json']);
  const targets = JSON.parse(listed.out).flatMap((it: { updates: { target: string }[] }) => it.updates[0]?.target);
  assert.equal(targets.filter((it: string) => it.startsWith('9.0.')).length, rounds);
});
