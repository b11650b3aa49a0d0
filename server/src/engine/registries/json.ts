import { isTooDeep } from '../base/json-depth.ts';
import { isRecord } from '../base/text.ts';

/** The fields of an answer. What a registry keeps was written by many versions of many programs: no shape is certain. */
export type Fields = Readonly<Record<string, unknown>>;

/** Undefined where the text is no JSON object. */
export function parseFields(text: string): Fields | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A field that is an object; an empty one where it is not. */
export function fieldsAt(fields: Fields, name: string): Fields {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return isRecord(value) ? value : {};
}

/** In characters. A text beyond it is no license, address or reason of a person. */
const MAX_TEXT = 4000;

/** A field that is a text with content, without spaces around it. */
export function textAt(fields: Fields, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (typeof value !== 'string' || value.length > MAX_TEXT) return undefined;
  return value.trim() || undefined;
}

/** The texts of a list; none for what is no list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((it) => typeof it === 'string') : [];
}
