import {
  create,
  type DescMessage,
  fromBinary,
  isFieldSet,
  type JsonValue,
  type Message,
  type MessageShape,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { toText } from '@bufbuild/protobuf/txtpb';
import type { Budget } from '../../engine/model/connection.ts';
import {
  type QuotaAction_Id,
  QuotaAction_IdSchema,
  type QuotaOverride,
  QuotaOverride_QuotaOverridePolicyType,
  QuotaOverride_QuotaOverridePolicyTypeSchema,
  QuotaOverrideSchema,
  QuotaUsage_Id,
  QuotaUsage_IdSchema,
} from './quota_pb.ts';
import type { DayUsage } from './usage.ts';
import { type UsageExport, type UsageExport_Day, UsageExportSchema } from './usage_export_pb.ts';

/*
 * Usage as protobuf messages. A bundle of its own, which the terminal program loads to export and to read exports, so it
 * has no texts for people.
 */

/** @throws an error where a required field is missing or the bytes are no message */
export function readExport(bytes: Uint8Array): UsageExport {
  return decode(UsageExportSchema, bytes);
}

export function exportOf(days: readonly DayUsage[], budgets: readonly Budget[]): UsageExport {
  return create(UsageExportSchema, {
    days: days.map(({ day, service, usage, actions, units }) => ({
      day,
      service,
      usage: [...usage].map(([id, amount]) => ({ id: id as QuotaUsage_Id, amount })),
      actions: [...actions].map(([id, amount]) => ({ id: id as QuotaAction_Id, amount })),
      units,
    })),
    budgets: budgets.map((it) => ({ service: it.service, limit: overrideOf(it) })),
  });
}

/** The requests of a day as a limit of the contract: `{8, 500, 0}`. */
export function overrideOf({ perDay }: Pick<Budget, 'perDay'>): QuotaOverride {
  return create(QuotaOverrideSchema, {
    quotaUsageId: QuotaUsage_Id.URLFETCH_SERVICE_CALL_COUNT,
    bucketSize: BigInt(perDay),
    overridePolicy: QuotaOverride_QuotaOverridePolicyType.OVERRIDE_IF_GREATER_ALWAYS,
  });
}

export function daysOf({ days }: UsageExport): readonly DayUsage[] {
  return days.map(({ day, service, usage, actions, units }) => ({
    day,
    service,
    usage: summed(usage),
    actions: summed(actions),
    units,
  }));
}

/** Keeps the days between two days, both included. */
export function between(message: UsageExport, since: string, until: string): UsageExport {
  return { ...message, days: message.days.filter(({ day }) => day >= since && day <= until) };
}

/** `URLFETCH_SERVICE_CALL_COUNT`; empty for an unknown number. */
export function nameOf(kind: 'usage' | 'action', id: number): string {
  const { values } = kind === 'usage' ? QuotaUsage_IdSchema : QuotaAction_IdSchema;
  return values.find((it) => it.number === id)?.name ?? '';
}

export const writers = {
  binary: (message: UsageExport): Uint8Array => toBinary(UsageExportSchema, message),
  /** The JSON mapping of protobuf: amounts are strings, known numbers are names. */
  json: (message: UsageExport): JsonValue => toJson(UsageExportSchema, message),
  /** The text format of protobuf. Invisible characters of its strings, which the library leaves, become escapes. */
  text: (message: UsageExport): string =>
    toText(UsageExportSchema, message).replace(
      /[\u2028\u2029\p{Cf}\p{Default_Ignorable_Code_Point}]/gu,
      (it) => `\\U${it.codePointAt(0)?.toString(16).padStart(8, '0')}`,
    ),
} as const;

/** Source: descriptor.proto, `FeatureSet.FieldPresence.LEGACY_REQUIRED`. */
const LEGACY_REQUIRED = 3;

/*
 * A number that an enumeration does not list stays the value of its field. The library would put it aside, and it loses
 * one next to an unknown field (`compileMessageReader` of version 2.17.0).
 */
for (const it of [QuotaUsage_IdSchema, QuotaAction_IdSchema, QuotaOverride_QuotaOverridePolicyTypeSchema]) {
  Object.assign(it, { open: true });
}

/**
 * Reads a message as proto2 demands it: a missing required field is an error, which the library reports only in writing.
 * @throws an error for anything else than such a message
 */
export function decode<Desc extends DescMessage>(schema: Desc, bytes: Uint8Array): MessageShape<Desc> {
  const message = fromBinary(schema, bytes);
  complete(schema, message);
  return message;
}

function complete(schema: DescMessage, message: Message): void {
  for (const field of schema.fields) {
    if (field.presence === LEGACY_REQUIRED && !isFieldSet(message, field)) throw new Error(`${field} is missing`);
    if (field.message === undefined) continue;
    const value = (message as Message & Readonly<Record<string, unknown>>)[field.localName];
    const within = (field.fieldKind === 'list' ? value : value === undefined ? [] : [value]) as readonly Message[];
    for (const it of within) complete(field.message, it);
  }
}

function summed(
  amounts: readonly Pick<UsageExport_Day['usage'][number] | UsageExport_Day['actions'][number], 'id' | 'amount'>[],
): ReadonlyMap<number, bigint> {
  const sums = new Map<number, bigint>();
  for (const { id, amount } of amounts) sums.set(id, (sums.get(id) ?? 0n) + amount);
  return sums;
}
