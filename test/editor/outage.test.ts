import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentDiagnosticReport, Hover, InlayHint } from 'vscode-languageserver';
import type { Status } from '../../server/src/editor/publish/status.ts';
import { startService } from '../harness/service.ts';
import { catalog, everything, manifest, onLodash } from './scratch.ts';
import { type StrictClient, strictClient } from './strict-client.ts';
import { answered, type World, worldOf } from './world.ts';

const uri = 'file:///workspace/package.json';
/** In ms: longer than any answer is fresh. */
const LONG = 26 * 60 * 60_000;

/** What may happen during an outage. */
const events: Readonly<Record<string, (client: StrictClient, world: World) => Promise<void>>> = {
  'everything is requested again': async (client) => {
    await client.connection.sendRequest('workspace/executeCommand', { command: 'packageInsights.server.refresh' });
  },
  'the answers are no longer fresh': async (client, { clock }) => {
    await clock.advance(LONG);
    await client.change(uri, 2, `${manifest}\n`);
  },
  'a dependency is added': (client) =>
    client.change(uri, 2, manifest.replace('"lodash": "4.17.15",', '"lodash": "4.17.15", "left-pad": "1.3.0",')),
  'the file is closed for a day': async (client, { clock }) => {
    await client.close(uri);
    await clock.advance(LONG);
    await client.open(uri, manifest);
  },
};

for (const [name, happens] of Object.entries(events)) {
  test(`what is known stays visible in an outage: ${name}`, async () => {
    const service = await startService(catalog);
    const world = worldOf({ left: () => 0 });
    const client = await strictClient({
      ...world,
      settings: { baseUrl: service.url },
      capabilities: {
        experimental: { packageInsightsStatus: true },
        textDocument: { inlayHint: {}, diagnostic: {}, hover: { contentFormat: ['plaintext'] } },
      },
    });
    const told = (holds: (it: Status) => boolean): Promise<true> =>
      client.until((sent) => {
        const last = sent.findLast((it) => it.method === 'packageInsights/status')?.params as Status | undefined;
        return last && holds(last) ? true : undefined;
      });
    const shown = async () => {
      const ask = <T>(method: string, params?: object): Promise<T> =>
        answered(world, client.ask<T>(`textDocument/${method}`, uri, params)).then((it) => it.answer);
      const hints = await ask<readonly InlayHint[]>('inlayHint', { range: everything });
      const report = await ask<DocumentDiagnosticReport>('diagnostic');
      const hover = await ask<Hover>('hover', { position: onLodash });
      return {
        hints: hints.map((it) => it.label),
        problems: report.kind === 'full' ? report.items.map((it) => it.message) : [],
        hover: JSON.stringify(hover.contents),
      };
    };
    await client.open(uri, manifest);
    await answered(
      world,
      told(({ documents: [it] }) => it?.pending === 0 && it.findings === 2),
    );
    const before = await shown();
    assert.deepEqual([before.hints.length, before.problems.length], [2, 2]);

    await service.close();
    await happens(client, world);
    await answered(
      world,
      told(({ outage, documents: [it] }) => outage !== undefined && it?.findings === 2),
    );
    const during = await shown();
    assert.deepEqual([during.hints, during.problems], [before.hints, before.problems]);
    await world.clock.advance(60_000);
    const later = await shown();
    assert.deepEqual([later.hints, later.problems], [before.hints, before.problems]);
    // Old facts say so.
    if (name !== 'a dependency is added') assert.match(later.hover, /Checked .*refresh failed: connection refused/);
    await client.stop();
  });
}
