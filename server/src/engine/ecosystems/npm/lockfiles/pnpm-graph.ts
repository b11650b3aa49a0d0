import { readYamlLine, scanLines, unquote } from '../../../formats/text/lines.ts';
import type { EdgeKind, LockedGraph } from '../../../model/graph/locked-graph.ts';
import type { LockedPackage } from '../../../model/lockfile.ts';
import type { Dependency } from '../../../model/manifest.ts';
import { GraphBuilder } from '../../shared/graph-builder.ts';
import { platformFields } from '../platform.ts';
import { addEntry } from './archive-address.ts';

interface Requirement {
  readonly name: string;
  readonly value: string;
  readonly kind: EdgeKind;
}

/** A key of `packages`, of `snapshots`, or both. */
interface Entry {
  readonly requirements: Requirement[];
  readonly peers: Set<string>;
  readonly optionalPeers: Set<string>;
  readonly platforms: string[];
  name: string;
  version: string;
  registry: string | undefined;
  only: 'dev' | 'optional' | undefined;
  requiresBuild: boolean;
}

const groups: ReadonlyMap<string, EdgeKind> = new Map([
  ['dependencies', 'runtime'],
  ['optionalDependencies', 'optional'],
  ['devDependencies', 'dev'],
]);

/**
 * A requirement names its package by the version, together with the packages that are its peers there:
 *
 *     importers:                        snapshots:                                  version 9
 *       .:                                react-dom@18.2.0(react@18.2.0):
 *         dependencies:                     dependencies:
 *           react-dom:                        react: 18.2.0                         → react@18.2.0
 *             version: 18.2.0(react@18.2.0)   alias: lodash@3.10.1                  → lodash@3.10.1
 *
 * Older versions have the requirements in `packages`, under keys such as `/react@18.2.0` and `/react/18.2.0`. A link leads
 * to a member of the workspace.
 */
export function pnpmGraph(
  text: string,
  identify: (key: string) => LockedPackage | undefined,
  locked: (dependency: Dependency, importer: string) => string | undefined,
): LockedGraph {
  const { packages, snapshots, importers } = readEntries(text);
  const builder = new GraphBuilder('NPM');
  const nodes = new Map<string, number>();
  const entries = snapshots.size > 0 ? snapshots : packages;
  for (const [key, own] of entries) {
    const common = packages.get(withoutPeers(key)) ?? own;
    const found = identify(key);
    const name = found?.name || common.name || own.name;
    const source = found ? found.source : 'url';
    if (name === '') continue;
    nodes.set(
      key,
      addEntry(builder, {
        name,
        version: source ? common.version || (found?.version.text ?? key) : (found?.version.text ?? key),
        source,
        registry: common.registry ?? found?.registry,
        condition: common.platforms.length > 0 ? common.platforms.join(', ') : undefined,
        only: own.only ?? common.only,
        hasInstallScript: own.requiresBuild || common.requiresBuild,
      }),
    );
  }
  const members = new Map<string, number>();

  for (const [directory, requirements] of importers) {
    builder.importer(directory);
    for (const { name, value, kind } of requirements)
      builder.root(directory, name, kind, resolve(name, value, directory));
  }
  for (const [key, { requirements, peers, optionalPeers }] of entries) {
    const from = nodes.get(key);
    if (from === undefined) continue;
    const common = packages.get(withoutPeers(key));
    for (const { name, value, kind } of requirements) {
      const isPeer = peers.has(name) || common?.peers.has(name);
      const isOptionalPeer = optionalPeers.has(name) || common?.optionalPeers.has(name);
      builder.edge(from, resolve(name, value, ''), isOptionalPeer ? 'optionalPeer' : isPeer ? 'peer' : kind);
    }
  }
  // A member may link another one, which is a node only then.
  for (const [directory, node] of members) {
    for (const { name, value, kind } of importers.get(directory) ?? []) {
      builder.edge(node, resolve(name, value, directory), kind);
    }
  }
  return builder.build({ locked });

  function resolve(name: string, value: string, from: string): number | undefined {
    if (value.startsWith('link:')) return linked(name, joined(from, value.slice('link:'.length)));
    return (
      nodes.get(`${name}@${value}`) ??
      nodes.get(`/${name}@${value}`) ??
      nodes.get(`/${name}/${value}`) ??
      nodes.get(value)
    );
  }

  function linked(name: string, directory: string): number {
    const before = members.get(directory);
    if (before !== undefined) return before;
    const source = importers.has(directory) ? 'workspace' : 'path';
    const node = builder.node({ name, version: source === 'path' ? directory : '', source });
    members.set(directory, node);
    return node;
  }
}

