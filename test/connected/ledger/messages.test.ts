import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { create, type DescEnum, type DescMessage, fromBinary, toBinary } from '@bufbuild/protobuf';
import { fromText } from '@bufbuild/protobuf/txtpb';
import protobufjs from 'protobufjs';
import {
  QuotaAction_IdSchema,
  QuotaActionSchema,
  QuotaBucket_IdSchema,
  QuotaBucketSchema,
  QuotaOverride_QuotaOverridePolicyTypeSchema,
  QuotaOverrideSchema,
  type QuotaUsage_Id,
  QuotaUsage_IdSchema,
  QuotaUsageSchema,
} from '../../../server/src/connected/ledger/quota_pb.ts';
import { usageIds } from '../../../server/src/connected/ledger/usage.ts';
import { UsageExportSchema } from '../../../server/src/connected/ledger/usage_export_pb.ts';
import {
  between,
  daysOf,
  decode,
  exportOf,
  nameOf,
  overrideOf,
  readExport,
  writers,
} from '../../../server/src/connected/ledger/usage-export.ts';
import { root } from '../../tools/paths.ts';

/*
 * The messages against the text of the contract, and against another implementation of protobuf that reads the same
 * .proto files.
 */
const contract = readFileSync(join(import.meta.dirname, 'quota-contract.txt'), 'utf8');
const other = protobufjs.loadSync(join(root, 'server', 'src', 'connected', 'ledger', 'usage_export.proto'));

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/(?<=^(?:..)+)(?=..)/g, ' ');
}

function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));
}

/** `Prefix X_ :`, `Prefix X_ with suffix _Y :` and `Prefix X_ (each followed by _Y):` apply to their sentence. */
function usageIdsOf(text: string): [name: string, number: number][] {
  const lines = text.slice(text.indexOf('**QuotaUsage**'), text.indexOf('**QuotaOverride**\n')).split('\n');
  return lines.flatMap((line) =>
    line.split(/(?<=\d)\. /).flatMap((sentence) => {
      const head = /^Prefix (\w+_)(?: with suffix (_\w+)| \(each followed by (_\w+)\))? ?:/.exec(sentence);
      const [, prefix = '', suffix = '', followed = ''] = head ?? [];
      return membersOf(sentence).map(([name, number]): [string, number] => [prefix + name + suffix + followed, number]);
    }),
  );
}

function membersOf(text: string): [name: string, number: number][] {
  return [...text.matchAll(/\b([A-Z][A-Z0-9_]*)=(\d+)/g)].map(([, name = '', number]) => [name, Number(number)]);
}

function rowsOf({ values }: DescEnum): [name: string, number: number][] {
  return values.map((it) => [it.name, it.number]);
}

const byNumber = (a: [string, number], b: [string, number]) => a[1] - b[1];

test('every usage identifier and action of the contract has its name and its number', () => {
  const usage = usageIdsOf(contract);
  assert.equal(usage.length, 318);
  assert.deepEqual(rowsOf(QuotaUsage_IdSchema).sort(byNumber), usage.sort(byNumber));
  const actions = membersOf(contract.slice(contract.indexOf('**QuotaAction**')));
  assert.equal(actions.length, 36);
  assert.deepEqual(rowsOf(QuotaAction_IdSchema).sort(byNumber), actions.sort(byNumber));
  assert.deepEqual(rowsOf(QuotaBucket_IdSchema), [['INVALID', 0]]);
  assert.deepEqual(rowsOf(QuotaOverride_QuotaOverridePolicyTypeSchema), [
    ['OVERRIDE_IF_GREATER_ALWAYS', 0],
    ['OVERRIDE_IF_GREATER_AND_BILLED', 1],
  ]);
  for (const { name, deprecated } of QuotaUsage_IdSchema.values) {
    assert.equal(deprecated, name.startsWith('DEPRECATED_'), name);
  }
});

