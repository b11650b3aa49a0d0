import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createLab, deploymentOf, type Fields } from '../harness/deployments.ts';
import { folderWith, spawnProgram } from '../terminal/program.ts';

/* What the service remembers in a folder: over restarts, over the end of a process at any time, and by several. */

const folder = folderWith({});
after(() => folder.remove());

test('an operation goes on where its time is, after a restart', () => {
  const path = join(folder.path, 'lab.sqlite');
  const content = `
resources:
- {name: net, type: compute.v1.network}
- {name: rule, type: compute.v1.firewall, properties: {network: $(ref.net.selfLink)}}
`;
  const first = createLab({ path });
  first.call('POST deployments', deploymentOf(content));
  first.pass(3_000);
  assert.match(first.states()['rule'] ?? '', /^IN_PROGRESS/);
  const fingerprint = first.fingerprint();
  first.close();
  const second = createLab({ path, start: first.now() + 60_000 });
  assert.deepEqual(second.states(), { net: 'COMPLETED', rule: 'COMPLETED' });
  const { operation } = second.get('deployments/front') as { readonly operation: Fields };
  // It ended when it was due, not when it was looked at.
  assert.equal(operation['endTime'], '2026-11-24T09:00:04.500Z');
  assert.equal(second.fingerprint(), fingerprint);
  second.close();
});

test('a request whose writes fail leaves none of them', () => {
  let isFull = true;
  const lab = createLab({
    wrap: (store) => ({
      ...store,
      put(kind, key, record) {
        if (kind === 'deployment' && isFull) throw new Error('the disk is full');
        store.put(kind, key, record);
      },
    }),
  });
  assert.throws(() => lab.call('POST deployments', deploymentOf('resources: [{name: a, type: storage.v1.bucket}]')));
  assert.deepEqual(lab.get('operations'), { operations: [] });
  isFull = false;
  assert.equal(lab.call('POST deployments', deploymentOf('resources: []')).status, 200);
  assert.deepEqual(lab.states(), {});
  assert.equal((lab.get('deployments/front/manifests')['manifests'] as Fields[]).length, 1);
});

interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string;
}

/** `serve` in a process of its own. */
async function serve(): Promise<Served> {
  const child = spawnProgram(['serve', '--state', 'state'], folder.path);
  after(() => child.kill('SIGKILL'));
  let error = '';
  child.stderr?.setEncoding('utf8').on('data', (it: string) => {
    error += it;
  });
  let out = '';
  for await (const it of child.stdout?.setEncoding('utf8').iterator({ destroyOnReturn: false }) ?? []) {
    out += it;
    if (/^token .*\n/m.test(out)) break;
  }
  assert.match(out, /^token .*\n/m, error);
  const [, url = ''] = /^deployments (.*)$/m.exec(out) ?? [];
  const [, token = ''] = /^token (.*)$/m.exec(out) ?? [];
  return { child, url: `${url}/demo/global`, token };
}

async function send({ url, token }: Served, path: string, body?: object): Promise<{ status: number; value: Fields }> {
  const answer = await fetch(`${url}/${path}`, {
    headers: { authorization: `Bearer ${token}` },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: answer.status, value: (await answer.json()) as Fields };
}

test('two processes share a folder, and the end of one at any time loses nothing that it answered', async () => {
  const [one, two] = await Promise.all([serve(), serve()]);
  const answered: string[] = [];
  const write = async (served: Served, name: string): Promise<void> => {
    const { status } = await send(served, 'deployments', { ...deploymentOf('resources: []'), name });
    assert.equal(status, 200);
    answered.push(name);
  };
  const names = Array.from({ length: 40 }, (_, at) => at);
  const written = names.map(async (at) => {
    await write(two, `two-${at}`);
    if (at === 20) one.child.kill('SIGKILL');
  });
  const broken = names.map((at) => write(one, `one-${at}`).catch(() => {}));
  await Promise.all([...written, ...broken]);
  const { value } = await send(two, 'deployments');
  const kept = (value['deployments'] as Fields[]).map((it) => it['name']);
  assert.deepEqual(
    answered.filter((it) => !kept.includes(it)),
    [],
  );
  assert.ok(answered.filter((it) => it.startsWith('two-')).length === 40);
  // The same name is given once, by whichever process.
  const three = await serve();
  const same = await Promise.all(
    Array.from({ length: 40 }, async (_, at) => {
      const body = { ...deploymentOf('resources: [{name: b, type: storage.v1.bucket}]'), name: `same-${at}` };
      const both = await Promise.all([two, three].map((it) => send(it, 'deployments', body)));
      return both.map((it) => it.status).sort();
    }),
  );
  assert.deepEqual(same, Array(40).fill([200, 409]));
});
