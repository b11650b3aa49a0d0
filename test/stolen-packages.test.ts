import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { CodeAction, Diagnostic } from 'vscode-languageserver';
import { type Cache, createMemoryCache } from '../server/src/engine/facts/cache/cache.ts';
import { createInsights } from '../server/src/engine/facts/store/fact-store.ts';
import { positionsIn } from '../server/src/engine/formats/text/positions.ts';
import { createHttp } from '../server/src/engine/http/client.ts';
import { strictClient } from './editor/strict-client.ts';
import { fakeClock } from './harness/fake-clock.ts';
import { startLsp } from './harness/lsp-client.ts';
import { type InlineCatalog, startChangingService } from './harness/service.ts';
import { runHere } from './terminal/terminal.ts';

/*
 * What happened to npm in 2025 and 2026, with packages that do not exist: the order of the events is that of the public
 * reports, the names are ours.
 */

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const dayZero = Date.UTC(2026, 8, 1, 9);
const at = (moment: number): string => new Date(moment).toISOString();

interface Version {
  readonly publishedAt: string;
  readonly isDefault?: true;
}
type Published = Readonly<Record<string, Version>>;

/** Versions with the moment of each, in ms after day zero; the last is the default one. */
const releases = (all: Readonly<Record<string, number>>): { readonly versions: Published } => {
  const rows = Object.entries(all);
  const last = rows.at(-1)?.[0];
  return {
    versions: Object.fromEntries(
      rows.map(([version, after]) => [
        version,
        { publishedAt: at(dayZero + after), ...(version === last && { isDefault: true as const }) },
      ]),
    ),
  };
};
const malware = (name: string, version: string) => ({
  title: `Malicious code in ${name}`,
  affected: [{ system: 'NPM' as const, name, versions: [version] }],
});

type Locked = Readonly<Record<string, { readonly version: string; readonly dependencies?: object }>>;

const manifestOf = (dependencies: object): string => `${JSON.stringify({ name: 'shop', dependencies }, null, 2)}\n`;
const lockOf = (dependencies: object, locked: Locked): string =>
  `${JSON.stringify(
    {
      name: 'shop',
      lockfileVersion: 3,
      packages: {
        '': { name: 'shop', dependencies },
        ...Object.fromEntries(Object.entries(locked).map(([name, it]) => [`node_modules/${name}`, it])),
      },
    },
    null,
    2,
  )}\n`;

