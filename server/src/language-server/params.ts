import type { VersionKey } from '../model/keys.ts';
import { isSystem } from '../model/system.ts';

/** Values of a stranger's parameters, by name; none where they are no object. */
export function fieldsIn(params: unknown): Readonly<Record<string, unknown>> {
  return typeof params === 'object' && params !== null ? (params as Readonly<Record<string, unknown>>) : {};
}

/** A text that is there and not absurdly long. */
export function textIn(params: unknown, name: string): string | undefined {
  const value = fieldsIn(params)[name];
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH ? value : undefined;
}

/** `{ system, name, version }` */
export function readKey(params: unknown): VersionKey | undefined {
  const { system } = fieldsIn(params);
  const [name, version] = [textIn(params, 'name'), textIn(params, 'version')];
  return isSystem(system) && name && version ? { system, name, version } : undefined;
}

/** Longer than any name, version or address that means something. */
const MAX_TEXT_LENGTH = 10_000;
