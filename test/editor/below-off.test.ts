import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Status } from '../../server/src/editor/publish/status.ts';
import type { ReportAnswer } from '../../server/src/editor/requests/report.ts';
import { coverageText } from '../../server/src/engine/report/formats/texts.ts';
import { startLsp } from '../harness/lsp-client.ts';
import { startService } from '../harness/service.ts';
import { folderWith } from '../terminal/program.ts';
import { strictClient } from './strict-client.ts';

/* Where a person leaves out what dependencies bring, nothing of it is sent, and every summary counts it as not checked. */

const files = {
  'package.json': '{ "dependencies": { "express": "4.17.0" } }',
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { express: '4.17.0' } },
      'node_modules/express': { version: '4.17.0', dependencies: { qs: '*', ms: '*' } },
      'node_modules/qs': { version: '6.11.0' },
      'node_modules/ms': { version: '2.0.0' },
    },
  }),
};

async function world() {
  const service = await startService({
    'NPM express': { versions: ['4.17.0'] },
    'NPM qs': { versions: ['6.11.0'] },
    'advisory MAL-2026-1': { affected: [{ system: 'NPM', name: 'qs', versions: ['6.11.0'] }] },
  });
  const folder = folderWith(files);
  const root = pathToFileURL(folder.path).href;
  return {
    settings: { baseUrl: service.url, lookUpBelow: false },
    root,
    /** Whether the name of a package that is brought was sent. */
    sent: () => service.requests.some((it) => /"(?:qs|ms)"/.test(it.body) || /packages\/(?:qs|ms)\b/.test(it.path)),
    async close() {
      folder.remove();
      await service.close();
    },
  };
}

test('the report counts it', async () => {
  const { settings, root, sent, close } = await world();
  const client = await startLsp({ folder: root, settings });
  const answer = await client.connection.sendRequest<ReportAnswer | null>('packageInsights/report', {});
  await client.stop();
  assert.deepEqual(answer?.report.coverage.below, { total: 2, withheld: 0, unknown: 0, failed: 0, off: 2 });
  assert.match(
    (answer && coverageText(answer.report)) ?? '',
    /2 of 2 that dependencies bring not checked \(2 left out by packageInsights\.lookUpBelow\)/,
  );
  assert.equal(sent(), false);
  await close();
});

test('the status counts it', async () => {
  const { settings, root, sent, close } = await world();
  const client = await strictClient({
    settings,
    capabilities: { workspace: { workspaceFolders: true }, experimental: { packageInsightsStatus: true } },
    initialize: { workspaceFolders: [{ uri: root, name: 'w' }] },
  });
  await client.open(`${root}/package.json`, files['package.json']);
  const { coverage } = await client.until((all) => {
    const last = all.findLast((it) => it.method === 'packageInsights/status')?.params as Status | undefined;
    return last?.documents.find((it) => it.pending === 0 && it.lookups.checked === 1);
  });
  assert.equal(coverage, '2 that dependencies bring not checked: packageInsights.lookUpBelow is off');
  await client.stop();
  assert.equal(sent(), false);
  await close();
});
