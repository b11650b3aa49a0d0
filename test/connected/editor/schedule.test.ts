import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ClientCapabilities, CodeAction, Hover, InlayHint } from 'vscode-languageserver';
import type { PlannableUpdate } from '../../../server/src/connected/editor/schedule/plannable.ts';
import type {
  AddedRows,
  PlannedRow,
  ScheduleParams,
  SlotsAnswer,
} from '../../../server/src/connected/editor/schedule/requests.ts';
import type { Scheduled } from '../../../server/src/connected/model/scheduling/schedule.ts';
import { fileUri } from '../../../server/src/engine/base/uri.ts';
import { everything } from '../../editor/scratch.ts';
import { type LspClient, startLsp } from '../../harness/lsp-client.ts';
import { folderWith, runProgram, spawnProgram } from '../../terminal/program.ts';

/* Scheduled updates in an editor, against the calendars of `serve`. */

const manifest = (lodash: string): string => `{
  "dependencies": {
    "lodash": "${lodash}"
  }
}
`;
const folder = folderWith({ 'app/package.json': manifest('4.17.15') });
after(() => folder.remove());
execFileSync('git', ['init', '-q'], { cwd: folder.path });

const child = spawnProgram(['serve', '--port', '0'], folder.path, { TZ: 'Europe/Berlin' });
after(() => child.kill('SIGKILL'));
let out = '';
for await (const it of child.stdout?.setEncoding('utf8').iterator({ destroyOnReturn: false }) ?? []) {
  out += it;
  if (/^token .*$/m.test(out)) break;
}
const said = new Map(out.split('\n').map((it): [string, string] => [it.split(' ')[0] ?? '', it.split(' ')[1] ?? '']));
const insights = /listening on (\S+)/.exec(out)?.[1] ?? '';
const calendars = said.get('scheduling') ?? '';
const token = said.get('token') ?? '';
const environment = {
  ...process.env,
  // Times are those of the calendar, wherever the editor runs.
  TZ: 'Asia/Tokyo',
  PACKAGE_INSIGHTS_SCHEDULING_URL: calendars,
  PACKAGE_INSIGHTS_SCHEDULING_TOKEN: token,
};

const uri = `${fileUri(folder.path)}/app/package.json`;
const file = join(folder.path, 'app/package.json');
const place = { uri, offset: manifest('4.17.15').indexOf('4.17.15'), name: 'lodash' };
const position = { line: 2, character: 16 };

const capabilities: ClientCapabilities = {
  textDocument: {
    hover: { contentFormat: ['markdown'] },
    inlayHint: {},
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
  },
  workspace: { applyEdit: true, inlayHint: { refreshSupport: true } },
};
const vscode: ClientCapabilities = { ...capabilities, experimental: { packageInsightsCommands: true } };

interface Editor extends LspClient {
  do<T>(params: ScheduleParams): Promise<T>;
  hints(): Promise<readonly string[]>;
  hover(): Promise<string>;
  actions(): Promise<readonly string[]>;
  save(text: string): Promise<void>;
}

const clients: LspClient[] = [];
after(() => Promise.all(clients.map((it) => it.stop())));

async function editor(
  more: { capabilities?: ClientCapabilities; locale?: string; cache?: string; connected?: boolean } = {},
): Promise<Editor> {
  const client = await startLsp({
    capabilities: more.capabilities ?? vscode,
    folder: fileUri(folder.path),
    settings: {
      baseUrl: insights,
      connections: { scheduling: { baseUrl: more.connected === false ? '' : calendars } },
    },
    env: { ...environment, PACKAGE_INSIGHTS_CACHE_DIR: more.cache ?? join(folder.path, 'cache') },
    answers: { 'workspace/inlayHint/refresh': () => null },
    ...(more.locale !== undefined && { locale: more.locale }),
  });
  clients.push(client);
  const ask = <T>(method: string, params: object = {}): Promise<T> =>
    client.connection.sendRequest<T>(`textDocument/${method}`, { textDocument: { uri }, ...params });
  let version = 1;
  await client.open(uri, manifest('4.17.15'));
  return {
    ...client,
    async do<T>(params: ScheduleParams) {
      const answer = await client.connection.sendRequest<Scheduled<T>>('packageInsights/schedule', params);
      assert.ok(answer.ok, JSON.stringify(answer));
      return answer.value;
    },
    async hints() {
      const all = await ask<InlayHint[]>('inlayHint', { range: everything });
      return all.map(({ label }) => (typeof label === 'string' ? label : label.map((it) => it.value).join('')));
    },
    async hover() {
      const { contents } = await ask<Hover>('hover', { position });
      assert.ok(typeof contents === 'object' && 'value' in contents);
      return contents.value;
    },
    async actions() {
      const range = { start: position, end: position };
      const all = await ask<CodeAction[]>('codeAction', { range, context: { diagnostics: [], triggerKind: 1 } });
      return all.map((it) => it.title);
    },
    async save(text) {
      const contentChanges = [{ text }];
      const textDocument = { uri, version: ++version };
      await client.connection.sendNotification('textDocument/didChange', { textDocument, contentChanges });
      writeFileSync(file, text);
      await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    },
  };
}

