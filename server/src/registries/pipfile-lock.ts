import { isRecord } from '../model/is-record.ts';
import { canonicalName } from '../model/keys.ts';
import type { Registry } from '../model/registry.ts';
import { readPlainJson } from '../text/json-plain.ts';
import { limits, registryAt } from './address.ts';
import type { Indexes } from './pypi-toml.ts';

/**
 * The indexes that Pipenv locked packages from. What names none of them comes from the first.
 *
 *     { "_meta": { "sources": [{ "name": "acme", "url": "https://…" }] },
 *       "default": { "acme-core": { "index": "acme", "version": "==1.0" } } }
 */
export function readPipfileLock(text: string, from: string): Indexes {
  const value = readPlainJson(text);
  const lock = isRecord(value) ? value : {};
  const meta = isRecord(lock._meta) ? lock._meta : {};
  const listed: readonly unknown[] = Array.isArray(meta.sources) ? meta.sources : [];
  const indexes = listed.slice(0, limits.registries).flatMap((it): { name: unknown; registry: Registry }[] => {
    const registry = isRecord(it) && typeof it.url === 'string' ? registryAt(it.url, from) : undefined;
    return isRecord(it) && registry ? [{ name: it.name, registry }] : [];
  });
  const assigned = new Map<string, Registry[]>();
  for (const packages of Object.values(lock)) {
    for (const [name, entry] of isRecord(packages) ? Object.entries(packages) : []) {
      if (!isRecord(entry) || typeof entry.index !== 'string') continue;
      // An index that is not listed may be any.
      const registry = indexes.find((it) => it.name === entry.index)?.registry ?? { from };
      const key = canonicalName('PYPI', name);
      assigned.set(key, [...(assigned.get(key) ?? []), registry]);
    }
  }
  return { everything: indexes.slice(0, 1).map((it) => it.registry), assigned };
}
