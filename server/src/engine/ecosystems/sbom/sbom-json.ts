import { streamArrays } from '../../formats/json/stream-arrays.ts';
import type { ManifestFormat } from '../../model/manifest.ts';
import { cyclonedxComponents } from './cyclonedx-json.ts';
import { spdxPackages } from './spdx-json.ts';
import { spdxGraph } from './spdx3-json.ts';

/**
 * SBOMs in JSON: CycloneDX 1.2 to 1.7, SPDX 2 and SPDX 3. File names do not distinguish them, so each is recognized by its
 * contents.
 */
export const sbomJson: ManifestFormat = {
  id: 'bom.json',
  system: 'any',
  record: 'sbom',
  files: /(^|\/)(?:[^/]+[._-])?(?:s?bom|cdx|cyclonedx|spdx3?)\.json$/i,
  begins: /^[\s\S]{0,4000}?"(?:bomFormat|specVersion|components|spdxVersion|SPDXID|packages|@context|@graph)"/,
  parse: (text) => {
    const readers = [cyclonedxComponents(), spdxPackages(), spdxGraph()];
    const problems = streamArrays(text, usedNames, (list, item) => {
      for (const it of readers) it.add(list, item);
    });
    const read = readers.map((it) => it.components());
    return {
      dependencies: read.flatMap((it) => it.dependencies),
      definitions: [],
      references: [],
      problems: [...problems, ...read.flatMap((it) => it.problems)],
    };
  },
};

/** The names to read, at any depth. The rest of such a file is hashes, addresses, evidence and texts. */
const usedNames: ReadonlySet<string> = new Set([
  // CycloneDX
  ...['components', 'purl', 'version', 'scope', 'licenses', 'license', 'id', 'name', 'expression', 'acknowledgement'],
  ...['externalReferences', 'type', 'url'],
  // SPDX 2
  ...['packages', 'SPDXID', 'versionInfo', 'licenseDeclared', 'licenseConcluded', 'documentDescribes'],
  ...['externalRefs', 'referenceType', 'referenceLocator', 'downloadLocation', 'primaryPackagePurpose'],
  ...['relationships', 'relationshipType', 'spdxElementId', 'relatedSpdxElement'],
  // SPDX 3
  ...['@graph', 'spdxId', 'rootElement', 'relationshipType', 'from', 'to'],
  ...[
    'software_packageUrl',
    'software_packageVersion',
    'software_downloadLocation',
    'software_primaryPurpose',
    'simplelicensing_licenseExpression',
  ],
  ...['externalIdentifier', 'externalIdentifierType', 'identifier'],
]);
