import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
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
  write('team/lib', { name: '@acme/library', version: '1.0.0' });
  await screen.shows('not found');
  await screen.picture('renamed');
});
