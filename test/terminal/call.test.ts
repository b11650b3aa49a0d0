import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { WholeTerminal } from '../../server/src/bin/commands.ts';
import { allMethods } from '../../server/src/connected/api/service-method.ts';
import { callCommand } from '../../server/src/connected/terminal/call.ts';
import type { ApiAnswer, ApiRequest } from '../../server/src/engine/model/connection.ts';
import type { Ended, Folder } from './program.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

const event = { start: { dateTime: '2026-11-24T14:00:00Z' }, end: { dateTime: '2026-11-24T15:00:00Z' } };
const primary = ['--calendarId', 'primary'];

let folder: Folder;
before(() => {
  folder = folderWith({
    'event.json': JSON.stringify(event),
    'broken.json': '{ "summary": "planted", ',
  });
});
after(() => folder.remove());

/** Calls a method of a service that answers each request by one of these answers. */
async function call(
  line: readonly string[],
  answers: readonly ApiAnswer[] = [],
  given: Partial<WholeTerminal> = {},
): Promise<Ended & { readonly sent: readonly ApiRequest[] }> {
  const sent: ApiRequest[] = [];
  const service: WholeTerminal['service'] = async () => ({
    async send(request, signal) {
      sent.push(request);
      return signal?.aborted ? { kind: 'aborted' } : (answers[sent.length - 1] ?? answered(200, {}));
    },
    close: () => {},
  });
  return { ...(await runHere(['call', ...line], folder.path, { service, ...given })), sent };
}

function answered(status: number, value: unknown): ApiAnswer {
  return { kind: 'answer', status, headers: {}, text: value === undefined ? '' : JSON.stringify(value) };
}

test('what breaks a rule is not sent, and the error names the rule', async () => {
  const lines: readonly (readonly [readonly string[], RegExp])[] = [
    [['scheduling.events.update', ...primary, '--eventId', 'a', '--body', 'event.json'], /\(rule update-replaces\)/],
    [['scheduling.events.move', ...primary, '--eventId', 'a'], /\(rule move-destination\)/],
    [['scheduling.events.quickAdd', ...primary], /\(rule quick-add-text\)/],
    [
      ['scheduling.calendars.clear', '--calendarId', 'a@example.org', '--confirm', 'a@example.org'],
      /\(rule clear-primary\)/,
    ],
    [['scheduling.events.delete', ...primary, '--eventId', 'ab12'], /requires the name “ab12” as the option confirm/],
    [['scheduling.events.list', '--calendarId', '../acl'], /calendarId requires a name/],
    [['scheduling.events.list'], /requires the parameter calendarId/],
    [['scheduling.events.list', ...primary, '--q', 'a', '--q', 'b'], /q is given 2 times/],
    [['scheduling.events.list', ...primary, '--etag', '"1"'], /unknown option --etag/],
    [['scheduling.events.list', 'primary'], /does not accept “primary”/],
    [['scheduling.events.insert', ...primary], /requires a body/],
    [
      ['scheduling.events.insert', ...primary, '--body', 'broken.json'],
      /broken\.json is not JSON: line 1 column \d+$/m,
    ],
    [['scheduling.events.insert', ...primary, '--body', 'missing.json'], /missing\.json cannot be read/],
    [['scheduling.events.list', ...primary, '--dry-run=fax'], /--dry-run requires one of http, curl, not “fax”/],
    [['events.list'], /unknown method events\.list; did you mean scheduling\.events\.list/],
    [['nonsense'], /unknown method nonsense; package-insights call --list lists all methods/],
    [[], /which method\? package-insights call --list lists all/],
  ];
  for (const [line, error] of lines) {
    const ended = await call(line);
    assert.deepEqual([ended.code, ended.out, ended.sent], [2, '', []], line.join(' '));
    assert.match(ended.error, error);
  }
});

test('a body comes from a file or from standard input', async () => {
  const fromFile = await call(['scheduling.events.insert', ...primary, '--body', 'event.json']);
  assert.deepEqual(JSON.parse(fromFile.sent[0]?.body ?? ''), event);
  const input = async () => `\ufeff${JSON.stringify(event)}`;
  const piped = await call(['scheduling.events.insert', ...primary, '--body', '-'], [], { input });
  assert.deepEqual(JSON.parse(piped.sent[0]?.body ?? ''), event);
});

test('a body that nests without end is refused', async () => {
  const input = async () => `{"summary": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const { code, error, sent } = await call(['scheduling.events.insert', ...primary, '--body', '-'], [], { input });
  assert.deepEqual([code, sent], [2, []]);
  assert.match(error, /^package-insights call: standard input is nested too deeply/);
});

test('help and dry run of a patch say what it costs, and what costs less', async () => {
  const cost = 'A patch costs 3 quota units; get followed by update costs 2, and is preferred';
  const patch = 'scheduling.events.patch';
  const line = [patch, ...primary, '--eventId', 'ab12', '--body', 'event.json'];
  const help = (await call([patch, '--help'])).out;
  const [http, curl] = [await call([...line, '--dry-run']), await call([...line, '--dry-run=curl'])];
  assert.ok(help.includes(`patch-units: ${cost}.`));
  assert.ok(http.out.startsWith(`# ${patch}: changes something, 3 quota units\n# ${cost}\n`), http.out);
  // A shell may not take comments.
  assert.ok(curl.error.includes(cost) && curl.out.startsWith('curl '));
  assert.deepEqual([http.sent, curl.sent], [[], []]);
});

