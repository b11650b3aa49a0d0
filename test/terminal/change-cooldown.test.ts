import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type StartedService, startService } from '../harness/service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

// The terminal of the tests has the last day of 2025.
let service: StartedService;
before(async () => {
  service = await startService({
    'NPM young': { versions: { '1.0.0': { publishedAt: '2025-12-29T00:00:00Z', isDefault: true } } },
    'PYPI young': { versions: { '1.0.0': { publishedAt: '2025-12-29T00:00:00Z', isDefault: true } } },
  });
});
after(() => service.close());

const manifest = { 'package.json': '{ "dependencies": { "young": "1.0.0" } }' };

/** Checks a change of files as a pull request; null removes one. */
async function checkChange(
  files: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string | null>>,
): Promise<{ readonly code: number | null; readonly error: string; readonly out: string }> {
  const folder = folderWith(files);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@acme.example', ...args], {
      cwd: folder.path,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'before');
    git('update-ref', 'refs/remotes/origin/main', git('rev-parse', 'HEAD'));
    for (const [name, text] of Object.entries(change)) {
      if (text === null) rmSync(join(folder.path, name));
      else folder.write(name, text);
    }
    git('add', '--all');
    git('commit', '--quiet', '--message', 'after');
    return await runHere(['check', '--fail-on', 'young-version'], folder.path, {
      baseUrl: service.url,
      environment: { PATH: process.env['PATH'], GITHUB_BASE_REF: 'main' },
    });
  } finally {
    folder.remove();
  }
}

const loosening: readonly (readonly [string, string, string | null, key: string])[] = [
  ['.npmrc', 'min-release-age=7\n', null, 'min-release-age'],
  ['.npmrc', 'min-release-age=7\n', 'min-release-age=1\n', 'min-release-age'],
  ['.npmrc', 'min-release-age=7\n', 'min-release-age=7\nmin-release-age-exclude[]=young\n', 'min-release-age'],
  ['pnpm-workspace.yaml', 'minimumReleaseAge: 10080\n', 'minimumReleaseAge: 0\n', 'minimumReleaseAge'],
  [
    '.github/dependabot.yml',
    'updates: [{ package-ecosystem: npm, directory: /, cooldown: { default-days: 7 } }]\n',
    'updates: []\n',
    'cooldown',
  ],
];

for (const [name, before, now, key] of loosening) {
  test(`a pull request that makes a cooldown shorter in ${name} has no effect: ${before.trim()} → ${now?.trim()}`, async () => {
    const { code, error } = await checkChange({ ...manifest, [name]: before }, { [name]: now });
    assert.equal(code, 1);
    assert.ok(error.split('\n')[0]?.includes(`this change loosens ${name} (${key});`), error);
  });
}

test('a pull request makes a cooldown longer at once, and nothing is named', async () => {
  const { code, error } = await checkChange(
    { ...manifest, '.npmrc': 'min-release-age=1\n' },
    { '.npmrc': 'min-release-age=7\n' },
  );
  assert.deepEqual([code, error.includes('loosens')], [1, false]);
  const same = await checkChange({ ...manifest, '.npmrc': 'min-release-age=7\n' }, { 'readme.md': 'x' });
  assert.deepEqual([same.code, same.error.includes('loosens')], [1, false]);
});
