import type { Files } from '../model/ports.ts';
import type { Registry, RegistrySource, Routing } from '../model/registry.ts';
import type { Linked } from '../model/subject.ts';
import type { System } from '../model/system.ts';
import { nameOf, sameUri } from '../model/uri.ts';
import { distinct, limits } from '../registries/address.ts';
import { registryReaders } from '../registries/index.ts';
import type { Reading } from './reading.ts';

const none: readonly Routing[] = [];

/**
 * Reads what the machine and the workspace say of where packages come from. A workspace may keep more packages to
 * registries of their own than the machine does, but never fewer: what the machine says counts by itself, whatever comes
 * nearer, and so does what both say together.
 * @returns adds to a dependency the registries that are named for it
 */
export async function readRegistries(
  uri: string,
  systems: ReadonlySet<System>,
  reading: Reading,
  files: Files,
): Promise<(linked: Linked) => Linked> {
  const routings = new Map<System, readonly Routing[]>();
  for (const system of systems) {
    const reader = registryReaders[system];
    const machine = (await files.machine?.(system)) ?? { variables: [], files: [] };
    const above = await reading.above(uri, reader);
    const settings = above.map((it) => ({ ...it, text: it.text.slice(0, limits.length) }));
    const nearby = [...ownSources(reading.texts, reader.manifests), ...settings];
    const all = nearby.length === 0 ? [] : [reader.read([...machine.variables, ...nearby, ...machine.files])];
    routings.set(system, [reader.read([...machine.variables, ...machine.files]), ...all]);
  }
  return (linked) => {
    const { key, dependency } = linked;
    const { registry } = dependency;
    const asked = registry === undefined ? key : { name: key.name, registry };
    const found: Registry[] = [];
    for (const routing of routings.get(key.system) ?? none) {
      for (const it of routing(asked)) found.push(it);
    }
    return found.length === 0 ? linked : { ...linked, registries: distinct(found) };
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
