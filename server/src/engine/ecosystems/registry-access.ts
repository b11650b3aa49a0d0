import type { AccessReader } from '../model/registries/access.ts';
import type { System } from '../model/system.ts';
import { cargoAccess } from './cargo/registry-access.ts';
import { goAccess } from './go/registry-access.ts';
import { gradleScript } from './gradle/registries.ts';
import { gradleAccess } from './gradle/registry-access.ts';
import { mavenAccess } from './maven/registry-access.ts';
import { npmAccess } from './npm/registry-access.ts';
import { nugetAccess } from './nuget/registry-access.ts';
import { unlessOffline } from './offline.ts';
import { pypiAccess } from './python/registry-access.ts';

/** Packages of Maven are those of a project of Maven, or of a build of Gradle: by the files around them. */
const mavenOrGradle: AccessReader = {
  read(inputs) {
    const files = inputs.sources.filter((it) => it.owner === 'workspace');
    const isGradle = files.some((it) => gradleScript.test(it.name)) && !files.some((it) => it.name === 'pom.xml');
    return (isGradle ? gradleAccess : mavenAccess).read(inputs);
  },
};

/** How each system's clients find the registries and credentials of a package. */
export const registryAccess = {
  NPM: unlessOffline('NPM', npmAccess),
  CARGO: unlessOffline('CARGO', cargoAccess),
  MAVEN: unlessOffline('MAVEN', mavenOrGradle),
  PYPI: unlessOffline('PYPI', pypiAccess),
  NUGET: unlessOffline('NUGET', nugetAccess),
  GO: unlessOffline('GO', goAccess),
} as const satisfies Record<System, AccessReader>;
