import { isRecord } from '../../base/text.ts';
import { readPlainRecord } from '../../formats/json/plain.ts';
import { parseToml } from '../../formats/toml/parse.ts';
import { type TomlValue, entriesOf as tomlEntries } from '../../formats/toml/tree.ts';
import { parseYaml } from '../../formats/yaml/parse.ts';
import { resolved, type YamlValue, entriesOf as yamlEntries } from '../../formats/yaml/tree.ts';
import type { CooldownLimit } from '../../model/registries/cooldown.ts';
import { readIni } from './registry-address.ts';

/** A settings file as plain objects, lists and texts. */
export interface PlainSettings {
  readonly root: Readonly<Record<string, unknown>>;
  readonly isBroken: boolean;
}

/** @param name selects the syntax */
export function readPlainSettings(name: string, text: string): PlainSettings {
  if (/\.ya?ml$/.test(name)) {
    const { root, problems } = parseYaml(text);
    const plain = plainYaml(root);
    return { root: isRecord(plain) ? plain : {}, isBroken: problems.length > 0 };
  }
  if (name.endsWith('.toml')) {
    const { root, problems } = parseToml(text);
    const plain = plainToml(root);
    return { root: isRecord(plain) ? plain : {}, isBroken: problems.length > 0 };
  }
  return /\.json[c5]?$|^\.renovaterc$/.test(name) ? readPlainRecord(text) : { root: plainIni(text), isBroken: false };
}

/** The value at a path of names; undefined where nothing is. */
export function plainAt(root: unknown, ...path: readonly string[]): unknown {
  let found: unknown = root;
  for (const name of path) found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}

/** The texts of a list, or the only one. */
export function textsOf(value: unknown): readonly string[] {
  const all = Array.isArray(value) ? value : [value];
  return all.flatMap((it) => (typeof it === 'string' || typeof it === 'number' ? [String(it)] : []));
}

/** Depth of values. Settings are flat. */
const MAX_DEPTH = 20;

function plainYaml(given: YamlValue | undefined, depth = 0): unknown {
  const value = resolved(given);
  if (value === undefined || depth > MAX_DEPTH) return undefined;
  if (value.kind === 'scalar') return value.text;
  if (value.kind === 'sequence') return value.items.map((it) => plainYaml(it, depth + 1));
  return Object.fromEntries(yamlEntries(value).map((it) => [it.key.text, plainYaml(it.value, depth + 1)]));
}

function plainToml(value: TomlValue | undefined, depth = 0): unknown {
  if (value === undefined || depth > MAX_DEPTH) return undefined;
  if (value.kind === 'string' || value.kind === 'scalar') return value.text;
  if (value.kind === 'array') return value.items.map((it) => plainToml(it, depth + 1));
  return Object.fromEntries(tomlEntries(value).map((it) => [it.key.text, plainToml(it.value, depth + 1)]));
}

/** `{ key: 'value', 'list[]': ['a', 'b'], 'section.key': 'value' }` */
function plainIni(text: string): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const { section, key, value } of readIni(text, /[=:]/)) {
    const name = section === '' ? key : `${section}.${key}`;
    const before = root[name];
    root[name] = name.endsWith('[]') ? [...(Array.isArray(before) ? before : []), value] : value;
  }
  return root;
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Undefined where nothing is chosen. */
export type ReadLimit = (value: unknown) => CooldownLimit | undefined;

/** A value as text, which `read` understands, or which is not clear. */
export function limitReader(read: (text: string) => CooldownLimit | undefined): ReadLimit {
  return (value) => {
    if (value === undefined || value === null || value === '' || value === 'null') return undefined;
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : JSON.stringify(value);
    return read(text) ?? unclear(text);
  };
}

/** In characters: enough to recognize it. */
const MAX_SHOWN = 40;

export function unclear(text: string): CooldownLimit {
  return { kind: 'unclear', text: `“${text.slice(0, MAX_SHOWN)}”` };
}

function ageOf(age: number): CooldownLimit | undefined {
  return Number.isFinite(age) ? { kind: 'age', age } : undefined;
}

/** A number of units. */
export function countOf(unit: number): (text: string) => CooldownLimit | undefined {
  return (text) => (/^\d+(?:\.\d+)?$/.test(text) ? ageOf(Number(text) * unit) : undefined);
}

/** `P7D`, `PT12H`, `P1W`. Months and years have no fixed length. */
export function isoDuration(text: string): CooldownLimit | undefined {
  const [, weeks, days, hours, minutes, seconds] =
    /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i.exec(text) ?? [];
  const parts = [weeks, days, hours, minutes, seconds];
  if (parts.every((it) => it === undefined)) return undefined;
  const units = [7 * DAY, DAY, HOUR, MINUTE, SECOND];
  return ageOf(parts.reduce((sum, it, at) => sum + Number(it ?? 0) * (units[at] ?? 0), 0));
}

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND,
  sec: SECOND,
  second: SECOND,
  m: MINUTE,
  min: MINUTE,
  minute: MINUTE,
  h: HOUR,
  hr: HOUR,
  hour: HOUR,
  d: DAY,
  day: DAY,
  w: 7 * DAY,
  wk: 7 * DAY,
  week: 7 * DAY,
};

/** `7 days`, `1 week`, `2d 12h`, `3d` */
export function wordDuration(text: string): CooldownLimit | undefined {
  const bare = text.toLowerCase();
  if (!/^(?:\d+(?:\.\d+)?\s*[a-z]+[\s,]*)+$/.test(bare) || text.length > MAX_SHOWN) return undefined;
  let sum = 0;
  for (const [, count, word = ''] of bare.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/g)) {
    const unit = units[word] ?? units[word.replace(/s$/, '')];
    if (unit === undefined) return undefined;
    sum += Number(count) * unit;
  }
  return ageOf(sum);
}

/**
 * `2026-01-31T12:00:00Z`. One without a time zone is of this machine.
 * @param dayEnds whether a day without a time counts to its end: as 00:00 of the next one, here
 */
export function momentReader(dayEnds: 'at its end, here' | 'at its begin, here' | 'at its begin, UTC') {
  return (text: string): CooldownLimit | undefined => {
    const [, year, month, day, rest] = /^(\d{4})-(\d\d)-(\d\d)(?:$|([T ]\d\d:\d\d.*)$)/.exec(text) ?? [];
    if (year === undefined) return undefined;
    const [y, m, d] = [Number(year), Number(month) - 1, Number(day)];
    const before =
      rest !== undefined
        ? Date.parse(text.replace(' ', 'T'))
        : dayEnds === 'at its begin, UTC'
          ? Date.parse(text)
          : new Date(y, m, dayEnds === 'at its end, here' ? d + 1 : d).getTime();
    return Number.isNaN(before) ? undefined : { kind: 'date', before };
  };
}

/** The first of some ways to read a text. */
export function oneOf(
  ...ways: readonly ((text: string) => CooldownLimit | undefined)[]
): (text: string) => CooldownLimit | undefined {
  return (text) => {
    for (const read of ways) {
      const found = read(text);
      if (found) return found;
    }
    return undefined;
  };
}
