import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import { isInnerAddress, isInnerHost } from '../../../server/src/engine/model/registries/inner-host.ts';
import { systemClock } from '../../../server/src/platform/clock.ts';
import { scriptedServer, status } from '../../harness/scripted-server.ts';

const inner = [
  '127.0.0.1',
  '127.8.9.10',
  '0.0.0.0',
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '::1',
  '::',
  'fe80::1',
  'fe80::1%eth0',
  'fd00:ec2::254',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::7f00:1',
  '::127.0.0.1',
  '::ffff:0:7f00:1',
  '64:ff9b:1::a9fe:a9fe',
];
const outer = [
  '10.0.0.7',
  '192.168.1.2',
  '172.16.0.1',
  '93.184.215.14',
  '2001:db8::1',
  'fd12:3456::1',
  '64:ff9b::808:808',
];

test('addresses of this machine, its link and metadata services are told from those of networks', () => {
  assert.deepEqual(
    inner.filter((it) => !isInnerAddress(it)),
    [],
  );
  assert.deepEqual(outer.filter(isInnerAddress), []);
});

test('names of this machine and of metadata services are told, however a URL spells them', () => {
  const hosts = [
    'http://localhost/',
    'http://LOCALHOST./',
    'http://a.localhost/',
    'http://metadata.google.internal/',
    'http://metadata/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/',
  ];
  assert.deepEqual(
    hosts.filter((it) => !isInnerHost(new URL(it).hostname)),
    [],
  );
  assert.ok(!isInnerHost('npm.acme.example'));
});

const own = hostname();
const resolved = await lookup(own, { all: true }).catch(() => []);
const skip = resolved.some((it) => isInnerAddress(it.address))
  ? false
  : 'the name of this machine is not on the loopback';

test('a name that resolves to the loopback is refused when the connection is made', { skip }, async () => {
  const server = await scriptedServer(status(200, 'inside'));
  const http = createHttp({ clock: systemClock, userAgent: 'package-insights-test' });
  const origin = `http://${own}:${new URL(server.url).port}`;
  const answer = await http.request({ method: 'GET', origin, path: '/', refusesInner: true });
  assert.deepEqual([answer.kind, server.arrived.length], ['failure', 0]);
  const usual = await http.request({ method: 'GET', origin: server.url, path: '/' });
  assert.equal(usual.kind, 'answer');
  await http.close();
  await server.close();
});
