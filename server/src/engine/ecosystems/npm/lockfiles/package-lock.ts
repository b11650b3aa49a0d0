import { isRecord } from '../../../base/text.ts';
import { ownOf, parsePlainJson } from '../../../formats/json/plain.ts';
import { walkJson } from '../../../formats/json/walk.ts';
import { verbatim } from '../../../formats/text/literal.ts';
import type { InPlace, LockedPackage, Lockfile, LockfileFormat } from '../../../model/lockfile.ts';
import type { Dependency, Scope } from '../../../model/manifest.ts';
import type { Problem, Span } from '../../../model/span.ts';
import { once } from '../../shared/graph-builder.ts';
import { lockfileFormat, registriesByName } from '../../shared/lockfile.ts';
import { dependencyGroups } from '../dependency-groups.ts';
import { npm } from '../versions.ts';
import { contentOf, type Fields, fieldsOf, folder } from './package-lock-entry.ts';
import { packageLockGraph, registriesInPackageLock } from './package-lock-graph.ts';

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
  let walked: Walked | undefined;
  const parsed = once(() => installedIn(text));
  const installedOnce = once(() => parsed() ?? installedOf(text, walk()));
  const walk = (): Walked => {
    walked ??= walkEntries(text);
    return walked;
  };
  const packages = (): LockedPackage[] => walk().entries.flatMap((it) => read(text, it) ?? []);
  return {
    get packages() {
      return packages().sort((a, b) => a.nameSpan.start - b.nameSpan.start);
    },
    get problems() {
      return walk().problems;
    },
    // A manifest needs no spans, and `JSON.parse` is native: our own walk costs its first hints some 10 ms.
    locked: (dependency, importer) => lockedIn(installedOnce(), dependency, importer),
    inPlaceOf: (dependency, importer) => inPlaceOf(installedOnce(), dependency, importer),
    registries: once(() => {
      const root = parsed()?.root;
      return registriesByName('NPM', root ? registriesInPackageLock(root) : packages());
    }),
    graph: once(() => packageLockGraph(text)),
  };
}

interface Walked {
  readonly entries: readonly Entry[];
  readonly members: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

function walkEntries(text: string): Walked {
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
  return { entries, members, problems };

  function note(name: Span, value: Span): void {
    const entry = open.at(-1);
    if (entry?.kind !== 'package') return;
    const field = text.slice(name.start, name.end);
    if (usedFields.has(field)) entry.fields.set(field, value);
  }
}

const nowhere: Span = { start: 0, end: 0 };
const noFields: Entry['fields'] = new Map();

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
  const content = contentOf(fieldsIn(text, fields));
  const version = fields.get('version') ?? fields.get('resolved');
  if (content === undefined || version === undefined || key === nowhere) return undefined;
  const at = text.slice(key.start, key.end).lastIndexOf(folder);
  const nameSpan = at < 0 ? key : { start: key.start + at + folder.length, end: key.end };
  const { packageName, source, registry, published } = content;
  const start = published ? (fields.get(published.field) ?? version).start + published.start : version.start;
  return {
    name: text.slice(nameSpan.start, nameSpan.end),
    nameSpan,
    ...(packageName && { packageName }),
    version: verbatim(text, start, published ? start + published.version.length : version.end),
    ...(source && { source }),
    ...(registry !== undefined && { registry }),
    scope: scopeOf(fields),
  };
}

function fieldsIn(text: string, fields: Entry['fields']): Fields {
  return (name) => {
    const span = fields.get(name);
    return span && text.slice(span.start, span.end);
  };
}

function scopeOf(fields: ReadonlyMap<string, Span>): Scope {
  if (fields.has('dev')) return 'dev';
  // Where development is left out, `devOptional` is still there for an optional package, and the other way round.
  if (fields.has('optional') || fields.has('devOptional')) return 'optional';
  return fields.has('peer') ? 'peer' : 'runtime';
}

/** The entries that a manifest may resolve to. */
interface Installed {
  /** Whether a directory is the lockfile's own, `''`, or that of a member of the workspace: `packages/a`. */
  readonly isMember: (directory: string) => boolean;
  readonly fieldsAt: (directory: string) => Fields | undefined;
}

function installedOf(text: string, { entries, members }: Walked): Installed {
  const byDirectory = new Map(entries.map((it) => [it.directory, it]));
  return {
    isMember: (it) => members.has(it),
    fieldsAt(directory) {
      const entry = byDirectory.get(directory);
      return entry && fieldsIn(text, entry.fields);
    },
  };
}

/** No result for a text that is not JSON. */
function installedIn(text: string): (Installed & { readonly root: Readonly<Record<string, unknown>> }) | undefined {
  const parsed = parsePlainJson(text);
  if (parsed === undefined) return undefined;
  const root = isRecord(parsed.value) ? parsed.value : {};
  const packages = isRecord(root.packages) ? root.packages : {};
  const dependencies = isRecord(root.dependencies) ? root.dependencies : {};
  const hasPackages = Object.keys(packages).some((it) => it.includes(folder));
  return {
    root,
    isMember: (it) => it === '' || (!it.includes(folder) && isRecord(ownOf(packages, it))),
    fieldsAt(directory) {
      const key = directory.startsWith(folder) ? directory.slice(folder.length) : undefined;
      const entry = hasPackages ? ownOf(packages, directory) : key === undefined ? undefined : ownOf(dependencies, key);
      if (!isRecord(entry)) return undefined;
      return fieldsOf(entry);
    },
  };
}

/** Undefined for another package under that name, or one from elsewhere: the manifest was changed since, or the lockfile exchanged it. */
function lockedIn(installed: Installed, dependency: Dependency, importer: string): string | undefined {
  const found = inPlaceOf(installed, dependency, importer);
  const isElsewhere = found?.source !== undefined && found.source !== 'workspace';
  const isPin = found !== undefined && npm.read(found.text).kind === 'pin';
  return isPin && !isElsewhere && found.name === dependency.key.name ? found.text : undefined;
}

/** As Node resolves it: from the `node_modules` of the manifest's own directory, else of the directories above. */
function inPlaceOf(
  { isMember, fieldsAt }: Installed,
  { name, group = '' }: Dependency,
  importer: string,
): InPlace | undefined {
  if (!isMember(importer) || !dependencyGroups.has(group)) return undefined;
  for (let directory = importer; ; directory = directory.slice(0, Math.max(0, directory.lastIndexOf('/')))) {
    const fields = fieldsAt(`${directory}${directory && '/'}${folder}${name}`);
    if (fields) {
      const found = contentOf(fields);
      if (!found) return { name, source: 'url', text: fields('resolved') ?? '' };
      const { packageName, published, source, written } = found;
      const text = source && source !== 'workspace' ? fields('resolved') || written : (published?.version ?? written);
      return { name: packageName || name, source, text };
    }
    if (directory === '') return undefined;
  }
}
