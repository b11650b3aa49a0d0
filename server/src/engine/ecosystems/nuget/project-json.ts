import { parseJson } from '../../formats/json/parse.ts';
import { type JsonProperty, type JsonValue, jsonLiteral, propertiesOf, valueAt } from '../../formats/json/tree.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Dependency, ManifestFormat, Requirement } from '../../model/manifest.ts';

/**
 * The packages of an older project of .NET, which NuGet still restores. Other tools have files of this name without frameworks.
 *
 *     { "dependencies": { "Newtonsoft.Json": "9.0.1" },
 *       "frameworks": { "net46": { "dependencies": { "NUnit": { "version": "3.4.1", "type": "build" } } } } }
 */
export const projectJson: ManifestFormat = {
  id: 'project.json',
  system: 'NUGET',
  files: /(^|[./])project\.json$/i,
  begins: /"(?:frameworks|supports)"\s*:\s*\{/,
  parse: (text) => {
    const { root, problems } = parseJson(text);
    const dependencies = [
      ...packagesIn(root, undefined),
      ...propertiesOf(valueAt(root, 'frameworks')).flatMap((it) => packagesIn(it.value, it.name.text)),
    ];
    return { dependencies, definitions: [], references: [], problems };
  },
};

function packagesIn(holder: JsonValue | undefined, framework: string | undefined): Dependency[] {
  return [
    ...propertiesOf(valueAt(holder, 'dependencies')).flatMap((it) => packageOf(it, 'dependencies', framework)),
    ...propertiesOf(valueAt(holder, 'tools')).flatMap((it) => packageOf(it, 'tools', framework)),
  ];
}

function packageOf({ name, value }: JsonProperty, group: string, condition: string | undefined): Dependency[] {
  if (name.text === '') return [];
  const target = valueAt(value, 'target');
  const isProject = target?.kind === 'string' && target.text === 'project';
  const version = value?.kind === 'string' ? value : valueAt(value, 'version');
  const requirement: Requirement = isProject
    ? { kind: 'source', source: 'workspace', span: name.span }
    : version?.kind === 'string'
      ? { kind: 'literal', at: jsonLiteral(version) }
      : { kind: 'none' };
  return [
    {
      key: { system: 'NUGET', name: canonicalName('NUGET', name.text) },
      name: name.text,
      nameSpan: name.span,
      requirement,
      scope: group === 'tools' ? 'build' : 'runtime',
      group,
      ...(condition !== undefined && { condition }),
    },
  ];
}
