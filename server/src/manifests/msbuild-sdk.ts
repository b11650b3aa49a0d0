import { canonicalName } from '../model/keys.ts';
import type { Dependency, FileRef } from '../model/manifest.ts';
import { msbuildFormatOf } from './msbuild-imports.ts';
import { requirementOf, sdkId } from './msbuild-values.ts';
import type { Value } from './msbuild-xml.ts';

/** The SDKs that the .NET SDK itself and Visual Studio bring along: they are no packages. */
const withTools = /^(?:Microsoft\.NET\.Sdk(?:\.|$)|Microsoft\.Docker\.Sdk$)/i;

/**
 * What an SDK imports of the repository itself, by its name in lower case: the nearest file upward. Sources:
 * Microsoft.Build.CentralPackageVersions, `CentralPackagesFile`; Arcade, `RepositoryEngineeringDir`.
 */
const filesOf: ReadonlyMap<string, string> = new Map([
  ['microsoft.build.centralpackageversions', 'Packages.props'],
  ['microsoft.dotnet.arcade.sdk', 'eng/Versions.props'],
]);

/** The file of the repository that an SDK imports. */
export function importedBySdk({ text, span }: Value): FileRef | undefined {
  const path = filesOf.get(text.toLowerCase());
  return path === undefined
    ? undefined
    : { kind: 'include', path, format: msbuildFormatOf(path), span, upward: 'self' };
}

/**
 * The package that a project SDK comes in: none for one that comes with the tools. Without a version, global.json has it.
 *
 *     <Project Sdk="Microsoft.Build.Traversal/4.1.0">
 */
export function sdkDependency(name: Value, version: Value | undefined, condition: string | undefined): Dependency[] {
  if (!/^[\w.-]{1,100}$/.test(name.text)) return [];
  if (!version && withTools.test(name.text)) return [];
  const to = { id: sdkId(name.text), label: 'global.json' };
  return [
    {
      key: { system: 'NUGET', name: canonicalName('NUGET', name.text) },
      name: name.text,
      nameSpan: name.span,
      requirement: version ? requirementOf(version) : { kind: 'reference', to, span: name.span },
      scope: 'build',
      group: 'Sdk',
      ...(condition && { condition }),
    },
  ];
}
