import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingsIn } from '../../../server/src/engine/analysis/findings.ts';
import { Workspace } from '../../../server/src/engine/analysis/workspace.ts';
import { createMemoryCache } from '../../../server/src/engine/facts/cache/cache.ts';
import { createInsights } from '../../../server/src/engine/facts/store/fact-store.ts';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import type { HttpRequest } from '../../../server/src/engine/http/types.ts';
import { readSettings } from '../../../server/src/engine/settings/read.ts';
import { fakeClock } from '../../harness/fake-clock.ts';
import { type InlineCatalog, startChangingService } from '../../harness/service.ts';

/*
 * A window that is open for hours without a change: what becomes malware meanwhile turns its line red within the
 * hour, and what that costs.
 */

const minute = 60_000;
const DIRECT = 800;
const BELOW = 400;
const RANGES = 40;

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
const catalog: InlineCatalog = Object.fromEntries([
  ...names('direct', DIRECT).map((it) => [`NPM ${it}`, { versions: ['1.0.0', '2.0.0'] }]),
  ...names('below', BELOW).map((it) => [`NPM ${it}`, { versions: ['1.0.0'] }]),
  ...names('range', RANGES).map((it) => [`NPM ${it}`, { versions: ['1.0.0'] }]),
  ['advisory GHSA-oooo-oooo-oooo', { affected: [{ system: 'NPM', name: 'direct1', versions: ['1.0.0'] }] }],
]);
const stolen = (id: string, name: string): InlineCatalog => ({
  [`advisory ${id}`]: { affected: [{ system: 'NPM', name, versions: ['1.0.0'] }] },
});

const texts: Readonly<Record<string, string>> = {
  'file:///app/package.json': JSON.stringify({
    dependencies: Object.fromEntries(names('direct', DIRECT).map((it) => [it, '1.0.0'])),
  }),
  'file:///app/package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: Object.fromEntries(names('direct', DIRECT).map((it) => [it, '1.0.0'])) },
      ...Object.fromEntries(
        names('direct', DIRECT).map((it, at) => [
          `node_modules/${it}`,
          { version: '1.0.0', ...(at < BELOW && { dependencies: { [`below${at}`]: '1.0.0' } }) },
        ]),
      ),
      ...Object.fromEntries(names('below', BELOW).map((it) => [`node_modules/${it}`, { version: '1.0.0' }])),
    },
  }),
  'file:///ranges/package.json': JSON.stringify({
    dependencies: Object.fromEntries(names('range', RANGES).map((it) => [it, '^1.0.0'])),
  }),
};

async function openWindow(uri = 'file:///app/package.json') {
  const service = await startChangingService(catalog);
  const { requests } = service;
  const clock = fakeClock();
  const sending = createHttp({ clock, userAgent: 'test' });
  let underWay = 0;
  const working = async <T>(work: () => Promise<T>): Promise<T> => {
    underWay++;
    try {
      return await work();
    } finally {
      underWay--;
    }
  };
  const http = { ...sending, request: (it: HttpRequest) => working(() => sending.request(it)) };
  const settings = readSettings({ baseUrl: service.url });
  const insights = createInsights({ settings: () => settings, http, clock, cache: createMemoryCache() });
  const disk = {
    read: async (it: string) => texts[it],
    find: async () => [],
  };
  const workspace = new Workspace(disk, insights, () => settings, { now: clock.now, isTrusted: () => true });
  let told = 0;
  const look = () => working(async () => (await workspace.lookBelow(10_000)) && (await workspace.reevaluateAll()));
  insights.onDidChange((it) => {
    if (it.kind !== 'changed') return;
    told++;
    working(() => workspace.reevaluateAll());
  });
  insights.releases?.onDidChange(() => {
    told++;
    look();
  });
  /** Lets everything come to rest that is on its way, without that time passes. */
  async function rest(): Promise<void> {
    for (let quiet = 0, before = -1; quiet < 25; ) {
      await new Promise((resolve) => setTimeout(resolve, 4));
      if ((clock.next() ?? minute) < 1000) await clock.advance(clock.next() ?? 0);
      const now = requests.length + told;
      quiet = now === before && underWay === 0 ? quiet + 1 : 0;
      before = now;
    }
  }
  workspace.update({ uri, version: 1, text: texts[uri] ?? '' });
  await workspace.snapshot(uri);
  await rest();
  await look();
  await rest();
  const taken = () => {
    const all = requests.splice(0);
    return {
      batches: all.filter((it) => it.path.endsWith('/versionbatch')).length,
      lists: all.filter((it) => /\/packages\/[^/]+$/.test(it.path)).length,
      advisories: all.filter((it) => it.path.includes('/advisories/')).length,
      told: told - before,
    };
  };
  let before = 0;
  return {
    taken() {
      const result = taken();
      before = told;
      return result;
    },
    /** A little more than an hour, from one moment at which something is due to the next: no request takes any time. */
    async passHour() {
      for (let left = 65 * minute; left > 0; ) {
        const step = Math.min(left, clock.next() ?? left);
        await clock.advance(step);
        await rest();
        left -= step;
      }
    },
    publish(more: InlineCatalog) {
      service.serve({ ...catalog, ...more });
    },
    async red() {
      const snapshot = await workspace.snapshot(uri);
      return findingsIn(snapshot?.dependencies ?? [], settings)
        .filter((it) => it.code === 'malicious')
        .map((it) => it.message.split('.')[0]);
    },
    snapshot: () => workspace.snapshot(uri),
    async close() {
      await insights.close();
      await http.close();
      await service.close();
    },
  };
}

