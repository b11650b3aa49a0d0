import type { RegistryReader } from '../model/registries/registry-reader.ts';
import type { System } from '../model/system.ts';
import { cargoRegistries } from './cargo/registries.ts';
import { goRegistries } from './go/registries.ts';
import { gradleRegistries } from './gradle/registries.ts';
import { gradleScript } from './gradle/repositories/declared.ts';
import { isOfOtherBuild } from './gradle/repositories/other-builds.ts';
import { settingsPluginsIn } from './gradle/repositories/settings-plugins.ts';
import { mavenRegistries } from './maven/registries.ts';
import { npmRegistries } from './npm/registries.ts';
import { nugetRegistries } from './nuget/registries.ts';
import { unlessOffline } from './offline.ts';
import { pypiRegistries } from './python/registries.ts';

/**
 * Packages of Maven come to a project by Maven's settings, by Gradle's scripts, or by both. They are asked for as in a
 * project of Maven, or as in a build of Gradle: by the files around them.
 */
const mavenAndGradle: RegistryReader = {
  ...mavenRegistries,
  filesNamedBy: (source) => [...(mavenRegistries.filesNamedBy?.(source) ?? []), ...settingsPluginsIn(source)],
  isOfOtherBuild,
  ownersOf(sources) {
    const maven = mavenRegistries.ownersOf(sources);
    const gradle = gradleRegistries.ownersOf(sources);
    return (asked) => [...maven(asked), ...gradle(asked)];
  },
  accessTo(inputs) {
    const files = inputs.sources.filter((it) => it.owner === 'workspace');
    const isGradle = files.some((it) => gradleScript.test(it.name)) && !files.some((it) => it.name === 'pom.xml');
    return (isGradle ? gradleRegistries : mavenRegistries).accessTo(inputs);
  },
};

/** The readers of each system's registry settings. */
export const registryReaders: Readonly<Record<System, RegistryReader>> = {
  GO: unlessOffline('GO', goRegistries),
  NPM: unlessOffline('NPM', npmRegistries),
  CARGO: unlessOffline('CARGO', cargoRegistries),
  MAVEN: unlessOffline('MAVEN', mavenAndGradle),
  PYPI: unlessOffline('PYPI', pypiRegistries),
  NUGET: unlessOffline('NUGET', nugetRegistries),
};
