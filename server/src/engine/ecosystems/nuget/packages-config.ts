import { parseXml } from '../../formats/xml/parse.ts';
import type { XmlElement } from '../../formats/xml/tree.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Dependency, ManifestFormat, Requirement } from '../../model/manifest.ts';
import { exactLiteral } from './exact-version.ts';
import { attributeOf, attributeValue, type Value } from './msbuild-xml.ts';

/**
 * The packages of an old-style project, each with the one version that is installed.
 *
 *     <package id="Newtonsoft.Json" version="13.0.1" targetFramework="net48" />
 */
export const packagesConfig: ManifestFormat = {
  id: 'packages.config',
  system: 'NUGET',
  files: /(^|\/)packages(?:\.[^/]+)?\.config$/i,
  parse: (text) => {
    const { root, problems } = parseXml(text);
    const packages = root?.name === 'packages' ? root.children : [];
    return { dependencies: packages.flatMap((it) => dependency(text, it)), definitions: [], references: [], problems };
  },
};

function dependency(source: string, element: XmlElement): Dependency[] {
  const id = attributeValue(source, element, 'id');
  if (element.name !== 'package' || !id?.text) return [];
  const version = attributeValue(source, element, 'version');
  const framework = attributeOf(element, 'targetframework')?.value;
  const allowed = attributeOf(element, 'allowedversions')?.value;
  const condition = [framework, allowed && `allowedVersions ${allowed}`].filter(Boolean).join(', ');
  return [
    {
      key: { system: 'NUGET', name: canonicalName('NUGET', id.text) },
      name: id.text,
      nameSpan: id.span,
      requirement: requirementOf(version),
      ...(version?.text === '' && version.literal && { blank: version.literal }),
      scope: attributeOf(element, 'developmentdependency')?.value.trim().toLowerCase() === 'true' ? 'dev' : 'runtime',
      ...(condition && { condition }),
    },
  ];
}

function requirementOf(version: Value | undefined): Requirement {
  if (!version?.text) return { kind: 'none' };
  if (version.literal) return { kind: 'literal', at: exactLiteral(version.literal) };
  return { kind: 'template', parts: [`[${version.text}]`], span: version.span };
}
