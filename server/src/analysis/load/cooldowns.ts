import { nameOf, sameUri } from '../../base/uri.ts';
import { cooldownReaders } from '../../ecosystems/cooldowns.ts';
import { MAX_SETTINGS_LENGTH } from '../../ecosystems/shared/registry-address.ts';
import type { CooldownRule } from '../../model/registries/cooldown.ts';
import type { RegistrySource } from '../../model/registry.ts';
import type { System } from '../../model/system.ts';
import type { FileChainReader } from './file-chain.ts';

/** What the settings of package managers say of young versions, those of the machine and those of the workspace. */
export async function readCooldowns(
  uri: string,
  systems: ReadonlySet<System>,
  reading: FileChainReader,
  known: ReadonlyMap<System, readonly (RegistrySource & { readonly uri?: string })[]>,
): Promise<readonly CooldownRule[]> {
  const rules: CooldownRule[] = [];
  for (const system of systems) {
    const readers = cooldownReaders.filter((it) => it.system === system);
    const sources = known.get(system) ?? [];
    const seen = new Set(sources.flatMap((it) => (it.uri === undefined ? [] : [sameUri(it.uri)])));
    const names = new Set(readers.flatMap((it) => it.names).filter(isFile));
    const more = await reading.settingsAbove(
      uri,
      { above: [...names] },
      { length: MAX_SETTINGS_LENGTH, exclude: seen },
    );
    for (const source of [...sources, ...more]) {
      for (const reader of readers) {
        if (!reader.names.includes(source.name)) continue;
        for (const it of reader.read(source)) rules.push({ ...it, from: source.label, system });
      }
    }
  }
  return rules;
}

/** Names of variables are in upper case. */
function isFile(name: string): boolean {
  return name !== name.toUpperCase() && nameOf(name) !== '';
}
