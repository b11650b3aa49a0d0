import { isRecord } from '../../base/text.ts';
import { readPlainJson } from '../../formats/json/plain.ts';
import { walkJson } from '../../formats/json/walk.ts';
import { verbatim } from '../../formats/text/literal.ts';
import type { Lockfile, LockfileFormat } from '../../model/lockfile.ts';
import type { Dependency, Manifest, ManifestFormat, Scope } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { writtenBy } from '../shared/locked-entry.ts';
import { archiveIn, exactIn } from './archive-address.ts';
import { askingGroups } from './dependency-groups.ts';
import { npm } from './versions.ts';

/** npm's lockfile, opened itself: every package that is installed, in its three versions. */
export const packageLock: ManifestFormat = {
  id: 'package-lock.json',
  system: 'NPM',
  record: 'lockfile',
  files: /(^|\/)(?:package-lock|npm-shrinkwrap)\.json$/,
  parse,
};

/** An object that is being walked through. */
interface Entry {
  readonly kind: 'root' | 'packages' | 'dependencies' | 'package' | 'other';
  readonly path: Span;
  /** What its properties say, as written. */
  readonly fields: Map<string, Span>;
}

const wanted: ReadonlySet<string> = new Set([
  'name',
  'version',
  'resolved',
  'from',
  'link',
  'dev',
  'optional',
  'peer',
  'devOptional',
]);

/**
 *     "packages": { "node_modules/a/node_modules/lodash": { "version": "4.17.21", "dev": true } }
 *                                                ^^^^^^                 ^^^^^^^
 *     "dependencies": { "lodash": { "version": "4.17.21", "dependencies": { … } },
 *                       "old": { "version": "https://registry.example/lodash/-/lodash-3.10.1.tgz" } }
 *                         ^ lodash                                             ^^^^^^
 *
 * The first is of the versions 2 and 3. Version 2 has both, and the first counts.
 */
function parse(text: string): Manifest {
  const found = { packages: [] as Dependency[], dependencies: [] as Dependency[] };
  const open: Entry[] = [];

  const problems = walkJson(text, {
    open(path = nowhere) {
      open.push({ kind: kindOf(text.slice(path.start, path.end), open), path, fields: new Map() });
    },
    close() {
      const entry = open.pop();
      const list = open.at(-1)?.kind;
      if (entry?.kind !== 'package' || (list !== 'packages' && list !== 'dependencies')) return;
      const dependency = read(text, entry, list === 'packages');
      if (dependency) found[list].push(dependency);
    },
    string: note,
    yes: (name) => note(name, name),
  });
  const dependencies = found.packages.length > 0 ? found.packages : found.dependencies.sort(byPlace);
  return { dependencies, definitions: [], references: [], problems };

  function note(name: Span, value: Span): void {
    const entry = open.at(-1);
    if (entry?.kind !== 'package') return;
    const field = text.slice(name.start, name.end);
    if (wanted.has(field)) entry.fields.set(field, value);
  }
}

const nowhere: Span = { start: 0, end: 0 };

function kindOf(name: string, around: readonly Entry[]): Entry['kind'] {
  switch (around.at(-1)?.kind) {
    case undefined:
      return 'root';
    case 'root':
      return name === 'packages' || name === 'dependencies' ? name : 'other';
    case 'packages':
    case 'dependencies':
      return 'package';
    case 'package':
      // In the first kind of list they are what the package asks for, in the second what is installed inside of it.
      return name === 'dependencies' && around.at(-2)?.kind === 'dependencies' ? 'dependencies' : 'other';
    case 'other':
      return 'other';
  }
}

function byPlace(a: Dependency, b: Dependency): number {
  return a.nameSpan.start - b.nameSpan.start;
}

const folder = 'node_modules/';

/**
 * Undefined for the directory of a member of the workspace, which is listed where it is linked, and for what has no version.
 *
 *     "packages/a": { "version": "1.0.0" }, "node_modules/a": { "resolved": "packages/a", "link": true }
 */
function read(text: string, { path, fields }: Entry, isPath: boolean): Dependency | undefined {
  const field = (name: string): string => {
    const span = fields.get(name);
    return span === undefined ? '' : text.slice(span.start, span.end);
  };
  const resolved = fields.get('resolved');
  const link = fields.has('link') ? resolved : undefined;
  const version = fields.get('version') ?? link;
  if (version === undefined || path === nowhere) return undefined;
  const whole = text.slice(path.start, path.end);
  const at = whole.lastIndexOf(folder);
  if (isPath && at < 0) return undefined;
  const nameSpan = isPath ? { start: path.start + at + folder.length, end: path.end } : path;
  const name = text.slice(nameSpan.start, nameSpan.end);
  const address = field('resolved') || field('version');
  const published = publishedIn(text, version, fields.get('from'));
  const linked = link && (address.startsWith('..') || /^(?:[a-z]:|\/)/i.test(address) ? 'path' : 'workspace');
  const source = linked ?? sourceOf(address) ?? (published || !/^https?:/.test(address) ? undefined : 'url');
  if (source === undefined && !published) return undefined;
  return {
    key: { system: 'NPM', name: published?.name ?? (field('name') || name) },
    name,
    nameSpan,
    requirement:
      source || !published
        ? { kind: 'source', source: source ?? 'url', span: version }
        : { kind: 'literal', at: published.at },
    ...(/^https?:/.test(address) && { registries: [address] }),
    scope: scopeOf(fields),
    frozen: writtenBy('npm install'),
  };
}

