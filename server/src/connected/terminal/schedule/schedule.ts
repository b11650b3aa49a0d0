import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as l10n from '@vscode/l10n';
import { fileUri } from '../../../engine/base/uri.ts';
import { canonicalName } from '../../../engine/model/keys.ts';
import { parsePurl } from '../../../engine/model/purl.ts';
import type { Settings } from '../../../engine/model/settings.ts';
import { relativePath } from '../../../engine/report/build/paths.ts';
import { jsonText } from '../../../engine/report/formats/format.ts';
import { sanitize } from '../../../engine/report/formats/texts.ts';
import type { ScanResult } from '../../../engine/report/scan/scan.ts';
import { type Arguments, type Command, type OptionTable, UsageError } from '../../../terminal/command.ts';
import { notOneOf, numberFrom } from '../../../terminal/options.ts';
import { prepareScan, readScanOptions, scanOptions } from '../../../terminal/scan.ts';
import type { EventDraft, PlannedEvent } from '../../model/scheduling/planned.ts';
import type { Schedule, Scheduled, Trouble } from '../../model/scheduling/schedule.ts';
import { observedDependencies } from '../../scheduling/planning.ts';
import type { ConnectedTerminal } from '../connected-terminal.ts';
import { calendarFile } from './calendar-file.ts';
import { draftUpdates, type Grouping, groupings, workspaceOf } from './drafts.ts';
import { eventJson, eventLines, localTime, periodText, troubleText } from './lines.ts';

const roles = ['writer', 'reader'] as const;
type Role = (typeof roles)[number];

const scheduleOptions = {
  all: { help: () => l10n.t('add: every deprecated or affected dependency; list: canceled and completed ones, too') },
  group: {
    value: 'BY',
    names: groupings,
    help: () => l10n.t('add: one event for each package (the default), each manifest, or all updates of a repository'),
    default: 'package' as Grouping,
    read: (text: string, option: string): Grouping => oneOf(groupings, text, option),
  },
  at: {
    value: 'TIME',
    help: () => l10n.t('add, move, windows: when it begins, such as {0}', '2026-11-24T14:00'),
    read: readTime,
  },
  slot: {
    value: 'N',
    help: () => l10n.t('add, move: the Nth free time instead of the first'),
    read: numberFrom(1, 50),
    default: 1,
  },
  calendar: { value: 'ID', help: () => l10n.t('the calendar for events; with setup: the one to choose') },
  create: { help: () => l10n.t('setup: make the calendar “Dependency updates”, unless it is there') },
  role: {
    value: 'ROLE',
    names: roles,
    help: () => l10n.t('share: writer (plans updates, the default) or reader'),
    default: 'writer' as Role,
    read: (text: string, option: string): Role => oneOf(roles, text, option),
  },
  rule: { value: 'RULE', help: () => l10n.t('windows: add one that recurs, such as {0}', 'FREQ=WEEKLY;BYDAY=TU') },
  hours: {
    value: 'N',
    help: () => l10n.t('windows: its length; default: {0}', 2),
    read: numberFrom(1, 24),
    default: 2,
  },
  'dry-run': { help: () => l10n.t('add: print the requests, and send none to the calendar') },
  ics: { help: () => l10n.t('list: print an iCalendar file') },
  json: { help: () => l10n.t('print JSON') },
  ...scanOptions,
} as const satisfies OptionTable;

type Given = Arguments<typeof scheduleOptions>;

interface Context {
  readonly given: Given;
  /** Behind the name of the action. */
  readonly words: readonly string[];
  readonly settings: Settings;
  readonly schedule: Schedule;
  readonly terminal: ConnectedTerminal;
  readonly signal: AbortSignal;
}

/** The words behind `schedule`, one row each. */
const actions: Readonly<Record<string, (context: Context) => Promise<number>>> = {
  list,
  slots,
  add,
  move,
  done: (context) => changeOne(context, (schedule, id, signal) => schedule.complete(id, signal)),
  cancel: (context) => changeOne(context, (schedule, id, signal) => schedule.cancel(id, signal)),
  sync,
  setup,
  share,
  windows,
};

