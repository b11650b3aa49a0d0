import type { RegistryReader } from '../model/registry.ts';
import type { System } from '../model/system.ts';
import { cargoRegistries } from './cargo.ts';
import { goRegistries } from './go.ts';
import { mavenRegistries } from './maven.ts';
import { npmRegistries } from './npm.ts';
import { nugetRegistries } from './nuget.ts';
import { pypiRegistries } from './pypi.ts';

/** How each system is told where its packages come from. */
export const registryReaders = {
  GO: goRegistries,
  NPM: npmRegistries,
  CARGO: cargoRegistries,
  MAVEN: mavenRegistries,
  PYPI: pypiRegistries,
  NUGET: nugetRegistries,
} as const satisfies Record<System, RegistryReader>;
