import { isRecord } from '../model/is-record.ts';
import { canonicalName } from '../model/keys.ts';
import type { Lockfile, LockfileFormat } from '../model/lockfile.ts';
import { readPlainJson } from '../text/json-plain.ts';

/** Pipenv's lockfile. */
export const pipfileLock: LockfileFormat = {
  id: 'Pipfile.lock',
  serves: ['Pipfile'],
  below: false,
  update: 'pipenv lock',
  parse,
};

/** What the tables of a Pipfile are called here; a category of one's own keeps its name. */
const categories: ReadonlyMap<string, string> = new Map([
  ['packages', 'default'],
  ['dev-packages', 'develop'],
]);

/**
 *     { "default": { "requests": { "version": "==2.31.0", "hashes": […] } }, "develop": {…}, "docs": {…} }
 *
 * What comes from a repository or a folder has no version there.
 */
function parse(text: string): Lockfile {
  const value = readPlainJson(text);
  const versions = new Map<string, ReadonlyMap<string, string>>();
  for (const [category, packages] of isRecord(value) ? Object.entries(value) : []) {
    if (isRecord(packages) && !category.startsWith('_')) versions.set(category, versionsIn(packages));
  }
  return { locked: ({ group = '', key }) => versions.get(categories.get(group) ?? group)?.get(key.name) };
}

function versionsIn(packages: Record<string, unknown>): ReadonlyMap<string, string> {
  const versions = new Map<string, string>();
  for (const [name, entry] of Object.entries(packages)) {
    const pin = isRecord(entry) && typeof entry.version === 'string' ? entry.version : '';
    const version = /^={2,3}\s*(\S+)$/.exec(pin)?.[1];
    if (version !== undefined) versions.set(canonicalName('PYPI', name), version);
  }
  return versions;
}
