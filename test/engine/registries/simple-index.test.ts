import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf } from '../../../server/src/engine/model/facts.ts';
import type { ListedPackage, RegistryQuestion } from '../../../server/src/engine/model/registries/registry-client.ts';
import { simpleIndex } from '../../../server/src/engine/registries/simple-index.ts';
import { type Answer, type Answers, questionAt } from './question.ts';

function questionOf(name: string, answers: Answers): { question: RegistryQuestion; asked: string[] } {
  const asked: string[] = [];
  return { question: questionAt('simple-index', name, answers, asked), asked };
}

const json = 'application/vnd.pypi.simple.v1+json';
const page = '/acme-core/';

async function listed(text: string, type: string, more: Answer = {}): Promise<ListedPackage> {
  const { question } = questionOf('Acme_Core', { [page]: { text, type, ...more } });
  const answer = await simpleIndex.list(question);
  assert.equal(answer.kind, 'found');
  return answer.kind === 'found' ? answer.value : assert.fail();
}

/** `1.0*` is the default version, `1.0!` a deprecated one. */
function shown({ facts }: ListedPackage): string {
  return rowsOf(facts.versions)
    .map((it) => `${it.version}${it.isDefault ? '*' : ''}${it.isDeprecated ? '!' : ''}`)
    .join(' ');
}

const file = (filename: string, more: object = {}): object => ({
  filename,
  url: `/files/${filename}`,
  hashes: {},
  ...more,
});

test('asks for the normal name, and for JSON before HTML', async () => {
  const { question, asked } = questionOf('Acme._Core', {});
  assert.deepEqual(await simpleIndex.list(question), { kind: 'absent' });
  assert.equal(asked.length, 1);
  assert.match(asked[0] ?? '', /^\/acme-core\/ application\/vnd\.pypi\.simple\.v1\+json, .*text\/html;q=0/);
});

test('reads versions from the names of files', async () => {
  const names = [
    'acme_core-1.0-py3-none-any.whl',
    'acme-core-1.0.tar.gz',
    'Acme.Core-2.0rc1.zip',
    'acme_core-1.2.post1-2-cp311-cp311-manylinux_2_17_x86_64.whl',
    'acme_core-1.1+acme.3-py3-none-any.whl',
    'acme_core-3.0-py3.9.egg',
    'acme_core-3.0.win32.exe',
    'acme-core-extra-4.0.tar.gz',
    'other-5.0.tar.gz',
    'acme_core-1.0-py3-none-any.whl.asc',
  ];
  const text = JSON.stringify({
    meta: { 'api-version': '1.1' },
    name: 'acme-core',
    files: names.map((it) => file(it)),
  });
  assert.equal(shown(await listed(text, json)), '1.0 1.1+acme.3 1.2.post1* 2.0rc1');
});

test('a version is deprecated once all of its files are yanked', async () => {
  const text = JSON.stringify({
    files: [
      file('acme_core-1.0.tar.gz'),
      file('acme_core-1.1.tar.gz', { yanked: 'lost in 2026' }),
      file('acme_core-1.1-py3-none-any.whl', { yanked: false }),
      file('acme_core-1.2.tar.gz', { yanked: true }),
      file('acme_core-1.2-py3-none-any.whl', { yanked: 'breaks\u202e everything' }),
    ],
  });
  const found = await listed(text, json);
  assert.equal(shown(found), '1.0 1.1* 1.2!');
  assert.equal(found.version('1.2.0')?.deprecatedReason, 'breaks\u202e everything');
  assert.equal(found.version('1.1')?.deprecatedReason, undefined);
  assert.equal(found.version('9'), undefined);
});