test('a window that is open for three hours asks for its versions again once an hour, and for hardly anything else', async () => {
  const window = await openWindow();
  try {
    const { batches, lists, advisories } = window.taken();
    assert.deepEqual({ lists, advisories }, { lists: DIRECT, advisories: 1 });
    assert.ok(batches >= (DIRECT + BELOW) / 100 && batches < 30, `${batches}`);
    const shown = await window.snapshot();
    for (let at = 0; at < 3; at++) {
      await window.passHour();
      const { told, ...sent } = window.taken();
      // 1,600 versions in use or proposed, and 400 that are brought, in batches of 100.
      // The last batches of an hour may fall into the next one.
      assert.ok(sent.batches >= 15 && sent.batches <= 27, `${sent.batches} batches`);
      // The list of the one version that has a vulnerability, of which the fix may come.
      assert.deepEqual([sent.lists, sent.advisories], [1, 0]);
      assert.equal(told, 0, 'nothing has changed');
    }
    assert.equal(await window.snapshot(), shown, 'nothing is shown anew');
  } finally {
    await window.close();
  }
});

test('what becomes malware turns its line red within the hour, and only that is asked about besides', async () => {
  const window = await openWindow();
  try {
    window.taken();
    assert.deepEqual(await window.red(), []);
    window.publish(stolen('MAL-2026-1', 'direct7'));
    await window.passHour();
    assert.deepEqual(await window.red(), ['Malicious version']);
    const { lists, advisories } = window.taken();
    assert.ok(lists <= 2 && advisories <= 1, `${lists} lists, ${advisories} advisories`);
    window.publish({ ...stolen('MAL-2026-1', 'direct7'), ...stolen('MAL-2026-2', 'below9') });
    await window.passHour();
    assert.deepEqual(await window.red(), ['Malicious version', 'Brings below9 1']);
  } finally {
    await window.close();
  }
});

test('a range that comes to malware, published while the window is open, turns red within the hour', async () => {
  const window = await openWindow('file:///ranges/package.json');
  try {
    assert.equal(window.taken().lists, RANGES);
    await window.passHour();
    const { told, ...idle } = window.taken();
    assert.equal(told, 0, 'nothing has changed');
    assert.deepEqual(idle, { batches: 1, lists: RANGES, advisories: 0 }, 'what they may resolve to, and nothing else');
    window.publish({
      'NPM range7': { versions: ['1.0.0', '1.1.0'] },
      'advisory MAL-2026-3': { affected: [{ system: 'NPM', name: 'range7', versions: ['1.1.0'] }] },
    });
    await window.passHour();
    assert.deepEqual(await window.red(), ['Malicious version']);
  } finally {
    await window.close();
  }
});
