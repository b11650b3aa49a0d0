import { parseXml } from '../../formats/xml/parse.ts';
import { childOf, childrenOf, type XmlElement } from '../../formats/xml/tree.ts';
import type { Dependency, ManifestFormat } from '../../model/manifest.ts';
import type { Problem } from '../../model/span.ts';

/**
 * Maven's core extensions, which it loads before it reads a project. No property of the project applies here.
 *
 *     <extensions>
 *       <extension><groupId>kr.motd.maven</groupId><artifactId>os-maven-plugin</artifactId><version>1.7.1</version></extension>
 *     </extensions>
 */
export const mavenExtensions: ManifestFormat = {
  id: 'extensions.xml',
  system: 'MAVEN',
  files: /(^|\/)\.mvn\/extensions\.xml$/,
  parse: (text) => {
    const { root, problems } = parseXml(text);
    const found: { dependencies: Dependency[]; problems: Problem[] } = { dependencies: [], problems: [...problems] };
    for (const it of childrenOf(root, 'extension')) readExtension(it, found);
    return { ...found, definitions: [], references: [] };
  },
};

function readExtension(element: XmlElement, found: { dependencies: Dependency[]; problems: Problem[] }): void {
  const group = childOf(element, 'groupId');
  const artifact = childOf(element, 'artifactId');
  if (!group?.text || !artifact?.text) {
    const missing = artifact?.text ? 'groupId' : 'artifactId';
    found.problems.push({ span: element.nameSpan, message: `\`${missing}\` is missing` });
    return;
  }
  const name = `${group.text}:${artifact.text}`;
  const { literal, blank } = childOf(element, 'version') ?? {};
  found.dependencies.push({
    key: { system: 'MAVEN', name },
    name,
    nameSpan: artifact.textSpan,
    requirement: literal ? { kind: 'literal', at: literal } : { kind: 'none' },
    ...(blank && { blank }),
    scope: 'build',
    group: 'extensions',
    role: 'plugin',
  });
}
