import { packageJson } from '../../../../server/src/engine/ecosystems/npm/package-json.ts';
import type { LockfileFormat } from '../../../../server/src/engine/model/lockfile.ts';

/** What a lockfile says of every dependency of a package.json, by name. */
export function lockedBy(
  format: LockfileFormat,
  text: string,
  manifest: unknown,
  importer = '',
): Record<string, string | undefined> {
  const { locked } = format.parse(text);
  const { dependencies } = packageJson.parse(JSON.stringify(manifest));
  return Object.fromEntries(dependencies.map((it) => [it.name, locked(it, importer)]));
}
