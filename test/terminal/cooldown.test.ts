import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type StartedService, startService } from '../harness/service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

// The terminal of the tests has the last day of 2025.
const versions = {
  '1.0.0': { publishedAt: '2020-01-01T00:00:00Z' },
  '1.1.0': { publishedAt: '2025-12-20T00:00:00Z' },
  '1.2.0': { publishedAt: '2025-12-30T00:00:00Z', isDefault: true },
};
let service: StartedService;
before(async () => {
  service = await startService({
    'NPM sound': { versions },
    'NPM affected': { versions },
    'advisory GHSA-aaaa-bbbb-cccc': {
      cvss3Score: 7.4,
      affected: [{ system: 'NPM', name: 'affected', ranges: [{ introduced: '0', fixed: '1.2.0' }] }],
    },
  });
});
after(() => service.close());

const manifest = '{ "dependencies": { "sound": "1.0.0", "affected": "1.0.0" } }';

/** What an update of everything writes, and what it prints. */
async function updated(files: Readonly<Record<string, string>>) {
  const folder = folderWith({ 'package.json': manifest, ...files });
  try {
    const { out, error } = await runHere(['check', '--fix=in-major'], folder.path, {
      baseUrl: service.url,
    });
    return {
      dependencies: JSON.parse(readFileSync(join(folder.path, 'package.json'), 'utf8')).dependencies,
      said: out + error,
    };
  } finally {
    folder.remove();
  }
}

test('an update waits for the default cooldown, and a fix does not', async () => {
  const { dependencies } = await updated({});
  assert.deepEqual(dependencies, { sound: '1.1.0', affected: '1.2.0' });
});

test('a configured cooldown of 0 is obeyed', async () => {
  const { dependencies } = await updated({ '.package-insights.json': '{ "cooldownDays": 0 }' });
  assert.deepEqual(dependencies, { sound: '1.2.0', affected: '1.2.0' });
});

test('an update writes nothing that the package manager refuses, and says whose setting that is', async () => {
  const { dependencies, said } = await updated({ '.npmrc': 'min-release-age=7\n' });
  assert.deepEqual(dependencies, { sound: '1.1.0', affected: '1.0.0' });
  assert.match(said, /1\.2\.0: within the cooldown of 7 days \(min-release-age in \.npmrc\)/);
});