test('has the time of the first file, and the spelling of the index', async () => {
  const text = JSON.stringify({
    versions: ['1.0.0', '2024.01.1'],
    files: [
      file('acme_core-2024.1.1.tar.gz', { 'upload-time': '2024-01-02T00:00:00.5Z' }),
      file('acme_core-2024.1.1-py3-none-any.whl', { 'upload-time': '2024-01-01T00:00:00Z' }),
      file('acme_core-1.0.tar.gz', { 'upload-time': 'yesterday' }),
    ],
  });
  const { facts } = await listed(text, json);
  assert.deepEqual(rowsOf(facts.versions), [
    { version: '1.0.0', isDefault: false, isDeprecated: false },
    { version: '2024.01.1', publishedAt: Date.UTC(2024, 0, 1), isDefault: true, isDeprecated: false },
  ]);
});

test('has the status of the project, in both forms, unless it is an unknown one', async () => {
  const status = { status: 'archived', reason: 'use another' };
  const files = [file('acme_core-1.0.tar.gz')];
  const statusOf = async (text: string, type: string) => (await listed(text, type)).version('1.0')?.projectStatus;
  assert.deepEqual(await statusOf(JSON.stringify({ files, 'project-status': status }), json), status);
  assert.equal(await statusOf(JSON.stringify({ files, 'project-status': { status: 'odd' } }), json), undefined);
  const link = '<a href="acme_core-1.0.tar.gz">acme_core-1.0.tar.gz</a>';
  const meta = (name: string, content: string): string => `<meta name="pypi:project-${name}" content="${content}">`;
  const html = `<html><head>${meta('status', 'archived')}${meta('status-reason', 'use another')}</head>${link}</html>`;
  assert.deepEqual(await statusOf(html, 'text/html'), status);
  assert.equal(await statusOf(link, 'text/html'), undefined);
});

test('of a package without a stable version, a pre-release is the default one', async () => {
  const text = JSON.stringify({ files: [file('acme_core-1.0a1.tar.gz'), file('acme_core-1.0.dev3.tar.gz')] });
  assert.equal(shown(await listed(text, json)), '1.0.dev3 1.0a1*');
});

test('reads HTML, relative to where it came from', async () => {
  const text = `<!DOCTYPE html><html><head><META name="pypi:repository-version" content="1.0">
    <Base HREF="../../files/"></head><body><h1>Links</h1>
    <a href="acme_core-1.0.tar.gz#sha256=00">anything</a><br/>
    <A class=x data-requires-python="&gt;=3.8" HREF='acme_core-1.1-py3-none-any.whl?sig=1&amp;b=2#md5=0' data-core-metadata="sha256=00">x</A>
    <a data-yanked="not &quot;good&quot;" href="https://cdn.example/acme-core-1.2.tar.gz">
    <a data-yanked href="acme%5Fcore-1.3%2Bacme.tar.gz">1.3</a>
    <a href="javascript:alert('acme-core-9.0.tar.gz')">acme-core-9.0.tar.gz</a>
    <!-- <a href="acme-core-8.0.tar.gz"> --><a>none</a><a href="">none</a><a href="http://[">broken</a></body>`;
  const found = await listed(text, 'text/html; charset=utf-8', { url: 'https://other.example/a/b/c/' });
  assert.equal(shown(found), '1.0 1.1* 1.2! 1.3+acme!');
  assert.equal(found.version('1.2')?.deprecatedReason, 'not "good"');
  assert.equal(found.version('1.3+acme')?.deprecatedReason, undefined);
});

const metadata = `Metadata-Version: 2.4
Name: acme-core
License-Expression: MIT OR Apache-2.0
License: something else
Classifier: Programming Language :: Python
Project-URL: Home Page, https://acme.example/core
Project-URL: Source Code, https://git.acme.example/core
Project-URL: Bug Tracker, javascript:alert(1)
Project-URL: Changelog, https://acme.example/changes
Home-page: https://old.example/

License-Expression: GPL-3.0-only
`;

