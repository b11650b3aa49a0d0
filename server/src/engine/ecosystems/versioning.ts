import type { System } from '../model/system.ts';
import type { Versioning } from '../model/versioning.ts';
import { cargo } from './cargo/versions.ts';
import { go } from './go/versions.ts';
import { npm } from './npm/versions.ts';
import { nuget } from './nuget/versions.ts';
import { pypi } from './python/versions.ts';
import { maven } from './shared/maven-versions.ts';

/** How each system orders, matches and writes versions. */
export const versioning = {
  GO: go,
  NPM: npm,
  CARGO: cargo,
  MAVEN: maven,
  PYPI: pypi,
  NUGET: nuget,
} as const satisfies Record<System, Versioning>;

/** A requirement that allows this version alone. Sources: the Cargo book, "Specifying Dependencies"; PEP 440, version matching. */
export function exactly(system: System, version: string): string {
  switch (system) {
    case 'CARGO':
      return `=${version}`;
    case 'PYPI':
      return `==${version}`;
    case 'NUGET':
      return `[${version}]`;
    default:
      return version;
  }
}

/** Whether two spellings are the same version: `1.0` and `1.0.0` of NuGet. */
export function isSameVersionIn(system: System, a: string, b: string): boolean {
  const { canonical, compare } = versioning[system];
  return a === b || canonical(a) === canonical(b) || compare(a, b) === 0;
}