/** `package-insights schedule`: plans updates in the connected calendar. */
export const scheduleCommand: Command<typeof scheduleOptions> = {
  name: 'schedule',
  usage: 'list | slots | add | move | … [ARGUMENT…]',
  summary: () => l10n.t('Plan updates in the connected calendar'),
  options: scheduleOptions,
  notes: () => [
    l10n.t(
      'list [FOLDER]: scheduled updates. slots: free times. add PATH PACKAGE… or add PATH… --all: schedule updates. move EVENT, done EVENT, cancel EVENT: change one, named by its package or the beginning of its id. sync [PATH…]: complete those whose manifests have reached their targets. setup: list calendars and choose one. share EMAIL: share it. windows: list or add maintenance windows.',
    ),
    l10n.t('Exit codes: 0 done, 1 nothing to plan, 2 failed or incomplete.'),
  ],
  examples: [
    'package-insights schedule setup --create',
    'package-insights schedule add package.json lodash',
    'package-insights schedule add . --all --group manifest --dry-run',
    'package-insights schedule list --ics > updates.ics',
  ],
  isForPrograms: ({ json, ics }) => json === true || ics === true,
  takesPositionals: true,
  async run(given, terminal: ConnectedTerminal) {
    const [name = 'list', ...words] = given.positionals;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (action === undefined) throw notOneOf(name, Object.keys(actions), 'schedule');
    const { settings: base } = readScanOptions({ ...given.options, all: false }, [], terminal);
    const { calendar } = given.options;
    // The setting would refuse the choice of another calendar.
    const isChosen = calendar !== undefined && name !== 'setup';
    const settings = isChosen ? { ...base, scheduling: { ...base.scheduling, calendar } } : base;
    const aborting = new AbortController();
    terminal.ended.then(() => aborting.abort());
    const services = await terminal.services(settings);
    try {
      const { schedule } = services;
      return await action({ given, words, settings, schedule, terminal, signal: aborting.signal });
    } finally {
      services.close();
    }
  },
};

function oneOf<T extends string>(names: readonly T[], text: string, option: string): T {
  const found = names.find((it) => it === text);
  if (found !== undefined) return found;
  throw notOneOf(text, names, option);
}

/** Without an offset, in the time zone of this machine. */
function readTime(text: string, option: string): number {
  const isTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?$/.test(text);
  const at = isTime ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new UsageError(l10n.t('{0} requires a time like {1}, not “{2}”', option, '2026-11-24T14:00', text));
}

function failWith(trouble: Trouble, { terminal }: Context): number {
  terminal.error(troubleText(trouble));
  return 2;
}

function printEvents(events: readonly PlannedEvent[], { given, terminal }: Context): void {
  const { json, ics } = given.options;
  if (json) terminal.out(jsonText(events.map(eventJson)));
  else if (ics) terminal.out(calendarFile(events, terminal.version, terminal.clock.now()).replace(/\r\n$/, '\r'));
  else for (const it of events.flatMap(eventLines)) terminal.out(it);
}

async function list(context: Context): Promise<number> {
  const { words, schedule, terminal, given, signal } = context;
  const [place] = words;
  const uri = place === undefined ? undefined : fileUri(resolve(terminal.directory, place, 'manifest'));
  const folder = uri && (await schedule.folderOf(uri, workspaceOf(uri, terminal.directory))).id;
  const listed = await schedule.list(folder, signal);
  if (!listed.ok) return failWith(listed.trouble, context);
  printEvents(
    listed.value.filter((it) => given.options.all || it.status === 'planned'),
    context,
  );
  return 0;
}

async function slots(context: Context): Promise<number> {
  const { schedule, given, terminal, signal } = context;
  const found = await schedule.slots({ count: Math.max(3, given.options.slot) }, signal);
  if (!found.ok) return failWith(found.trouble, context);
  const { slots: free, unchecked } = found.value;
  const times = free.map((it) => ({ start: new Date(it.start).toISOString(), end: new Date(it.end).toISOString() }));
  if (given.options.json) terminal.out(jsonText({ ...found.value, slots: times }));
  else for (const [at, it] of free.entries()) terminal.out(`${at + 1}  ${periodText(it)}`);
  warnUnchecked(unchecked, context);
  return free.length > 0 && unchecked.length === 0 ? 0 : 2;
}

function warnUnchecked(unchecked: readonly string[], { terminal }: Context): void {
  for (const it of unchecked)
    terminal.error(sanitize(`package-insights schedule: ${l10n.t('the busy times of {0} are not known', it)}`));
}

async function scanOf(context: Context, paths: readonly string[], isForAll: boolean): Promise<ScanResult> {
  const { given, terminal } = context;
  const options = readScanOptions({ ...given.options, all: false }, paths, terminal);
  // Dependencies without problems may move, too, if they are named.
  const settings = { ...options.settings, lookUpDefaults: !isForAll };
  const insights = await terminal.insights(settings);
  try {
    // A target is planned once its facts are known, as when it is written.
    const updates = isForAll ? 'safe' : 'default';
    const { scan } = await prepareScan(
      { ...options, settings, updates, quiet: given.options.json },
      insights,
      terminal,
    );
    const scanned = await scan();
    for (const it of scanned.failures)
      terminal.error(sanitize(`package-insights schedule: ${l10n.t('not looked up: {0}', it.reason)}`));
    return scanned;
  } finally {
    await insights.close();
  }
}