test('reads licenses and links where the index has the metadata', async () => {
  const text = JSON.stringify({
    files: [
      file('acme_core-1.0.tar.gz', { 'core-metadata': true }),
      file('acme_core-1.0-py3-none-any.whl', { 'dist-info-metadata': { sha256: '00' }, url: '/f/core.whl?sig=1#x' }),
    ],
  });
  const { question, asked } = questionOf('acme-core', {
    [page]: { text, type: json },
    'https://registry.example/f/core.whl.metadata?sig=1': { text: metadata },
  });
  const name = await simpleIndex.list(question);
  assert.equal(name.kind, 'found');
  const answer = await simpleIndex.version?.(
    name.kind === 'found' ? { ...question, listed: name.value } : question,
    '1',
  );
  assert.equal(asked.length, 2);
  assert.deepEqual(answer, {
    kind: 'found',
    value: {
      key: { system: 'PYPI', name: 'acme-core', version: '1.0' },
      purl: 'pkg:pypi/acme-core@1.0',
      version: '1.0',
      isDefault: true,
      isDeprecated: false,
      licenses: ['MIT OR Apache-2.0'],
      licenseDetails: [{ license: 'MIT OR Apache-2.0', spdx: 'MIT OR Apache-2.0' }],
      links: [
        { label: 'HOMEPAGE', url: 'https://acme.example/core' },
        { label: 'SOURCE_REPO', url: 'https://git.acme.example/core' },
      ],
      advisories: [],
      provenances: [],
      registries: ['https://registry.example/team'],
      projects: [],
      upstream: [],
    },
  });
});

test('metadata is not asked for over an open connection where the index has a safe one', async () => {
  const asked: string[] = [];
  const link = '<a href="http://files.example/acme_core-1.0-py3-none-any.whl" data-core-metadata="true">x</a>';
  const question = questionAt('simple-index', 'acme-core', { '/acme-core/': { text: link, type: 'text/html' } }, asked);
  const answer = await simpleIndex.version?.(question, '1.0');
  assert.equal(answer?.kind, 'found');
  assert.equal(asked.length, 1);
});

test('names a license only where the metadata is clear', async () => {
  const licensesOf = async (head: string): Promise<string> => {
    const text = JSON.stringify({ files: [file('acme_core-1.0.tar.gz', { 'core-metadata': true })] });
    const { question } = questionOf('acme-core', {
      [page]: { text, type: json },
      'https://registry.example/files/acme_core-1.0.tar.gz.metadata': { text: `Metadata-Version: 2.4\n${head}` },
    });
    const answer = await simpleIndex.version?.(question, '1.0');
    return answer?.kind === 'found'
      ? answer.value.licenseDetails.map((it) => `${it.license} → ${it.spdx}`).join(', ')
      : '';
  };
  assert.equal(await licensesOf('Name: a'), '');
  assert.equal(await licensesOf('License: UNKNOWN\nLicense: '), '');
  assert.equal(await licensesOf('License: MIT'), 'MIT → MIT');
  assert.equal(await licensesOf('License: ours\n        all rights\n   reserved'), 'ours → non-standard');
  assert.equal(await licensesOf('Classifier: License :: OSI Approved :: MIT License'), 'MIT License → MIT');
  assert.equal(
    await licensesOf(
      'License: BSD\r\nClassifier: License :: OSI Approved\r\nClassifier: License :: OSI Approved :: BSD License',
    ),
    'BSD License → non-standard',
  );
  assert.equal(
    await licensesOf('License: Apache 2.0\nClassifier: License :: OSI Approved :: Apache Software License'),
    'Apache 2.0 → Apache-2.0',
  );
  assert.equal(
    await licensesOf('License: BSD 3-Clause OR Apache 2.0'),
    'BSD 3-Clause OR Apache 2.0 → BSD-3-Clause OR Apache-2.0',
  );
  assert.equal(
    await licensesOf(
      'License: GPL or so\nClassifier: License :: OSI Approved :: GNU General Public License v3 (GPLv3)',
    ),
    'GNU General Public License v3 (GPLv3) → GPL-3.0-only',
  );
});

