import { walkJson } from '../../formats/json/walk.ts';
import { verbatim } from '../../formats/text/literal.ts';
import { canonicalName } from '../../model/keys.ts';
import type { LockedPackage, Lockfile } from '../../model/lockfile.ts';
import type { Source } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { lockfileFormat } from '../shared/lockfile.ts';

/** Pipenv's lockfile. */
export const pipfileLock = lockfileFormat({
  id: 'Pipfile.lock',
  system: 'PYPI',
  files: /(^|\/)Pipfile\.lock$/,
  serves: ['Pipfile'],
  below: false,
  update: 'pipenv lock',
  parse,
});

/** The categories of a Pipfile's tables; a custom category keeps its name. */
const categories: ReadonlyMap<string, string> = new Map([
  ['packages', 'default'],
  ['dev-packages', 'develop'],
]);

/** The depth of a package's object, inside the root and its category. */
const PACKAGE_DEPTH = 3;

/**
 *     { "default": { "requests": { "version": "==2.31.0", "hashes": […] } }, "develop": {…}, "docs": {…} }
 *                     ^^^^^^^^                 ^^^^^^^^
 *
 * A package from a repository, an address or a folder has that in the place of a version; the folder `.` is the project
 * itself.
 */
function parse(text: string): Lockfile {
  const packages: LockedPackage[] = [];
  /** By category and canonical name. */
  const versions = new Map<string, Map<string, string>>();
  const path: (Span | undefined)[] = [];

  const problems = walkJson(text, {
    open: (name) => path.push(name),
    close: () => path.pop(),
    string(field, value) {
      const [, category, name] = path;
      if (path.length !== PACKAGE_DEPTH || !name || !category) return;
      addField(slice(category), name, slice(field), value);
    },
  });
  return {
    packages,
    problems,
    locked: ({ group = '', key }) => versions.get(categories.get(group) ?? group)?.get(key.name),
    graph: () => 'unrecorded',
  };

  function addField(category: string, nameSpan: Span, field: string, value: Span): void {
    if (category.startsWith('_')) return;
    const source = sourceOf(field, slice(value));
    const pin = field === 'version' ? /^={2,3}\s*([^\s=]\S*)/.exec(slice(value))?.[1] : undefined;
    if (!source && pin === undefined) return;
    const name = slice(nameSpan);
    packages.push({
      name,
      nameSpan,
      version: verbatim(text, value.start, value.end),
      ...(source && { source }),
      ...(category === 'develop' && { scope: 'dev' }),
    });
    if (pin === undefined) return;
    const locked = versions.get(category) ?? new Map();
    versions.set(category, locked.set(canonicalName('PYPI', name), pin));
  }

  function slice({ start, end }: Span): string {
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