test('an answer without a body prints nothing', async () => {
  const line = ['scheduling.events.delete', ...primary, '--eventId', 'ab12', '--confirm', 'ab12'];
  const { code, out, error } = await call(line, [answered(204, undefined)]);
  assert.deepEqual([code, out, error], [0, '', '']);
});

/** What controls a terminal or turns its text around. */
const hidden = /[^\n\P{Cc}]|\p{Cf}/u;

test('what is printed cannot control the terminal', async () => {
  const hostile = '\u001b[2J\u202e\u0007 x';
  const done = await call(['scheduling.colors.get'], [answered(200, { kind: hostile })]);
  assert.doesNotMatch(done.out, hidden);
  assert.deepEqual(JSON.parse(done.out), { kind: hostile });
  const failed = await call(['scheduling.colors.get'], [answered(400, { error: { message: hostile } })]);
  const unknown = await call([hostile]);
  const wrong = await call(['scheduling.events.list', ...primary, '--orderBy', hostile]);
  for (const it of [failed, unknown, wrong]) {
    assert.equal(it.code, 2);
    assert.doesNotMatch(it.error, hidden);
  }
});

test('a call that did not arrive says why', async () => {
  const until = Date.UTC(2026, 0, 1);
  const reasons: readonly ApiAnswer[] = [
    { kind: 'held', until, reason: 'the service requested a wait' },
    { kind: 'over-budget', until, reason: 'the budget of 3 a day is spent' },
    { kind: 'failure', reason: 'connection refused' },
  ];
  for (const it of reasons) {
    const { code, out, error } = await call(['scheduling.colors.get'], [it]);
    assert.deepEqual([code, out], [2, '']);
    assert.equal(error, `package-insights call: ${'reason' in it ? it.reason : ''}\n`);
  }
  const page = await call(['scheduling.colors.get'], [{ kind: 'answer', status: 200, headers: {}, text: '<html>' }]);
  assert.equal(page.error, 'package-insights call: the answer is not JSON\n');
});

test('Ctrl-C cancels a call', async () => {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const service: WholeTerminal['service'] = async () => ({
    send: (_, signal) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve({ kind: 'aborted' }));
        end();
      }),
    close: () => {},
  });
  const line = ['scheduling.events.list', ...primary, '--all'];
  const { code, error } = await call(line, [], { ended, service });
  assert.deepEqual([code, error], [2, 'package-insights call: canceled\n']);
});

test('an unknown member of a body that the service returned is sent, and named', async () => {
  const input = async () => JSON.stringify({ ...event, etag: '"1"', quantum: 1 });
  const line = ['scheduling.events.update', ...primary, '--eventId', 'ab12', '--body', '-'];
  const { code, error, sent } = await call(line, [], { input });
  assert.deepEqual([code, error], [0, 'package-insights call: unknown member quantum\n']);
  assert.match(sent[0]?.body ?? '', /quantum/);
});

test('no parameter of a method has the name of an option, and the help of each method names all', async () => {
  const own = [...Object.keys(callCommand.options), 'help'];
  for (const { id, parameters, rules, body } of await allMethods()) {
    const { code, out } = await call([id, '--help']);
    assert.equal(code, 0);
    for (const { name } of parameters) {
      assert.ok(!own.includes(name), `${id} ${name}`);
      assert.match(out, new RegExp(`^ {2}--${name}(?:\\[=VALUE\\]| VALUE)`, 'm'));
    }
    for (const it of rules) assert.match(out, new RegExp(`^${it}: `, 'm'));
    assert.equal(out.includes('--body FILE '), body !== undefined);
  }
  assert.deepEqual(
    (await runHere(['help', 'call', 'scheduling.colors.get'], folder.path)).out,
    (await call(['scheduling.colors.get', '--help'])).out,
  );
});

test('every method is listed, for people and for programs', async () => {
  const all: { id: string; verb: string; path: string; units: number; effect: string }[] = JSON.parse(
    (await call(['--list', '--json'])).out,
  );
  assert.equal(all.length, 37 + 32 + 4 + 1 + 1);
  assert.deepEqual(
    all.find((it) => it.id === 'scheduling.events.patch'),
    {
      id: 'scheduling.events.patch',
      verb: 'PATCH',
      path: 'calendars/{calendarId}/events/{eventId}',
      units: 3,
      effect: 'write',
    },
  );
  const { out } = await call(['--list', 'link-safety']);
  assert.equal(
    out,
    `\
link-safety.fullHashes.find          POST    1  read     v4/fullHashes:find
link-safety.threatListUpdates.fetch  POST    1  read     v4/threatListUpdates:fetch
link-safety.threatLists.list         GET     1  read     v4/threatLists
link-safety.threatMatches.find       POST    1  read     v4/threatMatches:find
`,
  );
  assert.match((await call(['--list', 'calendar'])).error, /--list requires one of code-host, link-safety/);
});
