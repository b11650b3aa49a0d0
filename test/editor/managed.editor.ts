import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type StartedService, startService } from '../harness/service.ts';
import { eventually } from './eventually.ts';
import { setStage } from './stage.ts';

const stage = setStage();

const managing = (version: string) => ({
  requirements: {
    maven: {
      properties: [{ name: 'json.version', value: version }],
      dependencyManagement: [{ name: 'org.json:databind', version: '${json.version}' }],
    },
  },
});
let service: StartedService;
before(async () => {
  service = await startService({
    'MAVEN org.boot:starter-parent': {
      versions: { '2.7.0': managing('2.0'), '2.7.1': managing('2.1'), '2.7.2': managing('2.1') } as never,
    },
    'MAVEN org.json:databind': { versions: ['2.0', '2.1'] },
    'advisory GHSA-1111-2222-3333': {
      cvss3Score: 9.8,
      affected: [{ system: 'MAVEN', name: 'org.json:databind', ranges: [{ introduced: '0', fixed: '2.1' }] }] as never,
    },
  });
});
after(() => service.close());

const pom = `<project>
  <parent>
    <groupId>org.boot</groupId>
    <artifactId>starter-parent</artifactId>
    <version>2.7.0</version>
    <relativePath/>
  </parent>
  <artifactId>app</artifactId>
  <dependencies>
    <dependency>
      <groupId>org.json</groupId>
      <artifactId>databind</artifactId>
    </dependency>
  </dependencies>
</project>
`;

test('the arrow of a managed version leads to the update of its parent, and so do the quick fixes', async (context) => {
  const settings = { 'packageInsights.baseUrl': service.url, 'packageInsights.offerInstall': false };
  const screen = await stage.open(context, { release: 'newest', name: 'managed', settings });
  const { page } = screen;
  const file = join(screen.folder, 'managed', 'pom.xml');
  mkdirSync(join(screen.folder, 'managed'));
  writeFileSync(file, pom);
  await screen.open('managed/pom.xml');
  await screen.shows('⚠ critical');
  await screen.picture('hint');

  await screen.quickFixes('databind');
  await screen.picture('actions');
  await screen.take('Set json.version to 2.1, which manages org.json:databind 2.1');
  await screen.shows('<json.version>2.1</json.version>');
  await screen.picture('property');
  await page.keyboard.press('Control+Z');

  await screen.quickFixes('databind');
  await screen.take('Choose a version of org.json:databind');
  const list = page.locator('.quick-input-widget:visible');
  await list.getByText('starter-parent 2.7.1').waitFor();
  await screen.picture('choice');
  // The first row is active.
  await page.keyboard.press('Enter');
  await screen.shows('<version>2.7.1</version>');
  await screen.save();
  await eventually(() => assert.equal(readFileSync(file, 'utf8'), pom.replace('2.7.0', '2.7.1')));
});
