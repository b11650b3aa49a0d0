import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import { setStage } from './stage.ts';

const stage = setStage();
const service = await startServiceForFile({ 'NPM lodash': { versions: ['4.17.21'] } });

const manifest = (more: string): string => `{
  "dependencies": {
    "lodash": "^4.17.21",
    "acme-ui": "^2.0.0"${more}
  }
}
`;

test('an invented name is a warning in its line, with a similar name, unlike one that the last commit has', async (context) => {
  const settings = { 'packageInsights.baseUrl': service.url };
  const screen = await stage.open(context, { release: 'newest', name: 'invented', settings });
  const git = (...args: readonly string[]): void => {
    const own = ['-c', 'user.name=a', '-c', 'user.email=a@acme.example'];
    execFileSync('git', [...own, ...args], { cwd: screen.folder, stdio: 'ignore' });
  };
  const path = join(screen.folder, 'package.json');
  writeFileSync(path, manifest(''));
  const lock = { lockfileVersion: 3, packages: { 'node_modules/lodash': { version: '4.17.21' } } };
  writeFileSync(join(screen.folder, 'package-lock.json'), JSON.stringify(lock));
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
  git('gc', '--quiet');
  writeFileSync(path, manifest(',\n    "lodahs": "^4.17.0"'));
  await screen.open('package.json');
  await screen.shows('⚠ no such package?');
  await screen.squiggle('warning');
  await screen.shows('unknown');
  await screen.hover('"lodahs"', 'Similar: lodash');
  await screen.picture('hover');
});
