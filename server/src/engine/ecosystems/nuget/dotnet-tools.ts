import { parseJson } from '../../formats/json/parse.ts';
import { type JsonProperty, propertiesOf, valueAt } from '../../formats/json/tree.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Dependency, ManifestFormat } from '../../model/manifest.ts';
import { exactRequirement } from './exact-version.ts';

/**
 * The tools of a repository, each with the one version that is restored.
 *
 *     { "tools": { "dotnet-ef": { "version": "8.0.4", "commands": ["dotnet-ef"] } } }
 */
export const dotnetTools: ManifestFormat = {
  id: 'dotnet-tools.json',
  system: 'NUGET',
  files: /(^|\/)dotnet-tools\.json$/i,
  parse: (text) => {
    const { root, problems } = parseJson(text);
    const dependencies = propertiesOf(valueAt(root, 'tools')).flatMap(tool);
    return { dependencies, definitions: [], references: [], problems };
  },
};

function tool({ name, value }: JsonProperty): Dependency[] {
  if (name.text === '') return [];
  return [
    {
      key: { system: 'NUGET', name: canonicalName('NUGET', name.text) },
      name: name.text,
      nameSpan: name.span,
      ...exactRequirement(valueAt(value, 'version')),
      scope: 'dev',
    },
  ];
}