/** Asks until the answer is the expected one: what is planned is shown once it is known. */
async function until<T>(ask: () => Promise<T>, holds: (it: T) => boolean): Promise<T> {
  for (let left = 100; ; left--) {
    const answer = await ask();
    if (holds(answer)) return answer;
    assert.ok(left > 0, JSON.stringify(answer));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The events of the chosen calendar, as the service has them. */
async function eventsOf(id: string): Promise<readonly Record<string, string>[]> {
  const answer = await fetch(`${calendars}/calendars/${encodeURIComponent(id)}/events`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { items } = (await answer.json()) as { readonly items: readonly Record<string, string>[] };
  return items;
}

const first = await editor();
const calendar = await first.do<{ readonly id: string }>({ action: 'makeCalendar' });

let chosen = '';

test('an update is planned at a free time, once in all windows and in the terminal', async () => {
  const actions = await until(first.actions, (it) => it.length > 2);
  assert.ok(actions.includes('Schedule the update of lodash to 4.17.21…'), actions.join('\n'));
  assert.match(await first.hover(), /\[Schedule…\]\(command:packageInsights\.scheduleUpdate\?/);
  const [update] = await first.do<readonly PlannableUpdate[]>({ action: 'draft', ...place });
  assert.deepEqual(update?.draft.places, [{ path: 'app/package.json', line: 3 }]);
  const { slots, timeZone } = await first.do<SlotsAnswer>({ action: 'slots' });
  assert.deepEqual([slots.length, timeZone], [3, 'Europe/Berlin']);
  const [slot] = slots;
  assert.ok(slot && update);
  [chosen = ''] = slot.text.split('–');
  assert.match(slot.text, /^(?:today|\w{3} \d+ \w{3,4}(?: \d{4})?) \d+:\d\d–\d+:\d\d$/);
  const draft = { folder: update.folder, updates: [update.draft], start: slot.start, end: slot.end };
  const second = await editor({ cache: join(folder.path, 'other') });
  await second.do({ action: 'chooseCalendar', id: calendar.id });
  const added = await Promise.all([first, second].map((it) => it.do<AddedRows>({ action: 'add', drafts: [draft] })));
  assert.equal(new Set(added.map((it) => it.events[0]?.id)).size, 1);
  assert.equal(added.filter((it) => it.events[0]?.isNew).length, 1);
  const terminal = await runProgram(['schedule', 'add', '.', 'lodash'], folder.path, {
    ...environment,
    PACKAGE_INSIGHTS_BASE_URL: insights,
    PACKAGE_INSIGHTS_CACHE_DIR: join(folder.path, 'cache'),
  });
  assert.equal(terminal.code, 0, terminal.error);
  assert.equal((await eventsOf(calendar.id)).length, 1);
});

test('without a calendar nothing is offered', async () => {
  const other = await editor({ connected: false });
  const actions = await until(other.actions, (it) => it.length > 2);
  assert.doesNotMatch(actions.join() + (await other.hover()), /schedul|planned/i);
  const answer = await other.connection.sendRequest('packageInsights/schedule', { action: 'list' });
  assert.deepEqual(answer, { ok: false, trouble: { kind: 'not-connected', reason: 'not connected' } });
});

test('the plan is on the line, in the hover, and in place of the action', async () => {
  const [hint = ''] = await until(first.hints, (it) => /scheduled/.test(it[0] ?? ''));
  assert.match(hint, /^⚠ \w+.* → 4\.17\.21 · scheduled .*\d/);
  assert.ok(hint.length <= 43, hint);
  const shown = await first.hover();
  assert.ok(
    shown.includes(`Update to 4.17.21 scheduled for ${chosen} · Dependency updates · [Move…](command:`),
    `${chosen}\n${shown}`,
  );
  assert.match(
    shown,
    /\[Move…\]\(command:packageInsights\.movePlanned\?.*\[Cancel\]\(command:packageInsights\.cancelPlanned/,
  );
  assert.doesNotMatch(shown, /Schedule…/);
  const actions = await first.actions();
  assert.ok(
    actions.some((it) => /^Scheduled update of lodash to 4\.17\.21: .*…$/.test(it)),
    actions.join('\n'),
  );
});

test('another editor shows it as text, in its language', async () => {
  const other = await editor({ capabilities, locale: 'de' });
  const [hint = ''] = await until(other.hints, (it) => /geplant/.test(it[0] ?? ''));
  assert.match(hint, /geplant (?:heute|\w{2}\.? \d+\. \w+|\d+\. \w+)/);
  const shown = await other.hover();
  assert.match(shown, /Update auf 4\.17\.21 geplant für/);
  assert.doesNotMatch(shown, /command:|Verschieben/);
});

test('it is moved, and canceled: then it is not shown', async () => {
  const [row] = await first.do<readonly PlannedRow[]>({ action: 'list' });
  assert.ok(row);
  assert.deepEqual(row.places, ['app/package.json:3']);
  const start = row.start + 7 * 24 * 3_600_000;
  const moved = await first.do<PlannedRow>({ action: 'move', id: row.id, start });
  assert.equal(moved.start, start);
  await first.do({ action: 'cancel', id: row.id });
  await until(first.hints, (it) => it[0] !== undefined && !/scheduled/.test(it[0]));
  assert.deepEqual(await eventsOf(calendar.id), []);
});

test('an event is closed once the saved manifest has reached its target', async () => {
  const updates = await first.do<readonly PlannableUpdate[]>({ action: 'draft', ...place });
  const [update] = updates;
  assert.ok(update);
  const start = Date.now() + 24 * 3_600_000;
  const draft = { folder: update.folder, updates: [update.draft], start, end: start + 1_800_000 };
  await first.do({ action: 'add', drafts: [draft] });
  await until(first.hints, (it) => /scheduled/.test(it[0] ?? ''));
  await first.save(manifest('4.17.21'));
  await until(
    () => eventsOf(calendar.id),
    ([it]) => it?.['summary']?.startsWith('✓') === true,
  );
});
