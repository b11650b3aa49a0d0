import { parseJson } from '../../formats/json/parse.ts';
import { type JsonProperty, propertiesOf, valueAt } from '../../formats/json/tree.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Definition, Dependency, ManifestFormat } from '../../model/manifest.ts';
import { exactRequirement } from './exact-version.ts';
import { sdkId } from './msbuild-values.ts';

/**
 * The versions of project SDKs, which projects then name without one. The version of the .NET SDK itself is in the file,
 * too, and belongs to no package.
 *
 *     { "msbuild-sdks": { "Microsoft.Build.Traversal": "4.1.0" } }
 */
export const globalJson: ManifestFormat = {
  id: 'global.json',
  system: 'NUGET',
  files: /(^|\/)global\.json$/i,
  parse: (text) => {
    const { root, problems } = parseJson(text);
    const sdks = propertiesOf(valueAt(root, 'msbuild-sdks')).flatMap(dependency);
    return { dependencies: sdks, definitions: sdks.map(definition), references: [], problems };
  },
};

function dependency({ name, value }: JsonProperty): Dependency[] {
  if (name.text === '') return [];
  return [
    {
      key: { system: 'NUGET', name: canonicalName('NUGET', name.text) },
      name: name.text,
      nameSpan: name.span,
      ...exactRequirement(value),
      scope: 'build',
      group: 'msbuild-sdks',
    },
  ];
}

function definition({ name, nameSpan, requirement }: Dependency): Definition {
  return { id: sdkId(name), span: nameSpan, value: requirement };
}
