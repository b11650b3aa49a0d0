import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setStage } from './stage.ts';

const stage = setStage();

test('names of files and entries of lockfiles in a folder that is not trusted load nothing and run nothing in a hover', async (context) => {
  const seen: string[] = [];
  const tracker = createServer(({ url }, response) => {
    seen.push(url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => tracker.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    tracker.close();
    tracker.closeAllConnections();
  });
  const { port } = tracker.address() as AddressInfo;
  const screen = await stage.open(context, { release: 'newest', name: 'restricted', isRestricted: true });
  const { page } = screen;
  const image = (slash: string): string => `![x](http:${slash}${slash}127.0.0.1:${port}${slash}a.png)`;
  const command = '[y](command:packageInsights.server.update?%5B%5D)<img src=x>';
  const script = `${image('&#47;')}${command}.gradle`;
  // A folder cannot have an empty name; a browser reads `http:/` as `http://`.
  const folder = `${image('/').replace('//', '/')}${command}`;
  const files = {
    'build.gradle': `apply from: '${script}'\ndependencies {\n  implementation 'ours:ui:1.0'\n}\n`,
    [script]: "repositories {\n  maven { url 'https://maven.ours.example/m' }\n}\n",
    [`${folder}/.npmrc`]: '@ours:registry=https://npm.ours.example/\n',
    'exchanged/package.json': '{\n  "dependencies": {\n    "left-pad": "1.0.0"\n  }\n}\n',
    'exchanged/package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { 'left-pad': '1.0.0' } },
        'node_modules/left-pad': { version: '1.0.0', resolved: `git+ssh://ours.example/x.git#${image('/')}${command}` },
      },
    }),
    [`${folder}/package.json`]: '{\n  "dependencies": {\n    "@ours/ui": "1.0.0"\n  }\n}\n',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(screen.folder, path)), { recursive: true });
    writeFileSync(join(screen.folder, path), text);
  }
  const read = async (text: string, containing: string, shown: string): Promise<void> => {
    assert.ok((await screen.hover(text, containing)).includes(shown));
    const links = await page
      .locator('.monaco-hover:visible a')
      .evaluateAll((all) => all.map((it) => it.getAttribute('data-href') ?? it.getAttribute('href') ?? ''));
    for (const it of links)
      assert.match(it, /^(?:https?:\/\/(?!127)|file:|vscode-remote:|command:packageInsights\.link\?)/);
    assert.equal(await page.locator('.monaco-hover:visible img').count(), 0);
  };
  await screen.open('build.gradle');
  await page.locator('.statusbar-item').filter({ hasText: 'Restricted Mode' }).waitFor();
  await read('ours:ui', 'maven.ours.example', `maven.ours.example in ${script}`);
  await screen.picture('gradle');
  await screen.open(`${folder}/package.json`);
  await read('"@ours/ui"', 'npm.ours.example', '.npmrc takes it from the registry npm.ours.example');
  await screen.picture('npm');
  await screen.open('exchanged/package.json');
  await read(
    '"left-pad"',
    'elsewhere',
    'package-lock.json takes it from elsewhere: git+ssh://ours.example/x.git#![x](',
  );
  await page.locator('.statusbar-item').filter({ hasText: '1 finding' }).waitFor();
  await screen.picture('exchanged');
  assert.deepEqual(seen, []);
});
