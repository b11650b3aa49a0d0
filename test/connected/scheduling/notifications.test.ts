import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { addOne, ends, folder, hour, lodash, monday, setUp } from './setup.ts';

after(async () => {
  for (const it of ends.reverse()) await it();
});

const day = 24 * hour;

/** An address that nothing listens at. */
async function freeAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/changes`;
}

function notify(address: string, channel: Readonly<Record<string, unknown>>, token = `${channel['token']}`) {
  const headers = {
    'x-goog-channel-id': `${channel['id']}`,
    'x-goog-channel-token': token,
    'x-goog-resource-state': 'exists',
  };
  return fetch(address, { method: 'POST', headers });
}

test('a notification brings the change at once; without the secret of the channel it does not count', async () => {
  const address = await freeAddress();
  const { service, schedule } = await setUp({ settings: { notifications: address } });
  const { event } = await addOne(schedule);
  schedule.touch();
  await schedule.whenIdle();
  const [channel = {}] = service.channels;
  assert.equal(channel['address'], address);
  service.edit(event.id, { summary: 'Later' });
  const before = service.calls().length;
  assert.equal((await notify(address, channel, 'x'.repeat(32))).status, 404);
  assert.equal((await fetch(address)).status, 404);
  assert.equal((await notify(`${address}/other`, channel)).status, 404);
  await schedule.whenIdle();
  assert.equal(service.calls().length, before);
  assert.equal((await notify(address, channel)).status, 204);
  await schedule.whenIdle();
  assert.equal(schedule.planned(folder, lodash.purl)[0]?.title, 'Later');
});

test('windows share a channel; it is renewed before it ends, and stopped when the address is removed', async () => {
  const address = await freeAddress();
  const settings = { notifications: address };
  const first = await setUp({ settings });
  const { service, directory, schedule, pass } = first;
  schedule.touch();
  await schedule.whenIdle();
  const second = await setUp({ service, directory, settings });
  second.schedule.touch();
  await second.schedule.whenIdle();
  assert.equal(service.channels.length, 1);
  const [channel] = service.channels;
  service.expiration = monday + 14 * day;
  await pass(6 * day + hour);
  assert.equal(service.channels.length, 1);
  assert.notEqual(service.channels[0]?.['id'], channel?.['id']);
  first.set({});
  schedule.touch();
  await schedule.whenIdle();
  assert.deepEqual(service.channels, []);
  await assert.rejects(fetch(address, { method: 'POST' }));
});

test('a calendar that refuses a channel is asked at intervals', async () => {
  const { service, schedule, logged, pass } = await setUp({ settings: { notifications: 'https://hooks.example/x' } });
  service.fault = (it) =>
    it.path.endsWith('/watch')
      ? (_, response) => void response.writeHead(400, { 'content-type': 'application/json' }).end('{}')
      : undefined;
  const { event } = await addOne(schedule);
  schedule.touch();
  await schedule.whenIdle();
  assert.match(logged.join(), /the calendar does not notify of changes/);
  assert.equal(schedule.state().trouble, undefined);
  service.edit(event.id, { summary: 'Later' });
  await pass(16 * 60_000);
  assert.equal(schedule.planned(folder, lodash.purl)[0]?.title, 'Later');
  assert.equal(logged.length, 1);
});
