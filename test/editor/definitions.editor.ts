import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from './eventually.ts';
import { setStage } from './stage.ts';

const stage = setStage();

const coordinates = '<groupId>com.example</groupId><artifactId>parent</artifactId><version>1.0</version>';
const parent = `<project>
  ${coordinates}
  <properties>
    <java.version>17</java.version>
    <log4j.version>2.14.1</log4j.version>
  </properties>
</project>
`;
const app = `<project>
  <parent>${coordinates}</parent>
  <artifactId>app</artifactId>
  <dependencies>
    <dependency>
      <groupId>org.apache.logging.log4j</groupId>
      <artifactId>log4j-core</artifactId>
      <version>\${log4j.version}</version>
    </dependency>
  </dependencies>
</project>
`;

test('a property of a parent that is open alone shows what its modules have, and moves them', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'definitions' });
  const [file, module] = [join(screen.folder, 'parent', 'pom.xml'), join(screen.folder, 'parent', 'app', 'pom.xml')];
  mkdirSync(join(screen.folder, 'parent', 'app'), { recursive: true });
  writeFileSync(file, parent);
  writeFileSync(module, app);
  await screen.open('parent/pom.xml');
  await screen.shows('⚠ critical');
  await screen.picture('hint');
  await screen.hover('2.14.1', 'affects 1 dependency');
  await screen.picture('hover');
  await screen.quickFixes('2.14.1');
  await screen.picture('actions');
  await screen.take('Update log4j.version to');
  await screen.page.keyboard.press('Control+S');
  await eventually(() => assert.doesNotMatch(readFileSync(file, 'utf8'), /2\.14\.1</));
  await screen.picture('updated');
});
