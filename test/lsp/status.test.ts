import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentStatus, Status } from '../../server/src/lsp/status.ts';
import { strictClient } from './strict-client.ts';

const uri = 'file:///workspace/package.json';
const whole = '{\n  "dependencies": {\n    "a": "file:a",\n    "b": "file:b"\n  }\n}\n';

test('the status tells from which line on a text is not understood, until it is', async () => {
  const client = await strictClient({
    settings: { offline: true },
    capabilities: { experimental: { packageInsightsStatus: true } },
  });
  const told = (holds: (it: DocumentStatus) => boolean): Promise<DocumentStatus> =>
    client.until((sent) => {
      const last = sent.findLast((it) => it.method === 'packageInsights/status')?.params as Status | undefined;
      return last?.documents.find(holds);
    });
  await client.open(uri, whole.replace('a",', 'a"'));
  assert.equal((await told((it) => it.dependencies === 2)).unclearFrom, 4);
  await client.change(uri, 2, whole);
  await told((it) => it.unclearFrom === undefined);
  await client.stop();
});
