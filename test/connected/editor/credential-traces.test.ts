import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ConnectionTrial } from '../../../server/src/engine/model/connection.ts';
import { type Fault, faults, forms, secret, startFaultyService } from '../../harness/faulty-service.ts';
import { seal, startSealed } from './sealed.ts';

/* "trace": "verbose" writes every message into a log, which people attach to reports of problems. */

const service = await startFaultyService();
const cache = mkdtempSync(join(tmpdir(), 'credential-traces-'));
const one = { baseUrl: service.url };
const bytes: Uint8Array[] = [];
const client = await startSealed(
  { connections: { codeHost: one, linkSafety: { ...one, mode: 'lookup' }, tokenAudit: one } },
  () => ({ sealed: seal(secret) }),
  { env: { PACKAGE_INSIGHTS_CACHE_DIR: cache }, onBytes: (it) => void bytes.push(it) },
);
after(async () => {
  await client.stop();
  service.close();
  rmSync(cache, { recursive: true });
});

const stall: Fault = () => {};

for (const [name, fault] of [...Object.entries(faults), ['stall', stall] as const]) {
  test(`with a service that answers with “${name}”, no message, log or file has a credential`, async () => {
    service.play(fault);
    const before = service.received.length;
    const { connection } = client;
    const trials = ['code-host', 'link-safety', 'token-audit'].map((it) =>
      connection.sendRequest<ConnectionTrial>('packageInsights/tryConnection', {
        connection: it,
        baseUrl: service.url,
        sealed: seal(secret),
      }),
    );
    const audit = connection.sendRequest('packageInsights/audit', {});
    const done = Promise.all([...trials, audit]).catch(() => {});
    if (fault !== stall) await done;
    else while (service.received.length < before + trials.length) await new Promise((it) => setTimeout(it, 10));
    await connection.sendRequest('packageInsights/connections', {});
    // It was sent, so it could have leaked.
    assert.ok(service.received.slice(before).some((it) => it.includes(secret)));
    const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
    const texts: [string, string][] = [
      ['messages and log', Buffer.concat(bytes).toString('latin1')],
      ...files.map((it): [string, string] => [it.name, readFileSync(join(it.parentPath, it.name), 'latin1')]),
    ];
    assert.ok(texts[0]?.[1].includes('packageInsights/tryConnection'));
    for (const [where, text] of texts) {
      for (const form of forms) assert.equal(text.includes(form), false, `${where}: ${form}`);
    }
    assert.deepEqual(service.elsewhere, []);
  });
}