test('a version stays known where its metadata is gone, and is not read without it', async () => {
  const text = JSON.stringify({
    files: [file('acme_core-1.0.tar.gz', { 'core-metadata': true }), file('acme_core-1.1.tar.gz')],
  });
  const { question, asked } = questionOf('acme-core', { [page]: { text, type: json } });
  for (const version of ['1.0', '1.1']) {
    const answer = await simpleIndex.version?.(question, version);
    assert.equal(answer?.kind === 'found' && answer.value.version, version);
  }
  assert.deepEqual(await simpleIndex.version?.(question, '2.0'), { kind: 'absent' });
  assert.deepEqual(
    asked.filter((it) => it.endsWith('.metadata')),
    ['https://registry.example/files/acme_core-1.0.tar.gz.metadata'],
  );
});

test('says why there is no answer', async () => {
  const answers = await Promise.all(
    [
      { status: 401 },
      { status: 403 },
      { status: 404 },
      { status: 410 },
      { status: 503 },
      { text: 'a sign-in page' },
      { text: '[]', type: json },
      { text: '{"files":{}}', type: json },
      { kind: 'aborted' } as const,
    ].map(async (it) => simpleIndex.list(questionOf('acme-core', { [page]: it }).question)),
  );
  assert.deepEqual(
    answers.map((it) => it.kind),
    ['denied', 'denied', 'absent', 'absent', 'failed', 'failed', 'failed', 'failed', 'aborted'],
  );
});

test('the page of a login is no index, whatever it links to', async () => {
  const of = async (text: string) =>
    (await simpleIndex.list(questionOf('acme-core', { [page]: { text, type: 'text/html' } }).question)).kind;
  const login = '<form action="/login"><input name="user"></form>';
  assert.equal(await of(`<html><body><a href="/help">Help</a>${login}</body></html>`), 'failed');
  assert.equal(
    await of('<html><head><script src="/app.js"></script></head><body><a href="/"></a></body></html>'),
    'failed',
  );
  assert.equal(await of(`<html><body><a href="acme_core-1.0.tar.gz">x</a>${login}</body></html>`), 'found');
  assert.equal(await of('<html><body><h1>Links for acme-core</h1></body></html>'), 'found');
});

test('hostile pages neither throw nor take long', async () => {
  const many = Array.from({ length: 120_000 }, (_, at) => file(`acme_core-${at}.tar.gz`));
  const found = await listed(JSON.stringify({ files: many }), json);
  assert.equal(found.facts.isSample, true);
  const odd = {
    files: [
      null,
      1,
      [],
      {},
      file('acme_core-1.0.tar.gz', { yanked: 3, 'upload-time': {}, 'core-metadata': [] }),
      file('acme_core-2.0.tar.gz', { url: 'javascript:1' }),
      file(`acme_core-${'1'.repeat(9999)}.tar.gz`),
      { filename: 7, url: 'x' },
      file('__proto__-1.tar.gz'),
      file('acme_core-..-1.whl'),
    ],
    versions: [1, null, '__proto__'],
  };
  assert.equal(shown(await listed(JSON.stringify(odd), json)), '1.0*');
  for (const text of [
    '<html>'.repeat(200_000),
    `<html>${'<a '.repeat(300_000)}`,
    `<html>${'<a href="'.repeat(100_000)}`,
    `<html>${`<a href="acme-core-1.0.tar.gz">`.repeat(120_000)}`,
    `<html><a href="${'-'.repeat(400_000)}.zip">`,
    `<html><a href="acme-core-${'1.'.repeat(200_000)}0.tar.gz">`,
    `<html><base href="javascript:1"><base href="data:x">${'<!--'.repeat(100_000)}`,
  ])
    await simpleIndex.list(questionOf('acme-core', { [page]: { text, type: 'text/html' } }).question);
  assert.deepEqual(
    await simpleIndex.list(questionOf('acme-core', { [page]: { text: '{'.repeat(200_000) } }).question),
    {
      kind: 'failed',
      reason: 'the answer is not a page of a package index',
    },
  );
});
