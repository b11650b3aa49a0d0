import { placeInLockfile } from '../../../server/src/engine/analysis/brought.ts';
import { graphReader } from '../../../server/src/engine/analysis/graphs.ts';
import { cargo } from '../../../server/src/engine/ecosystems/cargo/versions.ts';
import { openLab } from '../../harness/lab.ts';
import type { CargoProject } from './cargo-projects.ts';
import { namesBelow } from './python-compare.ts';

interface Entry {
  readonly name: string;
  readonly version: string;
  readonly isOwn: boolean;
  readonly requires: readonly string[];
}

/** What is equal, and all. */
export interface CargoComparison {
  readonly withLockfile: readonly number[];
  readonly without: readonly number[];
  readonly graph: readonly number[];
  readonly notes: readonly string[];
}

/** Holds what the engine says of a project with and without its Cargo.lock against that. */
export async function compareCargo(project: CargoProject, lockfile: string): Promise<CargoComparison> {
  const entries = entriesOf(lockfile);
  const notes: string[] = [];
  const [withLockfile, without, graph] = [
    [0, 0],
    [0, 0],
    [0, 0],
  ];
  for (const [figure, texts] of [
    [without, new Map(Object.entries(project.files))],
    [withLockfile, new Map([...Object.entries(project.files), ['Cargo.lock', lockfile]])],
  ] as const) {
    const what = figure === without ? 'without' : 'with lockfile';
    const lab = await openLab(texts, catalogOf(project), { publicRegistries: ['registry.example'] });
    try {
      for (const path of project.manifests) {
        const snapshot = await lab.settled(path);
        const own = entries.find((it) => it.isOwn && it.name === (path === 'Cargo.toml' ? 'app' : 'lib'));
        const graphOf = graphReader(undefined);
        for (const it of snapshot.dependencies) {
          const { dependency, key } = it.linked;
          if (dependency.group?.startsWith('patch') || dependency.group === 'workspace.dependencies') continue;
          const theirs = [
            ...new Set(
              (own?.requires ?? []).filter((id) => id.split(' ')[0] === key.name).map((id) => versionOf(entries, id)),
            ),
          ];
          if (theirs.length === 0) continue;
          const { resolution } = it;
          const ours = resolution.kind === 'version' ? resolution.version : resolution.kind;
          // The workspace and the registry contest what a patch leaves to the registry: a gap.
          if (resolution.kind === 'none' && resolution.withheld?.contested !== undefined) continue;
          const isPath = entries.some((one) => one.name === key.name && one.isOwn && theirs.includes(one.version));
          note(figure, `${what} ${path} ${key.name}`, theirs, isPath && ours === 'none' ? (theirs[0] ?? '') : ours);
          if (figure === without || ours === 'none') continue;
          const place = placeInLockfile({ uri: snapshot.uri, lockfiles: snapshot.lockfiles, graphOf }, it);
          if (place && theirs.length === 1)
            note(
              graph,
              `brought by ${key.name}`,
              [below(entries, `${key.name} ${theirs[0]}`).join(' ')],
              namesBelow(place.graph, place.nodes).join(' '),
            );
        }
      }
    } finally {
      await lab.close();
    }
  }
  return { withLockfile, without, graph, notes };

  function note(figure: number[], what: string, theirs: readonly string[], ours: string): void {
    figure[1] = (figure[1] ?? 0) + 1;
    if (theirs.includes(ours)) figure[0] = (figure[0] ?? 0) + 1;
    else notes.push(`${what}: ${theirs.join(' or ')} is locked, we say ${ours}`);
  }
}

function catalogOf({ universe }: CargoProject): Record<string, { versions: Record<string, object> }> {
  return Object.fromEntries(
    Object.entries(universe).map(([name, versions]) => {
      const usable = Object.keys(versions).filter((it) => !versions[it]?.isYanked && !it.includes('-'));
      const best = usable.sort(cargo.compare).at(-1);
      return [
        `CARGO ${name}`,
        {
          versions: Object.fromEntries(
            Object.entries(versions).map(([version, { isYanked }]) => [
              version,
              { ...(isYanked && { deprecated: 'yanked' }), ...(version === best && { isDefault: true }) },
            ]),
          ),
        },
      ];
    }),
  );
}

/** Without the reader of the engine. */
function entriesOf(lockfile: string): Entry[] {
  return lockfile
    .split('[[package]]')
    .slice(1)
    .map((it) => {
      const field = (name: string): string => new RegExp(`^${name} = "(.*)"$`, 'm').exec(it)?.[1] ?? '';
      const [, list = ''] = /^dependencies = \[\n([^\]]*)\]/m.exec(it) ?? [];
      const requires = [...list.matchAll(/"([^"]+)"/g)].map(([, id = '']) => id);
      return { name: field('name'), version: field('version'), isOwn: field('source') === '', requires };
    });
}

function versionOf(entries: readonly Entry[], id: string): string {
  const [name, version] = id.split(' ');
  return version ?? entries.find((it) => it.name === name)?.version ?? '';
}

function below(entries: readonly Entry[], root: string): string[] {
  const found = new Set([root]);
  for (const id of found) {
    const [name, version] = id.split(' ');
    for (const it of entries.find((one) => one.name === name && one.version === version)?.requires ?? [])
      found.add(`${it.split(' ')[0]} ${versionOf(entries, it)}`);
  }
  found.delete(root);
  return [...found]
    .filter((it) => it.split(' ')[0] !== root.split(' ')[0])
    .map((it) => it.replace(' ', '@'))
    .sort();
}
