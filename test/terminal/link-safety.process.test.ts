import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { entriesOf, startLinkService } from '../harness/link-service.ts';
import { startService } from '../harness/service.ts';
import { runProgram } from './program.ts';

const links = [
  { label: 'HOMEPAGE', url: 'https://good.example/docs' },
  { label: 'SOURCE_REPO', url: 'git+https://bad.example/setup.git' },
];
const packages = await startService({ 'NPM a': { versions: ['1.0.0'], shared: { links } } });
const lists = await startLinkService({ entries: entriesOf({ list: 'MALWARE', expression: 'bad.example/' }) });
after(() => Promise.all([packages.close(), lists.close()]));

/** The lines about links, with one time of day for all. */
async function lookUp(environment: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { out, error } = await runProgram(['lookup', 'npm/a@1.0.0', '--base-url', packages.url], '.', environment);
  assert.equal(error, '');
  return out
    .split('\n')
    .filter((it) => /(?:good|bad)\.example/.test(it))
    .map((it) =>
      it
        .replace(/^ {2}links| {2,}/g, '')
        .replace(/\d\d:\d\d/, '12:03')
        .trim(),
    );
}

const connected = { PACKAGE_INSIGHTS_LINK_SAFETY_URL: lists.url };

for (const mode of ['lookup', 'private']) {
  test(`${mode}: only a checked link is printed as an address`, async () => {
    assert.deepEqual(await lookUp({ ...connected, PACKAGE_INSIGHTS_LINK_SAFETY_MODE: mode }), [
      'Homepage https://good.example/docs (no known threat, 12:03)',
      'Source bad.example/setup (may lead to malware)',
    ]);
  });
}

test('off, addresses are printed as ever, and nothing is sent', async () => {
  const before = lists.seen.length;
  assert.deepEqual(await lookUp(connected), ['Homepage https://good.example/docs', 'Source https://bad.example/setup']);
  assert.equal(lists.seen.length, before);
});

for (const [name, environment] of [
  ['without a service', { PACKAGE_INSIGHTS_LINK_SAFETY_MODE: 'lookup' }],
  ['with an unknown mode', { ...connected, PACKAGE_INSIGHTS_LINK_SAFETY_MODE: 'privat' }],
  [
    'with an unknown list',
    { ...connected, PACKAGE_INSIGHTS_LINK_SAFETY_MODE: 'lookup', PACKAGE_INSIGHTS_LINK_SAFETY_LISTS: 'MALWARE, ODD' },
  ],
] as const) {
  test(`${name} no address is printed as one`, async () => {
    const before = lists.seen.length;
    assert.deepEqual(await lookUp(environment), [
      'Homepage good.example/docs (not checked)',
      'Source bad.example/setup (not checked)',
    ]);
    assert.equal(lists.seen.length, before);
  });
}
