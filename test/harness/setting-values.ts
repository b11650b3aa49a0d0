import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A setting as package.json declares it. */
interface Declared {
  readonly type: string | readonly [string, 'null'];
  readonly default: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly items?: { readonly pattern?: string };
}

const groups: readonly { readonly properties: Readonly<Record<string, Declared>> }[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
).contributes.configuration;

/**
 * The values that a person may write for each setting, by its name (`packageInsights.offline`): all choices, or other
 * values that fit, and values that do not fit.
 */
export const settingValues: ReadonlyMap<string, readonly unknown[]> = new Map(
  groups.flatMap((it) => Object.entries(it.properties)).map(([name, declared]) => [name, valuesOf(declared)]),
);

function valuesOf({ type, default: usual, enum: choices, minimum, maximum, pattern, items }: Declared): unknown[] {
  const texts = ['http://127.0.0.1:1', 'mirror.example', '', '*'];
  if (choices) return [...choices, 'no such choice'];
  switch (typeof type === 'string' ? type : type[0]) {
    case 'boolean':
      return [!usual, usual, 'true', null];
    case 'integer':
      return [minimum, maximum, Number(minimum) - 1, 'many', ...(usual === null ? [null] : [])];
    case 'string':
      return [...texts.filter((it) => pattern === undefined || new RegExp(pattern).test(it)).slice(0, 1), ...texts, 7];
    case 'array':
      return [texts.filter((it) => new RegExp(items?.pattern ?? '').test(it)), texts, 'mirror.example', [7]];
    default:
      throw new Error(`There is no value for a setting of the type ${type}`);
  }
}
