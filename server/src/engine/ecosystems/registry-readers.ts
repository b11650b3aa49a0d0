import type { RegistryReader } from '../model/registry.ts';
import type { System } from '../model/system.ts';
import { cargoRegistries } from './cargo/registries.ts';
import { goRegistries } from './go/registries.ts';
import { readRepositories } from './gradle/registries.ts';
import { isOfOtherBuild } from './gradle/repositories/other-builds.ts';
import { settingsPluginsIn } from './gradle/repositories/settings-plugins.ts';
import { mavenRegistries } from './maven/registries.ts';
import { npmRegistries } from './npm/registries.ts';
import { nugetRegistries } from './nuget/registries.ts';
import { pypiRegistries } from './python/registries.ts';

/** Packages of Maven come to a project by Maven's settings, by Gradle's scripts, or by both. */
const mavenAndGradle: RegistryReader = {
  ...mavenRegistries,
  filesNamedBy: (source) => [...(mavenRegistries.filesNamedBy?.(source) ?? []), ...settingsPluginsIn(source)],
  isOfOtherBuild,
  read(sources) {
    const maven = mavenRegistries.read(sources);
    const gradle = readRepositories(sources);
    return (asked) => [...maven(asked), ...gradle(asked)];
  },
};

/** The readers of each system's registry settings. */
export const registryReaders = {
  GO: goRegistries,
  NPM: npmRegistries,
  CARGO: cargoRegistries,
  MAVEN: mavenAndGradle,
  PYPI: pypiRegistries,
  NUGET: nugetRegistries,
} as const satisfies Record<System, RegistryReader>;
