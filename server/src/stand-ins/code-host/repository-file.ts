import { isRecord } from '../../engine/base/text.ts';
import type { ServedRepository } from './code-host-service.ts';

/** The repositories of a JSON list; undefined if it is not one. */
export function readRepositoryFile(text: string): readonly ServedRepository[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return Array.isArray(value) && value.every(isRepository) ? value : undefined;
}

function isRepository(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { id, fullName, formerNames, license } = value;
  const isNames = formerNames === undefined || (Array.isArray(formerNames) && formerNames.every(isText));
  return (
    Number.isSafeInteger(id) &&
    isText(fullName) &&
    /^[^/]+\/[^/]+$/.test(fullName) &&
    isNames &&
    (license === undefined || isText(license))
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