/** The version, and the package where that is named beside it; undefined where none was published. */
function publishedIn(text: string, version: Span, from: Span | undefined) {
  const written = text.slice(version.start, version.end);
  if (!written.includes(':'))
    return npm.read(written).kind === 'pin'
      ? { name: undefined, at: verbatim(text, version.start, version.end) }
      : undefined;
  const archive = archiveIn(written);
  if (archive) {
    const start = version.start + archive.start;
    return { name: archive.name, at: verbatim(text, start, start + archive.version.length) };
  }
  for (const span of [version, ...(from ? [from] : [])]) {
    const exact = exactIn(text.slice(span.start, span.end));
    if (exact) return { name: exact.name, at: verbatim(text, span.end - exact.version.length, span.end) };
  }
  return undefined;
}

function sourceOf(address: string): 'git' | 'path' | undefined {
  if (/^(?:git[+:@]|github:|gitlab:|bitbucket:)/.test(address)) return 'git';
  return address.startsWith('file:') ? 'path' : undefined;
}

function scopeOf(fields: ReadonlyMap<string, Span>): Scope {
  if (fields.has('dev')) return 'dev';
  // Where development is left out, `devOptional` is still there for an optional package, and the other way round.
  if (fields.has('optional') || fields.has('devOptional')) return 'optional';
  return fields.has('peer') ? 'peer' : 'runtime';
}

/** npm's lockfile, in its three versions. */
export const packageLockfile: LockfileFormat = {
  id: 'package-lock.json',
  serves: ['package.json'],
  below: true,
  update: 'npm install',
  parse: readLocked,
};

/** The same file under the name by which it is published; npm prefers it. */
export const npmShrinkwrap: LockfileFormat = { ...packageLockfile, id: 'npm-shrinkwrap.json' };

/** What stands in a directory of `node_modules`. */
interface Installed {
  /** The package, where the directory has another name: an alias. */
  readonly name: string;
  readonly version: unknown;
}

/** What a lockfile says of the directories that manifests look into. Of thousands of entries a manifest needs few. */
interface Tree {
  /** Whether a directory is the lockfile's own, `''`, or that of a member of the workspace: `packages/a`. */
  readonly isMember: (directory: string) => boolean;
  /** What is installed in a member under a name; nothing inside another package. */
  readonly installed: (directory: string, name: string) => Installed | undefined;
}

function readLocked(text: string): Lockfile {
  const value = readPlainJson(text);
  const root = isRecord(value) ? value : {};
  const tree = isRecord(root.packages) ? packagesTree(root.packages) : dependenciesTree(root.dependencies);
  return { locked: (dependency, importer) => locked(tree, dependency, importer) };
}

/** As node finds it: in the `node_modules` of the manifest's own directory, else of the directories around it. */
function locked(tree: Tree, dependency: Dependency, importer: string): string | undefined {
  if (!tree.isMember(importer) || !askingGroups.has(dependency.group ?? '')) return undefined;
  for (let directory = importer; ; directory = directory.slice(0, Math.max(0, directory.lastIndexOf('/')))) {
    const found = tree.installed(directory, dependency.name);
    // An address or a path in the place of a version, and a link without one, are passed over.
    if (found && typeof found.version === 'string' && npm.read(found.version).kind === 'pin') {
      // Another package under that name: the alias was changed since.
      return found.name === dependency.key.name ? found.version : undefined;
    }
    if (directory === '') return undefined;
  }
}

/**
 * Versions 2 and 3 list directories:
 *
 *     "packages": { "": {…}, "packages/a": {…}, "node_modules/lodash": { "version": "4.17.21" },
 *                   "node_modules/a": { "link": true }, "node_modules/alias": { "name": "lodash", "version": "3.10.1" } }
 */
function packagesTree(packages: Record<string, unknown>): Tree {
  const inside = 'node_modules/';
  return {
    isMember: (it) => it === '' || (Object.hasOwn(packages, it) && !it.includes(inside)),
    installed(directory, name) {
      const entry = packages[`${directory}${directory && '/'}${inside}${name}`];
      if (!isRecord(entry)) return undefined;
      return { name: typeof entry.name === 'string' ? entry.name : name, version: entry.version };
    },
  };
}

/**
 * Version 1 lists names, and writes an alias as `"version": "npm:lodash@3.10.1"`. There may also stand the address of an
 * archive, which says name and version, or else what was asked for does.
 */
function dependenciesTree(dependencies: unknown): Tree {
  const entries = isRecord(dependencies) ? dependencies : {};
  return {
    isMember: (it) => it === '',
    installed(_, name) {
      const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
      if (!isRecord(entry) || typeof entry.version !== 'string') return undefined;
      const { version, from } = entry;
      if (!version.includes(':')) return { name, version };
      return archiveIn(version) ?? exactIn(version) ?? (typeof from === 'string' ? exactIn(from) : undefined);
    },
  };
}
