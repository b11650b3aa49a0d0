import { readYamlLine, scanLines, unquote } from '../../../formats/text/lines.ts';
import type { EdgeKind, LockedGraph } from '../../../model/graph/locked-graph.ts';
import type { Dependency, Source } from '../../../model/manifest.ts';
import { GraphBuilder, once } from '../../shared/graph-builder.ts';
import { addEntry } from './archive-address.ts';
import type { YarnRules } from './yarn-rules.ts';

/** An entry of yarn.lock, as its parser found it. */
export interface YarnEntry {
  readonly descriptors: readonly string[];
  readonly name: string;
  readonly version: string;
  readonly source?: Source | undefined;
  readonly registry?: string | undefined;
  /** The directory of a member of the workspace. */
  readonly member?: string | undefined;
  /** The offsets of its lines, behind the first. */
  readonly start: number;
  readonly end: number;
}

/** How the file serves a manifest. */
interface DirectDependencies {
  /** The descriptors that yarn may have written for a dependency. */
  readonly descriptorsOf: (dependency: Dependency) => readonly string[];
  readonly locked: (dependency: Dependency, importer: string) => string | undefined;
}

/**
 * Each requirement of an entry is one of the descriptors of another one:
 *
 *     express@^4.19.0:                         "express@npm:^4.19.0":
 *       version "4.19.2"                         version: 4.19.2
 *       dependencies:                            dependencies:
 *         qs "6.11.0"                              qs: "npm:6.11.0"
 *     qs@6.11.0:                               "qs@npm:6.11.0":
 *
 * Peers are provided by the package that requires it; they bring nothing, and the file does not resolve them. The members
 * of a workspace, which only the later versions list, have their development dependencies among the others.
 */
export function yarnGraph(
  text: string,
  entries: readonly YarnEntry[],
  { redirect, added }: YarnRules,
  { descriptorsOf, locked }: DirectDependencies,
): LockedGraph {
  const builder = new GraphBuilder('NPM');
  const byDescriptor = new Map<string, number>();
  const byName = new Map<string, number[]>();
  const details = entries.map((it) => withAdded(readDetails(text, it), added(it)));
  // The file records no scripts, only which packages a manifest has built.
  const built = new Set(details.flatMap((it) => [...it.built]));
  const nodes = entries.map(({ name, version, source, registry, descriptors }, index) => {
    const node = addEntry(builder, {
      name,
      version: source === 'workspace' ? '' : version,
      source,
      registry,
      condition: details[index]?.condition,
      hasInstallScript: built.has(name),
    });
    for (const it of descriptors) {
      if (!byDescriptor.has(it)) byDescriptor.set(it, node);
      const bare = it.slice(0, it.indexOf('@', 1) < 0 ? it.length : it.indexOf('@', 1));
      const same = byName.get(bare);
      if (!same) byName.set(bare, [node]);
      else if (same.at(-1) !== node) same.push(node);
    }
    return node;
  });

  // The first version does not record what the project requires itself.
  const isWhole = entries.some((it) => it.member !== undefined);
  const plainlyRequired = once(
    () => new Set(details.flatMap((it) => it.requirements.map(({ name, range }) => find(name, range)))),
  );
  for (const [index, { name: parent, version, member }] of entries.entries()) {
    const { requirements = [], optional = new Set() } = details[index] ?? {};
    if (member !== undefined) builder.importer(member);
    for (const { name, range, kind } of requirements) {
      const real = optional.has(name) ? 'optional' : kind;
      const to = resolve(name, range, redirect({ name: parent, version }, { name, range }));
      if (member !== undefined) builder.root(member, name, real, to);
      builder.edge(nodes[index] ?? 0, to, real);
    }
  }
  return builder.build((dependency, importer) => {
    for (const it of descriptorsOf(dependency)) {
      const node = byDescriptor.get(it);
      if (node !== undefined) return [node];
    }
    const version = locked(dependency, importer);
    const node = byName.get(dependency.name)?.find((it) => builder.nodes[it]?.version === version);
    return node === undefined ? [] : [node];
  });

  /**
   * Without a resolution that is understood, an entry that the file requires nowhere is there because of one.
   * @param wanted what a resolution has in the place of the range
   */
  function resolve(name: string, range: string, wanted = range): number | undefined {
    const plain = find(name, wanted);
    if (plain !== undefined) return plain;
    const all = byName.get(name) ?? [];
    const left = all.length > 1 && isWhole ? all.filter((it) => !plainlyRequired().has(it)) : all;
    return left.length === 1 ? left[0] : undefined;
  }

  function find(name: string, range: string): number | undefined {
    const found = byDescriptor.get(`${name}@${range}`) ?? byDescriptor.get(`${name}@npm:${range}`);
    return found ?? (range === '' ? byDescriptor.get(name) : undefined);
  }
}

interface Details {
  readonly requirements: { readonly name: string; readonly range: string; readonly kind: EdgeKind }[];
  readonly optional: Set<string>;
  readonly built: Set<string>;
  condition?: string;
}

/** What a package requires itself counts before what settings add. */
function withAdded(details: Details, added: ReturnType<YarnRules['added']>): Details {
  const own = new Set(details.requirements.map((it) => it.name));
  for (const { name, range } of added) if (!own.has(name)) details.requirements.push({ name, range, kind: 'runtime' });
  return details;
}

/** The first version has a blank between a name and its range, the later ones a colon. */
const blankLine = /^\s*("?)([^"\s]+)\1 (?:"([^"]*)"|(\S+))/;

function readDetails(text: string, { start, end }: YarnEntry): Details {
  const details: Details = { requirements: [], optional: new Set(), built: new Set() };
  let group = '';
  let around = '';
  scanLines(text.slice(start, end), (from, to, indent) => {
    const line = text.slice(start + from, start + to);
    if (indent <= 2) {
      const field = line.trim();
      group = field.endsWith(':') ? unquote(field.slice(0, -1)) : '';
      const value = group === '' ? readLine(field) : undefined;
      if (value?.key === 'conditions') details.condition = value.value;
      return;
    }
    const read = readLine(line);
    if (group === 'dependencies' || group === 'optionalDependencies') {
      const kind = group === 'dependencies' ? 'runtime' : 'optional';
      if (read) details.requirements.push({ name: read.key, range: read.value, kind });
    } else if (group === 'dependenciesMeta') {
      if (indent === 4) around = unquote(line.trim().replace(/:$/, ''));
      else if (line.trim() === 'optional: true') details.optional.add(around);
      else if (line.trim() === 'built: true') details.built.add(around);
    }
  });
  return details;
}

function readLine(line: string): { readonly key: string; readonly value: string } | undefined {
  const [, , key, quoted, bare] = blankLine.exec(line) ?? [];
  if (key !== undefined && !key.endsWith(':')) return { key, value: quoted ?? bare ?? '' };
  return readYamlLine(line);
}
