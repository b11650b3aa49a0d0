import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import ICAL from 'ical.js';
import type { ConnectedServices } from '../../server/src/connected/model/connected-services.ts';
import type { PlannedEvent } from '../../server/src/connected/model/scheduling/planned.ts';
import { calendarFile } from '../../server/src/connected/terminal/schedule/calendar-file.ts';
import { ends, monday, setUp } from '../connected/scheduling/setup.ts';
import { type StartedService, startService } from '../harness/service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

let packages: StartedService;
before(async () => {
  packages = await startService({
    'NPM lodash': { versions: ['4.17.15', '4.17.21'] },
    'NPM old': { versions: { '1.0.0': { deprecated: 'use\nnew' }, '1.0.1': {}, '2.0.0': { isDefault: true } } },
    'NPM fine': { versions: { '1.0.0': {}, '1.2.0': { isDefault: true } } },
    'NPM newest': { versions: ['1.0.0'] },
    'advisory GHSA-p6mc-m468-83gw': {
      cvss3Score: 7.4,
      affected: [{ system: 'NPM', name: 'lodash', ranges: [{ introduced: '0', fixed: '4.17.19' }] }],
    },
  });
  ends.push(() => packages.close());
});
after(async () => {
  for (const it of ends.reverse()) await it();
});

const manifest = (versions: Readonly<Record<string, string>>) =>
  `${JSON.stringify({ dependencies: versions }, undefined, 2)}\n`;
const folder = folderWith({
  'a/package.json': manifest({ lodash: '4.17.15', old: '1.0.0', fine: '1.0.0', newest: '1.0.0' }),
  'b/package.json': manifest({ lodash: '4.17.15' }),
});
ends.push(() => folder.remove());

/** The command over a calendar of its own. */
async function terminal(settings: object = {}) {
  const own = await setUp({ settings });
  const services = { schedule: own.schedule, close() {} } as unknown as ConnectedServices;
  const clock = { now: () => monday, after: () => () => {} };
  const run = (...args: readonly string[]) =>
    runHere(['schedule', ...args], folder.path, { baseUrl: packages.url, services: async () => services, clock });
  const titles = (): string[] => [...own.service.events.values()].map((it) => `${it['summary']}`).sort();
  return { ...own, run, titles };
}

test('--all plans what is deprecated or affected, an event for each package with all of its places', async () => {
  const { run, titles, service } = await terminal();
  const { code, out, error } = await run('add', '.', '--all');
  assert.deepEqual([code, error], [0, '']);
  assert.deepEqual(titles(), ['Update lodash 4.17.15 → 4.17.21', 'Update old 1.0.0 → 1.0.1']);
  assert.match(out, /a\/package\.json:3, b\/package\.json:3/);
  const old = [...service.events.values()].find((it) => `${it['summary']}`.includes('old'));
  assert.match(`${old?.['description']}`, /^Why: deprecated: use new; patch; latest minor$/m);
});

test('a package is named with or without problems; one without a target or place is reported', async () => {
  const { run, titles } = await terminal();
  const { code, error } = await run('add', 'a', 'fine', 'newest', 'absent');
  assert.deepEqual(titles(), ['Update fine 1.0.0 → 1.2.0']);
  assert.deepEqual(
    [code, error],
    [
      2,
      'package-insights schedule: newest: no version to move to is known\npackage-insights schedule: absent: no manifest has it\n',
    ],
  );
});

test('events are grouped by manifest, or for a repository', async () => {
  const byManifest = await terminal();
  await byManifest.run('add', '.', '--all', '--group', 'manifest');
  assert.equal(byManifest.titles().length, 1, 'all of b is in a as well');
  const all = await terminal();
  await all.run('add', '.', '--all', '--group', 'all', '--at', '2026-11-24T14:00Z');
  assert.deepEqual(all.titles(), ['Update 2 packages: lodash, old']);
  assert.deepEqual([...all.service.events.values()][0]?.['start'], {
    dateTime: '2026-11-24T14:00:00.000Z',
    timeZone: 'Europe/Berlin',
  });
});

test('what is planned already takes no free time', async () => {
  const { run, service } = await terminal();
  await run('add', 'a', 'lodash');
  await run('add', 'a', '--all');
  const starts = [...service.events.values()].map((it) => (it['start'] as { dateTime: string }).dateTime);
  // The service of this test does not report them as busy, so the first free time is the same.
  assert.deepEqual(starts, ['2026-11-23T08:00:00.000Z', '2026-11-23T08:00:00.000Z']);
});

test('nothing to plan is 1, and without a free time it is 2', async () => {
  const { run } = await terminal();
  folder.write('c/package.json', manifest({ newest: '1.0.0' }));
  assert.equal((await run('add', 'c', '--all')).code, 1);
  const closed = await terminal({ workingDays: [] });
  const { code, error } = await closed.run('add', 'a', 'lodash');
  assert.deepEqual([code, error], [2, 'package-insights schedule: no free time was found in the next weeks\n']);
});

test('an event is named by the beginning of its id, and by no more than one', async () => {
  const { run, service } = await terminal();
  await run('add', '.', '--all');
  const [first = ''] = service.events.keys();
  assert.equal((await run('cancel', first.slice(0, 6))).code, 0);
  assert.equal(service.events.get(first)?.['status'], 'cancelled');
  assert.equal((await run('done', 'old')).code, 0);
  assert.match((await run('cancel', '')).error, /“” names 2 events/);
  assert.match((await run('move', 'nothing', '--at', '2026-11-24T14:00')).error, /“nothing” names no event/);
  assert.match((await run('add', 'a', 'lodash', '--at', '2026-11-20T14:00')).error, /2026-11-20 14:00 is in the past/);
  assert.match((await run('add', 'a', 'lodash', '--at', 'tomorrow')).error, /requires a time like/);
});

test('an iCalendar file is what another library reads', () => {
  const event: PlannedEvent = {
    id: 'abc',
    calendar: 'c',
    folder: 'f',
    updates: [{ purl: 'pkg:npm/a', target: '2', places: [{ path: 'ä, b;c\\d/package.json', line: 3 }] }],
    status: 'canceled',
    title: `Ünïcödé 😀 ${'😀'.repeat(80)}, a; b\\ c`,
    start: monday,
    end: monday + 1000,
    isAllDay: true,
    isChanged: false,
  };
  const text = calendarFile([event, { ...event, id: 'def', title: 'a\u0000\nBEGIN:VALARM' }], '1', monday);
  for (const it of text.split('\r\n')) assert.ok(Buffer.byteLength(it) <= 75, it);
  const [first, second] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
  assert.equal(first?.getFirstPropertyValue('summary'), event.title);
  assert.equal(first?.getFirstPropertyValue('description'), 'pkg:npm/a → 2\nä, b;c\\d/package.json:3');
  assert.equal(first?.getFirstPropertyValue('status'), 'CANCELLED');
  assert.equal(new ICAL.Event(first).startDate.isDate, true);
  assert.equal(second?.getFirstPropertyValue('summary'), 'a\nBEGIN:VALARM');
  assert.equal(second?.getAllSubcomponents().length, 0);
});
