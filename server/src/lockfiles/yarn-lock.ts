import type { Lockfile, LockfileFormat } from '../model/lockfile.ts';
import type { Dependency } from '../model/manifest.ts';
import { readYamlLine, scanLines, unquote } from '../text/lines.ts';
import { npm } from '../versions/npm.ts';
import { askingGroups } from './npm-groups.ts';

/** yarn's lockfile, as its first version and the later ones write it, and as npm does where it finds one. */
export const yarnLock: LockfileFormat = {
  id: 'yarn.lock',
  serves: ['package.json', '.yarnrc.yml'],
  below: true,
  update: 'yarn install',
  parse,
};

interface Locks {
  /** By descriptor: `lodash@^4.17.21`, `lodash@npm:^4.17.21`, `alias@npm:lodash@^3`, `lodash@patch:^4.17.21`. */
  readonly byDescriptor: ReadonlyMap<string, string>;
  /** The versions of each package. */
  readonly byName: ReadonlyMap<string, ReadonlySet<string>>;
  /** What the members of the workspace asked for when the file was written, by directory; none in the first version. */
  readonly members: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

function parse(text: string): Lockfile {
  const locks = read(text);
  return { locked: (dependency, importer) => locked(locks, dependency, importer) };
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
