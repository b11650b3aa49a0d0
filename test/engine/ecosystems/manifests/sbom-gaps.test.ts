import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cyclonedxXml } from '../../../../server/src/engine/ecosystems/sbom/cyclonedx-xml.ts';
import { sbomJson } from '../../../../server/src/engine/ecosystems/sbom/sbom-json.ts';
import { spdx } from '../../../../server/src/engine/ecosystems/sbom/spdx-tag-value.ts';
import type { Manifest } from '../../../../server/src/engine/model/manifest.ts';

/*
 * A bill of materials of which only a part is read says so: https://github.com/devops-kung-fu/bomber/issues/14. Files and
 * operating systems are no packages, and the described project need not be published.
 */

const purls = [
  'pkg:npm/a@1.0.0',
  'pkg:deb/debian/libc6@2.36',
  'pkg:golang/stdlib@1.21.0',
  'pkg:npm/b',
  'pkg:npm/%zz@1',
];
const counted =
  '5 components not checked: 2 of other systems, 1 without a purl, 1 with an invalid purl, 1 without a version';

const packages = [...purls.map((purl) => ({ name: 'x', purl })), { name: 'plain', purl: undefined }];

const documents: Readonly<Record<string, () => Manifest>> = {
  'CycloneDX in JSON': () =>
    sbomJson.parse(
      JSON.stringify({
        bomFormat: 'CycloneDX',
        metadata: { component: { type: 'application', name: 'own' } },
        components: [
          ...packages.map((it) => ({ type: 'library', ...it })),
          { type: 'operating-system', name: 'debian' },
          { type: 'file', name: '/etc/passwd' },
        ],
      }),
    ),
  'CycloneDX in XML': () =>
    cyclonedxXml.parse(
      `<bom xmlns="http://cyclonedx.org/schema/bom/1.6"><metadata><component type="library"><name>own</name></component></metadata>
      <components>${packages
        .map(
          ({ name, purl }) =>
            `<component type="library"><name>${name}</name>${purl ? `<purl>${purl}</purl>` : ''}</component>`,
        )
        .join('\n')}
      <component type="file"><name>x</name></component></components></bom>`,
    ),
  'SPDX 2 in JSON': () =>
    sbomJson.parse(
      JSON.stringify({
        spdxVersion: 'SPDX-2.3',
        documentDescribes: ['own'],
        packages: [
          { SPDXID: 'own', name: 'own' },
          { SPDXID: 'os', name: 'debian', primaryPackagePurpose: 'OPERATING-SYSTEM' },
          ...packages.map(({ name, purl }, at) => ({
            SPDXID: String(at),
            name,
            externalRefs: purl ? [{ referenceType: 'purl', referenceLocator: purl }] : [],
          })),
        ],
      }),
    ),
  'SPDX 2 in tags': () =>
    spdx.parse(
      `SPDXVersion: SPDX-2.3
PackageName: own
SPDXID: SPDXRef-own
Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-own
${packages
  .map(
    ({ name, purl }, at) =>
      `PackageName: ${name}\nSPDXID: SPDXRef-${at}\n${purl ? `ExternalRef: PACKAGE-MANAGER purl ${purl}\n` : ''}`,
  )
  .join('')}`,
    ),
  'SPDX 3': () =>
    sbomJson.parse(
      JSON.stringify({
        '@graph': [
          { spdxId: 'document', type: 'SpdxDocument', rootElement: ['own'] },
          { spdxId: 'own', type: 'software_Package', name: 'own' },
          { spdxId: 'file', type: 'software_File', name: 'x' },
          ...packages.map(({ name, purl }, at) => ({
            spdxId: String(at),
            type: 'software_Package',
            name,
            ...(purl && { software_packageUrl: purl }),
          })),
        ],
      }),
    ),
};

for (const [name, parse] of Object.entries(documents)) {
  test(`what ${name} lists and is not looked up is counted`, () => {
    const { dependencies, problems } = parse();
    assert.deepEqual(
      dependencies.map((it) => it.key.name),
      ['a'],
    );
    assert.deepEqual(
      problems.map((it) => it.message),
      [counted],
    );
  });
}
