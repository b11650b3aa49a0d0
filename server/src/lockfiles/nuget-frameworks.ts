import type { Dependency } from '../model/manifest.ts';

/** The versions that a project was restored with, by target framework, names of packages in lower case. */
export type Frameworks = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Of the frameworks those that the condition names; of these the first that has the package. */
export function lockedFor(frameworks: Frameworks, { key, condition }: Dependency): string | undefined {
  const all = [...frameworks];
  const named = condition === undefined ? [] : all.filter(([it]) => condition.toLowerCase().includes(`'${it}'`));
  for (const [, versions] of named.length > 0 ? named : all) {
    const version = versions.get(key.name);
    if (version !== undefined) return version;
  }
  return undefined;
}

/** A framework as a project file spells it: `.NETFramework,Version=v4.7.2` is `net472`, `net8.0/win-x64` is `net8.0`. */
export function frameworkName(written: string): string {
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