/** A project on disk, the service, and a window and a terminal of one day. */
async function openDay(t: TestContext, catalog: InlineCatalog, dependencies: object, locked: Locked) {
  const service = await startChangingService(catalog);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'package-insights-stolen-')));
  const uri = pathToFileURL(join(folder, 'package.json')).href;
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('package.json', manifestOf(dependencies));
  write('package-lock.json', lockOf(dependencies, locked));
  const clock = fakeClock(dayZero);
  const warm = createMemoryCache();
  // Of a terminal only the time of day stands still.
  const terminalClock = {
    now: clock.now,
    after(ms: number, call: () => void) {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
  };
  const check = async (cache: Cache, ...options: readonly string[]) =>
    runHere(['check', ...options], folder, {
      baseUrl: service.url,
      clock: terminalClock,
      insights: (settings) => {
        const http = createHttp({ clock: terminalClock, userAgent: 'test' });
        const insights = createInsights({ settings: () => settings, http, clock: terminalClock, cache });
        return {
          ...insights,
          async close() {
            await insights.close();
            await http.close();
          },
        };
      },
    });
  const client = await strictClient({
    clock,
    settings: { baseUrl: service.url },
    capabilities: {
      textDocument: {
        publishDiagnostics: {},
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } }, isPreferredSupport: true },
      },
      workspace: { workspaceFolders: true },
    },
    initialize: { workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'shop' }] },
    answer: () => null,
  });
  t.after(async () => {
    await client.stop();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await client.open(uri, manifestOf(dependencies));
  /** By seconds, so that no request takes so long that it counts as lost. */
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 1000) {
      await clock.advance(Math.min(1000, left));
      if (left % (30 * 1000) === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const codes = (all: readonly Diagnostic[]): unknown[] => all.map((it) => it.code);
  const last = (): readonly Diagnostic[] => {
    const pushed = client.sent.findLast(
      (it) => it.method === 'textDocument/publishDiagnostics' && (it.params as { uri: string }).uri === uri,
    );
    return (pushed?.params as { diagnostics: Diagnostic[] } | undefined)?.diagnostics ?? [];
  };
  return {
    uri,
    url: service.url,
    folder,
    serve: service.serve,
    /** With what the last check of the same machine kept. */
    warm: (...options: readonly string[]) => check(warm, ...options),
    /** As on a new machine of continuous integration. */
    cold: (...options: readonly string[]) => check(createMemoryCache(), ...options),
    write,
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    pass,
    /** What the idle window shows. */
    shown: () => codes(last()),
    /** What it shows soon after a change on disk, which is read in real time. */
    async shownSoon(expected: readonly string[]): Promise<void> {
      await pass(2 * minute);
      for (let tries = 0; tries < 100 && codes(last()).join() !== expected.join(); tries++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        await clock.advance(1000);
      }
      assert.deepEqual(codes(last()), expected);
    },
    shownUntil: (holds: (all: readonly Diagnostic[]) => boolean) => client.pushed(uri, holds),
    async lockfileChanged() {
      const changes = [{ uri: pathToFileURL(join(folder, 'package-lock.json')).href, type: 2 }];
      await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    },
    async actionsOn(name: string): Promise<readonly CodeAction[]> {
      const lines = readFileSync(join(folder, 'package.json'), 'utf8').split('\n');
      const line = lines.findIndex((it) => it.includes(`"${name}"`));
      const position = { line, character: (lines[line] ?? '').indexOf(name) + 1 };
      return client.ask('textDocument/codeAction', uri, {
        range: { start: position, end: position },
        context: { diagnostics: [] },
      });
    },
    /** Applies an action to the file, which is what one undo takes back. */
    apply({ edit }: CodeAction): void {
      const [changes = []] = Object.values(edit?.changes ?? {});
      assert.equal(Object.keys(edit?.changes ?? {}).length, 1, 'one file');
      const text = readFileSync(join(folder, 'package.json'), 'utf8');
      const { offset } = positionsIn(text);
      const [first] = changes;
      assert.ok(first && changes.length === 1, 'one edit');
      write(
        'package.json',
        text.slice(0, offset(first.range.start)) + first.newText + text.slice(offset(first.range.end)),
      );
    },
  };
}

test('a worm: a stolen token publishes patch releases of a maintainer, which run at install and steal the next token', async (t) => {
  const maintained = { 'ansi-wisp': { '4.1.0': -400 * day }, 'hue-strings': { '2.0.0': -200 * day } };
  const before: InlineCatalog = {
    'NPM ansi-wisp': releases(maintained['ansi-wisp']),
    'NPM hue-strings': releases(maintained['hue-strings']),
  };
  const ranges = { 'ansi-wisp': '^4.1.0', 'hue-strings': '^2.0.0' };
  const sound = { 'ansi-wisp': { version: '4.1.0' }, 'hue-strings': { version: '2.0.0' } };
  const world = await openDay(t, before, ranges, sound);

  // Day zero: installed, locked, nothing to say.
  await world.pass(2 * minute);
  assert.deepEqual(world.shown(), []);
  assert.equal((await world.warm()).code, 0);

  // The next day the worm publishes, and for some hours it is undiscovered.
  await world.pass(minute);
  const stolenAt = 3 * minute;
  const stolen: InlineCatalog = {
    'NPM ansi-wisp': releases({ ...maintained['ansi-wisp'], '4.1.1': stolenAt }),
    'NPM hue-strings': releases({ ...maintained['hue-strings'], '2.0.1': stolenAt }),
  };
  world.serve(stolen);
  const unseen = await world.cold('--format', 'json');
  assert.equal(unseen.code, 0);
  // Without a word of any setting: what is younger than three days is not suggested.
  assert.doesNotMatch(unseen.out, /4\.1\.1|2\.0\.1/);
  const { code: dry } = await world.cold('--fix=default', '--dry-run');
  assert.equal(dry, 0);
  assert.equal(world.read('package.json'), manifestOf(ranges));

  // Somebody updates all the same: both ranges allow it.
  const infected = { 'ansi-wisp': { version: '4.1.1', hasInstallScript: true }, 'hue-strings': { version: '2.0.1' } };
  world.write('package-lock.json', lockOf(ranges, infected));
  await world.lockfileChanged();
  await world.pass(2 * minute);
  assert.deepEqual(world.shown(), [], 'undiscovered');
  assert.equal((await world.warm()).code, 0);
  // With a cooldown of the project it is a finding at once.
  world.write('.npmrc', 'min-release-age=7\n');
  const young = await world.cold('--fail-on', 'young-version');
  assert.equal(young.code, 1);
  assert.match(young.out, /ansi-wisp 4\.1\.1/);
  rmSync(join(world.folder, '.npmrc'));

  // Some hours later it is discovered: the service has the records.
  const discovered: InlineCatalog = {
    ...stolen,
    'advisory MAL-2026-9001': malware('ansi-wisp', '4.1.1'),
    'advisory MAL-2026-9002': malware('hue-strings', '2.0.1'),
  };
  world.serve(discovered);
  assert.equal((await world.cold()).code, 1, 'a new machine knows at once');
  assert.equal((await world.warm()).code, 0, 'what was answered minutes ago still counts');
  await world.pass(62 * minute);
  assert.deepEqual(world.shown(), ['malicious', 'malicious'], 'the idle window knows within the hour');
  const late = await world.warm('--fail-on', 'advisory:critical');
  assert.equal(late.code, 1);
  assert.match(late.out, /ansi-wisp 4\.1\.1 .*malicious/);
  assert.match(late.out, /[Rr]otate all credentials/);

  // The way back is one edit, and the first one.
  const actions = await world.actionsOn('ansi-wisp');
  const [back] = actions;
  assert.match(back?.title ?? '', /^Go back to 4\.1\.0 of ansi-wisp/);
  assert.equal(back?.isPreferred, true);
  assert.ok(actions.some((it) => it.title.startsWith('Remove ansi-wisp') && it.isPreferred !== true));
  assert.ok(!actions.some((it) => /^Ignore|4\.1\.1/.test(it.title)), actions.map((it) => it.title).join('\n'));
  assert.ok(back);
  world.apply(back);
  assert.equal(world.read('package.json'), manifestOf({ ...ranges, 'ansi-wisp': '4.1.0' }));
  const left = await world.cold();
  assert.equal(left.code, 1, 'the other one is still there');
  assert.match(left.out, /hue-strings 2\.0\.1/);

  // The registry removes the versions. Who still has them locked is told all the same: the record decides.
  world.serve({ ...discovered, ...before });
  world.write('package.json', manifestOf(ranges));
  const removed = await world.cold();
  assert.equal(removed.code, 1);
  assert.match(removed.out, /ansi-wisp 4\.1\.1 .*malicious/);
  await world.pass(62 * minute);
  assert.deepEqual(world.shown(), ['malicious', 'malicious']);

  // Installed anew, all is well.
  world.write('package-lock.json', lockOf(ranges, sound));
  await world.lockfileChanged();
  await world.shownSoon([]);
  assert.equal((await world.cold()).code, 0);
});

test('a theft: a release of a popular package looks clean, and adds a dependency that is malware', async (t) => {
  const courier = { '1.13.0': -90 * day, '1.14.0': -20 * day };
  const before: InlineCatalog = { 'NPM courier-http': releases(courier), 'NPM form-bits': releases({ '2.0.0': -day }) };
  const ranges = { 'courier-http': '^1.14.0' };
  const form = { 'form-bits': { version: '2.0.0' } };
  const own = (version: string, more: object = {}) => ({
    'courier-http': { version, dependencies: { 'form-bits': '^2.0.0', ...more } },
    ...form,
  });
  const world = await openDay(t, before, ranges, own('1.14.0'));
  await world.pass(2 * minute);
  assert.deepEqual(world.shown(), []);
  assert.equal((await world.cold()).code, 0);

  // The dependency is published first, then the release that names it.
  const stolen: InlineCatalog = {
    ...before,
    'NPM cipher-plain': releases({ '4.2.0': -day, '4.2.1': 0 }),
    'NPM courier-http': releases({ ...courier, '1.14.1': 3 * minute }),
  };
  world.serve(stolen);
  world.write(
    'package-lock.json',
    lockOf(ranges, {
      ...own('1.14.1', { 'cipher-plain': '^4.2.1' }),
      'cipher-plain': { version: '4.2.1' },
    }),
  );
  await world.lockfileChanged();
  await world.shownSoon([]);

  // The dependency is discovered first: the line that brings it turns red without an edit.
  const found: InlineCatalog = { ...stolen, 'advisory MAL-2026-9003': malware('cipher-plain', '4.2.1') };
  world.serve(found);
  await world.pass(64 * minute);
  assert.deepEqual(world.shown(), ['malicious']);
  const brought = await world.cold('--fail-on', 'none', '--format', 'json');
  assert.match(brought.out, /Brings cipher-plain 4\.2\.1, which is malicious/);
  assert.equal((await world.cold('--fail-on', 'advisory:critical')).code, 1);
  const whileBrought = await world.actionsOn('courier-http');
  assert.ok(whileBrought.some((it) => it.title.startsWith('Remove courier-http')));
  assert.ok(!whileBrought.some((it) => /4\.2\.1|^Ignore/.test(it.title)));

  // Then the release itself, and both are taken down.
  world.serve({
    ...found,
    ...before,
    'NPM cipher-plain': releases({ '4.2.0': -day }),
    'advisory MAL-2026-9004': malware('courier-http', '1.14.1'),
  });
  await world.pass(64 * minute);
  assert.deepEqual(world.shown(), ['malicious']);
  const gone = await world.cold();
  assert.equal(gone.code, 1);
  assert.match(gone.out, /courier-http 1\.14\.1 .*malicious/);
  const [back] = await world.actionsOn('courier-http');
  assert.match(back?.title ?? '', /^Go back to 1\.14\.0 of courier-http/);
  assert.ok(back);
  world.apply(back);
  world.write('package-lock.json', lockOf({ 'courier-http': '1.14.0' }, own('1.14.0')));
  assert.equal((await world.cold()).code, 0);

  // A process of its own says the same over stdio.
  world.write('package.json', manifestOf(ranges));
  world.write('package-lock.json', lockOf(ranges, own('1.14.1')));
  const client = await startLsp({ folder: pathToFileURL(world.folder).href, settings: { baseUrl: world.url } });
  t.after(() => client.stop());
  await client.open(world.uri, manifestOf(ranges));
  const [diagnostic] = await client.pushedUntil(world.uri, (all) => all.some((it) => it.code === 'malicious'));
  assert.match(String(diagnostic?.message), /Malicious version\./);
});