test('the quantities that are counted are those of the contract', () => {
  const names = Object.values(usageIds).map((it) => nameOf('usage', it));
  assert.deepEqual(names, [
    'HTTP_REQUESTS',
    'LATENCY_MS',
    'URLFETCH_SERVICE_CALL_COUNT',
    'URLFETCH_SERVICE_BYTES_SENT',
    'URLFETCH_SERVICE_BYTES_RECEIVED',
    'MEMCACHE_CALL_COUNT',
    'MEMCACHE_BYTES_SENT',
    'MEMCACHE_BYTES_RECEIVED',
    'HTTPS_REQUESTS',
  ]);
  assert.equal(nameOf('action', 15), 'URLFETCH_SERVICE_FETCH');
  assert.equal(nameOf('action', 16), 'URLFETCH_SERVICE_FETCH_DONE');
  assert.equal(nameOf('usage', 999), '');
});

const schemas: readonly DescMessage[] = [
  QuotaUsageSchema,
  QuotaOverrideSchema,
  QuotaBucketSchema,
  QuotaActionSchema,
  UsageExportSchema,
  ...UsageExportSchema.nestedMessages,
];

for (const schema of schemas) {
  test(`the generated ${schema.typeName} is the one of its .proto file`, () => {
    const theirs = other.lookupType(schema.typeName);
    assert.deepEqual(
      schema.fields.map((it) => [it.name, it.number, it.presence === 3, it.fieldKind === 'list']),
      theirs.fieldsArray.map((it) => [snake(it.name), it.id, it.required, it.repeated]),
    );
    for (const it of schema.nestedEnums) {
      const found = other.lookupEnum(it.typeName);
      assert.deepEqual(Object.fromEntries(rowsOf(it)), { ...found.values });
    }
  });
}

/** The oracle names fields in camel case. */
function snake(name: string): string {
  return name.replace(/[A-Z]/g, (it) => `_${it.toLowerCase()}`);
}

test('an override has the bytes that the contract gives', () => {
  const expected = '08 08 10 64 18 00';
  const override = overrideOf({ perDay: 100 });
  assert.equal(hex(toBinary(QuotaOverrideSchema, override)), expected);
  assert.deepEqual(decode(QuotaOverrideSchema, bytes(expected)), override);
  const Theirs = other.lookupType('apphosting.QuotaOverride');
  const theirs = Theirs.create({ quotaUsageId: 8, bucketSize: 100, overridePolicy: 0 });
  assert.equal(hex(Theirs.encode(theirs).finish()), expected);
});

test('a required field that is missing fails in both directions, and in the other implementation', () => {
  const Theirs = other.lookupType('apphosting.QuotaOverride');
  for (const incomplete of ['10 64 18 00', '08 08 18 00', '08 08 10 64', '']) {
    assert.throws(() => decode(QuotaOverrideSchema, bytes(incomplete)), /is missing/);
    assert.throws(() => toBinary(QuotaOverrideSchema, fromBinary(QuotaOverrideSchema, bytes(incomplete))), /required/);
    assert.throws(() => Theirs.decode(bytes(incomplete)), /missing required/);
  }
  // Within a list, too: a day without its service.
  assert.throws(() => readExport(bytes('0a 03 0a 01 61')), /service is missing/);
});

test('bucket sizes have 64 bits and a sign', () => {
  const Theirs = other.lookupType('apphosting.QuotaOverride');
  for (const bucketSize of [0n, -1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)]) {
    const written = toBinary(
      QuotaOverrideSchema,
      create(QuotaOverrideSchema, { ...overrideOf({ perDay: 0 }), bucketSize }),
    );
    assert.equal(decode(QuotaOverrideSchema, written).bucketSize, bucketSize);
    assert.equal(BigInt(String(Theirs.toObject(Theirs.decode(written), { longs: String })['bucketSize'])), bucketSize);
  }
});

