import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readRequirements } from '../../../server/src/engine/facts/service/read-requirements.ts';
import { loadCatalog } from '../../../server/src/service/catalog/load.ts';
import { catalogDirectory } from '../../harness/service.ts';
import { type Pom, said, setUp } from './published-lab.ts';

const sample = join(import.meta.dirname, '..', '..', 'sample', 'maven-boot', 'pom.xml');

/** Of Maven, `mvn help:effective-pom` on the sample without its property. */
const effective = {
  'org.springframework.boot:spring-boot-starter-web': '2.6.1 by org.springframework.boot:spring-boot-dependencies',
  'com.fasterxml.jackson.core:jackson-databind': '2.13.0 by com.fasterxml.jackson:jackson-bom',
  'org.apache.logging.log4j:log4j-core': '2.14.1 by org.apache.logging.log4j:log4j-bom',
  'org.yaml:snakeyaml': '1.29 by org.springframework.boot:spring-boot-dependencies',
  'mysql:mysql-connector-java': '8.0.27 by org.springframework.boot:spring-boot-dependencies',
  'junit:junit': '4.13.2 by org.springframework.boot:spring-boot-dependencies',
};

test('a project of Spring Boot has the versions that Maven takes, after 34 look-ups', async () => {
  const catalog = await loadCatalog(catalogDirectory);
  const text = readFileSync(sample, 'utf8').replace(/<snakeyaml.version>.*<\/snakeyaml.version>/, '');
  const lab = setUp(text, ({ name, version }) => {
    const { requirements } = catalog.version({ system: 'MAVEN', name, version })?.fields ?? {};
    return requirements && (readRequirements(requirements) as Pom);
  });
  const rounds = await lab.settle();
  const dependencies = await lab.look();
  for (const [name, version] of Object.entries(effective)) assert.equal(said(dependencies, name), version);
  assert.deepEqual(rounds, [1, 1, 24, 5, 3]);
});
