import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryCache } from '../../../server/src/engine/facts/cache/cache.ts';
import { createInsights } from '../../../server/src/engine/facts/store/fact-store.ts';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import type { VersionKey } from '../../../server/src/engine/model/keys.ts';
import { systemClock } from '../../../server/src/platform/clock.ts';
import { startServiceForFile } from '../../harness/file-service.ts';

const service = await startServiceForFile({ 'NPM open': { versions: ['1.0.0'] } });

test('no request names a package of a private registry, whatever asks for it', async () => {
  const http = createHttp({ clock: systemClock, userAgent: 'package-insights-test' });
  const settings = () => ({ baseUrl: service.url, batchSize: 100, parallelBatches: 8 });
  const insights = createInsights({ settings, http, clock: systemClock, cache: createMemoryCache() });
  const key: VersionKey = { system: 'NPM', name: 'secret', version: '1.0.0', registry: '1' };
  const open: VersionKey = { system: 'NPM', name: 'open', version: '1.0.0' };
  const facts = [key, open].flatMap((it) => [
    { kind: 'version', key: it } as const,
    { kind: 'version', key: it, by: 'purl' } as const,
    { kind: 'package', key: it } as const,
    { kind: 'requirements', key: it } as const,
    { kind: 'similar', key: it } as const,
  ]);
  insights.request('one', facts, facts);
  insights.requestAlso('two', facts, false);
  await insights.whenSettled('one', 5000);
  const { lookups } = insights;
  const answers = await Promise.all([
    lookups.requirements(key),
    lookups.query({ version: key }),
    lookups.purl({ key, version: key.version }),
    lookups.purl({ key }),
  ]);
  assert.deepEqual([...new Set(answers.map((it) => it.kind))], ['failed']);
  assert.equal(insights.version(open).state, 'ready');
  assert.equal(insights.version(key).state, 'pending');
  for (const { path, body } of service.requests) assert.doesNotMatch(decodeURIComponent(path + body), /secret/);
  assert.ok(service.requests.length > 0);
  await insights.close();
  await http.close();
});
