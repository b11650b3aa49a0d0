import type { System } from '../model/system.ts';
import type { Versioning } from '../model/versioning.ts';
import { cargo } from './cargo.ts';
import { go } from './go.ts';
import { maven } from './maven.ts';
import { npm } from './npm.ts';
import { nuget } from './nuget.ts';
import { pypi } from './pypi.ts';

/** How each system orders, matches and writes versions. */
export const versioning = {
  GO: go,
  NPM: npm,
  CARGO: cargo,
  MAVEN: maven,
  PYPI: pypi,
  NUGET: nuget,
} as const satisfies Record<System, Versioning>;
