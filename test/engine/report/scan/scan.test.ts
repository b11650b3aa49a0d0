import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingsIn } from '../../../../server/src/engine/analysis/findings.ts';
import type { Insight, PackageFacts, VersionFacts } from '../../../../server/src/engine/model/facts.ts';
import type { ConnectedInsights, ConnectionProblem, FactChange } from '../../../../server/src/engine/model/ports.ts';
import { createScanner } from '../../../../server/src/engine/report/scan/scan.ts';
import { readSettings } from '../../../../server/src/engine/settings/read.ts';
import { fakeClock } from '../../../harness/fake-clock.ts';
import { knowingNothing } from '../../../harness/knowing-nothing.ts';

const uri = 'file:///workspace/package.json';
const patience = 60_000;

/** One dependency, and a service of which a test says what it knows. */
function scanOne(trouble?: ConnectionProblem) {
  const clock = fakeClock();
  const listeners = new Set<(change: FactChange) => void>();
  const aborting = new AbortController();
  let state: Insight<never> = { state: 'pending' };
  let hold: ReturnType<ConnectedInsights['backoff']>;
  let isOver = false;
  let changes = 0;
  const nothing = async () => ({ kind: 'unknown' }) as const;
  const insights: ConnectedInsights = {
    ...knowingNothing({
      version: (): Insight<VersionFacts> => state,
      package: (): Insight<PackageFacts> => state,
      advisory: () => state,
      onDidChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      revision: () => ++changes,
    }),
    prioritize: () => {},
    reconnect: () => {},
    backoff: () => hold,
    connectionProblem: () => trouble,
    versionLifetime: () => 3_600_000,
    close: async () => {},
    lookups: {
      requirements: nothing,
      knownRequirements: () => undefined,
      query: nothing,
      purl: nothing,
    },
  };
  const scanner = createScanner({
    files: {
      read: async (it) => (it === uri ? '{ "dependencies": { "a": "1.0.0" } }' : undefined),
      find: async () => [],
    },
    insights,
    settings: readSettings({}),
    clock,
    patience,
    signal: aborting.signal,
    progress: () => {},
  });
  const scanned = scanner.scan([uri]).then((it) => {
    isOver = true;
    return it.failures;
  });
  return {
    clock,
    scanned,
    interrupt: () => aborting.abort(),
    isOver: () => isOver,
    async learn(next: Insight<never>, held?: typeof hold) {
      await clock.advance(0);
      state = next;
      hold = held;
      for (const it of listeners) it({ kind: 'changed', isSettled: false });
      await clock.advance(0);
    },
  };
}

const failed = { state: 'failed', reason: 'the service requested a wait', at: 0 } as const;

test('a scan ends when everything has an answer', async () => {
  const { learn, scanned } = scanOne();
  await learn({ state: 'unknown', at: 0 });
  assert.deepEqual(await scanned, []);
});

test('a failure ends it, too, without a wait for a service that is unreachable', async () => {
  const { clock, learn, scanned } = scanOne();
  await learn({ ...failed, reason: 'connection refused' }, { until: clock.now() + 1000, asked: false });
  assert.deepEqual(await scanned, [{ reason: 'connection refused', count: 1 }]);
});

test('a service that says when it will answer again is waited for', async () => {
  const { clock, learn, scanned, isOver } = scanOne();
  await learn(failed, { until: clock.now() + 30_000, asked: true });
  assert.equal(isOver(), false);
  await learn({ state: 'unknown', at: 0 });
  assert.deepEqual(await scanned, []);
});

test('and until what failed meanwhile has been asked again', async () => {
  const { clock, learn, scanned, isOver } = scanOne();
  await learn(failed, { until: clock.now() + 30_000, asked: true });
  await clock.advance(30_000);
  // Something else was answered; this is still on its way.
  await learn(failed);
  assert.equal(isOver(), false);
  await clock.advance(10_000);
  assert.deepEqual(await scanned, [{ reason: failed.reason, count: 1 }]);
});

test('but not one that wants longer than there is patience', async () => {
  const { clock, learn, scanned } = scanOne();
  await learn(failed, { until: clock.now() + patience + 1, asked: true });
  assert.deepEqual(await scanned, [{ reason: failed.reason, count: 1 }]);
});

test('when patience runs out, what is missing is told', async () => {
  const { clock, scanned } = scanOne();
  await clock.advance(patience);
  assert.deepEqual(await scanned, [{ reason: 'no answer within 60 s', count: 1 }]);
});

