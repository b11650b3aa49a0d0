import { parseXml } from '../../formats/xml/parse.ts';
import { childrenOf, type XmlElement } from '../../formats/xml/tree.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Dependency, ManifestFormat, Requirement } from '../../model/manifest.ts';
import { attributeOf, attributeValue, type Value } from './msbuild-xml.ts';

/**
 * The dependencies of a package that is built, by target framework or flat.
 *
 *     <group targetFramework="net8.0">
 *       <dependency id="Newtonsoft.Json" version="[13.0.1,14.0)" />
 *     </group>
 */
export const nuspec: ManifestFormat = {
  id: 'nuspec',
  system: 'NUGET',
  files: /\.nuspec$/i,
  parse: (text) => {
    const { root, problems } = parseXml(text);
    const lists = childrenOf(root, 'metadata').flatMap((it) => childrenOf(it, 'dependencies'));
    const dependencies = lists.flatMap((list) => list.children.flatMap((it) => entries(text, it)));
    return { dependencies, definitions: [], references: [], problems };
  },
};

function entries(source: string, element: XmlElement): Dependency[] {
  if (element.name === 'dependency') return dependency(source, element, undefined);
  if (element.name !== 'group') return [];
  const framework = attributeOf(element, 'targetframework')?.value;
  return childrenOf(element, 'dependency').flatMap((it) => dependency(source, it, framework));
}

function dependency(source: string, element: XmlElement, framework: string | undefined): Dependency[] {
  const id = attributeValue(source, element, 'id');
  if (!id?.text) return [];
  const version = attributeValue(source, element, 'version');
  return [
    {
      key: { system: 'NUGET', name: canonicalName('NUGET', id.text) },
      name: id.text,
      nameSpan: id.span,
      requirement: requirementOf(version),
      ...(version?.text === '' && version.literal && { blank: version.literal }),
      scope: 'runtime',
      ...(framework && { condition: framework }),
    },
  ];
}

/** A value between dollar signs is resolved when the package is built: `[$version$]`. */
function requirementOf(version: Value | undefined): Requirement {
  if (!version?.text) return { kind: 'none' };
  const { text, span, literal } = version;
  const pieces = text.split(/(\$\w+\$)/);
  if (pieces.length === 1 && literal) return { kind: 'literal', at: literal };
  const parts = pieces
    .filter((it) => it !== '')
    .map((it) => (/^\$\w+\$$/.test(it) ? { id: `token:${it}`, label: it } : it));
  return { kind: 'template', parts, span };
}
