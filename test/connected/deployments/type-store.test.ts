import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatherImports } from '../../../server/src/connected/deployments/imports.ts';
import { typeLifetimes } from '../../../server/src/connected/deployments/kept-answers.ts';
import { readManifest } from '../../../server/src/connected/deployments/manifest.ts';
import { fakeClock } from '../../harness/fake-clock.ts';
import { manifestOf, setUp } from './setup.ts';

const all = manifestOf(
  'compute.v1.instance',
  'storage.v1.bucket',
  'demo/composite:cluster',
  'gcp-types/compute-v1:disks',
  'compute.v1.instanc',
  'demo/composite:clustr',
  'secret-project/compute-v1:disks',
);

const labels = (hints: readonly { readonly label: string }[]): string[] => hints.map((it) => it.label);

test('the state of each form of type comes from the lists of the service', async () => {
  const { shown, sent } = setUp({});
  const { hints, findings } = await shown(all);
  assert.deepEqual(labels(hints), [
    '✓ supported',
    '⚠ deprecated',
    'experimental',
    '✓ known',
    '⚠ unknown type',
    '⚠ unknown type',
    'not checked',
  ]);
  assert.deepEqual(
    findings.map((it) => it.code),
    ['missing-property', 'deprecated-type', 'missing-property', 'unknown-type', 'unknown-type'],
  );
  assert.match(findings.find((it) => it.code === 'unknown-type')?.message ?? '', /did you mean compute.v1.instance\?/);
  assert.equal(new Set(sent.map((it) => it.path)).size, sent.length, 'each list is requested once');
  assert.deepEqual([...new Set(sent.map((it) => it.priority))], ['background']);
  assert.ok(!sent.some((it) => it.path.includes('secret-project')), 'a project in a file leads to no request');
});

test('nothing is sent without a project, and that is said', async () => {
  const { shown, sent } = setUp({ project: () => '' });
  const { hints, findings, lenses } = await shown(all);
  assert.deepEqual(sent, []);
  assert.deepEqual([...new Set(labels(hints))], ['not checked']);
  assert.deepEqual(
    findings.map((it) => it.code),
    ['no-project'],
  );
  assert.deepEqual(
    lenses.map((it) => it.title),
    ['Choose a Project…'],
  );
});

for (const [title, answer] of [
  ['401', { status: 401, text: '{"error":{"code":401,"message":"Login Required."}}' }],
  ['403', { status: 403, text: '{"error":{"code":403,"message":"Forbidden"}}' }],
  ['404', { status: 404, text: '' }],
  ['500', { status: 500, text: '<html>' }],
  ['garbage', { text: '\u0000garbage' }],
  ['a list of another form', { text: '{"types":7,"typeProviders":{},"compositeTypes":"x"}' }],
  ['no object', { text: '[1,2]' }],
  ['a hold', { kind: 'held', until: 9e12, reason: 'the service requested a wait' }],
  ['a spent budget', { kind: 'over-budget', until: Date.UTC(2026, 0, 2), reason: 'the budget is spent' }],
  ['no network', { kind: 'failure', reason: 'connection refused' }],
  ['offline', { kind: 'not-connected', reason: 'working offline' }],
] as const) {
  test(`with ${title} no type is called unknown or sound`, async () => {
    const { shown } = setUp({ answer: () => answer });
    const { hints, findings } = await shown(all);
    assert.deepEqual([...new Set(labels(hints))], ['not checked']);
    assert.deepEqual(findings, []);
  });
}

test('a service that never answers leaves everything open', async () => {
  const { shown } = setUp({ answer: () => new Promise<never>(() => {}) });
  const { hints, findings } = await shown(manifestOf('compute.v1.instance', 'demo/composite:cluster'));
  assert.deepEqual([hints, findings], [[], []]);
});

test('answers are kept over a restart, and stay shown with their age while the service fails', async () => {
  const clock = fakeClock();
  const first = setUp({ clock });
  await first.shown(all);
  const second = setUp({ clock, store: first.store });
  const { hints } = await second.shown(manifestOf('compute.v1.instance'));
  assert.deepEqual([second.sent, labels(hints)], [[], ['✓ supported']]);

  await clock.advance(typeLifetimes.fresh + 1);
  const third = setUp({ clock, store: first.store, answer: () => ({ status: 500 }) });
  const later = await third.shown(manifestOf('compute.v1.instance', 'compute.v2.new'));
  assert.ok(third.sent.length > 0);
  assert.match(later.hints[0]?.label ?? '', /^✓ supported \(as of \d{4}-\d\d-\d\d\)$/);
  assert.equal(later.hints[1]?.label, 'not checked', 'an old list does not know new types');
});

