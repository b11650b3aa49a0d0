import { excessOf } from '../../engine/base/json-depth.ts';
import { isRecord, messageOf } from '../../engine/base/text.ts';
import { fieldsOf, requiredInner, UnknownValue } from '../../engine/facts/service/fields.ts';
import { packageKey, readPackage, readVersion, versionKey } from '../../engine/facts/service/read-answers.ts';
import { canonicalKey, canonicalPackage } from '../canonical.ts';
import { type Fact, type FactAnswer, type ImportedAdvisory, isPossible, keyOf } from '../store/store.ts';
import { isOsv, readOsv } from './osv.ts';

/** One record of an import: an advisory in the OSV Schema, or a Package or Version as the interface answers it. */
export type ReadRecord =
  | { readonly kind: 'kept'; readonly answer: FactAnswer; readonly advisory?: ImportedAdvisory }
  /** Of another system, or an advisory that affects none of ours. */
  | { readonly kind: 'ignored' }
  /** `reason` is a clause in English. */
  | { readonly kind: 'bad'; readonly reason: string };

/** When the records were true, and how long they are fresh from then on, in ms. */
export interface RecordTime {
  readonly asOf: number;
  readonly lifetime: number;
}

/** Values of one record. The longest list of versions (a package with 30,000) has 300,000. */
const MAX_VALUES = 1_000_000;

/** @param exploited CVE numbers of what is known to be exploited */
export function readRecord(text: string, time: RecordTime, exploited?: ReadonlySet<string>): ReadRecord {
  if (excessOf(text, MAX_VALUES) !== undefined) return { kind: 'bad', reason: 'it is nested too deeply, or too large' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'bad', reason: 'it is not JSON' };
  }
  if (!isRecord(value)) return { kind: 'bad', reason: 'it is not an object' };
  try {
    return isOsv(value) ? keepAdvisory(value, time, exploited) : keepAnswer(value, time);
  } catch (error) {
    if (error instanceof UnknownValue) return { kind: 'ignored' };
    return { kind: 'bad', reason: messageOf(error) };
  }
}

function keepAdvisory(
  value: Readonly<Record<string, unknown>>,
  time: RecordTime,
  exploited: ReadonlySet<string> | undefined,
): ReadRecord {
  const { answer, ...advisory } = readOsv(value, exploited);
  const isOurs = advisory.affected.length > 0 || 'withdrawn' in value;
  if (!isOurs) return { kind: 'ignored' };
  const possible = advisory.affected.filter((it) => isPossible([it.system, it.name, advisory.id]));
  const kept = keep({ kind: 'advisory', id: advisory.id }, answer, time);
  return kept.kind === 'kept' ? { ...kept, advisory: { ...advisory, affected: possible } } : kept;
}

function keepAnswer(value: Readonly<Record<string, unknown>>, time: RecordTime): ReadRecord {
  const fields = fieldsOf(value);
  if ('versionKey' in value) {
    readVersion(value);
    return keep({ kind: 'version', key: canonicalKey(versionKey(requiredInner(fields, 'versionKey'))) }, value, time);
  }
  if ('packageKey' in value) {
    const key = packageKey(requiredInner(fields, 'packageKey'));
    readPackage(value, key);
    return keep({ kind: 'package', key: canonicalPackage(key) }, value, time);
  }
  return { kind: 'bad', reason: 'it is neither an advisory, nor a package, nor a version' };
}

function keep(fact: Fact, body: object, time: RecordTime): ReadRecord {
  if (!isPossible(keyOf(fact))) return { kind: 'bad', reason: 'its name cannot be one' };
  return { kind: 'kept', answer: { fact, answer: { body: JSON.stringify(body), ...time } } };
}
