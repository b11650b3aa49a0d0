import type { CooldownReader } from '../model/registries/cooldown.ts';
import { type System, systems } from '../model/system.ts';
import { cargoCooldowns } from './cargo/cooldowns.ts';
import { builtInCooldowns, npmCooldowns } from './npm/cooldowns.ts';
import { pythonCooldowns } from './python/cooldowns.ts';
import { dependabotCooldown } from './shared/dependabot.ts';
import { renovateCooldown } from './shared/renovate.ts';

/** The tools that keep young versions back, each with its own settings. */
export const cooldownReaders: readonly CooldownReader[] = [
  ...npmCooldowns,
  ...pythonCooldowns,
  ...cargoCooldowns,
  dependabotCooldown,
  renovateCooldown,
];

export { builtInCooldowns };

/** Whether a file may have a cooldown, by its path or address. */
export function isCooldownFile(path: string): boolean {
  return fileNames.some((it) => path.endsWith(`/${it}`));
}

/** The files of package managers in which a system's cooldown may be, beside a manifest and above it. */
export function cooldownFiles(system: System): readonly string[] {
  const readers = cooldownReaders.filter((it) => it.systems !== 'all' && it.systems.includes(system));
  // Names of variables are in upper case.
  return [...new Set(readers.flatMap((it) => it.names))].filter((it) => it !== it.toUpperCase());
}

/** The files of services that update, at the root of a repository. */
export const updateServiceFiles: readonly string[] = cooldownReaders
  .filter((it) => it.systems === 'all')
  .flatMap((it) => it.names);

const fileNames: readonly string[] = [...new Set([...systems.flatMap(cooldownFiles), ...updateServiceFiles])];
