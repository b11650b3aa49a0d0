import * as l10n from '@vscode/l10n';
import { backOff } from '../../engine/base/back-off.ts';
import { LruMap } from '../../engine/base/lru-map.ts';
import type { CallOptions, ConnectionClient } from '../../engine/model/connection.ts';
import type { Clock } from '../../engine/model/ports.ts';
import { allRatings } from '../../engine/model/severity-rating.ts';
import { buildRequest } from '../api/build-request.ts';
import type { ConnectedHost } from '../model/connected-services.ts';
import type { EventDraft, FolderId, PlannedEvent } from '../model/scheduling/planned.ts';
import type {
  AddedEvent,
  AddedEvents,
  ObservedDependency,
  PlannedRequest,
  Schedule,
  Scheduled,
  Trouble,
} from '../model/scheduling/schedule.ts';
import { type Account, createAccount } from './account.ts';
import { type Calls, createCalls, failed, methodOf } from './calls.ts';
import { type Changes, createChanges } from './changes.ts';
import {
  completedBody,
  draftProblem,
  type EventBody,
  eventBody,
  movedBody,
  readEvent,
  readTimes,
  readWindow,
  revivedBody,
  windowBody,
} from './event.ts';
import type { EventStore } from './event-store.ts';
import { base32Hash, createFolders } from './folders.ts';
import { findFreeTime, freeTimeLimits } from './free-time.ts';
import { createKeptCalendar, type KeptCalendar } from './kept-calendar.ts';
import { createNotifications } from './notifications.ts';

export interface ScheduleParts {
  readonly client: ConnectionClient;
  readonly settings: ConnectedHost['settings'];
  readonly clock: Clock;
  /** From 0 up to 1, as `Math.random`. */
  readonly random: () => number;
  readonly store: EventStore;
  readonly log?: (line: string) => void;
}

export const scheduleLimits = {
  /** How old kept events may be before changes are requested in the background, in ms. All windows of a user share them. */
  poll: 15 * 60_000,
  /** The same where the calendar notifies this process of changes. */
  pollNotified: 3_600_000,
  /** After a failure in the background; after each further one twice as long. In ms. */
  retry: { first: 60_000, longest: 3_600_000 },
} as const;