test('every number survives a round trip, unknown ones and unknown fields included', () => {
  const Theirs = other.lookupType('apphosting.QuotaOverride');
  for (const number of [...QuotaUsage_IdSchema.values.map((it) => it.number), 328, 999, 2 ** 31 - 1, -1]) {
    const override = create(QuotaOverrideSchema, {
      ...overrideOf({ perDay: 5 }),
      quotaUsageId: number as QuotaUsage_Id,
    });
    const written = toBinary(QuotaOverrideSchema, override);
    const read = decode(QuotaOverrideSchema, written);
    assert.equal(read.quotaUsageId, number);
    assert.equal(hex(toBinary(QuotaOverrideSchema, read)), hex(written));
  }
  // Field 15, a text that this version does not know.
  const later = bytes('08 e7 07 10 64 18 00 7a 02 68 69');
  assert.equal(hex(toBinary(QuotaOverrideSchema, decode(QuotaOverrideSchema, later))), hex(later));
  assert.equal(Theirs.toObject(Theirs.decode(bytes('08 08 10 64 18 00 7a 02 68 69')))['quotaUsageId'], 8);
  for (const schema of [QuotaUsageSchema, QuotaBucketSchema, QuotaActionSchema]) {
    assert.equal(hex(toBinary(schema, decode(schema, bytes('7a 02 68 69')))), '7a 02 68 69');
  }
});

const everyId = {
  day: '2026-01-01',
  service: 'scheduling',
  usage: new Map([...QuotaUsage_IdSchema.values.map((it) => it.number), 999].map((it) => [it, BigInt(it) + 2n ** 60n])),
  actions: new Map([...QuotaAction_IdSchema.values.map((it) => it.number), 888].map((it) => [it, 1n])),
  units: 3n,
};
const plain = { day: '2026-01-02', service: 'insights', usage: new Map([[8, 1n]]), actions: new Map(), units: 0n };

test('an export read back is the same, unknown numbers included', () => {
  const message = exportOf([everyId, plain], [{ service: 'scheduling', perDay: 500 }]);
  const read = readExport(writers.binary(message));
  assert.deepEqual(daysOf(read), [everyId, plain]);
  assert.equal(hex(writers.binary(read)), hex(writers.binary(message)));
  assert.deepEqual(daysOf(between(read, '2026-01-02', '2026-01-02')), [plain]);
  assert.equal(read.budgets[0]?.limit?.bucketSize, 500n);
  assert.match(JSON.stringify(writers.json(read)), /"id":"URLFETCH_SERVICE_CALL_COUNT"/);
  assert.match(JSON.stringify(writers.json(read)), /"id":999/);
  assert.match(writers.text(read), /id: 888\n/);
});

test('the text of an export is read by its own library, and its bytes by the other implementation', () => {
  const message = exportOf([{ ...everyId, usage: new Map([[8, 2n ** 60n]]), actions: new Map([[15, 1n]]) }], []);
  assert.deepEqual(fromText(UsageExportSchema, writers.text(message)), message);
  const Theirs = other.lookupType('packageinsights.UsageExport');
  const theirs = Theirs.toObject(Theirs.decode(writers.binary(message)), { longs: String, enums: String });
  assert.deepEqual(theirs, {
    days: [
      {
        day: '2026-01-01',
        service: 'scheduling',
        usage: [{ id: 'URLFETCH_SERVICE_CALL_COUNT', amount: `${2n ** 60n}` }],
        actions: [{ id: 'URLFETCH_SERVICE_FETCH', amount: '1' }],
        units: '3',
      },
    ],
  });
  assert.equal(hex(Theirs.encode(Theirs.fromObject(theirs)).finish()), hex(writers.binary(message)));
});

test('the text of an export hides nothing, and means the same', () => {
  const message = exportOf([{ ...plain, service: 'a\u001b[31m\u009b\u202e\u{e0041}\n' }], []);
  const text = writers.text(message);
  assert.match(text, /^[ -~\n]*$/);
  assert.deepEqual(fromText(UsageExportSchema, text), message);
});

test('what is no export is refused', () => {
  assert.throws(() => readExport(bytes('ff ff ff')));
  assert.throws(() => readExport(new TextEncoder().encode('{"days":[]}')));
  assert.deepEqual(daysOf(readExport(new Uint8Array())), []);
});
