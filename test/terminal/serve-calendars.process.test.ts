import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { folderWith, runProgram, spawnProgram } from './program.ts';

/* Calendars of `serve`: what was answered is kept, whatever happens to the process. */

const folder = folderWith({ 'event.json': '{}' });
const children: ChildProcess[] = [];
after(() => {
  for (const it of children) it.kill('SIGKILL');
  folder.remove();
});

const skip = process.getBuiltinModule('node:sqlite') === undefined;

interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string;
  readonly users: ReadonlyMap<string, string>;
}

async function serve(...args: readonly string[]): Promise<Served> {
  const child = spawnProgram(['serve', '--state', 'state', ...args], folder.path);
  children.push(child);
  let out = '';
  for await (const it of child.stdout?.setEncoding('utf8').iterator({ destroyOnReturn: false }) ?? []) {
    out += it;
    if (/^token .*$/m.test(out)) break;
  }
  const [, url = ''] = /^scheduling (.*)$/m.exec(out) ?? [];
  const [, token = ''] = /^token (.*)$/m.exec(out) ?? [];
  const users = new Map([...out.matchAll(/^user (\S+) (\S+)$/gm)].map(([, email = '', its = '']) => [email, its]));
  return { child, url, token, users };
}

async function insert({ url, token }: Served, id: string): Promise<number> {
  const time = { dateTime: '2026-11-24T10:00:00Z' };
  const response = await fetch(`${url}/calendars/primary/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ id, summary: id, start: time, end: time }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function ids({ url, token }: Served): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/calendars/primary/events?maxResults=2500`, { headers });
  const { items } = (await response.json()) as { items: { id: string }[] };
  return items.map((it) => it.id);
}

test('two processes share the calendars of a folder, and one that is killed loses no answered write', {
  skip,
}, async () => {
  const [first, second] = await Promise.all([serve(), serve('--user', 'other@a.example')]);
  assert.match(second.users.get('other@a.example') ?? '', /^[\w-]{24}$/);
  // Of many that insert the same id, one succeeds.
  const same = await Promise.all([first, second, first, second, first, second].map((it) => insert(it, 'same0')));
  assert.deepEqual(same.toSorted(), [200, 409, 409, 409, 409, 409]);
  const answered = new Set<string>(['same0']);
  let next = 0;
  const write = async (served: Served): Promise<void> => {
    for (;;) {
      const id = `event${next++}`;
      const status = await insert(served, id).catch(() => undefined);
      if (status === undefined) return;
      assert.equal(status, 200);
      answered.add(id);
      if (served === second && answered.size > 60) return;
      if (served === first && answered.size > 30) first.child.kill('SIGKILL');
    }
  };
  await Promise.all([write(first), write(first), write(second)]);
  const kept = await ids(second);
  assert.deepEqual(
    [...answered].filter((it) => !kept.includes(it)),
    [],
  );
  second.child.kill('SIGTERM');
  assert.deepEqual(await once(second.child, 'exit'), [0, null]);
  const third = await serve('--user', 'new@a.example');
  assert.deepEqual([first.token, third.token], [second.token, second.token], 'a client stays signed in');
  assert.deepEqual(await ids(third), kept);
  const environment = {
    PACKAGE_INSIGHTS_CACHE_DIR: `${folder.path}/cache`,
    PACKAGE_INSIGHTS_SCHEDULING_URL: third.url,
    PACKAGE_INSIGHTS_SCHEDULING_TOKEN: third.token,
  };
  const { out, error } = await runProgram(
    ['call', 'scheduling.events.get', '--calendarId', 'primary', '--eventId', 'same0'],
    folder.path,
    environment,
  );
  assert.equal(JSON.parse(out).summary, 'same0', error);
});
