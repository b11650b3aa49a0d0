import { readYamlLine, scanLines, unquote } from '../../formats/text/lines.ts';
import { verbatim } from '../../formats/text/literal.ts';
import type { Lockfile, LockfileFormat } from '../../model/lockfile.ts';
import type { Dependency, Manifest, ManifestFormat, Source } from '../../model/manifest.ts';
import type { Literal, Span } from '../../model/span.ts';
import { lockfileFrozenReason, takenFrom } from '../shared/lockfile.ts';
import { askingGroups } from './dependency-groups.ts';
import { lockedSource } from './specifier.ts';
import { npm } from './versions.ts';

/** yarn's lockfile, opened itself, as its first version and the later ones write it, and as npm does where it finds one. */
export const yarnLock: ManifestFormat = {
  id: 'yarn.lock',
  system: 'NPM',
  record: 'lockfile',
  files: /(^|\/)yarn\.lock$/,
  parse,
};

/** What was read of one package so far. */
interface Reading {
  readonly name: Span;
  /** The package, where that has another name: an alias. */
  readonly called: string;
  version?: Literal | undefined;
  /** `root` for the workspace's own, which nothing depends on. */
  source: Source | 'registry' | 'root';
}

const elsewhere = takenFrom('NPM', 'yarn install');

/**
 *     "lodash@^4.17.15", lodash@^4.17.21:        "lodash@npm:^4.17.15, lodash@npm:^4.17.21":
 *      ^^^^^^                                     ^^^^^^
 *       version "4.17.21"                          version: 4.17.21
 *                ^^^^^^^                                    ^^^^^^^
 *                                                  resolution: "lodash@npm:4.17.21"
 */
function parse(text: string): Manifest {
  const dependencies: Dependency[] = [];
  let current: Reading | undefined;

  scanLines(text, (start, end, indent) => {
    if (indent === 0) {
      // A colon alone goes on with a long key, which stands behind a question mark.
      if (text[start] === '#' || text[start] === ':') return;
      finish();
      current = readKey(text, text.startsWith('? ', start) ? start + 2 : start, end);
    } else if (indent === 2 && current) {
      // npm writes names with quotes.
      const field = text[start + 2] === '"' ? start + 3 : start + 2;
      if (text.startsWith('version', field)) current.version ??= readVersion(text, field + 7, end);
      else if (text.startsWith('resolution', field)) {
        const directory = /@workspace:([^"]*)/.exec(text.slice(start, end))?.[1];
        if (directory !== undefined) current.source = directory === '.' ? 'root' : 'workspace';
      }
    }
  });
  finish();
  return { dependencies, definitions: [], references: [], problems: [] };

  function finish(): void {
    const { name, called, version, source } = current ?? nothing;
    current = undefined;
    if (source === 'root' || !version) return;
    if (source !== 'registry') {
      dependencies.push(elsewhere(text.slice(name.start, name.end), name, source, version.span));
      return;
    }
    if (npm.read(version.text).kind !== 'pin') return;
    dependencies.push({
      key: { system: 'NPM', name: called },
      name: text.slice(name.start, name.end),
      nameSpan: name,
      requirement: { kind: 'literal', at: version },
      scope: 'runtime',
      frozen: lockfileFrozenReason('yarn install'),
    });
  }
}

const nothing: Reading = { name: { start: 0, end: 0 }, called: '', source: 'root' };

/** In characters. What asks for one package in a hundred ways is cut: only the first of them is read. */
const longest = 1000;
const descriptor = /^"?((?:@[^\s":@/]+\/)?[^\s":,@/_.][^\s":,@/]*)(?:@([^\s",]*)|(?=[":,]))/;

/** `lodash@^4`, `lodash:` for any version, `"lodash@npm:^4`, `"alias@npm:lodash@^3`, `"forked@git+https://…`, `"app@workspace:.` */
function readKey(text: string, start: number, end: number): Reading | undefined {
  const [whole, name = '', range = ''] = descriptor.exec(text.slice(start, Math.min(end, start + longest))) ?? [];
  if (whole === undefined) return undefined;
  const at = start + (whole.startsWith('"') ? 1 : 0);
  const alias = /^npm:((?:@[^@/]+\/)?[^@/]+)@/.exec(range)?.[1];
  return {
    name: { start: at, end: at + name.length },
    called: alias ?? name,
    source: lockedSource(range.replace(/:$/, '')),
  };
}

