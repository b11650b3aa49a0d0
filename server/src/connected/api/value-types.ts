import * as l10n from '@vscode/l10n';

/** A value type of parameters and members, see service-table.ts. */
interface ValueType {
  /** As a clause behind “requires”: `a date, such as 2026-11-24`. */
  readonly expected: () => string;
  /** Whether a text is such a value. For types of JSON other than strings: its text in JSON. */
  readonly accepts: (text: string) => boolean;
  /** The type in JSON. */
  readonly json: 'string' | 'number' | 'boolean' | 'any';
}

const INT32 = 2n ** 31n;
const UINT32 = 2n ** 32n;
const INT64 = 2n ** 63n;
const UINT64 = 2n ** 64n;

const wholeNumber = (): string => l10n.t('a whole number');
const numberAsText = (): string => l10n.t('a whole number as text, such as "42"');

function isBetween(min: bigint, max: bigint): (text: string) => boolean {
  return (text) => /^(?:0|-?[1-9]\d{0,19})$/.test(text) && BigInt(text) >= min && BigInt(text) <= max;
}

/** Source of the date formats: RFC 3339, section 5.6. */
const day = /^\d{4}-\d\d-\d\d$/;
const moment = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)?$/;

const valueTypes = {
  any: { expected: () => '', accepts: () => true, json: 'any' },
  string: { expected: () => l10n.t('text'), accepts: () => true, json: 'string' },
  boolean: {
    expected: () => l10n.t('true or false'),
    accepts: (text) => text === 'true' || text === 'false',
    json: 'boolean',
  },
  int32: { expected: wholeNumber, accepts: isBetween(-INT32, INT32 - 1n), json: 'number' },
  uint32: { expected: wholeNumber, accepts: isBetween(0n, UINT32 - 1n), json: 'number' },
  double: {
    expected: () => l10n.t('a number'),
    accepts: (text) => /^-?\d{1,40}(?:\.\d{1,40})?(?:[Ee][+-]?\d{1,3})?$/.test(text),
    json: 'number',
  },
  int64: { expected: numberAsText, accepts: isBetween(-INT64, INT64 - 1n), json: 'string' },
  uint64: { expected: numberAsText, accepts: isBetween(0n, UINT64 - 1n), json: 'string' },
  byte: {
    expected: () => l10n.t('Base64'),
    // Both alphabets. Source: RFC 4648, sections 4 and 5.
    accepts: (text) => /^[\w+/-]*={0,2}$/.test(text),
    json: 'string',
  },
  date: {
    expected: () => l10n.t('a date, such as {0}', '2026-11-24'),
    accepts: (text) => day.test(text) && !Number.isNaN(Date.parse(text)),
    json: 'string',
  },
  'date-time': {
    expected: () => l10n.t('a date and time, such as {0}', '2026-11-24T14:00:00Z'),
    accepts: (text) => moment.test(text) && !Number.isNaN(Date.parse(text)),
    json: 'string',
  },
  duration: {
    expected: () => l10n.t('a duration in seconds, such as {0}', '300s'),
    accepts: (text) => /^-?\d{1,12}(?:\.\d{1,9})?s$/.test(text),
    json: 'string',
  },
  'field-mask': {
    expected: () => l10n.t('names of members, separated by commas'),
    accepts: (text) => /^[\w.,]*$/.test(text),
    json: 'string',
  },
} as const satisfies Readonly<Record<string, ValueType>>;

/** A value type by its name; undefined for the name of an object or an enum. */
export function valueTypeOf(name: string): ValueType | undefined {
  return Object.hasOwn(valueTypes, name) ? valueTypes[name as keyof typeof valueTypes] : undefined;
}

/** Whether a parameter of the type `date-time` has an offset from UTC, which a query requires. */
export function hasOffset(text: string): boolean {
  return /(?:[Zz]|[+-]\d\d:\d\d)$/.test(text);
}
