import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { CodeAction, CodeLens, CompletionList } from 'vscode-languageserver';
import type {
  CallAnswer,
  CopiedRequest,
  MethodSummary,
} from '../../../server/src/connected/model/documents/requests.ts';
import { startLsp } from '../../harness/lsp-client.ts';
import { json, scriptedServer } from '../../harness/scripted-server.ts';
import { folderWith, spawnProgram } from '../../terminal/program.ts';

const folder = folderWith({
  'repositories.json': '[]',
  'unsafe.jsonl': '{"list": "MALWARE", "url": "http://unsafe.example/download"}\n',
});
after(() => folder.remove());

/** The addresses and the token that `serve` prints. */
const said = new Map<string, string>();
const serving = spawnProgram(
  ['serve', '--repositories', 'repositories.json', '--unsafe-links', 'unsafe.jsonl', '--state', 'state'],
  folder.path,
);
after(() => serving.kill('SIGKILL'));
let out = '';
for await (const it of serving.stdout?.setEncoding('utf8').iterator({ destroyOnReturn: false }) ?? []) {
  out += it;
  if (/^token .*$/m.test(out)) break;
}
for (const line of out.split('\n')) {
  const [name = '', value = ''] = line.split(' ');
  said.set(name, value);
}
const token = said.get('token') ?? '';

/** A calendar with two pages of events, one of which can be changed. */
const calendar = await scriptedServer(({ method, path }, response) => {
  const page = /pageToken=(\w+)/.exec(path)?.[1];
  const list = page === undefined ? { items: [{ id: 'a1' }], nextPageToken: 'second' } : { items: [{ id: 'b2' }] };
  const event = { kind: 'event', id: 'a1', etag: '"7"', summary: 'Old', attendees: [{ email: 'a@example.org' }] };
  const body = method === 'DELETE' ? undefined : /\/events\/a1/.test(path) ? event : list;
  if (body === undefined) response.writeHead(204).end();
  else return json(body)({ method, path } as never, response);
});
after(() => calendar.close());
const calendarToken = 'calendar-token-0123456789';

const client = await startLsp({
  settings: { baseUrl: 'http://127.0.0.1:9' },
  capabilities: {
    textDocument: {
      codeLens: {},
      completion: {},
      codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
      publishDiagnostics: {},
    },
    workspace: { applyEdit: true },
  },
  answers: {
    'workspace/applyEdit': (params) => {
      applied.push(params);
      return { applied: true };
    },
  },
  env: {
    ...process.env,
    PACKAGE_INSIGHTS_LINK_SAFETY_URL: said.get('link-safety') ?? '',
    PACKAGE_INSIGHTS_LINK_SAFETY_TOKEN: token,
    PACKAGE_INSIGHTS_SCHEDULING_URL: `${calendar.url}/v3`,
    PACKAGE_INSIGHTS_SCHEDULING_TOKEN: calendarToken,
  },
});
const applied: unknown[] = [];
after(() => client.stop());

const { connection } = client;
let count = 0;

/** Opens a request document. */
async function open(text: string): Promise<string> {
  const uri = `untitled:Untitled-${++count}`;
  const textDocument = { uri, languageId: 'package-insights-request', version: 1, text };
  await connection.sendNotification('textDocument/didOpen', { textDocument });
  return uri;
}

const call = (uri: string, more: object = {}): Promise<CallAnswer> =>
  connection.sendRequest('packageInsights/callMethod', { textDocument: { uri }, ...more });

function content(answer: CallAnswer): string {
  assert.equal(answer.kind, 'answer', JSON.stringify(answer));
  return answer.kind === 'answer' ? answer.content : '';
}

test('all methods are listed, connected ones marked, and each has a template', async () => {
  const { methods } = await connection.sendRequest<{ readonly methods: readonly MethodSummary[] }>(
    'packageInsights/serviceMethods',
    {},
  );
  const connected = new Set(methods.filter((it) => it.isConnected).map((it) => it.connection));
  assert.deepEqual([...connected], ['link-safety', 'scheduling']);
  const template = await connection.sendRequest('packageInsights/requestTemplate', {
    method: 'scheduling.events.get',
  });
  assert.equal(template, 'METHOD scheduling.events.get\ncalendarId: primary\neventId: \n');
});

test('a request is completed, checked, fixed and sent; the answer says what it cost', async () => {
  const uri = await open('METHOD link-safety.threatList.list\n');
  const [finding] = await client.pushedUntil(uri, (all) => all.length === 1);
  assert.equal(finding?.code, 'unknown-method');
  const textDocument = { uri };
  const [fix] = await connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
    textDocument,
    range: finding.range,
    context: { diagnostics: [] },
  });
  assert.equal(fix?.edit?.changes?.[uri]?.[0]?.newText, 'link-safety.threatLists.list');
  const { items } = await connection.sendRequest<CompletionList>('textDocument/completion', {
    textDocument,
    position: { line: 0, character: 12 },
  });
  assert.ok(items.some((it) => it.label === 'link-safety.threatLists.list'));
  const refused = await call(uri);
  assert.equal(refused.kind, 'refused');
  await connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: 'METHOD link-safety.threatLists.list\n' }],
  });
  await client.pushedUntil(uri, (all) => all.length === 0);
  const text = content(await call(uri));
  assert.match(text, /^\/\/ link-safety\.threatLists\.list\n\/\/ 200 · \d+ ms · \d+ bytes · 1 quota unit\n\{/);
  assert.match(text, /"MALWARE"/);
  assert.ok(!text.includes(token));
});

