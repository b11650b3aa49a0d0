import { parseXml } from '../../../formats/xml/parse.ts';
import type { XmlElement } from '../../../formats/xml/tree.ts';
import type { Dependency, ManifestFormat } from '../../../model/manifest.ts';
import { lockfileFrozenReason } from '../../shared/lockfile.ts';
import { isModule } from '../arguments.ts';

/** The artifacts that Gradle verifies: all that a build, its plugins included, has ever resolved. */
export const gradleVerification: ManifestFormat = {
  id: 'verification-metadata.xml',
  system: 'MAVEN',
  record: 'lockfile',
  files: /(^|\/)gradle\/verification-metadata\.xml$/,
  parse: (text) => {
    const dependencies: Dependency[] = [];
    const { problems } = parseXml(text, {
      names: usedElements,
      keep: (it) => {
        if (it.name === 'component') dependencies.push(...read(it));
        return false;
      },
    });
    return { dependencies, definitions: [], references: [], problems };
  },
};

/** The rest of such a file is checksums and trusted keys. */
const usedElements: ReadonlySet<string> = new Set(['components', 'component']);

/**
 *     <component group="org.slf4j" name="slf4j-api" version="2.0.9">
 *                                        ^^^^^^^^^           ^^^^^
 */
function read({ attributes }: XmlElement): Dependency[] {
  const [group, artifact, version] = ['group', 'name', 'version'].map((name) =>
    attributes.find((it) => it.name === name),
  );
  const name = `${group?.value}:${artifact?.value}`;
  if (!group?.value || !artifact?.value || !version?.literal?.text || !isModule(name)) return [];
  return [
    {
      key: { system: 'MAVEN', name },
      name,
      nameSpan: artifact.valueSpan,
      requirement: { kind: 'literal', at: version.literal },
      scope: 'runtime',
      frozen: lockfileFrozenReason('gradle --write-verification-metadata sha256 help'),
    },
  ];
}
