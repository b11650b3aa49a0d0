import type { Dependency } from '../model/manifest.ts';
import type { Files } from '../model/ports.ts';
import type { Registry, RegistrySource, Routing } from '../model/registry.ts';
import type { System } from '../model/system.ts';
import { nameOf, sameUri } from '../model/uri.ts';
import { registryReaders } from '../registries/index.ts';
import type { Reading } from './files.ts';

/** The registries that configuration names for the packages of one document. */
export type Registries = (system: System, name: string, dependency: Dependency) => readonly Registry[];

/**
 * Reads what the machine and the workspace say of where packages come from. A workspace may keep more packages to
 * registries of their own than the machine does, but never fewer: what the machine says counts by itself, whatever comes
 * nearer, and so does what both say together.
 */
export async function readRegistries(
  uri: string,
  systems: ReadonlySet<System>,
  reading: Reading,
  files: Files,
): Promise<Registries> {
  const routings = new Map<System, readonly Routing[]>();
  for (const system of systems) {
    const reader = registryReaders[system];
    const machine = (await files.machine?.(system)) ?? { variables: [], files: [] };
    const nearby = [...ownSources(reading.texts, reader.manifests), ...(await reading.above(uri, reader.above))];
    const all = nearby.length === 0 ? [] : [reader.read([...machine.variables, ...nearby, ...machine.files])];
    routings.set(system, [reader.read([...machine.variables, ...machine.files]), ...all]);
  }
  return (system, name, { registry }) => {
    const asked = { name, ...(registry !== undefined && { registry }) };
    const found = routings.get(system)?.flatMap((it) => it(asked)) ?? [];
    return found.filter((it, at) => found.findIndex((other) => isSame(other, it)) === at);
  };
}

/** The document and the files that take part in it, where they speak of registries themselves. */
function ownSources(texts: ReadonlyMap<string, string>, manifests: RegExp | undefined): RegistrySource[] {
  if (manifests === undefined) return [];
  const seen = new Set<string>();
  return [...texts].flatMap(([uri, text]): RegistrySource[] => {
    const name = nameOf(uri);
    if (!manifests.test(name) || seen.has(sameUri(uri))) return [];
    seen.add(sameUri(uri));
    return [{ name, label: name, text }];
  });
}

function isSame(a: Registry, b: Registry): boolean {
  return a.host === b.host && a.from === b.from;
}
