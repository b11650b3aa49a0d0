import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systems } from '../model/system.ts';
import { type Catalog, createCatalog } from './catalog.ts';
import type { AdvisoryRecord, PackageRecord } from './record.ts';
import { advisoryShape, packageShape, type Shape } from './shape.ts';

/** A catalog that cannot be used: the message names the file and the place in it. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError';
}

/**
 * Reads a catalog from its directory: a folder for each system, and `advisories`.
 *
 * Rejects with a CatalogError where a file is not as it should be:
 * `npm/lodash.json: versions["4.17.15"].publishedAt: expected an RFC 3339 time`.
 */
export async function loadCatalog(directory: string): Promise<Catalog> {
  const [advisories, ...packages] = await Promise.all([
    readFolder<AdvisoryRecord>(directory, 'advisories', advisoryShape),
    ...systems.map((system) => readFolder<PackageRecord>(directory, system.toLowerCase(), packageShape)),
  ]);
  return createCatalog(packages.flat(), advisories);
}

async function readFolder<T>(directory: string, folder: string, shape: Shape): Promise<T[]> {
  const names = await readdir(join(directory, folder)).catch(() => []);
  const files = names.filter((it) => it.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(directory, folder, file), 'utf8');
      return readRecord<T>(`${folder}/${file}`, text, shape);
    }),
  );
}

/** Reads the text of one file. `file` is its name in messages. */
export function readRecord<T>(file: string, text: string, shape: Shape): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CatalogError(`${file}${place(text, error instanceof Error ? error.message : '')}`);
  }
  const fault = shape(value);
  if (fault !== undefined)
    throw new CatalogError(`${file}: ${fault.path}${fault.path && ': '}expected ${fault.expected}`);
  // The shape has just been held against the value.
  return value as T;
}

/** `:3:17: Unexpected …`, where the engine tells the offset or it is the end of the text. */
function place(text: string, message: string): string {
  const told = / at position (\d+)/.exec(message);
  const offset = told !== null ? Number(told[1]) : /end of JSON/.test(message) ? text.length : undefined;
  if (offset === undefined) return `: ${message}`;
  const before = text.slice(0, offset).split('\n');
  return `:${before.length}:${(before.at(-1) ?? '').length + 1}: ${message.replace(/ in JSON at position.*/s, '')}`;
}
