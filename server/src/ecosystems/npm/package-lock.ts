import { walkJson } from '../../formats/json/walk.ts';
import { verbatim } from '../../formats/text/literal.ts';
import type { LockedPackage, Lockfile, LockfileFormat } from '../../model/lockfile.ts';
import type { Dependency, Scope } from '../../model/manifest.ts';
import type { Literal, Span } from '../../model/span.ts';
import { lockfileFormat } from '../shared/lockfile.ts';
import { readArchiveAddress, readExactSpecifier } from './archive-address.ts';
import { dependencyGroups } from './dependency-groups.ts';
import { npm } from './versions.ts';

/** npm's lockfile, in its three versions. */
export const packageLock = lockfileFormat({
  id: 'package-lock.json',
  system: 'NPM',
  files: /(^|\/)(?:package-lock|npm-shrinkwrap)\.json$/,
  serves: ['package.json'],
  below: true,
  update: 'npm install',
  parse,
});

/** The same file under the name by which it is published; npm prefers it. */
export const npmShrinkwrap: LockfileFormat = { ...packageLock, id: 'npm-shrinkwrap.json' };

/** An object that the walk is in. */
interface Entry {
  readonly kind: 'root' | 'packages' | 'dependencies' | 'package' | 'other';
  readonly name: Span;
  /** The directory of a package, relative to the lockfile's: `packages/a`, `node_modules/a/node_modules/lodash`. */
  readonly directory: string;
  /** The spans of its strings, and of its properties that are `true`. */
  readonly fields: Map<string, Span>;
}

const usedFields: ReadonlySet<string> = new Set([
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
function parse(text: string): Lockfile {
  const listed = { packages: [] as Entry[], dependencies: [] as Entry[] };
  const members = new Set(['']);
  const open: Entry[] = [];

  const problems = walkJson(text, {
    open(name = nowhere) {
      open.push(entryAt(text, name, open));
    },
    close() {
      const entry = open.pop();
      const list = open.at(-1)?.kind;
      if (entry?.kind !== 'package' || (list !== 'packages' && list !== 'dependencies')) return;
      if (entry.directory.includes(folder)) listed[list].push(entry);
      else members.add(entry.directory);
    },
    string: note,
    scalar: (name, value) => name && text.startsWith('true', value.start) && note(name, value),
  });
  const entries = listed.packages.length > 0 ? listed.packages : listed.dependencies;
  let byDirectory: ReadonlyMap<string, Entry> | undefined;
  /** Each keystroke in a manifest looks its packages up again. */
  const known = new Map<Entry, LockedPackage | undefined>();
  const packageOf = (entry: Entry | undefined): LockedPackage | undefined => {
    if (entry === undefined) return undefined;
    if (!known.has(entry)) known.set(entry, read(text, entry));
    return known.get(entry);
  };
  return {
    get packages() {
      return entries.flatMap((it) => read(text, it) ?? []).sort((a, b) => a.nameSpan.start - b.nameSpan.start);
    },
    problems,
    locked(dependency, importer) {
      if (!members.has(importer)) return undefined;
      byDirectory ??= new Map(entries.map((it) => [it.directory, it]));
      return lockedIn((it) => packageOf(byDirectory?.get(it)), dependency, importer);
    },
  };

  function note(name: Span, value: Span): void {
    const entry = open.at(-1);
    if (entry?.kind !== 'package') return;
    const field = text.slice(name.start, name.end);
    if (usedFields.has(field)) entry.fields.set(field, value);
  }
}

const nowhere: Span = { start: 0, end: 0 };
const noFields: Entry['fields'] = new Map();
const folder = 'node_modules/';

function entryAt(text: string, name: Span, around: readonly Entry[]): Entry {
  const kind = kindOf(text.slice(name.start, name.end), around);
  if (kind !== 'package') return { kind, name, directory: around.at(-1)?.directory ?? '', fields: noFields };
  const { kind: list, directory = '' } = around.at(-1) ?? {};
  const key = text.slice(name.start, name.end);
  const inside = `${directory}${directory && '/'}${folder}${key}`;
  return { kind, name, directory: list === 'packages' ? key : inside, fields: new Map() };
}

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
      // In `packages` these are requirements, in `dependencies` packages that are installed inside this one.
      return name === 'dependencies' && around.at(-2)?.kind === 'dependencies' ? 'dependencies' : 'other';
    case 'other':
      return 'other';
  }
}

/**
 * Undefined for an entry without a version. The directory of a member of the workspace is no package: the member is
 * listed where it is linked.
 *
 *     "packages/a": { "version": "1.0.0" }, "node_modules/a": { "resolved": "packages/a", "link": true }
 */
function read(text: string, { name: key, fields }: Entry): LockedPackage | undefined {
  const field = (name: string): string => {
    const span = fields.get(name);
    return span === undefined ? '' : text.slice(span.start, span.end);
  };
  const resolved = fields.get('resolved');
  const link = fields.has('link') ? resolved : undefined;
  const version = fields.get('version') ?? link;
  if (version === undefined || key === nowhere) return undefined;
  const at = text.slice(key.start, key.end).lastIndexOf(folder);
  const nameSpan = at < 0 ? key : { start: key.start + at + folder.length, end: key.end };
  const address = field('resolved') || field('version');
  const published = publishedIn(text, version, fields.get('from'));
  const linked = link && (address.startsWith('..') || /^(?:[a-z]:|\/)/i.test(address) ? 'path' : 'workspace');
  const isAddress = /^https?:/.test(address);
  const source = linked ?? sourceOf(address) ?? (published || !isAddress ? undefined : 'url');
  if (source === undefined && !published) return undefined;
  const packageName = published?.name ?? field('name');
  return {
    name: text.slice(nameSpan.start, nameSpan.end),
    nameSpan,
    ...(packageName && { packageName }),
    version: (source ? undefined : published?.at) ?? verbatim(text, version.start, version.end),
    ...(source && { source }),
    ...(isAddress && { registry: address }),
    scope: scopeOf(fields),
  };
}

/** The version, and the package where that is named beside it; undefined where none was published. */
function publishedIn(text: string, version: Span, from: Span | undefined): { name?: string; at: Literal } | undefined {
  const written = verbatim(text, version.start, version.end);
  if (!written.text.includes(':')) return npm.read(written.text).kind === 'pin' ? { at: written } : undefined;
  const archive = readArchiveAddress(written.text);
  if (archive) {
    const start = version.start + archive.start;
    return { name: archive.name, at: verbatim(text, start, start + archive.version.length) };
  }
  for (const span of [version, ...(from ? [from] : [])]) {
    const exact = readExactSpecifier(text.slice(span.start, span.end));
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

/** As Node resolves it: from the `node_modules` of the manifest's own directory, else of the directories above. */
function lockedIn(
  packageIn: (directory: string) => LockedPackage | undefined,
  { name, key, group = '' }: Dependency,
  importer: string,
): string | undefined {
  if (!dependencyGroups.has(group)) return undefined;
  for (let directory = importer; ; directory = directory.slice(0, Math.max(0, directory.lastIndexOf('/')))) {
    const found = packageIn(`${directory}${directory && '/'}${folder}${name}`);
    // An address or a path in the place of a version is passed over, as is a link without one.
    if (found && npm.read(found.version.text).kind === 'pin') {
      // Another package under that name: the alias was changed since.
      return (found.packageName ?? found.name) === key.name ? found.version.text : undefined;
    }
    if (directory === '') return undefined;
  }
}
