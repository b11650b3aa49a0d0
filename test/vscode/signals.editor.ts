import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type StartedService, startService } from '../harness/service.ts';
import { setStage } from './stage.ts';

const stage = setStage();

const check = (name: string, score: number, reason: string) => ({ name, description: '', url: '', score, reason });

let service: StartedService;
before(async () => {
  service = await startService({
    'NPM bundler': {
      shared: { licenses: ['MIT'] },
      versions: {
        '5.2.0': {
          isDefault: true,
          relatedProjects: [
            {
              projectKey: { id: 'code.example/team/bundler' },
              relationProvenance: 'UNVERIFIED_METADATA',
              relationType: 'SOURCE_REPO',
            },
          ],
        },
      },
    },
    'NPM bundlr': { versions: ['1.0.0'] },
    'project code.example/team/bundler': {
      starsCount: 59_000,
      scorecard: {
        date: '2026-11-02T00:00:00Z',
        commit: '',
        version: '',
        overallScore: 3.4,
        checks: [check('Maintained', 0, 'project is archived'), check('License', 10, 'license file detected')],
      },
    },
  });
});
after(() => service.close());

test('once a person chooses it, the hover shows the score, and a low one is reported', async (context) => {
  const settings = { 'packageInsights.baseUrl': service.url };
  const screen = await stage.open(context, { release: 'newest', name: 'signals', settings });
  const folder = join(screen.folder, 'signals');
  mkdirSync(folder);
  const dependencies = { bundler: '^5.0.0' };
  const lockfile = {
    lockfileVersion: 3,
    packages: {
      '': { dependencies },
      'node_modules/bundler': { version: '5.2.0', dependencies: { compiler: '1' } },
      'node_modules/compiler': { version: '1.20.2', hasInstallScript: true },
    },
  };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockfile));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ dependencies: { ...dependencies, bundlr: '^1.0.0' } }, undefined, 2),
  );
  await screen.open('signals/package.json');
  await screen.hover('bundler', 'bundler → compiler 1.20.2');
  const hover = screen.page.locator('.monaco-hover:visible');
  assert.doesNotMatch((await hover.allInnerTexts()).join('\n'), /Scorecard/);
  assert.deepEqual(
    service.requests.filter((it) => /projects|similarly/.test(it.path)),
    [],
  );
  await screen.squiggle('info');
  await screen.picture('off');

  screen.change({ 'packageInsights.projectScores': true, 'packageInsights.minScore': 5 });
  await screen.hover('bundler', 'Scorecard 3.4 of 10 (2026-11-02) · 59,000 stars');
  await screen.picture('score');
  await screen.hover('bundlr', 'named almost like bundler');
  await screen.picture('similar');
});
