import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv, type AnySchema } from 'ajv';
import addFormats from 'ajv-formats';
import type { Log } from 'sarif';
import type { Report } from '../../../server/src/engine/report/report.ts';
import { startServiceForFile } from '../../harness/file-service.ts';
import type { InlineCatalog } from '../../harness/service.ts';
import { folderWith } from '../../terminal/program.ts';
import { runHere } from '../../terminal/terminal.ts';

/* What programs read of a check, held against schemas: our own, and the one of CycloneDX. */

const root = join(import.meta.dirname, '..', '..', '..');

/** Odd enough that everything of a report occurs in it. */
const files = {
  'app/package.json': `{ "dependencies": { "lodash": "^4.17.15", "rimraf": "3.0.2", "left-pad": "^9.0.0", "ours": "1.0.0",
    "lib": "file:../lib", "odd": "1.0.0", "@a/b": "2.0.0" }, "devDependencies": { "lodash": "4.17.21" } }`,
  'lib/requirements.txt': '-r more/frozen.txt\nrequests>=2,<2.20\n',
  'lib/more/frozen.txt': 'urllib3==1.26.0 --hash=sha256:0000\n',
  'inside/package.json': '{ "dependencies": { "@inside/ui": "1.0.0" } }',
  'inside/.npmrc': '@inside:registry=https://npm.inside.example/\n',
  'broken/package.json': '{\n  "dependencies": {\n    "lodash": "4.17.21"\n    "odd"',
  'pom.xml': `<project><dependencies><dependency><groupId>org.yaml</groupId><artifactId>snakeyaml</artifactId>
    <version>1.33</version></dependency></dependencies></project>`,
};

const attested = { sourceRepository: 'https://code.example/a/b', commit: 'c0ffee', url: '', verified: true };

const catalog = {
  'NPM lodash': {
    versions: ['4.17.15', '4.17.21'],
    shared: { licenses: ['MIT'], publishedAt: '2019-07-19T02:28:46Z' },
  },
  'NPM rimraf': { versions: { '3.0.2': { deprecated: 'old', licenses: ['ISC', 'GPL-2.0+ OR MIT'] }, '4.0.0': {} } },
  'NPM left-pad': { versions: ['1.3.0'] },
  'NPM odd': {
    versions: {
      '1.0.0': {
        isDefault: true,
        licenses: ['non-standard'],
        licenseDetails: [{ license: 'See <LICENCE>', spdx: 'non-standard' }],
      },
    },
  },
  'NPM @a/b': {
    versions: {
      '2.0.0': {
        licenses: ['Apache-2.0 WITH LLVM-exception'],
        slsaProvenances: [attested],
        attestations: [{ type: 'https://slsa.dev/provenance/v1', ...attested }],
      },
    },
  },
  'PYPI requests': { versions: { '2.19.0': { licenses: ['MPL-1.1+'] }, '2.31.0': {} } },
  'PYPI urllib3': { versions: ['1.26.0', '2.0.0'], shared: { licenses: ['GPL-2.0'] } },
  'MAVEN org.yaml:snakeyaml': { versions: ['1.33', '2.0'], shared: { licenses: ['(MIT OR GPL-3.0)'] } },
  'advisory GHSA-p6mc-m468-83gw': {
    title: 'Prototype Pollution',
    cvss3Score: 7.4,
    cvss3Vector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:H/A:H',
    aliases: ['CVE-2020-8203'],
    affected: [{ system: 'NPM', name: 'lodash', ranges: [{ introduced: '0', fixed: '4.17.19' }] }],
  },
  'advisory PYSEC-2018-28': {
    affected: [{ system: 'PYPI', name: 'requests', ranges: [{ introduced: '0', fixed: '2.20.0' }] }],
  },
} as const;

const service = await startServiceForFile(catalog as unknown as InlineCatalog);

async function checked(format: string): Promise<unknown> {
  const folder = folderWith(files);
  try {
    const { out, error } = await runHere(['check', '--format', format], folder.path, { baseUrl: service.url });
    assert.match(error, /^package-insights check: not looked up to keep names private: 1 dependency from .*\n?$/m);
    return JSON.parse(out);
  } finally {
    folder.remove();
  }
}

function read(path: string): AnySchema {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

function validator(): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  // The package is CommonJS, and its types know only of that.
  (addFormats as unknown as { default: (ajv: Ajv) => void }).default(ajv);
  return ajv;
}

