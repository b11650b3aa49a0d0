import { isRecord } from '../../base/text.ts';
import type { Dependency } from '../../model/manifest.ts';

/** The versions that a project was restored with, by target framework, names of packages in lower case. */
export type Frameworks = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** A project has a handful of frameworks, of some ten characters each. Each is looked for in every condition. */
const limits = { frameworks: 100, characters: 100 } as const;

/**
 * Reads what stands under each framework.
 * @param read which package an entry locks, and in which version; undefined where it locks none
 */
export function readFrameworks(
  written: unknown,
  read: (
    name: string,
    entry: Readonly<Record<string, unknown>>,
  ) => readonly [name: string, version: string] | undefined,
): Frameworks {
  const frameworks = new Map<string, Map<string, string>>();
  for (const [framework, packages] of entriesOf(written)) {
    const name = frameworkName(framework);
    const versions = frameworks.get(name) ?? new Map<string, string>();
    if (frameworks.size < limits.frameworks && name.length <= limits.characters) frameworks.set(name, versions);
    for (const [id, entry] of entriesOf(packages)) {
      const locked = isRecord(entry) ? read(id, entry) : undefined;
      if (locked) versions.set(locked[0].toLowerCase(), locked[1]);
    }
  }
  return frameworks;
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

/** Of the frameworks those that the condition names; of these the first that has the package. */
export function lockedFor(frameworks: Frameworks, { key, condition }: Dependency): string | undefined {
  const all = [...frameworks];
  const stated = condition?.toLowerCase() ?? '';
  const named = all.filter(([it]) => stated.includes(`'${it}'`));
  for (const [, versions] of named.length > 0 ? named : all) {
    const version = versions.get(key.name);
    if (version !== undefined) return version;
  }
  return undefined;
}

/** A framework as a project file spells it: `.NETFramework,Version=v4.7.2` is `net472`, `net8.0/win-x64` is `net8.0`. */
function frameworkName(written: string): string {
  const [name = ''] = written.split('/', 1);
  const [, family = '', version = ''] = /^\.(NET\w+),Version=v([\d.]+)$/.exec(name) ?? [];
  switch (family) {
    case 'NETFramework':
      return `net${version.replaceAll('.', '')}`;
    case 'NETCoreApp':
      return `${Number.parseInt(version, 10) >= 5 ? 'net' : 'netcoreapp'}${version}`;
    case 'NETStandard':
      return `netstandard${version}`;
    default:
      return name.toLowerCase();
  }
}