async function add(context: Context): Promise<number> {
  const { given, words, schedule, terminal, signal } = context;
  const { all, group, at, json } = given.options;
  const [path, ...packages] = words;
  if (path === undefined || (!all && packages.length === 0))
    throw new UsageError(l10n.t('add requires a path, and packages or --all'));
  const { snapshots, failures } = await scanOf(context, all ? words : [path], all);
  const named = all ? undefined : packages;
  const { drafts, left } = await draftUpdates(snapshots, named, group, schedule, terminal.directory);
  for (const it of left) terminal.error(sanitize(`package-insights schedule: ${it}`));
  const isComplete = left.length === 0 && failures.length === 0;
  if (drafts.length === 0) {
    if (isComplete) terminal.error(`package-insights schedule: ${l10n.t('nothing to plan')}`);
    return isComplete ? 1 : 2;
  }
  const timed = await timesFor(context, drafts, at);
  if (!timed.ok) return failWith(timed.trouble, context);
  if (given.options['dry-run']) return preview(context, timed.value);
  const added = await schedule.add(timed.value, signal);
  if (!added.ok) return failWith(added.trouble, context);
  const { events, trouble } = added.value;
  if (json) terminal.out(jsonText(events.map(({ event, isNew }) => ({ ...eventJson(event), isNew }))));
  else
    for (const { event, isNew } of events)
      for (const [line, it] of eventLines(event).entries())
        terminal.out(line === 0 && !isNew ? `${it}  ${l10n.t('scheduled before')}` : it);
  if (trouble) return failWith(trouble, context);
  if (timed.value.length < drafts.length)
    terminal.error(
      `package-insights schedule: ${l10n.t('no free time was found for {0} events', drafts.length - timed.value.length)}`,
    );
  return isComplete && timed.value.length === drafts.length ? 0 : 2;
}

/** Events at one time begin one after another; otherwise each gets a free time of its own. */
async function timesFor(
  context: Context,
  drafts: readonly Pick<EventDraft, 'folder' | 'updates'>[],
  at: number | undefined,
): Promise<Scheduled<readonly EventDraft[]>> {
  const { given, schedule, settings, terminal, signal } = context;
  const length = settings.scheduling.slotMinutes * 60_000;
  // Nothing is sent to find a free time, so the time is an example.
  const example = given.options['dry-run'] ? Math.ceil((terminal.clock.now() + 1) / length) * length : undefined;
  const first = at ?? example;
  if (first !== undefined) {
    if (at !== undefined && at < terminal.clock.now())
      throw new UsageError(l10n.t('{0} is in the past', localTime(at)));
    const times = drafts.map((_, index) => first + index * length);
    return { ok: true, value: drafts.map((it, index) => ({ ...it, ...periodAt(times[index] ?? first, length) })) };
  }
  const { slot } = given.options;
  const found = await schedule.slots({ count: Math.max(3, slot) }, signal);
  if (!found.ok) return found;
  const earliest = found.value.slots[slot - 1];
  if (earliest === undefined)
    return { ok: false, trouble: { kind: 'failed', reason: l10n.t('no free time was found in the next weeks') } };
  const others = drafts.length - 1;
  const row =
    others === 0 ? undefined : await schedule.slots({ from: earliest.end, count: others, isInRow: true }, signal);
  if (row && !row.ok) return row;
  const free = [earliest, ...(row?.value.slots ?? [])];
  let taken = 0;
  const timed = drafts.flatMap((it) => {
    // What is planned already keeps its time, so it takes none.
    const slot = isPlanned(it, schedule) ? earliest : free[taken++];
    return slot ? [{ ...it, ...slot }] : [];
  });
  if (taken > 0) warnUnchecked(found.value.unchecked, context);
  return { ok: true, value: timed };
}

function isPlanned({ folder, updates }: Pick<EventDraft, 'folder' | 'updates'>, schedule: Schedule): boolean {
  return updates.every(({ purl, target }) =>
    schedule.planned(folder, purl, target).some((it) => it.status === 'planned'),
  );
}

function periodAt(start: number, length: number): { readonly start: number; readonly end: number } {
  return { start, end: start + length };
}

async function preview(context: Context, drafts: readonly EventDraft[]): Promise<number> {
  const shown = await context.schedule.preview(drafts);
  if (!shown.ok) return failWith(shown.trouble, context);
  context.terminal.out(jsonText(shown.value));
  return 0;
}

async function move(context: Context): Promise<number> {
  const { given, schedule, signal } = context;
  const { at, slot } = given.options;
  if (at !== undefined) return changeOne(context, (it, id) => it.move(id, at, signal));
  const found = await schedule.slots({ count: Math.max(3, slot) }, signal);
  if (!found.ok) return failWith(found.trouble, context);
  warnUnchecked(found.value.unchecked, context);
  const free = found.value.slots[slot - 1];
  if (!free) return failWith({ kind: 'failed', reason: l10n.t('no free time was found in the next weeks') }, context);
  return changeOne(context, (it, id) => it.move(id, free.start, signal));
}

