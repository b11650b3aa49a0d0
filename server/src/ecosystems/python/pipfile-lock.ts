import { isRecord } from '../../base/text.ts';
import { readPlainJson } from '../../formats/json/plain.ts';
import { walkJson } from '../../formats/json/walk.ts';
import { verbatim } from '../../formats/text/literal.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Lockfile, LockfileFormat } from '../../model/lockfile.ts';
import type { Dependency, Manifest, ManifestFormat, Source } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { lockfileFrozenReason } from '../shared/lockfile.ts';

/** Pipenv's lockfile, opened itself. */
export const pipfileLock: ManifestFormat = {
  id: 'Pipfile.lock',
  system: 'PYPI',
  record: 'lockfile',
  files: /(^|\/)Pipfile\.lock$/,
  parse,
};

/** How deep the object of a package is: the root and its category are around it. */
const depthOfPackage = 3;

/**
 *     { "default": { "requests": { "version": "==2.31.0", "hashes": […] } }, "develop": {…} }
 *                     ^^^^^^^^                 ^^^^^^^^
 *
 * What comes from a repository, an address or a folder says that instead; the folder `.` is the project itself.
 */
function parse(text: string): Manifest {
  const dependencies: Dependency[] = [];
  const path: (Span | undefined)[] = [];

  const problems = walkJson(text, {
    open: (name) => path.push(name),
    close: () => path.pop(),
    string(field, value) {
      const [, category, name] = path;
      if (path.length !== depthOfPackage || !name || !category || part(category).startsWith('_')) return;
      const source = sourceOf(part(field), part(value));
      const isPin = part(field) === 'version' && /^={2,3}\s*[^\s=]/.test(part(value));
      if (!source && !isPin) return;
      dependencies.push({
        key: { system: 'PYPI', name: canonicalName('PYPI', part(name)) },
        name: part(name),
        nameSpan: name,
        requirement: source
          ? { kind: 'source', source, span: value }
          : { kind: 'literal', at: verbatim(text, value.start, value.end) },
        scope: part(category) === 'develop' ? 'dev' : 'runtime',
        frozen: lockfileFrozenReason('pipenv lock'),
      });
    },
  });
  return { dependencies, definitions: [], references: [], problems };

  function part({ start, end }: Span): string {
    return text.slice(start, end);
  }
}

function sourceOf(field: string, value: string): Source | undefined {
  switch (field) {
    case 'git':
    case 'hg':
    case 'svn':
    case 'bzr':
      return 'git';
    case 'path':
      return value === '.' ? undefined : 'path';
    case 'file':
      return /^https?:/i.test(value) ? 'url' : 'path';
    default:
      return undefined;
  }
}

/** Pipenv's lockfile. */
export const pipfileLockfile: LockfileFormat = {
  id: 'Pipfile.lock',
  serves: ['Pipfile'],
  below: false,
  update: 'pipenv lock',
  parse: readLocked,
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
function readLocked(text: string): Lockfile {
  const value = readPlainJson(text);
  const versions = new Map<string, ReadonlyMap<string, string>>();
  for (const [category, packages] of isRecord(value) ? Object.entries(value) : []) {
    if (isRecord(packages) && !category.startsWith('_')) versions.set(category, versionsIn(packages));
  }
  return {
    packages: [],
    problems: [],
    locked: ({ group = '', key }) => versions.get(categories.get(group) ?? group)?.get(key.name),
  };
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
