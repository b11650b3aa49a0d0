import type { ManifestFormat } from '../model/manifest.ts';
import { parseJson } from '../text/json.ts';
import { cyclonedxComponents } from './cyclonedx-json.ts';
import { spdxPackages } from './spdx-json.ts';

/**
 * Bills of materials in JSON: CycloneDX 1.2 to 1.7, SPDX 2 and SPDX 3. Their names do not tell them apart, and each is
 * known by what is in it.
 */
export const sbomJson: ManifestFormat = {
  id: 'bom.json',
  system: 'any',
  record: 'sbom',
  files: /(^|\/)(?:s?bom|[^/]+\.(?:cdx|s?bom|spdx|spdx3))\.json$/i,
  begins: /^[\s\S]{0,4000}?"(?:bomFormat|specVersion|components|spdxVersion|SPDXID|packages|@context|@graph)"/,
  parse: (text) => {
    const { root, problems } = parseJson(text, unread);
    const dependencies = [...cyclonedxComponents(root), ...spdxPackages(root)];
    return { dependencies, definitions: [], references: [], problems };
  },
};

/** Most of such a file: hashes, addresses, evidence, texts. Nothing is asked of them. */
const unread: ReadonlySet<string> = new Set([
  ...['hashes', 'externalReferences', 'evidence', 'properties', 'dependencies', 'vulnerabilities', 'services', 'text'],
  ...['compositions', 'annotations', 'formulation', 'pedigree', 'releaseNotes', 'signature', 'swid', 'declarations'],
  ...['metadata', 'supplier', 'modelCard', 'data', 'cryptoProperties', 'authors', 'tags', 'omniborId', 'swhid'],
  ...['checksums', 'files', 'hasFiles', 'snippets', 'packageVerificationCode', 'hasExtractedLicensingInfos'],
  ...['creationInfo', 'verifiedUsing', 'attributionTexts', 'externalRef', 'software_attributionText'],
]);