/** Changes the event that an argument names by the beginning of its id, or by a package. */
async function changeOne(
  context: Context,
  change: (schedule: Schedule, id: string, signal: AbortSignal) => Promise<Scheduled<PlannedEvent>>,
): Promise<number> {
  const { words, schedule, signal } = context;
  const [name] = words;
  if (name === undefined || words.length > 1) throw new UsageError(l10n.t('name one event: the beginning of its id'));
  const listed = await schedule.list(undefined, signal);
  if (!listed.ok) return failWith(listed.trouble, context);
  const isMeant = (it: PlannedEvent): boolean =>
    it.id.startsWith(name) || (it.status === 'planned' && it.updates.some(({ purl }) => isNamed(purl, name)));
  const found = listed.value.filter(isMeant);
  const [event] = found;
  if (event === undefined)
    throw new UsageError(l10n.t('“{0}” names no event: give a package, its purl, or the beginning of an id', name));
  if (found.length > 1)
    throw new UsageError(l10n.t('“{1}” names {0} events: give the beginning of the id of one', found.length, name));
  const changed = await change(schedule, event.id, signal);
  if (!changed.ok) return failWith(changed.trouble, context);
  printEvents([changed.value], context);
  return 0;
}

/** Whether a person means a package by a name, or by its purl. */
function isNamed(purl: string, typed: string): boolean {
  if (purl === typed) return true;
  const reading = parsePurl(purl);
  if (reading.kind === 'invalid') return false;
  const { system, name } = reading.purl.key;
  return canonicalName(system, name) === canonicalName(system, typed);
}

/** Completes what the manifests have reached. */
async function sync(context: Context): Promise<number> {
  const { words, schedule, terminal, signal } = context;
  const before = await schedule.list(undefined, signal);
  if (!before.ok) return failWith(before.trouble, context);
  const { snapshots, failures, unread } = await scanOf(context, words, true);
  for (const { uri, dependencies, included } of snapshots) {
    for (const it of [{ uri, dependencies }, ...included]) {
      const { id, root } = await schedule.folderOf(it.uri, workspaceOf(it.uri, terminal.directory));
      schedule.observe(id, relativePath(it.uri, fileURLToPath(root)), observedDependencies(it.dependencies));
    }
  }
  await schedule.whenIdle();
  const { trouble } = schedule.state();
  const planned = new Set(before.value.flatMap((it) => (it.status === 'planned' ? it.id : [])));
  const after = await schedule.list(undefined, signal);
  if (!after.ok) return failWith(after.trouble, context);
  printEvents(
    after.value.filter((it) => it.status === 'done' && planned.has(it.id)),
    context,
  );
  if (trouble) return failWith(trouble, context);
  return failures.length + unread.length > 0 ? 2 : 0;
}

async function setup(context: Context): Promise<number> {
  const { given, schedule, terminal, signal } = context;
  const { create, calendar, json } = given.options;
  if (create || calendar !== undefined) {
    const chosen = create ? await schedule.makeCalendar(signal) : await schedule.chooseCalendar(calendar ?? '', signal);
    if (!chosen.ok) return failWith(chosen.trouble, context);
  }
  const listed = await schedule.calendars(signal);
  if (!listed.ok) return failWith(listed.trouble, context);
  if (json) terminal.out(jsonText(listed.value));
  else
    for (const { id, name, isChosen } of listed.value) terminal.out(sanitize(`${isChosen ? '*' : ' '} ${name}  ${id}`));
  return 0;
}

async function share(context: Context): Promise<number> {
  const { words, schedule, given, terminal, signal } = context;
  const [email] = words;
  if (email === undefined || !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new UsageError(l10n.t('share requires an email address'));
  const done = await schedule.share(email, given.options.role, signal);
  if (!done.ok) return failWith(done.trouble, context);
  terminal.out(sanitize(l10n.t('shared with {0}, as {1}', email, given.options.role)));
  return 0;
}

async function windows(context: Context): Promise<number> {
  const { given, schedule, terminal, signal } = context;
  const { rule, at, hours, json } = given.options;
  if (rule !== undefined) {
    if (at === undefined) throw new UsageError(l10n.t('{0} requires {1}', '--rule', '--at TIME'));
    const added = await schedule.addWindow({ start: at, end: at + hours * 3_600_000, rule }, signal);
    if (!added.ok) return failWith(added.trouble, context);
  }
  const listed = await schedule.windows(signal);
  if (!listed.ok) return failWith(listed.trouble, context);
  if (json) terminal.out(jsonText(listed.value));
  else
    for (const it of listed.value) terminal.out(sanitize(`${periodText(it)}  ${it.title}  ${it.recurrence.join(' ')}`));
  return 0;
}
