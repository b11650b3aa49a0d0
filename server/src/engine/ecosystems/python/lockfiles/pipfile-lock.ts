import { walkJson } from '../../../formats/json/walk.ts';
import { verbatim } from '../../../formats/text/literal.ts';
import { canonicalName } from '../../../model/keys.ts';
import type { LockedPackage, Lockfile } from '../../../model/lockfile.ts';
import type { Dependency, Source } from '../../../model/manifest.ts';
import type { Span } from '../../../model/span.ts';
import { lockfileFormat } from '../../shared/lockfile.ts';

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
 * itself. `index` names one of the sources in `_meta`: what only another package requires has none.
 */
function parse(text: string): Lockfile {
  const listed: LockedPackage[] = [];
  /** The name of a package's source, by where its own name begins. */
  const indexes = new Map<number, string>();
  const sources: { name: string; url: string }[] = [];
  /** By category and canonical name. */
  const versions = new Map<string, Map<string, string>>();
  /** Where packages come from that come from no registry. */
  const elsewhere = new Map<string, Map<string, string>>();
  const path: (Span | undefined)[] = [];

  const problems = walkJson(text, {
    open(name) {
      path.push(name);
      if (isSource()) sources.push({ name: '', url: '' });
    },
    close: () => path.pop(),
    string(field, value) {
      const [, category, name] = path;
      const source = isSource() ? sources.at(-1) : undefined;
      const key = slice(field);
      if (source && (key === 'name' || key === 'url')) source[key] = slice(value);
      if (name && key === 'index') indexes.set(name.start, slice(value));
      if (path.length !== PACKAGE_DEPTH || !name || !category) return;
      addField(slice(category), name, key, value);
    },
  });
  const packages = listed.map((it): LockedPackage => {
    const index = indexes.get(it.nameSpan.start);
    if (index === undefined || it.source) return it;
    // A source that is not among them is some private one.
    return { ...it, registry: sources.find(({ name }) => name === index)?.url || index };
  });
  return {
    packages,
    problems,
    locked: (it) => (elsewhereOf(it) === undefined ? versions.get(categoryOf(it))?.get(it.key.name) : undefined),
    inPlaceOf(it) {
      const text = elsewhereOf(it);
      return text === undefined ? undefined : { name: it.key.name, source: 'url', text };
    },
    graph: () => 'unrecorded',
  };

  function elsewhereOf(it: Dependency): string | undefined {
    return elsewhere.get(categoryOf(it))?.get(it.key.name);
  }

  function addField(category: string, nameSpan: Span, field: string, value: Span): void {
    if (category.startsWith('_')) return;
    const source = sourceOf(field, slice(value));
    if (origins.has(field)) put(elsewhere, category, slice(nameSpan), slice(value));
    const pin = field === 'version' ? /^={2,3}\s*([^\s=]\S*)/.exec(slice(value))?.[1] : undefined;
    if (!source && pin === undefined) return;
    const name = slice(nameSpan);
    listed.push({
      name,
      nameSpan,
      version: verbatim(text, value.start, value.end),
      ...(source && { source }),
      ...(category === 'develop' && { scope: 'dev' }),
    });
    if (pin !== undefined) put(versions, category, name, pin);
  }

  /** The objects in the array `sources` have no name. */
  function isSource(): boolean {
    const [, meta] = path;
    return path.length === PACKAGE_DEPTH && path.at(-1) === undefined && meta !== undefined && slice(meta) === '_meta';
  }

  function slice({ start, end }: Span): string {
    return text.slice(start, end);
  }
}

function categoryOf({ group = '' }: Dependency): string {
  return categories.get(group) ?? group;
}

function put(into: Map<string, Map<string, string>>, category: string, name: string, value: string): void {
  into.set(category, (into.get(category) ?? new Map()).set(canonicalName('PYPI', name), value));
}

/** They prevail over a version beside them. */
const origins: ReadonlySet<string> = new Set(['git', 'hg', 'svn', 'bzr', 'path', 'file']);

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
