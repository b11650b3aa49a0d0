import { isRecord } from '../../base/text.ts';
import { ownOf, readPlainRecord, recordAt } from '../../formats/json/plain.ts';
import type { LockedGraph } from '../../model/graph/locked-graph.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Dependency } from '../../model/manifest.ts';
import { GraphBuilder } from '../shared/graph-builder.ts';
import { frameworkName, meantBy } from './msbuild-conditions.ts';

type Json = Readonly<Record<string, unknown>>;

/** The packages of one target framework. */
interface Target {
  readonly framework: string;
  readonly byName: Map<string, number>;
  /** The nodes of direct dependencies. */
  readonly direct: Map<string, number>;
}

const types: ReadonlySet<string> = new Set(['transitive', 'project', 'centraltransitive']);

/** NuGet takes a type in any case, and one that it does not know, or none, as direct. Source: NuGet's PackagesLockFileFormat. */
export function typeOfLocked(written: string): string {
  const type = written.trim().toLowerCase();
  return types.has(type) ? type : 'direct';
}

/**
 * Each target framework has packages of its own. A runtime, `net8.0/linux-x64`, lists only what differs from its
 * framework:
 *
 *     { "dependencies": { "net8.0": { "Serilog.Sinks.File": { "type": "Direct", "resolved": "5.0.0",
 *                                                             "dependencies": { "Serilog": "2.10.0" } },
 *                                     "Serilog": { "type": "Transitive", "resolved": "2.10.0" } } } }
 *
 * The names of a project's own dependencies on other projects are in lower case.
 */
export function packagesLockGraph(text: string): LockedGraph {
  const { root, isBroken } = readPlainRecord(text);
  const builder = new GraphBuilder('NUGET');
  if (isBroken) builder.break();
  const targets: Target[] = [];
  for (const [framework, packages] of recordsIn(recordAt(root, 'dependencies'))) {
    const target = targetOf(framework);
    targets.push(target);
    const edges: [number, string][] = [];
    for (const [name, entry] of recordsIn(packages)) {
      const type = typeOfLocked(typeof entry.type === 'string' ? entry.type : '');
      const isProject = type === 'project';
      const version = typeof entry.resolved === 'string' ? entry.resolved : '';
      if (version === '' && !isProject) continue;
      const source = isProject ? 'workspace' : undefined;
      const node = builder.node({ name, version, source, condition: framework });
      target.byName.set(canonicalName('NUGET', name), node);
      if (type === 'direct' || isProject) target.direct.set(canonicalName('NUGET', name), node);
      for (const it of Object.keys(recordAt(entry, 'dependencies'))) edges.push([node, it]);
    }
    const base = targets.find((it) => it.framework === framework.split('/', 1)[0]);
    for (const [from, name] of edges) builder.edge(from, find(target, name) ?? (base && find(base, name)), 'runtime');
    if (!framework.includes('/')) addRoots(builder, target);
  }
  return builder.build(directIn(targets));
}

/**
 *     { "targets": { "net8.0": { "Serilog/3.1.1": { "type": "package", "dependencies": { "System.Memory": "4.5.5" } } } },
 *       "project": { "frameworks": { "net8.0": { "dependencies": { "Serilog": { "target": "Package" } } } } } }
 */
export function projectAssetsGraph(text: string): LockedGraph {
  const { root, isBroken } = readPlainRecord(text);
  const builder = new GraphBuilder('NUGET');
  if (isBroken) builder.break();
  const targets: Target[] = [];
  const groups = recordAt(root, 'projectFileDependencyGroups');
  for (const [framework, libraries] of recordsIn(recordAt(root, 'targets'))) {
    const target = targetOf(framework);
    targets.push(target);
    const edges: [number, string][] = [];
    for (const [library, entry] of recordsIn(libraries)) {
      const [name = '', version = ''] = library.split('/', 2);
      if (name === '' || version === '') continue;
      const source = entry.type === 'project' ? 'workspace' : undefined;
      const node = builder.node({ name, version, source, condition: framework });
      target.byName.set(canonicalName('NUGET', name), node);
      for (const it of Object.keys(recordAt(entry, 'dependencies'))) edges.push([node, it]);
    }
    for (const [from, name] of edges) builder.edge(from, find(target, name), 'runtime');
    for (const name of directNames(groups, framework)) {
      const node = find(target, name);
      if (node !== undefined) target.direct.set(canonicalName('NUGET', name), node);
    }
    if (!framework.includes('/')) addRoots(builder, target);
  }
  return builder.build(directIn(targets));
}

/** `"projectFileDependencyGroups": { "net8.0": ["Serilog >= 3.1.1"] }` */
function directNames(groups: Json, framework: string): string[] {
  const [plain = ''] = framework.split('/', 1);
  const key = Object.keys(groups).find((it) => frameworkName(it) === frameworkName(plain));
  const listed = key === undefined ? undefined : ownOf(groups, key);
  const all = Array.isArray(listed) ? listed : [];
  return all.flatMap((it) => (typeof it === 'string' ? (/^\S+/.exec(it) ?? []) : []));
}

function targetOf(framework: string): Target {
  return { framework, byName: new Map(), direct: new Map() };
}

function find({ byName }: Target, name: string): number | undefined {
  return byName.get(canonicalName('NUGET', name));
}

function addRoots(builder: GraphBuilder, { direct }: Target): void {
  builder.importer('');
  for (const [name, node] of direct) builder.root('', name, 'runtime', node);
}

/** The nodes in the frameworks that the condition of a dependency names, else in all. A runtime adds nothing direct. */
function directIn(targets: readonly Target[]): LockedGraph['direct'] {
  const plain = targets.filter((it) => !it.framework.includes('/'));
  return ({ key, condition = '' }: Dependency, importer) => {
    if (importer !== '') return [];
    const meant = meantBy(condition, plain, (it) => it.framework);
    return meant.flatMap((it) => it.direct.get(key.name) ?? []);
  };
}

function recordsIn(record: Json): [string, Json][] {
  return Object.entries(record).filter((it): it is [string, Json] => isRecord(it[1]));
}