test('and why, where the service could not be reached so far', async () => {
  const { clock, scanned } = scanOne({ reason: 'connection refused' });
  await clock.advance(patience);
  assert.deepEqual(await scanned, [{ reason: 'connection refused', count: 1 }]);
});

test('that something takes long is no reason once it took too long', async () => {
  const { clock, scanned } = scanOne({ reason: 'its answer takes long', isOnlySlow: true });
  await clock.advance(patience);
  assert.deepEqual(await scanned, [{ reason: 'no answer within 60 s', count: 1 }]);
});

test('an interruption ends it at once', async () => {
  const { clock, interrupt, scanned } = scanOne();
  await clock.advance(0);
  interrupt();
  assert.deepEqual(await scanned, [{ reason: 'interrupted', count: 1 }]);
});

test('nor are manifests looked at that an interruption has left', async () => {
  const clock = fakeClock();
  const aborting = new AbortController();
  const uris = Array.from({ length: 100 }, (_, at) => `file:///workspace/${at}/package.json`);
  let looked = 0;
  const scanner = createScanner({
    files: {
      read: async (it) => (uris.includes(it) ? '{ "dependencies": { "a": "1.0.0" } }' : undefined),
      find: async () => [],
    },
    insights: {
      ...knowingNothing({
        version: () => {
          looked++;
          aborting.abort();
          return { state: 'pending' };
        },
      }),
      backoff: () => undefined,
      connectionProblem: () => undefined,
    },
    settings: readSettings({}),
    clock,
    patience,
    signal: aborting.signal,
    progress: () => {},
  });
  const nothing = { snapshots: [], unread: [], failures: [{ reason: 'interrupted', count: uris.length }] };
  assert.deepEqual(await scanner.scan(uris), nothing);
  assert.ok(looked < uris.length, `${looked} were looked at`);
});

test('what failed and what was still being tried for the same reason is one failure', async () => {
  const clock = fakeClock();
  const reason = 'connection refused';
  const scanner = createScanner({
    files: {
      read: async () => '{ "dependencies": { "failed": "1.0.0", "tried": "1.0.0" } }',
      find: async () => [],
    },
    insights: {
      ...knowingNothing({
        version: ({ name }) => (name === 'failed' ? { state: 'failed', reason, at: 0 } : { state: 'pending' }),
      }),
      backoff: () => undefined,
      connectionProblem: () => ({ reason }),
    },
    settings: readSettings({}),
    clock,
    patience,
    signal: new AbortController().signal,
    progress: () => {},
  });
  const scanned = scanner.scan([uri]);
  await clock.pass(patience);
  assert.deepEqual((await scanned).failures, [{ reason, count: 2 }]);
});

test('an advisory without an answer counts, unrated, and as not answered', async () => {
  const clock = fakeClock();
  const settings = readSettings({});
  const key = { system: 'NPM', name: 'a', version: '1.0.0' } as const;
  const facts = {
    ...{ key, version: key.version, isDefault: true, isDeprecated: false, advisories: ['GHSA-aaaa-aaaa-aaaa'] },
    ...{ licenses: [], licenseDetails: [], links: [], registries: [], hasSlsaProvenance: false },
  } as unknown as VersionFacts;
  const version = { state: 'ready', value: facts, at: 0 } as const;
  const pending = { state: 'pending' } as const;
  const scanner = createScanner({
    files: { read: async () => '{ "dependencies": { "a": "1.0.0" } }', find: async () => [] },
    insights: {
      ...knowingNothing({
        version: () => version,
        advisory: () => pending,
        package: () => ({ state: 'unknown', at: 0 }),
      }),
      backoff: () => undefined,
      connectionProblem: () => undefined,
    },
    settings,
    clock,
    patience,
    signal: new AbortController().signal,
    progress: () => {},
  });
  const scanned = scanner.scan([uri]);
  await clock.pass(patience);
  const { snapshots, failures } = await scanned;
  const found = snapshots.flatMap((it) => findingsIn(it.dependencies, settings));
  assert.deepEqual(
    found.map((it) => [it.code, it.severity, it.message]),
    [['advisory', 'warning', '1 vulnerability, unrated.']],
  );
  assert.deepEqual(failures, [{ reason: 'no answer within 60 s', count: 1 }]);
});
