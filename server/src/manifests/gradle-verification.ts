import type { Dependency, ManifestFormat } from '../model/manifest.ts';
import { parseXml } from '../text/xml.ts';
import type { XmlElement } from '../text/xml-tree.ts';
import { isModule } from './gradle-notation.ts';
import { attributeValue } from './msbuild-xml.ts';
import { writtenBy } from './written-by.ts';

/** What Gradle has verified: every artifact that a build, its plugins included, has ever resolved. */
export const gradleVerification: ManifestFormat = {
  id: 'verification-metadata.xml',
  system: 'MAVEN',
  record: 'lockfile',
  files: /(^|\/)gradle\/verification-metadata\.xml$/,
  parse: (text) => {
    const dependencies: Dependency[] = [];
    const { problems } = parseXml(text, {
      names: wanted,
      keep: (it) => {
        if (it.name === 'component') dependencies.push(...read(text, it));
        return false;
      },
    });
    return { dependencies, definitions: [], references: [], problems };
  },
};

/** Most of such a file is checksums, and keys that are trusted. */
const wanted: ReadonlySet<string> = new Set(['components', 'component']);

/**
 *     <component group="org.slf4j" name="slf4j-api" version="2.0.9">
 *                                        ^^^^^^^^^           ^^^^^
 */
function read(source: string, component: XmlElement): Dependency[] {
  const group = attributeValue(source, component, 'group');
  const artifact = attributeValue(source, component, 'name');
  const version = attributeValue(source, component, 'version');
  const name = `${group?.text}:${artifact?.text}`;
  if (!group?.text || !artifact?.text || !version?.literal?.text || !isModule(name)) return [];
  return [
    {
      key: { system: 'MAVEN', name },
      name,
      nameSpan: artifact.span,
      requirement: { kind: 'literal', at: version.literal },
      scope: 'runtime',
      frozen: writtenBy('gradle --write-verification-metadata sha256 help'),
    },
  ];
}
