import { isRecord, oneLine } from '../../base/text.ts';

/** An error in a response. The message is one line and names the field: `links[2].url is not a text`. */
export class Malformed extends Error {
  constructor(message: string) {
    super(oneLine(message));
  }
}

/** A value of an open enum that this program does not know: a system, a type. Its row is left out of the response. */
export class UnknownValue extends Malformed {}

/** An object of a response, and its place. */
export interface Fields {
  readonly values: Readonly<Record<string, unknown>>;
  readonly place?: Place;
}

/** The second of the links: field `links` with index 1. Formatted only for errors. */
interface Place {
  readonly of: Fields;
  readonly name: string;
  readonly index?: number;
}

/** Reads a value as an object: the response itself, if no place is given. */
export function fieldsOf(value: unknown, place?: Place): Fields {
  if (!isRecord(value)) throw new Malformed(`${place ? write(place) : 'the answer'} is not an object`);
  return place ? { values: value, place } : { values: value };
}

/**
 * The same for a response in which all fields are optional. One that has only other fields is rejected.
 */
export function fieldsAmong(value: unknown, names: readonly string[]): Fields {
  const fields = fieldsOf(value);
  const given = Object.keys(fields.values);
  if (given.length > 0 && !given.some((it) => names.includes(it)))
    throw new Malformed(`the answer has none of ${names.join(', ')}`);
  return fields;
}

/** The text of a field; `''` if it is missing, because some instances omit empty fields. */
export function text(fields: Fields, name: string): string {
  const value = fields.values[name] ?? '';
  if (typeof value !== 'string') throw new Malformed(`${place(fields, name)} is not a text`);
  return value;
}

/** The text of a required field. */
export function requiredText(fields: Fields, name: string): string {
  const value = text(fields, name);
  if (value === '') throw new Malformed(`${place(fields, name)} is missing`);
  return value;
}

/** The name of a value of an enum. One that the service itself has no name for is a number. */
export function enumText(fields: Fields, name: string): string {
  const value = fields.values[name];
  if (typeof value === 'number') throw unknownValue(fields, name, String(value));
  return text(fields, name);
}

export function unknownValue(fields: Fields, name: string, value: string): UnknownValue {
  return new UnknownValue(`${place(fields, name)} is ${value}, which we don't know`);
}

export function flag(fields: Fields, name: string): boolean {
  const value = fields.values[name] ?? false;
  if (typeof value !== 'boolean') throw new Malformed(`${place(fields, name)} is neither true nor false`);
  return value;
}

export function number(fields: Fields, name: string): number {
  const value = fields.values[name] ?? 0;
  if (typeof value !== 'number') throw new Malformed(`${place(fields, name)} is not a number`);
  return value;
}

/** A time of RFC 3339 in ms since the epoch; undefined if it is invalid, because the rest of the response still counts. */
export function moment(fields: Fields, name: string): number | undefined {
  return timeOf(text(fields, name));
}

/** The same for a text alone. */
export function timeOf(value: string): number | undefined {
  const time = written.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Without an offset it would be another time on each machine. Source: RFC 3339, section 5.6. */
const written = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** An object within the response, or undefined if it is missing. */
export function inner(fields: Fields, name: string): Fields | undefined {
  const value = fields.values[name];
  return value === undefined || value === null ? undefined : fieldsOf(value, { of: fields, name });
}

export function requiredInner(fields: Fields, name: string): Fields {
  const value = inner(fields, name);
  if (value === undefined) throw new Malformed(`${place(fields, name)} is missing`);
  return value;
}

/** A shared empty list: most lists of most versions are empty. */
const none: readonly never[] = [];

export function texts(fields: Fields, name: string): readonly string[] {
  return list(fields, name, (value, index) => {
    if (typeof value !== 'string') throw new Malformed(`${write({ of: fields, name, index })} is not a text`);
    return value;
  });
}

export function objects<T>(fields: Fields, name: string, read: (fields: Fields) => T): readonly T[] {
  return list(fields, name, (value, index) => read(fieldsOf(value, { of: fields, name, index })));
}

/** The same without the rows that `read` throws `UnknownValue` for. */
export function knownObjects<T>(fields: Fields, name: string, read: (fields: Fields) => T): readonly T[] {
  const rows = objects(fields, name, (it): T | typeof left => {
    try {
      return read(it);
    } catch (error) {
      if (error instanceof UnknownValue) return left;
      throw error;
    }
  });
  return rows.includes(left) ? rows.filter((it): it is T => it !== left) : (rows as readonly T[]);
}

const left = Symbol('left out');

function list<T>(fields: Fields, name: string, read: (value: unknown, index: number) => T): readonly T[] {
  const value = fields.values[name] ?? none;
  if (!Array.isArray(value)) throw new Malformed(`${place(fields, name)} is not a list`);
  if (value.length === 0) return none;
  return value.map((it: unknown, index) => read(it, index));
}

/** `links[1].url` */
export function place(of: Fields, name: string): string {
  return write({ of, name });
}

function write({ of, name, index }: Place): string {
  const path = of.place ? `${write(of.place)}.${name}` : name;
  return index === undefined ? path : `${path}[${index}]`;
}
