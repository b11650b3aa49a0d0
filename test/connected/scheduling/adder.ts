import { createInterface } from 'node:readline';
import { connectServices } from '../../../server/src/bin/connected.ts';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import { readSettings } from '../../../server/src/engine/settings/read.ts';
import { systemClock } from '../../../server/src/platform/clock.ts';
import { environmentConnections } from '../../../server/src/platform/connections.ts';

/*
 * A process that plans an update with the target of each line that it reads, and prints the id of its event, and whether
 * it made it.
 */
const { settings, credentials } = environmentConnections(process.env);
const read = readSettings(settings);
const http = createHttp({ clock: systemClock, userAgent: 'test' });
const services = connectServices({ settings: () => read, credentials }, { http, folders: () => [] }, undefined);
const { schedule } = services;
// Timers of the clock do not keep a process alive.
const awake = setInterval(() => {}, 2 ** 30);

for await (const target of createInterface({ input: process.stdin })) {
  const start = Date.now() + 3_600_000;
  const update = { purl: 'pkg:npm/lodash', name: 'lodash', target, why: [], places: [{ path: 'package.json' }] };
  const draft = { folder: 'v'.repeat(52), updates: [update], start, end: start + 1_800_000 };
  const added = await schedule.add([draft]);
  const [one] = added.ok ? added.value.events : [];
  console.log(added.ok ? `${one?.event.id} ${one?.isNew}` : `failed ${added.trouble.reason}`);
}
services.close();
await http.close();
clearInterval(awake);
