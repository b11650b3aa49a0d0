import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimOf } from '../client/src/claim.ts';

const dependencies = [
  { system: 'MAVEN', name: 'org.yaml:snakeyaml', version: '2.0', purl: 'pkg:maven/org.yaml/snakeyaml@2.0' },
  { system: 'MAVEN', name: 'a:guava', version: '33.0.0-JRE', purl: 'pkg:maven/a/guava@33.0.0-JRE' },
  { system: 'MAVEN', name: 'a:log4j', version: '1.2', purl: 'pkg:maven/a/log4j@1.2' },
  { system: 'MAVEN', name: 'a:log4j-2', version: '3.0', purl: 'pkg:maven/a/log4j-2@3.0' },
  { system: 'MAVEN', name: 'inside:private', purl: 'pkg:maven/inside/private' },
  { system: 'NUGET', name: 'Newtonsoft.Json', version: '12.0.3', purl: 'pkg:nuget/newtonsoft.json@12.0.3' },
  { system: 'NPM', name: '@babel/traverse', version: '7.0.0', purl: 'pkg:npm/%40babel/traverse@7.0.0' },
  { system: 'NPM', name: 'left-pad', version: '1.3.0', purl: 'pkg:npm/left-pad@1.3.0' },
  { system: 'CARGO', name: 'regex', version: '1.5.4', purl: 'pkg:cargo/regex@1.5.4' },
] as const;

/** What a file may be said to be, by its name and the dependencies above. */
const claims = [
  // In the version that the file's name has.
  ['snakeyaml-1.30.jar', 'pkg:maven/org.yaml/snakeyaml@1.30'],
  ['newtonsoft.json.13.0.1.nupkg', 'pkg:nuget/newtonsoft.json@13.0.1'],
  ['Snakeyaml-1.30-SNAPSHOT.jar', 'pkg:maven/org.yaml/snakeyaml@1.30-SNAPSHOT'],
  ['left-pad-1.2.0.tgz', 'pkg:npm/left-pad@1.2.0'],
  ['regex-1.5.4+build.crate', 'pkg:cargo/regex@1.5.4%2Bbuild'],
  // With and without a scope.
  ['babel-traverse-7.1.0.tgz', 'pkg:npm/%40babel/traverse@7.1.0'],
  ['traverse-7.1.0.TGZ', 'pkg:npm/%40babel/traverse@7.1.0'],
  // In the dependency's own version, as that is spelt.
  ['snakeyaml.jar', 'pkg:maven/org.yaml/snakeyaml@2.0'],
  ['snakeyaml-2.0-sources.jar', 'pkg:maven/org.yaml/snakeyaml@2.0'],
  ['guava-33.0.0-jre.jar', 'pkg:maven/a/guava@33.0.0-JRE'],
  // The longer of two names.
  ['log4j-2-2.9.jar', 'pkg:maven/a/log4j-2@2.9'],
  // Nothing that anybody could guess.
  ['snakeyaml-engine-2.0.jar', undefined],
  ['private-1.0.jar', undefined],
  ['regex-1.5.4.jar', undefined],
  ['left-pad-1.3.0.zip', undefined],
  ['-1.0.jar', undefined],
] as const;

for (const [file, purl] of claims) {
  test(`${file} is taken for ${purl ?? 'nothing'}`, () => assert.equal(claimOf(file, dependencies), purl));
}
