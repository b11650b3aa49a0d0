import { addTo } from '../../../base/collections.ts';
import type { EdgeKind, LockedGraph } from '../../../model/graph/locked-graph.ts';
import { canonicalName } from '../../../model/keys.ts';
import type { Dependency, Source } from '../../../model/manifest.ts';
import { canonicalExtras, GraphBuilder } from '../../shared/graph-builder.ts';
import { pickLockedVersion } from '../../shared/lockfile.ts';
import { pypi } from '../versions.ts';
import { isNeverTrue } from './never-true.ts';

/** What an entry of a lockfile requires. */
export interface PythonRequirement {
  readonly name: string;
  readonly extras: readonly string[];
  /** Which of several locked versions. */
  readonly range?: string | undefined;
  /** An environment marker. */
  readonly marker?: string | undefined;
}

export interface PythonEntry {
  readonly name: string;
  readonly version: string;
  readonly source?: Source | undefined;
  readonly registry?: string | undefined;
  readonly marker?: string | undefined;
  readonly only?: 'dev' | 'optional' | undefined;
  readonly requires: readonly PythonRequirement[];
  /** What its extras require, by name in canonical spelling. */
  readonly extras: ReadonlyMap<string, readonly PythonRequirement[]>;
}

/** A dependency of a manifest, as the lockfile records it. */
export interface PythonRoot {
  readonly importer: string;
  readonly kind: EdgeKind;
  readonly requirement: PythonRequirement;
}

/**
 * A package with an extra is a node of its own, of the same release, with what the extra requires besides:
 *
 *     requests ──→ idna                 httpx ──→ requests[socks] ──→ idna
 *                                                                 └─→ pysocks
 */
export function pythonGraph(
  entries: readonly PythonEntry[],
  {
    importers = [],
    roots = [],
    pythons = [],
  }: {
    readonly importers?: Iterable<string>;
    readonly roots?: readonly PythonRoot[];
    /** The ranges of Python that it is for, where it has requirements for others as well. */
    readonly pythons?: readonly string[];
  },
  locked: (dependency: Dependency, importer: string) => string | undefined,
): LockedGraph {
  const builder = new GraphBuilder('PYPI');
  const byName = new Map<string, number[]>();
  const withExtra = new Map<string, number>();
  /** Nodes with an extra whose edges have yet to be made. */
  const pending: { readonly node: number; readonly requires: readonly PythonRequirement[]; readonly kind: EdgeKind }[] =
    [];
  for (const [index, entry] of entries.entries()) {
    addNode(entry);
    addTo(byName, canonicalName('PYPI', entry.name), index);
    pending.push({ node: index, requires: entry.requires, kind: 'runtime' });
  }

  for (const it of importers) builder.importer(it);
  for (const { importer, kind, requirement } of roots) {
    const name = canonicalName('PYPI', requirement.name);
    for (const node of nodesOf(requirement)) builder.root(importer, name, kind, node);
  }
  // For direct dependencies that the file does not record.
  for (const entry of roots.length > 0 ? [] : entries) {
    for (const [extra, requires] of entry.extras) {
      if (!requires.some((it) => entryOf(it) !== undefined)) continue;
      pending.push({ node: addNode(entry, extra), requires, kind: 'optional' });
    }
  }
  // The list grows while it is read.
  for (const { node, requires, kind } of pending) {
    for (const it of requires) {
      if (isNeverTrue(it.marker, pythons)) continue;
      for (const to of nodesOf(it)) builder.edge(node, to, kind, it.marker);
    }
  }
  return builder.build({ locked });

  function addNode({ name, version, source, registry, marker, only }: PythonEntry, extra?: string): number {
    return builder.node({ name, version, source, registry, condition: marker, only, extra });
  }

  /** One undefined for a package that is not locked. */
  function nodesOf(requirement: PythonRequirement): readonly (number | undefined)[] {
    const index = entryOf(requirement);
    const entry = index === undefined ? undefined : entries[index];
    if (index === undefined || !entry) return [undefined];
    const all = canonicalExtras(requirement.extras);
    const known = entry.extras.has(all.join()) ? [all.join()] : all.filter((it) => entry.extras.has(it));
    return known.length === 0 ? [index] : known.map((extra) => nodeWithExtra(index, entry, extra));
  }

  function nodeWithExtra(index: number, entry: PythonEntry, extra: string): number {
    const id = `${index}[${extra}]`;
    const before = withExtra.get(id);
    if (before !== undefined) return before;
    const node = addNode(entry);
    withExtra.set(id, node);
    pending.push({ node, requires: entry.requires, kind: 'runtime' });
    pending.push({ node, requires: entry.extras.get(extra) ?? [], kind: 'optional' });
    return node;
  }

  function entryOf({ name, range }: PythonRequirement): number | undefined {
    const all = byName.get(canonicalName('PYPI', name)) ?? [];
    if (all.length < 2) return all[0];
    const version = pickLockedVersion(
      all.slice(0, MAX_VERSIONS).map((it) => entries[it]?.version ?? ''),
      range,
      pypi,
    );
    return all.find((it) => entries[it]?.version === version);
  }
}

/** Versions of one package. A lockfile holds a few, for different environments. */
const MAX_VERSIONS = 100;

/**
 *     uvicorn[standard]>=0.12 ; python_version >= "3.8"        PySocks (>=1.5.6)
 */
export function readRequirement(text: string): PythonRequirement | undefined {
  const [, name, extras = '', rest = ''] = /^\s*([\w.-]+)\s*(?:\[([^\]]*)\])?(.*)$/s.exec(text) ?? [];
  if (name === undefined) return undefined;
  const semicolon = rest.indexOf(';');
  const range = (semicolon < 0 ? rest : rest.slice(0, semicolon)).replace(/[()]/g, '').trim();
  return {
    name,
    extras: extras.split(',').filter((it) => it.trim() !== ''),
    range: range === '' || range.startsWith('@') ? undefined : range,
    marker: semicolon < 0 ? undefined : rest.slice(semicolon + 1).trim(),
  };
}
