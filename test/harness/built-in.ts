import type { BuiltInRegistries } from '../../server/src/engine/model/registries/built-in.ts';
import type { System } from '../../server/src/engine/model/system.ts';

/** Package managers that have some hosts built in for every system, as they are known once they have been read. */
export function builtInHosts(...hosts: readonly string[]): BuiltInRegistries {
  const read = new Set<System>();
  const asked = new Set<System>();
  let revision = 0;
  return {
    hosts(system) {
      if (read.has(system)) return new Set(hosts);
      asked.add(system);
      return undefined;
    },
    async readAsked() {
      for (const it of asked) read.add(it);
      revision += asked.size;
      asked.clear();
    },
    revision: () => revision,
  };
}