/** The updates that are planned in a calendar of the connected scheduling service. */
export function createSchedule(parts: ScheduleParts): Schedule {
  const { client, settings, clock, store } = parts;
  const calls: Calls = createCalls(client, clock);
  const changes: Changes = createChanges({ calls, clock, random: parts.random });
  const listeners = new Set<() => void>();
  const closing = new AbortController();
  const folders = createFolders(changed);
  const notifications = createNotifications({ calls, store, clock, onChange: notified });
  let isNotified = false;
  /** Why there is no channel, logged once. */
  let withoutChannel: string | undefined;
  let account: { readonly identity: string; readonly of: Account } | undefined;
  let current: KeptCalendar | undefined;
  /** The time zone of the person, once it is known. */
  let zone: string | undefined;
  let troubles: { list?: Trouble | undefined; completion?: Trouble | undefined } = {};
  let revision = 0;
  let failures = 0;
  let isAwake = false;
  let cancelWake = (): void => {};
  /** The manifests as they were last seen, for events that become known later. */
  const observed = new LruMap<string, Observation>(MAX_OBSERVED);
  /** Completions that failed, or wait for their turn. */
  const reached = new Set<string>();
  let background: Promise<void> = Promise.resolve();

  function changed(): void {
    revision++;
    for (const it of [...listeners]) it();
  }

  function notified(): void {
    isNotified = true;
    pump();
  }

  /** @param of what failed, or succeeded again */
  function setTrouble(of: 'list' | 'completion', now?: Trouble): void {
    const before = troubleNow();
    troubles[of] = now;
    const after = troubleNow();
    if (before?.kind !== after?.kind || before?.reason !== after?.reason || before?.until !== after?.until) changed();
  }

  const troubleNow = (): Trouble | undefined => troubles.list ?? troubles.completion;

  const inBackground: CallOptions = { priority: 'background', signal: closing.signal };
  const asked = (signal: AbortSignal | undefined): CallOptions => ({
    priority: 'asked',
    signal: signal ?? closing.signal,
  });

  async function accountNow(): Promise<Scheduled<{ readonly identity: string; readonly of: Account }>> {
    const { baseUrl, invalid } = settings().connections.scheduling;
    if (invalid !== undefined || baseUrl === '') return failed('not-connected', invalid ?? l10n.t('not connected'));
    const identity = await client.identity();
    if (account?.identity !== identity) account = { identity, of: createAccount(calls, clock) };
    return { ok: true, value: account };
  }

  /** The calendar that a setting names, or that was chosen. What is kept of it is up to date with other processes. */
  async function calendarNow(): Promise<Scheduled<KeptCalendar>> {
    const who = await accountNow();
    if (!who.ok) {
      forget();
      return who;
    }
    const { identity } = who.value;
    const id = settings().scheduling.calendar || store.choice(identity, CHOSEN);
    if (id === undefined) {
      forget();
      return failed('no-calendar', l10n.t('no calendar is chosen for updates'));
    }
    if (current?.identity !== identity || current.id !== id) {
      current = createKeptCalendar({ identity, id, calls, store, clock, onChange: changed });
      zone = store.choice(identity, ZONE);
      troubles = {};
      failures = 0;
      changed();
    }
    current.reload();
    return { ok: true, value: current };
  }

  function forget(): void {
    if (current === undefined) return;
    notifications.release();
    current = undefined;
    troubles = {};
    changed();
  }

  async function syncFor(kept: KeptCalendar, options: CallOptions): Promise<Scheduled<void>> {
    const done = await kept.sync(options);
    if (done.ok) {
      failures = 0;
      setTrouble('list');
    } else if (done.trouble.kind !== 'aborted') setTrouble('list', done.trouble);
    return done;
  }

  /** The calendar after its changes were requested. */
  async function upToDate(options: CallOptions): Promise<Scheduled<KeptCalendar>> {
    const now = await calendarNow();
    if (!now.ok) return now;
    const synced = await syncFor(now.value, options);
    return synced.ok ? now : synced;
  }

  /** Does the work of the background, one piece after another. */
  function pump(): void {
    if (closing.signal.aborted) return;
    background = background.then(work).catch(() => {});
  }

  async function work(): Promise<void> {
    cancelWake();
    const now = await calendarNow();
    if (closing.signal.aborted || !now.ok) return;
    const kept = now.value;
    if (isNotified || isOld(kept.at())) {
      isNotified = false;
      const synced = await syncFor(kept, inBackground);
      if (!synced.ok) return wakeAfter(retryWait(synced.trouble));
    }
    for (const [, it] of observed.entries()) observeIn(kept, it);
    for (const id of reached) {
      const done = await complete(kept, id, inBackground);
      if (!done.ok && done.trouble.kind !== 'event-gone' && done.trouble.kind !== 'invalid') {
        setTrouble('completion', done.trouble);
        return wakeAfter(retryWait(done.trouble));
      }
      reached.delete(id);
    }
    await watch(kept);
    failures = 0;
    setTrouble('completion');
    wakeAfter(pollInterval());
  }

  /** Without a channel, changes are requested at intervals. */
  async function watch({ identity, id }: KeptCalendar): Promise<void> {
    const done = await notifications.ensure(identity, id, settings().scheduling.notifications, inBackground);
    const reason = done.ok ? undefined : done.trouble.reason;
    if (reason !== undefined && reason !== withoutChannel && !closing.signal.aborted)
      parts.log?.(`the calendar does not notify of changes: ${reason}`);
    withoutChannel = reason;
  }

  function pollInterval(): number {
    return notifications.isListening() && withoutChannel === undefined
      ? scheduleLimits.pollNotified
      : scheduleLimits.poll;
  }

  function isOld(at: number | undefined): boolean {
    // A time in the future comes from a clock that was set back.
    return at === undefined || at > clock.now() || clock.now() - at >= pollInterval();
  }

  function retryWait({ until }: Trouble): number {
    const { retry } = scheduleLimits;
    const wait = backOff(++failures, retry);
    // A hold from a clock that was wrong does not last for ever.
    return until === undefined ? wait : Math.min(Math.max(until - clock.now(), 1000), retry.longest);
  }

  function wakeAfter(ms: number): void {
    cancelWake();
    if (!closing.signal.aborted && isAwake) cancelWake = clock.after(ms, pump);
  }

  async function addTo(kept: KeptCalendar, draft: EventDraft, options: CallOptions): Promise<Scheduled<AddedEvent>> {
    const planned = draft.updates.map((it) => plannedNow(kept, draft.folder, it.purl, it.target));
    const left = draft.updates.filter((_, at) => planned[at] === undefined);
    const [before] = planned;
    if (left.length === 0 && before) return { ok: true, value: { event: before, isNew: false } };
    const own = { ...draft, updates: left };
    const problem = draftProblem(own);
    if (problem !== undefined) return failed('invalid', problem);
    const of = account?.of ?? createAccount(calls, clock);
    const preferred = await of.preferences(options);
    if (!preferred.ok) return preferred;
    const color = await of.color(worstOf(own), options);
    const bodyFor = (generation: number): EventBody => eventBody(own, preferred.value.zone.name, color, generation);
    const revive = (event: EventBody): EventBody | undefined => {
      const is = readEvent(event, kept.id);
      return is?.status === 'planned' ? undefined : revivedBody(event, bodyFor(0));
    };
    const added = await changes.insert(kept.id, bodyFor, revive, options);
    if (!added.ok) return added;
    const event = readEvent(added.value.event, kept.id);
    if (!event) return failed('failed', l10n.t('the answer of the calendar service is not understood'));
    kept.put(event, added.value.isNew ? [] : undefined);
    return { ok: true, value: { event, isNew: added.value.isNew } };
  }

  /** Changes one planned update. */
  async function change(
    kept: KeptCalendar,
    id: string,
    apply: (event: EventBody) => EventBody | undefined,
    options: CallOptions,
  ): Promise<Scheduled<PlannedEvent>> {
    let isGone = false;
    const done = await changes.update(
      kept.id,
      id,
      (it) => {
        isGone = it['status'] === 'cancelled';
        return isGone ? undefined : apply(it);
      },
      options,
    );
    const event = done.ok ? readEvent(done.value, kept.id) : undefined;
    if (event) kept.put(event);
    if (isGone || (!done.ok && done.trouble.kind === 'event-gone')) {
      const former = kept.event(id);
      if (former) kept.put({ ...former, status: 'canceled' });
      return failed('event-gone', l10n.t('the event was canceled in the calendar'));
    }
    if (!done.ok) return done;
    return event ? { ok: true, value: event } : failed('invalid', l10n.t('the event is no scheduled update any more'));
  }

  function complete(kept: KeptCalendar, id: string, options: CallOptions): Promise<Scheduled<PlannedEvent>> {
    const isDone = (event: EventBody): boolean => readEvent(event, kept.id)?.status === 'done';
    return change(kept, id, (it) => (isDone(it) ? undefined : completedBody(it)), options);
  }

  function observeIn(kept: KeptCalendar, { folder, path, dependencies }: Observation): void {
    for (const it of kept.events()) {
      if (it.folder === folder && it.status === 'planned') observeEvent(kept, it, path, dependencies);
    }
  }

  /** Which planned updates the dependencies of a manifest have reached. */
  function observeEvent(
    kept: KeptCalendar,
    event: PlannedEvent,
    path: string,
    all: readonly ObservedDependency[],
  ): void {
    const before = kept.reached(event.id);
    const now = new Set(before);
    const wanted: string[] = [];
    for (const [at, { purl, target, from, places }] of event.updates.entries()) {
      const paths = places.length === 0 ? ['*'] : [...new Set(places.map((it) => it.path))];
      wanted.push(...paths.map((it) => `${at} ${it}`));
      if (places.length > 0 && !paths.includes(path)) continue;
      const uses = all.filter((it) => it.purl === purl);
      // A dependency that is absent may only be unreadable at this moment.
      if (uses.length === 0) continue;
      const mark = `${at} ${places.length === 0 ? '*' : path}`;
      if (uses.every((it) => it.reaches(target, from))) now.add(mark);
      else now.delete(mark);
    }
    if (now.size !== before.length || before.some((it) => !now.has(it))) kept.put(event, [...now]);
    if (wanted.every((it) => now.has(it))) reached.add(event.id);
    else reached.delete(event.id);
  }

  async function choiceOf(id: string, options: CallOptions): Promise<Scheduled<void>> {
    const who = await accountNow();
    if (!who.ok) return who;
    const { calendar } = settings().scheduling;
    if (calendar !== '' && calendar !== id)
      return failed('invalid', l10n.t('the settings name another calendar: {0}', calendar));
    store.choose(who.value.identity, CHOSEN, id);
    const now = await calendarNow();
    return now.ok ? syncFor(now.value, options) : now;
  }

  return {
    folderAt: folders.folderAt,
    folderOf: folders.folderOf,
    planned: (folder, purl, target) =>
      (current?.planned(folder, purl) ?? []).filter(
        (it) => target === undefined || it.updates.some((update) => update.purl === purl && update.target === target),
      ),
    state() {
      const name = current?.name();
      const trouble = troubleNow();
      return {
        calendar: current?.id,
        ...(name !== undefined && { name }),
        ...(zone !== undefined && { timeZone: zone }),
        at: current?.at(),
        ...(trouble && { trouble }),
      };
    },
    revision: () => revision,
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    touch() {
      isAwake = true;
      pump();
    },
    observe(folder, path, dependencies) {
      const observation = { folder, path, dependencies };
      observed.set(`${folder} ${path}`, observation);
      if (!current) return;
      const before = reached.size;
      observeIn(current, observation);
      if (reached.size > before) pump();
    },
    whenIdle: () => background,
    async list(folder, signal) {
      const kept = await upToDate(asked(signal));
      if (!kept.ok) return kept;
      return { ok: true, value: kept.value.events().filter((it) => folder === undefined || it.folder === folder) };
    },
    async slots({ count = 3, from, isInRow = false } = {}, signal) {
      const options = asked(signal);
      const who = await accountNow();
      if (!who.ok) return who;
      const kept = await upToDate(options);
      if (!kept.ok && kept.trouble.kind !== 'no-calendar') return kept;
      const query = {
        count,
        isInRow,
        from: from ?? clock.now() + freeTimeLimits.lead,
        settings: settings().scheduling,
        calendar: kept.ok ? kept.value.id : undefined,
        windows: kept.ok ? kept.value.windows() : [],
      };
      const found = await findFreeTime({ calls, account: who.value.of }, query, options);
      if (found.ok && found.value.timeZone !== zone) {
        zone = found.value.timeZone;
        store.choose(who.value.identity, ZONE, zone);
        changed();
      }
      return found;
    },
    async add(drafts, signal) {
      const options = asked(signal);
      const kept = await upToDate(options);
      if (!kept.ok) return kept;
      const events: AddedEvent[] = [];
      for (const it of drafts) {
        const added = await addTo(kept.value, it, options);
        if (added.ok) events.push(added.value);
        else return events.length === 0 ? added : { ok: true, value: { events, trouble: added.trouble } };
      }
      return { ok: true, value: { events } satisfies AddedEvents };
    },
    async preview(drafts) {
      const kept = await calendarNow();
      if (!kept.ok) return kept;
      const method = await methodOf('events.insert');
      const requests: PlannedRequest[] = [];
      for (const it of drafts) {
        const problem = draftProblem(it);
        if (problem !== undefined) return failed('invalid', problem);
        const body = eventBody(it, Intl.DateTimeFormat().resolvedOptions().timeZone, undefined);
        const built = buildRequest(method, { calendarId: kept.value.id }, body);
        if (!built.ok) return failed('invalid', built.problems.map((problem) => problem.message).join(', '));
        requests.push({ method: method.id, verb: built.request.verb, path: built.request.path, body });
      }
      return { ok: true, value: requests };
    },
    async move(id, start, signal) {
      const kept = await calendarNow();
      if (!kept.ok) return kept;
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const apply = (event: EventBody): EventBody | undefined => {
        const times = readTimes(event);
        const length = times && !times.isAllDay ? times.end - times.start : settings().scheduling.slotMinutes * 60_000;
        return times?.start === start && !times.isAllDay ? undefined : movedBody(event, start, start + length, zone);
      };
      return change(kept.value, id, apply, asked(signal));
    },
    async cancel(id, signal) {
      const kept = await upToDate(asked(signal));
      if (!kept.ok) return kept;
      const event = kept.value.event(id);
      if (!event) return failed('event-gone', l10n.t('no such event is scheduled'));
      const done = await changes.remove(kept.value.id, id, asked(signal));
      if (!done.ok) return done;
      const canceled: PlannedEvent = { ...event, status: 'canceled' };
      kept.value.put(canceled, []);
      return { ok: true, value: canceled };
    },
    async complete(id, signal) {
      const kept = await calendarNow();
      return kept.ok ? complete(kept.value, id, asked(signal)) : kept;
    },
    async calendars(signal) {
      const who = await accountNow();
      if (!who.ok) return who;
      const listed = await who.value.of.calendars(asked(signal));
      if (!listed.ok) return listed;
      const chosen = settings().scheduling.calendar || store.choice(who.value.identity, CHOSEN);
      const isChosen = (id: string, isPrimary: boolean): boolean =>
        id === chosen || (isPrimary && chosen === 'primary');
      return { ok: true, value: listed.value.map((it) => ({ ...it, isChosen: isChosen(it.id, it.isPrimary) })) };
    },
    async chooseCalendar(id, signal) {
      const who = await accountNow();
      if (!who.ok) return who;
      const listed = await who.value.of.calendars(asked(signal));
      if (!listed.ok) return listed;
      const found = listed.value.find((it) => it.id === id || (id === 'primary' && it.isPrimary));
      if (!found)
        return failed('calendar-gone', l10n.t('there is no such calendar, or you may not add events to it: {0}', id));
      const done = await choiceOf(found.id, asked(signal));
      return done.ok ? { ok: true, value: { ...found, isChosen: true } } : done;
    },
    async makeCalendar(signal) {
      const who = await accountNow();
      if (!who.ok) return who;
      const made = await who.value.of.make(asked(signal));
      if (!made.ok) return made;
      const done = await choiceOf(made.value.id, asked(signal));
      return done.ok ? { ok: true, value: { ...made.value, isChosen: true } } : done;
    },
    async share(email, role, signal) {
      const who = await accountNow();
      if (!who.ok) return who;
      const kept = await calendarNow();
      return kept.ok ? who.value.of.share(kept.value.id, email, role, asked(signal)) : kept;
    },
    async windows(signal) {
      const kept = await upToDate(asked(signal));
      return kept.ok ? { ok: true, value: kept.value.windows() } : kept;
    },
    async addWindow({ start, end, rule }, signal) {
      const options = asked(signal);
      const kept = await upToDate(options);
      if (!kept.ok) return kept;
      const who = await accountNow();
      if (!who.ok) return who;
      const preferred = await who.value.of.preferences(options);
      if (!preferred.ok) return preferred;
      const bodyFor = (generation: number): EventBody => ({
        id: base32Hash(['package-insights window', `${start}`, `${end}`, rule, `${generation}`]),
        ...windowBody(start, end, rule, preferred.value.zone.name),
      });
      const revive = (event: EventBody): EventBody | undefined =>
        event['status'] === 'cancelled' ? revivedBody(event, { ...bodyFor(0), status: 'confirmed' }) : undefined;
      const added = await changes.insert(kept.value.id, bodyFor, revive, options);
      if (!added.ok) return added;
      const window = readWindow(added.value.event);
      if (!window) return failed('failed', l10n.t('the answer of the calendar service is not understood'));
      kept.value.putWindow(window);
      return { ok: true, value: window };
    },
    close() {
      closing.abort();
      cancelWake();
      notifications.close();
      store.close();
    },
  };
}

/** A manifest as it was seen. */
interface Observation {
  readonly folder: FolderId;
  readonly path: string;
  readonly dependencies: readonly ObservedDependency[];
}

/** More manifests than are open at a time. */
const MAX_OBSERVED = 200;

/** Under which the time zone of the person is kept. */
const ZONE = 'time zone';

/** Under which a chosen calendar is kept. */
const CHOSEN = 'calendar';

function plannedNow(kept: KeptCalendar, folder: string, purl: string, target: string): PlannedEvent | undefined {
  return kept
    .planned(folder, purl)
    .find(
      (it) => it.status === 'planned' && it.updates.some((update) => update.purl === purl && update.target === target),
    );
}

function worstOf({ updates }: EventDraft) {
  return allRatings.find((rating) => updates.some((it) => it.severity === rating));
}