test('any editor sends through the command of a lens', async () => {
  const uri = await open('METHOD link-safety.threatLists.list\n');
  const lenses = await connection.sendRequest<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
  assert.deepEqual(
    lenses.map((it) => it.command?.title),
    ['▷ Send · 1 quota unit', 'Copy as cURL', 'Copy as .http'],
  );
  const [send, curl] = lenses;
  const answer = await connection.sendRequest<CallAnswer>('workspace/executeCommand', send?.command);
  assert.match(content(answer), /"MALWARE"/);
  const copied = await connection.sendRequest<CopiedRequest>('workspace/executeCommand', curl?.command);
  assert.ok(copied.kind === 'copied');
  assert.match(copied.text, /^curl .*--url-query "key=\$PACKAGE_INSIGHTS_LINK_SAFETY_TOKEN"$/s);
  assert.ok(!copied.text.includes(token));
});

test('the next page and all pages of a list are requested', async () => {
  const uri = await open('METHOD scheduling.events.list\ncalendarId: primary\n');
  const first = await call(uri);
  assert.ok(first.kind === 'answer' && first.nextPageToken === 'second' && first.hasPages);
  const second = await call(uri, { page: first.nextPageToken });
  assert.match(content(second), /"b2"/);
  assert.ok(second.kind === 'answer' && second.nextPageToken === undefined);
  const all = content(await call(uri, { page: 'all' }));
  assert.match(all, /2 requests · .* · 2 quota units/);
  assert.match(all, /"a1"[\s\S]*"b2"/);
});

test('what removes something is sent only with the name of the resource', async () => {
  const uri = await open('METHOD scheduling.events.delete\ncalendarId: primary\neventId: a1\n');
  const before = calendar.arrived.length;
  assert.deepEqual(await call(uri), { kind: 'confirm', method: 'scheduling.events.delete', name: 'a1' });
  assert.equal((await call(uri, { confirm: 'a2' })).kind, 'confirm');
  assert.equal(calendar.arrived.length, before);
  assert.match(content(await call(uri, { confirm: 'a1' })), /^\/\/ scheduling\.events\.delete\n\/\/ 204/);
  assert.equal(calendar.arrived.at(-1)?.method, 'DELETE');
});

test('a patch becomes an update of what was read, with its etag', async () => {
  const uri = await open(
    'METHOD scheduling.events.patch\ncalendarId: primary\neventId: a1\n\n{ "summary": "New", "attendees": [] }\n',
  );
  const [units] = await client.pushedUntil(uri, (all) => all.length === 2);
  const actions = await connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri },
    range: units?.range,
    context: { diagnostics: [] },
  });
  assert.equal(actions[0]?.title, 'Use get and update');
  assert.equal(await connection.sendRequest('workspace/executeCommand', actions[0].command), true);
  const text = JSON.stringify(applied.at(-1));
  assert.match(text, /METHOD scheduling\.events\.update/);
  for (const it of ['\\\\"7\\\\', 'New']) assert.ok(text.includes(it), text);
  assert.doesNotMatch(text, /Old|a@example\.org/);
});

test('an update gets the etag of what is there', async () => {
  const uri = await open(
    'METHOD scheduling.events.update\ncalendarId: primary\neventId: a1\n\n{ "start": {}, "end": {} }\n',
  );
  const [rule] = await client.pushedUntil(uri, (all) => all.length === 1);
  assert.equal(rule?.code, 'update-replaces');
  const [read] = await connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri },
    range: rule.range,
    context: { diagnostics: [] },
  });
  assert.equal(await connection.sendRequest('workspace/executeCommand', read?.command), true);
  assert.match(JSON.stringify(applied.at(-1)), /etag/);
});

test('a service that is not connected is not called', async () => {
  const uri = await open('METHOD code-host.rateLimit.get\n');
  const [finding] = await client.pushedUntil(uri, (all) => all.length === 1);
  assert.equal(finding?.code, 'not-connected');
  const answer = await call(uri);
  assert.equal(answer.kind, 'not-connected');
});

test('a call can be canceled', async () => {
  calendar.script(() => {});
  const uri = await open('METHOD scheduling.events.get\ncalendarId: primary\neventId: a1\n');
  const before = calendar.arrived.length;
  const { CancellationTokenSource } = await import('vscode-languageserver');
  const cancelling = new CancellationTokenSource();
  const answer = connection.sendRequest<CallAnswer>(
    'packageInsights/callMethod',
    { textDocument: { uri } },
    cancelling.token,
  );
  await calendar.reached(before + 1);
  cancelling.cancel();
  assert.deepEqual(await answer, { kind: 'aborted' });
});

test('parameters that are none are refused', async () => {
  for (const [method, params] of [
    ['callMethod', {}],
    ['callMethod', { text: 5 }],
    ['copyRequest', { text: '', format: 'exe' }],
    ['requestTemplate', {}],
  ] as const)
    await assert.rejects(connection.sendRequest(`packageInsights/${method}`, params));
  assert.deepEqual(await call('untitled:Unknown'), { kind: 'aborted' });
});

test('no credential arrives in the editor', () => {
  assert.doesNotMatch(JSON.stringify([applied, [...client.pushed]]), new RegExp(`${token}|${calendarToken}`));
});