test('the JSON of a check is what docs/report.schema.json says', async () => {
  const validate = validator().compile(read('docs/report.schema.json'));
  const report = (await checked('json')) as Report;
  assert.ok(validate(report), JSON.stringify(validate.errors, undefined, 2));
  assert.deepEqual(report.packages.find((it) => it.name === '@a/b')?.provenances, [
    { type: 'https://slsa.dev/provenance/v1', ...attested },
  ]);
});

test('the JSON of a check with what dependencies bring is what docs/report.schema.json says', async () => {
  const packages = {
    '': { dependencies: { rimraf: '4.0.0' } },
    'node_modules/rimraf': { version: '4.0.0', dependencies: { lodash: '^4.17.0' } },
    'node_modules/lodash': { version: '4.17.15' },
  };
  const folder = folderWith({
    'package.json': '{ "dependencies": { "rimraf": "4.0.0" } }',
    'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages }),
  });
  const { out } = await runHere(['check', '--format', 'json', '--ways'], folder.path, { baseUrl: service.url });
  const sarif = await runHere(['check', '--format', 'sarif'], folder.path, { baseUrl: service.url });
  folder.remove();
  const report: Report = JSON.parse(out);
  const validate = validator().compile(read('docs/report.schema.json'));
  assert.ok(validate(report), JSON.stringify(validate.errors, undefined, 2));
  const [found] = report.findings.flatMap((it) => it.below ?? []);
  assert.deepEqual(
    found?.path.map((it) => it.name),
    ['rimraf', 'lodash'],
  );
  assert.equal(found?.region?.startLine, 1);
  assert.deepEqual(
    found?.ways?.map((it) => it.kind),
    ['override'],
  );
  const [run] = (JSON.parse(sarif.out) as Log).runs;
  const related = run?.results?.flatMap((it) => it.relatedLocations ?? []) ?? [];
  assert.deepEqual(
    related.map((it) => [it.message?.text, it.physicalLocation?.artifactLocation?.uri]),
    [['rimraf 4.0.0 → lodash 4.17.15', 'package-lock.json']],
  );
});

test('the JSON of a check says what stays private, and by which configuration', async () => {
  const { withheld } = (await checked('json')) as Report;
  assert.deepEqual(withheld, [
    {
      origin: 'the registry npm.inside.example (.npmrc)',
      host: 'npm.inside.example',
      from: '.npmrc',
      place: { path: 'inside/.npmrc', line: 1 },
      isPublicUnsaid: true,
      count: 1,
    },
  ]);
});

test('the JSON of a check names the class of licenses and the versions to move to', async () => {
  const { packages, projects } = (await checked('json')) as Report;
  const classes = Object.fromEntries(packages.map((it) => [it.name, it.licenseClass]));
  assert.deepEqual(
    ['lodash', 'rimraf', 'odd', 'requests', 'urllib3', 'org.yaml:snakeyaml'].map((it) => classes[it]),
    ['permissive', 'permissive', 'unknown', 'weak-copyleft', 'strong-copyleft', 'permissive'],
  );
  const named = (name: string) =>
    projects.flatMap((it) => it.dependencies).find((it) => (it.declared ?? it.name) === name);
  assert.deepEqual(named('rimraf')?.updates, [
    {
      version: '4.0.0',
      kinds: ['safe'],
      step: 'major',
      recommended: true,
      notes: ['major'],
    },
  ]);
  assert.equal(named('rimraf')?.upToDate, undefined);
  assert.equal(named('odd')?.upToDate, true);
});

test('the JSON of a check says which manifests are understood in part alone', async () => {
  const { unclear } = (await checked('json')) as Report;
  assert.deepEqual(unclear, [{ path: 'broken/package.json', line: 4 }]);
});

test('the bill of materials is valid by the schema of CycloneDX 1.6', async () => {
  const schemas = 'node_modules/@cyclonedx/cyclonedx-library/res/schema';
  const ajv = validator();
  ajv.addFormat('iri-reference', true);
  ajv.addFormat('idn-email', true);
  for (const it of ['spdx', 'jsf-0.82'].map((name) => `${name}.SNAPSHOT.schema.json`)) {
    ajv.addSchema(read(`${schemas}/${it}`), `http://cyclonedx.org/schema/${it}`);
  }
  const validate = ajv.compile(read(`${schemas}/bom-1.6.SNAPSHOT.schema.json`));
  const bom = await checked('cyclonedx');
  assert.ok(validate(bom), JSON.stringify(validate.errors, undefined, 2));
});

test('two checks of the same give the same bill of materials', async () => {
  assert.deepEqual(await checked('cyclonedx'), await checked('cyclonedx'));
});
