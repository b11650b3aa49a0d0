import type { AccessReader } from '../model/registries/access.ts';
import type { System } from '../model/system.ts';
import { goAccess } from './go/registry-access.ts';
import { mavenAccess } from './maven/registry-access.ts';
import { npmAccess } from './npm/registry-access.ts';
import { nugetAccess } from './nuget/registry-access.ts';
import { pypiAccess } from './python/registry-access.ts';

/** How each system's clients find the registries and credentials of a package. */
export const registryAccess = {
  NPM: npmAccess,
  MAVEN: mavenAccess,
  PYPI: pypiAccess,
  NUGET: nugetAccess,
  GO: goAccess,
} as const satisfies Partial<Record<System, AccessReader>>;
