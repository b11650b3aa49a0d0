import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessPurl } from '../client/src/purls/guess-purl.ts';

const dependencies = [
  { system: 'MAVEN', name: 'org.yaml:snakeyaml', version: '2.0', purl: 'pkg:maven/org.yaml/snakeyaml@2.0' },
  { system: 'MAVEN', name: 'a:guava', version: '33.0.0-JRE', purl: 'pkg:maven/a/guava@33.0.0-JRE' },
  { system: 'MAVEN', name: 'a:log4j', version: '1.2', purl: 'pkg:maven/a/log4j@1.2' },
  { system: 'MAVEN', name: 'a:log4j-2', version: '3.0', purl: 'pkg:maven/a/log4j-2@3.0' },
  { system: 'MAVEN', name: 'inside:private', purl: 'pkg:maven/inside/private' },
  { system: 'NPM', name: '@inside/secret', purl: 'pkg:npm/%40inside/secret' },
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
  // By the name alone, where no dependency fits.
  ['lodash-4.17.21.tgz', 'pkg:npm/lodash@4.17.21'],
  ['log4js-2-3.0.0-rc.1.tgz', 'pkg:npm/log4js-2@3.0.0-rc.1'],
  ['Microsoft.Bcl.AsyncInterfaces.8.0.0.nupkg', 'pkg:nuget/Microsoft.Bcl.AsyncInterfaces@8.0.0'],
  ['example.2.0.0.1-beta.2.nupkg', 'pkg:nuget/example@2.0.0.1-beta.2'],
  ['md-5-0.10.6.crate', 'pkg:cargo/md-5@0.10.6'],
  // As a browser saves it a second time.
  ['lodash-4.17.21 (1).tgz', 'pkg:npm/lodash@4.17.21'],
  ['snakeyaml-1.30(2).jar', 'pkg:maven/org.yaml/snakeyaml@1.30'],
  // By its place in a repository.
  ['/home/me/.m2/repository/com/a/b-c/1.0/b-c-1.0.jar', 'pkg:maven/com.a/b-c@1.0'],
  ['/home/me/.m2/repository/com/a/b-c/1.0/b-c-1.0-linux-x86_64.jar', 'pkg:maven/com.a/b-c@1.0'],
  ['/home/me/.gradle/caches/modules-2/files-2.1/com.a/b-c/1.0/0a1b/b-c-1.0.jar', 'pkg:maven/com.a/b-c@1.0'],
  ['/c:/Users/me/.m2/repository/a/b/1/b-1.aar', 'pkg:maven/a/b@1'],
  // Nothing that anybody could guess.
  ['/home/me/repository/lib/b-1.0.jar', undefined],
  ['/repository/b/1.0/b-1.0.jar', undefined],
  ['inside-secret-1.0.0.tgz', undefined],
  ['secret-1.0.0.tgz', undefined],
  ['package.tgz', undefined],
  ['snakeyaml-engine-2.0.jar', undefined],
  ['private-1.0.jar', undefined],
  ['regex-1.5.4.jar', undefined],
  ['left-pad-1.3.0.zip', undefined],
  ['-1.0.jar', undefined],
] as const;

for (const [file, purl] of claims) {
  test(`${file} is taken for ${purl ?? 'nothing'}`, () => assert.equal(guessPurl(file, dependencies), purl));
}
