import type { ReadMachine, RegistrySource } from '../engine/model/registry.ts';
import type { System } from '../engine/model/system.ts';

/** The settings of each system that people keep on their computers, where they usually name private registries. */
const usualSettings = {
  NPM: { name: '.npmrc', label: '~/.npmrc' },
  PYPI: { name: 'pip.conf', label: 'pip.conf' },
  NUGET: { name: 'NuGet.Config', label: '~/.nuget/NuGet/NuGet.Config' },
  MAVEN: { name: 'settings.xml', label: '~/.m2/settings.xml' },
  CARGO: { name: 'config.toml', label: '~/.cargo/config.toml' },
  GO: { name: 'env', label: 'go env' },
} as const satisfies Record<System, Pick<RegistrySource, 'name' | 'label'>>;

/**
 * The registry settings of a computer that a browser cannot read. They count as unreadable, so they may name a private
 * registry for any package, until the person decides otherwise.
 * @param isDecided whether the person has decided that names are looked up all the same
 */
export function browserMachine(isDecided: () => boolean): ReadMachine {
  return async (system) => ({
    variables: isDecided() ? [] : [{ ...usualSettings[system], text: '', unreadable: { why: 'browser' } }],
    files: [],
  });
}
