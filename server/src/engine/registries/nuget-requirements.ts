import { groupBy } from '../base/collections.ts';
import { isRecord } from '../base/text.ts';
import { nuspec } from '../ecosystems/nuget/nuspec.ts';
import type { NugetGroup, Requirements } from '../model/lookups.ts';
import { type Fields, textAt } from './json.ts';

/** Entries of one version. Real ones have up to some hundred. */
const MAX_REQUIRED = 10_000;

/** What the nuspec of a package requires. */
export function requirementsOfNuspec(text: string): Requirements {
  const { dependencies } = nuspec.parse(text);
  const byFramework = groupBy(dependencies.slice(0, MAX_REQUIRED), (it) => it.condition ?? '');
  const groups = [...byFramework].map(
    ([targetFramework, all]): NugetGroup => ({
      targetFramework,
      dependencies: all.map(({ name, requirement }) => ({
        name,
        requirement: requirement.kind === 'literal' ? requirement.at.text : '',
      })),
    }),
  );
  return { system: 'NUGET', groups };
}

/** `{ "dependencyGroups": [{ "targetFramework": "net8.0", "dependencies": [{ "id": "Acme.Core", "range": "[1.0.0, )" }] }] }` */
export function requirementsOfEntry(entry: Fields): Requirements {
  const groups = recordsIn(entry['dependencyGroups']).map(
    (it): NugetGroup => ({
      targetFramework: textAt(it, 'targetFramework') ?? '',
      dependencies: recordsIn(it['dependencies']).map((one) => ({
        name: textAt(one, 'id') ?? '',
        requirement: textAt(one, 'range') ?? '',
      })),
    }),
  );
  return { system: 'NUGET', groups };
}

function recordsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.slice(0, MAX_REQUIRED).filter(isRecord) : [];
}
