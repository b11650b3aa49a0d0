import type { VersionKey } from '../engine/model/keys.ts';
import { isSystem } from '../engine/model/system.ts';

/** The fields of untrusted parameters; empty if they are not an object. */
export function fieldsIn(params: unknown): Readonly<Record<string, unknown>> {
  return typeof params === 'object' && params !== null ? (params as Readonly<Record<string, unknown>>) : {};
}

/** A text field that is neither empty nor too long. */
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

/** In characters. Longer than any valid name, version or address. */
const MAX_TEXT_LENGTH = 10_000;
