/** What is wrong with an answer. The message names the field: `links[2].url is not a text`. */
export class Malformed extends Error {}

/** An object of an answer, with the place it stands at: `links[2]`; `''` for the answer itself. */
export interface Fields {
  readonly at: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export function fieldsOf(value: unknown, at: string): Fields {
  if (!isObject(value)) throw new Malformed(`${at === '' ? 'the answer' : at} is not an object`);
  return { at, values: value };
}

/** The text of a field; `''` where it is missing, for some instances leave out what is empty. */
export function text(fields: Fields, name: string): string {
  const value = fields.values[name] ?? '';
  if (typeof value !== 'string') throw new Malformed(`${place(fields, name)} is not a text`);
  return value;
}

/** The text of a field that has to be there. */
export function requiredText(fields: Fields, name: string): string {
  const value = text(fields, name);
  if (value === '') throw new Malformed(`${place(fields, name)} is missing`);
  return value;
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

/** A moment in ms since the epoch, written by RFC 3339. */
export function moment(fields: Fields, name: string): number | undefined {
  const value = text(fields, name);
  if (value === '') return undefined;
  const time = /^\d{4}-\d\d-\d\d[Tt ]/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw new Malformed(`${place(fields, name)} is not a time`);
  return time;
}

/** An object within the answer, or undefined where it is missing. */
export function inner(fields: Fields, name: string): Fields | undefined {
  const value = fields.values[name];
  return value === undefined || value === null ? undefined : fieldsOf(value, place(fields, name));
}

export function requiredInner(fields: Fields, name: string): Fields {
  const value = inner(fields, name);
  if (value === undefined) throw new Malformed(`${place(fields, name)} is missing`);
  return value;
}

/** One empty list for all: most lists of most versions are empty. */
const none: readonly never[] = [];

export function texts(fields: Fields, name: string): readonly string[] {
  return list(fields, name, (value, at) => {
    if (typeof value !== 'string') throw new Malformed(`${at} is not a text`);
    return value;
  });
}

export function objects<T>(fields: Fields, name: string, read: (fields: Fields) => T): readonly T[] {
  return list(fields, name, (value, at) => read(fieldsOf(value, at)));
}

function list<T>(fields: Fields, name: string, read: (value: unknown, at: string) => T): readonly T[] {
  const value = fields.values[name] ?? none;
  if (!Array.isArray(value)) throw new Malformed(`${place(fields, name)} is not a list`);
  if (value.length === 0) return none;
  return value.map((it: unknown, index) => read(it, `${place(fields, name)}[${index}]`));
}

function place({ at }: Fields, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