/** `version "4.17.21"`, `version: 4.17.21`, `version: "4.17.21"`, `"version" "4.17.21"`, `"version": 4.17.21` */
function readVersion(text: string, from: number, end: number): Literal | undefined {
  const [, before = '', version] = /^("?:?[ \t]*"?)([^\s"]+)/.exec(text.slice(from, end)) ?? [];
  if (version === undefined) return undefined;
  return verbatim(text, from + before.length, from + before.length + version.length);
}

/** yarn's lockfile, as its first version and the later ones write it, and as npm does where it finds one. */
export const yarnLockfile: LockfileFormat = {
  id: 'yarn.lock',
  serves: ['package.json', '.yarnrc.yml'],
  below: true,
  update: 'yarn install',
  parse: readLocked,
};

interface Locks {
  /** By descriptor: `lodash@^4.17.21`, `lodash@npm:^4.17.21`, `alias@npm:lodash@^3`, `lodash@patch:^4.17.21`. */
  readonly byDescriptor: ReadonlyMap<string, string>;
  /** The versions of each package. */
  readonly byName: ReadonlyMap<string, ReadonlySet<string>>;
  /** What the members of the workspace asked for when the file was written, by directory; none in the first version. */
  readonly members: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

function readLocked(text: string): Lockfile {
  const locks = read(text);
  return { packages: [], problems: [], locked: (dependency, importer) => locked(locks, dependency, importer) };
}

function locked(locks: Locks, dependency: Dependency, importer: string): string | undefined {
  const member = locks.members.get(importer);
  if (locks.members.size > 0 && !member) return undefined;
  for (const it of descriptors(dependency)) {
    const version = locks.byDescriptor.get(it);
    if (version !== undefined) return version;
  }
  if (!askingGroups.has(dependency.group ?? '')) return undefined;
  // The range was changed since: what it was before says which version is still installed.
  const before = member?.get(dependency.name);
  const version = before === undefined ? undefined : locks.byDescriptor.get(`${dependency.name}@${before}`);
  if (version !== undefined || importer !== '') return version;
  const all = dependency.key.name === dependency.name ? locks.byName.get(dependency.name) : undefined;
  const [only] = all ?? [];
  return all?.size === 1 ? only : undefined;
}

/** How yarn may have written what a manifest asks for. */
function descriptors({ name, key, requirement, frozen }: Dependency): string[] {
  if (requirement.kind !== 'literal') return [];
  const range = requirement.at.text;
  if (key.name !== name) return [`${name}@npm:${key.name}@${range}`];
  if (range === '') return [name, `${name}@`, `${name}@npm:`];
  const plain = [`${name}@${range}`, `${name}@npm:${range}`, `${name}@npm:${name}@${range}`];
  return frozen === undefined ? plain : [`${name}@patch:${range}`, ...plain];
}

/**
 *     "lodash@^4.17.15", lodash@^4.17.21:        "lodash@npm:^4.17.15, lodash@npm:^4.17.21":
 *       version "4.17.21"                          version: 4.17.21
 *                                                  resolution: "lodash@npm:4.17.21"
 */
function read(text: string): Locks {
  const byDescriptor = new Map<string, string>();
  const byName = new Map<string, Set<string>>();
  const members = new Map<string, ReadonlyMap<string, string>>();
  let keys: string[] = [];
  let asked = new Map<string, string>();
  let group = '';
  let ofMember = false;

  scanLines(text, (start, end, indent) => {
    if (indent === 0) {
      group = '';
      const first = text.charCodeAt(start);
      // A colon alone goes on with a long key, which stands behind a question mark.
      if (first === colon || first === hash) return;
      keys = descriptorsIn(text.slice(first === question ? start + 2 : start, end));
      ofMember = keys.some(isMember);
      return;
    }
    if (indent > 2) {
      if (!ofMember || !askingGroups.has(group)) return;
      const entry = readYamlLine(text.slice(start, end));
      if (entry) asked.set(entry.key, entry.value);
      return;
    }
    // npm writes names with quotes.
    const name = text.charCodeAt(start + 2) === quote ? start + 3 : start + 2;
    if (text.startsWith('version', name)) {
      const version = unquote(valueIn(text.slice(name + 7, end)));
      if (npm.read(version).kind === 'pin') for (const it of keys) add(it, version);
    } else if (text.startsWith('resolution', name)) {
      const directory = unquote(valueIn(text.slice(name + 10, end))).split('@workspace:')[1];
      if (directory === undefined) return;
      asked = new Map();
      members.set(directory === '.' ? '' : directory, asked);
    } else group = text.slice(name, end).replace(/"?:$/, '');
  });
  return { byDescriptor, byName, members };

  function add(descriptor: string, version: string): void {
    if (isMember(descriptor)) return;
    byDescriptor.set(descriptor, version);
    const [, name = descriptor, range = ''] = /^(@?[^@]+)@(.*)$/s.exec(descriptor) ?? [];
    const patched = /^patch:@?[^@]*@(?:npm(?::|%3A))?([^#]*)/.exec(range)?.[1];
    if (patched !== undefined) byDescriptor.set(`${name}@patch:${patched}`, version);
    const versions = byName.get(name);
    if (versions) versions.add(version);
    else byName.set(name, new Set([version]));
  }
}

const hash = '#'.charCodeAt(0);
const colon = ':'.charCodeAt(0);
const quote = '"'.charCodeAt(0);
const question = '?'.charCodeAt(0);

/** What stands behind a name, which may have ended with a quote and a colon. */
function valueIn(rest: string): string {
  return rest.replace(/^"?:?/, '').trim();
}

function isMember(descriptor: string): boolean {
  return descriptor.includes('@workspace:');
}

/**
 * `"a@^1", b@^2:` in the first version, `"a@npm:^1, b@npm:^2":` in the later ones. Where any version was asked for, the
 * first has the name alone, `a:`.
 */
function descriptorsIn(line: string): string[] {
  return line
    .replace(/:\s*$/, '')
    .split(', ')
    .map((it) => it.replace(/^"|"$/g, ''))
    .filter((it) => /^[@a-z\d-]/i.test(it));
}
