import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rules } from '../../../server/src/connected/api/rules.ts';
import {
  allMethods,
  findMethod,
  methodsOf,
  readType,
  type Type,
} from '../../../server/src/connected/api/service-method.ts';
import type { ServiceTable } from '../../../server/src/connected/api/service-table.ts';
import { valueTypeOf } from '../../../server/src/connected/api/value-types.ts';
import { connectionNames } from '../../../server/src/engine/model/connection.ts';
import { root } from '../../tools/paths.ts';
import { type ContractRow, deployments, linkSafety, rateLimit, scheduling, tokenAudit } from './contract.ts';

const contracts = [
  ['scheduling', scheduling, 37],
  ['deployments', deployments, 32],
  ['link-safety', linkSafety, 4],
] as const;

/** `v4.fullHashes`, `CompositeTypes` → `fullHashes`, `compositeTypes` */
function idOf(service: string, [group, method]: ContractRow): string {
  const name = group.replace(/^v4\./, '');
  return `${service}.${name.charAt(0).toLowerCase()}${name.slice(1)}.${method}`;
}

for (const [service, rows, count] of contracts) {
  test(`the table of ${service} has the ${count} methods of the contract, row by row`, async () => {
    const written = rows.map((it) => [idOf(service, it), it[2], it[3]]);
    const own = (await methodsOf(service)).map((it) => [it.id, it.verb, `/${it.path}`]);
    assert.equal(own.length, count);
    assert.deepEqual(own, written);
  });
}

test('the listing of audit events and the call for rate limits are those of the contract', async () => {
  const [listing, ...others] = await methodsOf('token-audit');
  assert.ok(listing);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [listing.id, listing.verb, `/${listing.path}`],
    ['token-audit.activities.list', tokenAudit.verb, tokenAudit.path],
  );
  const names = listing.parameters.map((it) => it.name);
  // The credential is no parameter of a call.
  for (const it of tokenAudit.query) assert.equal(names.includes(it), it !== 'access_token', it);
  assert.deepEqual(listing.types.enumOf('EventName'), tokenAudit.eventNames);
  const limits = (await methodsOf('code-host')).map((it) => [it.id, it.verb, `/${it.path}`]);
  assert.deepEqual(limits, [['code-host.rateLimit.get', rateLimit.verb, rateLimit.path]]);
});

test('path parameters are those that the contract names', async () => {
  const names = (service: 'scheduling' | 'deployments') =>
    methodsOf(service).then((all) =>
      [...new Set(all.flatMap((it) => it.parameters.filter((p) => p.in === 'path').map((p) => p.name)))].sort(),
    );
  assert.deepEqual(await names('scheduling'), ['calendarId', 'eventId', 'ruleId', 'setting']);
  assert.deepEqual(await names('deployments'), [
    'compositeType',
    'deployment',
    'manifest',
    'operation',
    'project',
    'resource',
    'type',
    'typeProvider',
  ]);
});

test('a patch of the scheduling service costs three units, and every other call one', async () => {
  for (const it of await allMethods()) {
    assert.equal(it.units, it.connection === 'scheduling' && it.verb === 'PATCH' ? 3 : 1, it.id);
  }
});

test('what a method does to a resource follows from its name', async () => {
  for (const { id, verb, effect } of await allMethods()) {
    const isDestructive = /\.(delete|clear)$/.test(id);
    const isReading = verb === 'GET' || /\.(find|fetch|query|testIamPermissions)$/.test(id);
    assert.equal(effect, isDestructive ? 'destroy' : isReading ? 'read' : 'write', id);
  }
});

test('every type and rule that a table names exists', async () => {
  for (const method of await allMethods()) {
    const { id, types, body, response } = method;
    const seen = new Set<string>();
    const check = (type: Type): void => {
      const name = type.kind === 'named' ? type.name : '';
      if (type.kind !== 'named') check(type.of);
      if (name === '' || seen.has(name)) return;
      seen.add(name);
      const members = types.membersOf(name);
      assert.ok(members || types.enumOf(name) || valueTypeOf(name), `${id}: ${name}`);
      for (const it of members ?? []) check(it.type);
    };
    for (const it of method.parameters) {
      check(readType(it.type));
      assert.doesNotThrow(() => new RegExp(`^(?:${it.pattern ?? ''})$`), id);
    }
    if (body) check(readType(body.type));
    if (response !== undefined) check(readType(response));
    const members = body && types.membersOf(body.type)?.map((it) => it.name);
    for (const it of body?.required ?? []) assert.ok(members?.includes(it), `${id}: ${it}`);
    for (const it of method.rules) assert.ok(Object.hasOwn(rules, it), `${id}: ${it}`);
  }
});

test('every rule holds for some method', async () => {
  const used = new Set((await allMethods()).flatMap((it) => it.rules));
  assert.deepEqual(
    Object.keys(rules).filter((it) => !used.has(it as keyof typeof rules)),
    [],
  );
});

test('docs/services.md lists every rule', () => {
  const text = readFileSync(join(root, 'docs', 'services.md'), 'utf8');
  const [, table = ''] = text.split('| Rule | Methods |');
  const listed = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([a-z-]+)` \|/gm)].map((it) => it[1]);
  assert.deepEqual(listed, Object.keys(rules));
});

test('the files hold nothing that no method needs', () => {
  for (const service of connectionNames) {
    const path = join(root, 'server', 'src', 'connected', 'api', 'tables', `${service}.json`);
    const { methods, parameters, enums, schemas }: ServiceTable = JSON.parse(readFileSync(path, 'utf8'));
    const needed = new Set<string>();
    const need = (text: string): void => {
      const name = text.replace(/ readonly$|[[\]{}]/g, '');
      if (needed.has(name)) return;
      needed.add(name);
      for (const it of Object.values(schemas[name] ?? {})) need(it);
    };
    for (const it of methods) for (const type of [it.body, it.response]) if (type !== undefined) need(type);
    for (const it of Object.values(parameters)) need(it.type);
    assert.deepEqual(
      [...Object.keys(schemas), ...Object.keys(enums)].filter((it) => !needed.has(it)),
      [],
      service,
    );
    const named = new Set(
      methods.flatMap(({ path: it, query = '' }) => [
        ...[...it.matchAll(/\{([\w.]+)\}/g)].map((match) => match[1]),
        ...query.split(' ').map((name) => name.replace('!', '')),
      ]),
    );
    assert.deepEqual(
      Object.keys(parameters).filter((it) => !named.has(it)),
      [],
      service,
    );
  }
});

test('a mistaken id gets the ids that may be meant', async () => {
  const similar = async (id: string) => {
    const found = await findMethod(id);
    return found.kind === 'unknown' ? found.similar : found.method.id;
  };
  assert.equal(await similar('scheduling.events.list'), 'scheduling.events.list');
  assert.equal((await similar('scheduling.event.list'))[0], 'scheduling.events.list');
  assert.equal((await similar('sheduling.events.quickadd'))[0], 'scheduling.events.quickAdd');
  assert.equal((await similar('events.quickAdd'))[0], 'scheduling.events.quickAdd');
  assert.deepEqual(await similar('threatMatches.find'), ['link-safety.threatMatches.find']);
  assert.deepEqual(await similar('__proto__'), []);
  assert.deepEqual(await similar(''), []);
});