test('after the clock was set back, answers are requested again', async () => {
  const { shown, sent, clock } = setUp({});
  await shown(all);
  const before = sent.length;
  await clock.advance(-365 * typeLifetimes.fresh);
  await shown(all);
  assert.ok(sent.length > before);
});

test('answers to one credential are not shown for another', async () => {
  const first = setUp({ identity: () => 'one' });
  await first.shown(all);
  const second = setUp({
    store: first.store,
    clock: first.clock,
    identity: () => 'two',
    answer: () => ({ status: 403 }),
  });
  const { hints } = await second.shown(manifestOf('compute.v1.instance'));
  assert.deepEqual(labels(hints), ['not checked']);
});

test('a hover is sent although the budget is spent in the background', async () => {
  const { documents, shown, sent } = setUp({
    answer: (_, at) =>
      at <= 3 ? { kind: 'over-budget', until: Date.UTC(2026, 0, 2), reason: 'the budget is spent' } : {},
  });
  const text = manifestOf('compute.v1.instance');
  await shown(text);
  const before = sent.length;
  const context = {
    signal: new AbortController().signal,
    client: { isOwnExtension: true, takesSnippets: true },
    read: async () => undefined,
    readUnlinked: async () => undefined,
  };
  const document = { uri: 'file:///w/a.yaml', languageId: 'yaml', version: 1, text };
  await documents.hover?.(document, text.indexOf('compute'), context);
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([...new Set(sent.slice(before).map((it) => it.priority))], ['asked']);
  assert.ok(sent.length > before);
});

test('imports are looked for beside the manifest alone', async () => {
  const read: string[] = [];
  const files = new Proxy<Record<string, string>>(
    { 'file:///w/templates/vm.jinja': '', 'file:///w/templates/vm.jinja.schema': 'required: [size]' },
    {
      get(target, uri: string) {
        read.push(uri);
        return target[uri];
      },
    },
  );
  const { shown } = setUp({});
  const text = `imports:
- path: templates/vm.jinja
- path: gone.jinja
- path: ../above.jinja
- path: /etc/passwd
- path: https://templates.example/a.jinja
- path: file:///etc/passwd
${manifestOf('templates/vm.jinja')}`;
  const { findings } = await shown(text, files);
  assert.deepEqual(
    findings.map((it) => [it.code, text.slice(it.span.start, it.span.end)]),
    [
      ['missing-import', 'gone.jinja'],
      ['missing-property', 'templates/vm.jinja'],
    ],
  );
  assert.deepEqual([...new Set(read)].sort(), [
    'file:///above.jinja',
    'file:///above.jinja.schema',
    'file:///w/gone.jinja',
    'file:///w/gone.jinja.schema',
    'file:///w/templates/vm.jinja',
    'file:///w/templates/vm.jinja.schema',
  ]);
});

test('a text that names thousands of providers leads to few requests', async () => {
  const { shown, sent } = setUp({});
  await shown(manifestOf(...Array.from({ length: 1000 }, (_, at) => `gcp-types/provider${at}:x`)));
  assert.ok(new Set(sent.map((it) => it.path)).size <= 105, String(sent.length));
});

test('a hidden file is not sent, also if the schema of a template imports it', async () => {
  const files: Readonly<Record<string, string>> = {
    'file:///w/.env': 'TOKEN=1',
    'file:///w/a.jinja': '',
    'file:///w/b.jinja': '',
    'file:///w/b.jinja.schema': 'imports: [{path: ./.env}]',
  };
  const gathered = (path: string) => {
    const manifest = readManifest('a.yaml', `imports: [{path: ${path}}]\n${manifestOf('t')}`);
    assert.ok(manifest);
    return gatherImports('file:///w/a.yaml', manifest, async (uri) => files[uri]);
  };
  assert.equal((await gathered('a.jinja')).kind, 'files');
  assert.deepEqual(await gathered('.env'), { kind: 'missing', path: '.env' });
  assert.deepEqual(await gathered('b.jinja'), { kind: 'missing', path: './.env' });
});
