import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnections } from '../../../server/src/connected/connections/connections.ts';
import { createMemoryHolds, createMemoryLedger } from '../../../server/src/connected/connections/memory.ts';
import type { EventDraft, UpdateDraft } from '../../../server/src/connected/model/scheduling/planned.ts';
import type { Schedule, Scheduled, Trouble } from '../../../server/src/connected/model/scheduling/schedule.ts';
import { createEventStore } from '../../../server/src/connected/scheduling/event-store.ts';
import { createSchedule } from '../../../server/src/connected/scheduling/schedule.ts';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import type { Holds } from '../../../server/src/engine/model/connection.ts';
import { readSettings } from '../../../server/src/engine/settings/read.ts';
import { systemClock } from '../../../server/src/platform/clock.ts';
import { fakeClock } from '../../harness/fake-clock.ts';
import { type CalendarService, calendarId, calendarService, token } from './calendar-service.ts';

export const folder = '0'.repeat(52);
/** A Monday, 08:00 in Berlin. */
export const monday = Date.parse('2026-11-23T07:00:00Z');
export const hour = 3_600_000;

export const ends: (() => Promise<void> | void)[] = [];

export interface Given {
  readonly service?: CalendarService;
  readonly directory?: string;
  readonly settings?: object;
  readonly secret?: string;
  readonly offline?: true;
  readonly dailyBudget?: number;
  readonly holds?: Holds;
  /** How far the clock is from the time of the tests, in ms. */
  readonly offset?: number;
}

/** A process with scheduled updates, over a service on the loopback. Its clock stands, but waits pass at once. */
export async function setUp(given: Given = {}) {
  const service = given.service ?? (await calendarService());
  if (!given.service) ends.push(() => service.close());
  const directory = given.directory ?? mkdtempSync(join(tmpdir(), 'schedule-'));
  if (!given.directory) ends.push(() => rmSync(directory, { recursive: true, force: true }));
  const http = createHttp({ clock: systemClock, userAgent: 'test' });
  const fake = fakeClock(monday + (given.offset ?? 0));
  const timers: (() => void)[] = [];
  let passed = 0;
  const clock = {
    now: () => fake.now() + passed,
    after(ms: number, call: () => void) {
      // Pauses between attempts pass at once; the next poll is the test's.
      if (ms > 10_000) {
        timers.push(call);
        return () => void timers.splice(timers.indexOf(call), 1);
      }
      const timer = setImmediate(call);
      return () => clearImmediate(timer);
    },
  };
  const { dailyBudget } = given;
  let settings = readSettings({
    offline: given.offline === true,
    connections: {
      scheduling: {
        baseUrl: service.baseUrl,
        calendar: calendarId,
        ...(dailyBudget !== undefined && { dailyBudget }),
        ...given.settings,
      },
    },
  });
  const ledger = createMemoryLedger();
  const connections = createConnections({
    settings: () => settings,
    http,
    clock,
    random: () => 0,
    credentials: { read: async () => ({ secret: given.secret ?? token }) },
    ledger,
    holds: given.holds ?? createMemoryHolds(),
  });
  const logged: string[] = [];
  const store = createEventStore({ directory, clock, log: (line) => void logged.push(line) });
  const schedule: Schedule = createSchedule({
    client: connections.client('scheduling'),
    settings: () => settings,
    clock,
    random: () => 0,
    store,
    log: (line) => void logged.push(line),
  });
  ends.push(async () => {
    schedule.close();
    await http.close();
  });
  return {
    service,
    schedule,
    directory,
    logged,
    ledger,
    /** Lets time pass, with the polls that are due. */
    async pass(ms: number): Promise<void> {
      passed += ms;
      for (const it of timers.splice(0)) it();
      await schedule.whenIdle();
    },
    set(more: object) {
      settings = readSettings({
        connections: { scheduling: { baseUrl: service.baseUrl, calendar: calendarId, ...more } },
      });
    },
  };
}

export const lodash: UpdateDraft = {
  purl: 'pkg:npm/lodash',
  name: 'lodash',
  from: '4.17.15',
  target: '4.17.21',
  severity: 'high',
  why: ['2 vulnerabilities, worst high 7.4', 'GHSA-35jh-r3h4-6jhm'],
  places: [{ path: 'app/package.json', line: 3 }],
};

export function draftOf(updates: readonly UpdateDraft[] = [lodash], start = monday + 2 * hour): EventDraft {
  return { folder, updates, start, end: start + hour };
}

export function resultOf<T>(result: Scheduled<T>): T {
  if (result.ok) return result.value;
  throw new Error(`${result.trouble.kind}: ${result.trouble.reason}`);
}

export function troubleOf(result: Scheduled<unknown>): Trouble {
  if (result.ok) throw new Error(`no trouble: ${JSON.stringify(result.value)}`);
  return result.trouble;
}

/** Adds one event. */
export async function addOne(schedule: Schedule, updates: readonly UpdateDraft[] = [lodash], start?: number) {
  const [added] = resultOf(await schedule.add([draftOf(updates, start)])).events;
  if (!added) throw new Error('nothing was added');
  return added;
}
