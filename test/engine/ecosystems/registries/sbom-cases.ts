import type { PrivateCase } from './cases.ts';

const file = 'https://repo.acme.example/x.jar';
const snakeyaml = 'pkg:maven/org.yaml/snakeyaml@1.0';
const qualified = (system: string, name: string, qualifiers: string): unknown => ({
  name,
  version: '1.0',
  purl: `pkg:${system}/${name}@1.0?${qualifiers}`,
});
const distributed = (type: string, url: string, purl: string): unknown => ({
  name: 'x',
  version: '1.0',
  purl,
  externalReferences: [
    { type: 'website', url: 'https://secret.example' },
    { type, url },
  ],
});

/** Bills of materials that say where their packages come from. */
export const sbomCases: readonly PrivateCase[] = [
  {
    title: 'repositories in the purls of every system',
    files: {
      'bom.json': JSON.stringify({
        bomFormat: 'CycloneDX',
        components: [
          qualified('maven', 'com.secret/core', 'type=jar&repository_url=repo.acme.example%2Fmaven'),
          qualified('nuget', 'Secret.Core', 'repository_url=https%3A%2F%2Fnuget.acme.example'),
          qualified('golang', 'git.secret.example/core', 'repository_url=proxy.acme.example'),
          qualified('pypi', 'secret-core', `download_url=${encodeURIComponent(file)}`),
          qualified('cargo', 'secret-core', `download_url=${encodeURIComponent(file)}`),
          qualified('maven', 'org.yaml/snakeyaml', 'type=jar'),
        ],
      }),
    },
    asked: ['snakeyaml'],
  },
  {
    title: 'distributions of components in CycloneDX',
    files: {
      'bom.json': JSON.stringify({
        bomFormat: 'CycloneDX',
        components: [
          distributed('distribution', file, 'pkg:maven/com.secret/core@1.0'),
          distributed('distribution', file, 'pkg:nuget/Secret.Core@1.0'),
          distributed('distribution', file, 'pkg:golang/git.secret.example/core@v1.0.0'),
          distributed('distribution', file, 'pkg:npm/%40secret/core@1.0.0'),
          distributed('distribution', 'https://registry.example/npm/left-pad.tgz', 'pkg:npm/left-pad@1.3.0'),
          distributed('vcs', 'https://code.example/atty.git', 'pkg:cargo/atty@0.2.14'),
        ],
      }),
    },
    asked: ['left-pad', 'atty'],
  },
  {
    // https://github.com/CycloneDX/cyclonedx-maven-plugin/issues/245: where a project deploys to, or its page.
    title: 'distributions of components in CycloneDX that are no artifacts',
    files: {
      'bom.json': JSON.stringify({
        bomFormat: 'CycloneDX',
        components: [
          distributed('distribution', 'https://oss.acme.example/service/local/staging/deploy/maven2/', snakeyaml),
          distributed('distribution', 'https://code.example/left-pad/releases', 'pkg:npm/left-pad@1.3.0'),
          distributed(
            'distribution',
            'https://crates.acme.example/api/v1/crates/core/1.0.0/download',
            'pkg:cargo/core@1.0.0',
          ),
        ],
      }),
    },
    asked: ['snakeyaml', 'left-pad'],
  },
  {
    title: 'repositories and distributions of components in XML',
    files: {
      'bom.xml': `<bom xmlns="http://cyclonedx.org/schema/bom/1.6"><components>
        <component type="library"><name>a</name><version>1.0</version>
          <purl>pkg:maven/com.secret/a@1.0?type=jar&amp;repository_url=repo.acme.example</purl></component>
        <component type="library"><name>b</name><version>1.0</version><purl>pkg:nuget/Secret.Core@1.0</purl>
          <externalReferences><reference type="distribution"><url>${file}</url></reference></externalReferences></component>
        <component type="library"><name>c</name><version>1.0</version><purl>pkg:maven/org.yaml/snakeyaml@1.0</purl>
          <externalReferences><reference type="vcs"><url>${file}</url></reference></externalReferences></component>
        </components></bom>`,
    },
    asked: ['snakeyaml'],
  },
  {
    title: 'where SPDX 2 says that packages are to be had',
    files: {
      'app.spdx.json': JSON.stringify({
        spdxVersion: 'SPDX-2.3',
        packages: [
          ['a', 'pkg:maven/com.secret/core@1.0?repository_url=repo.acme.example', 'NOASSERTION'],
          ['b', 'pkg:nuget/Secret.Core@1.0', file],
          ['c', 'pkg:golang/rsc.io/quote@v1.5.2', 'git+https://code.example/quote'],
          ['d', 'pkg:npm/left-pad@1.3.0', 'https://registry.example/npm/left-pad.tgz'],
        ].map(([SPDXID, referenceLocator, downloadLocation]) => ({
          SPDXID,
          versionInfo: '1.0',
          downloadLocation,
          externalRefs: [{ referenceType: 'purl', referenceLocator }],
        })),
      }),
    },
    asked: ['rsc.io/quote', 'left-pad'],
  },
  {
    title: 'where SPDX 2 says so in tags',
    files: {
      'app.spdx': `SPDXVersion: SPDX-2.3
PackageName: secret
SPDXID: SPDXRef-1
PackageVersion: 1.0
PackageDownloadLocation: ${file}
ExternalRef: PACKAGE-MANAGER purl pkg:maven/com.secret/core@1.0
PackageName: left-pad
SPDXID: SPDXRef-2
PackageVersion: 1.3.0
PackageDownloadLocation: NOASSERTION
ExternalRef: PACKAGE-MANAGER purl pkg:npm/left-pad@1.3.0
`,
    },
    asked: ['left-pad'],
  },
  {
    title: 'where SPDX 3 says that packages are to be had',
    files: {
      'app.spdx3.json': JSON.stringify({
        '@graph': [
          {
            spdxId: 'urn:1',
            type: 'software_Package',
            software_packageUrl: 'pkg:maven/com.secret/core@1.0',
            software_downloadLocation: file,
          },
          { spdxId: 'urn:2', type: 'software_Package', software_packageUrl: 'pkg:npm/left-pad@1.3.0' },
        ],
      }),
    },
    asked: ['left-pad'],
  },
];
