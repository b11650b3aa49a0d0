import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type StartedService, startService } from '../harness/service.ts';
import { eventually } from './eventually.ts';
import { setStage } from './stage.ts';

const stage = setStage();

test('a project of the workspace is not looked up, and has another name as soon as that is saved', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'members' });
  const write = (folder: string, content: object): void => {
    mkdirSync(join(screen.folder, folder), { recursive: true });
    writeFileSync(join(screen.folder, folder, 'package.json'), JSON.stringify(content, undefined, 2));
  };
  write('team', { private: true, workspaces: ['*'] });
  write('team/app', { name: '@acme/app', dependencies: { '@acme/lib': '1.0.0', lodash: '4.17.15' } });
  write('team/lib', { name: '@acme/lib', version: '1.0.0' });

  await screen.open('team/app/package.json');
  await screen.shows('⚠ high');
  await screen.hover('"@acme/lib"', 'a member of this workspace');
  await screen.picture('member');
  // The editor misses what is saved while it begins to watch a new folder.
  await eventually(async () => {
    write('team/lib', { name: '@acme/library', version: '1.0.0' });
    await screen.shows('unknown', 5_000);
  });
  await screen.picture('renamed');
});

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