/** `react-dom@18.2.0` of `react-dom@18.2.0(react@18.2.0)` */
function withoutPeers(key: string): string {
  const peers = key.indexOf('(');
  return peers < 0 ? key : key.slice(0, peers);
}

/** `../b` from `packages/a` is `packages/b`. */
export function joined(from: string, path: string): string {
  const parts = from === '' ? [] : from.split('/');
  for (const it of path.split('/')) {
    if (it === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (it !== '.' && it !== '') parts.push(it);
  }
  return parts.join('/');
}

interface Entries {
  readonly packages: Map<string, Entry>;
  readonly snapshots: Map<string, Entry>;
  readonly importers: Map<string, Requirement[]>;
}

function readEntries(text: string): Entries {
  const packages = new Map<string, Entry>();
  const snapshots = new Map<string, Entry>();
  const importers = new Map<string, Requirement[]>();
  /** The keys around the current line, by how deep they are nested. */
  const path: string[] = [];

  scanLines(text, (start, end, indent) => {
    // A long key has a question mark, and its value a colon, in the place of two blanks.
    const isLong = text[start + indent + 1] === ' ' && '?:'.includes(text[start + indent] ?? '-');
    const from = start + indent + (isLong ? 2 : 0);
    const line = text.slice(from, end);
    const depth = isLong && text[start + indent] === ':' ? indent / 2 + 1 : indent / 2;
    if (!Number.isInteger(depth) || depth > MAX_DEPTH) return;
    const read = isLong && depth === indent / 2 ? { key: unquote(line), value: '' } : readYamlLine(line);
    if (!read) return;
    path.length = Math.min(path.length, depth);
    if (path.length < depth) return;
    path.push(read.key);
    const [section] = path;
    if (section === 'packages') readEntry(packages, read.value);
    else if (section === 'snapshots') readEntry(snapshots, read.value);
    else if (section === 'importers') readImporter(path[1], path.slice(2), read.value);
    else if (section !== undefined && groups.has(section)) readImporter('.', path, read.value);
  });
  return { packages, snapshots, importers };

  function readEntry(into: Map<string, Entry>, value: string): void {
    const [, key, field, name] = path;
    if (key === undefined) return;
    let entry = into.get(key);
    if (!entry) {
      entry = newEntry();
      into.set(key, entry);
    }
    if (field !== undefined) readField(entry, field, name, value);
  }

  function readField(entry: Entry, field: string, name: string | undefined, value: string): void {
    if (name === undefined) readScalar(entry, field, value);
    else if (field === 'peerDependencies') entry.peers.add(name);
    else if (field === 'peerDependenciesMeta') {
      if (path[4] === 'optional' && value === 'true') entry.optionalPeers.add(name);
    } else {
      const kind = groups.get(field);
      if (kind && value !== '' && path.length === 4) entry.requirements.push({ name, value, kind });
    }
  }

  function readImporter(directory: string | undefined, [group, name, field]: readonly string[], value: string): void {
    if (directory === undefined) return;
    const importer = directory === '.' ? '' : directory;
    const all = importers.get(importer) ?? [];
    importers.set(importer, all);
    const kind = groups.get(group ?? '');
    if (kind && name !== undefined && value !== '' && (field === undefined || field === 'version')) {
      all.push({ name, value, kind });
    }
  }
}

function readScalar(entry: Entry, field: string, value: string): void {
  if (field === 'name') entry.name = value;
  else if (field === 'version') entry.version = value;
  else if (field === 'resolution') entry.registry = /\btarball: ['"]?(https?:[^\s,}'"]+)/.exec(value)?.[1];
  else if (field === 'dev' && value === 'true') entry.only = 'dev';
  else if (field === 'requiresBuild') entry.requiresBuild = value === 'true';
  else if (field === 'optional' && value === 'true') entry.only ??= 'optional';
  else if (platformFields.some((it) => it === field)) {
    entry.platforms.push(`${field}: ${value.replace(/[[\]]/g, '').replaceAll(', ', ' ')}`);
  }
}

/** `version` of a dependency is in the fifth level. */
const MAX_DEPTH = 4;

function newEntry(): Entry {
  return {
    requirements: [],
    peers: new Set(),
    optionalPeers: new Set(),
    platforms: [],
    name: '',
    version: '',
    registry: undefined,
    only: undefined,
    requiresBuild: false,
  };
}
