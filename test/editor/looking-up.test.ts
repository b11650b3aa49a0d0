import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ErrorCodes } from 'vscode-languageserver';
import type { IdentifyAnswer } from '../../server/src/editor/requests/identify.ts';
import type { LineAnswer, PurlAnswer, ReadPurlAnswer } from '../../server/src/editor/requests/purl.ts';
import { type StartedService, startService } from '../harness/service.ts';
import { folderWith } from '../terminal/program.ts';
import { catalog as scratch } from './scratch.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

const sha1 = createHash('sha1').update('left-pad').digest('hex');
const folder = folderWith({ 'left-pad.tgz': 'left-pad', 'other.jar': 'other' });
const fileAt = (name: string): string => pathToFileURL(join(folder.path, name)).href;

let service: StartedService;
let client: StrictClient;
before(async () => {
  service = await startService({
    ...scratch,
    'NPM dated': {
      versions: {
        '1.0.0': { publishedAt: '2023-01-02T00:00:00Z', deprecated: 'broken' },
        '1.1.0': { publishedAt: '2024-01-02T00:00:00Z', isDefault: true },
        '1.0.1': { publishedAt: '2024-03-01T00:00:00Z' },
      },
    },
    'NPM left-pad': {
      versions: {
        '1.3.0': { licenses: ['WTFPL'], hashes: { SHA1: sha1 }, artifact: 'left-pad.tgz' },
      },
    },
  });
  client = await strictClient({ settings: { baseUrl: service.url } });
});
after(async () => {
  await client.stop();
  await service.close();
  folder.remove();
});

const ask = <T>(name: string, params: object | null): Promise<T> =>
  client.connection.sendRequest(`packageInsights/${name}`, params);

test('a file was found by its digest, and reported with license and origin', async () => {
  const answer = await ask<IdentifyAnswer>('identify', { uri: fileAt('left-pad.tgz') });
  assert.ok(answer.kind === 'found');
  assert.deepEqual([answer.by, answer.digest, answer.isCut], ['SHA-1', sha1, false]);
  assert.deepEqual(
    answer.versions.map((it) => [it.purl, it.licenses, it.artifacts]),
    [['pkg:npm/left-pad@1.3.0', ['WTFPL'], ['https://registry.example/npm/left-pad/left-pad.tgz']]],
  );
});

test('a file is held against a version that it is said to be of', async () => {
  const uri = fileAt('left-pad.tgz');
  const said = async (as: string) => (await ask<IdentifyAnswer>('identify', { uri, as })).kind;
  assert.equal(await said('pkg:npm/left-pad@1.3.0'), 'found');
  assert.equal(await said('pkg:npm/lodash@4.17.21'), 'other');
  assert.equal(await said('pkg:npm/lodash'), 'failed');
});

test('where no digest is known, it is told whether the version itself is', async () => {
  const said = async (as: string): Promise<string> => {
    const answer = await ask<IdentifyAnswer>('identify', { uri: fileAt('other.jar'), as });
    assert.ok(answer.kind === 'unknown');
    return answer.reason;
  };
  assert.equal(
    await said('pkg:npm/left-pad@1.3.0'),
    'Unknown: the service knows pkg:npm/left-pad@1.3.0, but no published version with the content of other.jar. The file may have been changed or rebuilt, or the service has no digest of it.',
  );
  assert.equal(
    await said('pkg:npm/left-pad@9.0.0'),
    'Unknown: the service knows neither pkg:npm/left-pad@9.0.0 nor a published version with the content of other.jar.',
  );
});

test('what is not known, or not there, says so', async () => {
  const unknown = await ask<IdentifyAnswer>('identify', { uri: fileAt('other.jar') });
  assert.deepEqual(unknown, {
    kind: 'unknown',
    reason: 'No digest of other.jar is known. The service has no lookup by digest for Go and PyPI.',
  });
  for (const uri of [fileAt('none.jar'), pathToFileURL(folder.path).href, 'https://host.example/a.jar', 'file://%%']) {
    const answer = await ask<IdentifyAnswer>('identify', { uri });
    assert.equal(answer.kind, 'failed', uri);
  }
  await assert.rejects(ask('identify', {}), { code: ErrorCodes.InvalidParams });
});

test('reading a file is told to who gave a token for it', async () => {
  const seen: unknown[] = [];
  client.connection.onNotification('$/progress', (it: { readonly value: unknown }) => void seen.push(it.value));
  await ask('identify', { uri: fileAt('left-pad.tgz'), workDoneToken: 7 });
  assert.deepEqual(seen, [
    { kind: 'begin', title: 'Reading left-pad.tgz', percentage: 0, cancellable: true },
    { kind: 'report', percentage: 100 },
    { kind: 'end' },
  ]);
});

test('a purl is read without asking anybody, and says what is wrong with it', async () => {
  const before = service.requests.length;
  const read = (purl: string) => ask<ReadPurlAnswer>('readPurl', { purl });
  assert.deepEqual(await read(' pkg:NPM/@babel/traverse@7.0.0'), {
    kind: 'purl',
    purl: 'pkg:npm/%40babel/traverse@7.0.0',
    short: 'npm/@babel/traverse@7.0.0',
    system: 'NPM',
    version: '7.0.0',
  });
  assert.deepEqual(await read('pkg:pypi/Foo_Bar'), {
    kind: 'purl',
    purl: 'pkg:pypi/foo-bar',
    short: 'pypi/Foo_Bar',
    system: 'PYPI',
  });
  assert.deepEqual(await read('pkg:npm/a@1?arch=x'), {
    kind: 'invalid',
    reason: 'This cannot be looked up: it has qualifiers. Did you mean pkg:npm/a@1?',
    nearest: 'pkg:npm/a@1',
  });
  const several = await read('lodash@1');
  assert.deepEqual(several.kind === 'choice' && several.choices.map((it) => it.short), [
    'npm/lodash@1',
    'cargo/lodash@1',
    'pypi/lodash@1',
    'nuget/lodash@1',
  ]);
  assert.equal(service.requests.length, before);
});

test('a purl with a version gives a page about it, one without the versions there are', async () => {
  const version = await ask<PurlAnswer>('lookUpPurl', { purl: 'pkg:npm/lodash@4.17.15' });
  assert.ok(version.kind === 'found');
  assert.match(
    version.markdown,
    /^\*\*lodash 4\.17\.15\*\* \(npm\)\n\n`pkg:npm\/lodash@4\.17\.15`\n\nLatest version: \*\*4\.17\.21\*\*\n/,
  );
  assert.match(version.markdown, /^License MIT/m);
  assert.match(
    version.markdown,
    /\[GHSA-p6mc-m468-83gw \(advisories\.example\)\]\(https:.*\) high 7\.4: Prototype pollution/,
  );
  const list = await ask<PurlAnswer>('lookUpPurl', { purl: 'pkg:npm/lodash' });
  assert.ok(list.kind === 'found');
  assert.match(list.markdown, /Versions: 2\n\n- \*\*4\.17\.21\*\* · latest\n- 4\.17\.15$/);
  assert.equal((await ask<PurlAnswer>('lookUpPurl', { purl: 'pkg:npm/nobody@1.0.0' })).kind, 'unknown');
  assert.equal((await ask<PurlAnswer>('lookUpPurl', { purl: 'pkg:deb/x@1' })).kind, 'invalid');
});

test('a page opens by a name as people type it, and an ambiguous one says what to enter', async () => {
  const page = await ask<PurlAnswer>('lookUpPurl', { purl: 'npm/lodash@4.17.15' });
  assert.equal(page.kind === 'found' && page.purl, 'pkg:npm/lodash@4.17.15');
  const several = await ask<PurlAnswer>('lookUpPurl', { purl: 'lodash' });
  assert.deepEqual(several, {
    kind: 'invalid',
    reason: 'Several systems have such names. Enter one of: npm/lodash, cargo/lodash, pypi/lodash, nuget/lodash',
  });
});

test('the page of a version names the default version of its package, with its date', async () => {
  const markdown = async (purl: string): Promise<string> => {
    const answer = await ask<PurlAnswer>('lookUpPurl', { purl });
    return answer.kind === 'found' ? answer.markdown : answer.reason;
  };
  assert.match(await markdown('npm/dated@1.0.0'), /Latest version: \*\*1\.1\.0\*\* · published 2024-01-02/);
  assert.doesNotMatch(await markdown('npm/dated@1.1.0'), /Default version:/);
});

test('the page of a package lists its versions by date, with the default and the deprecated ones marked', async () => {
  const { markdown } = (await ask<PurlAnswer>('lookUpPurl', { purl: 'npm dated' })) as { readonly markdown: string };
  assert.match(markdown, /Latest version: \*\*1\.1\.0\*\* · published 2024-01-02/);
  assert.match(markdown, /Versions: 3, of which deprecated: 1/);
  assert.match(
    markdown,
    /\n- 1\.0\.1 · 2024-03-01\n- \*\*1\.1\.0\*\* · 2024-01-02 · latest\n- 1\.0\.0 · 2023-01-02 · ⚠ deprecated$/,
  );
});

test('a version is written as the manifest at hand would have it', async () => {
  const line = (uri: string, key: object) => ask<LineAnswer>('dependencyLine', { textDocument: { uri }, ...key });
  const lodash = { system: 'NPM', name: 'lodash', version: '4.17.21' };
  assert.deepEqual(await line('file:///w/package.json', lodash), {
    kind: 'line',
    format: 'package.json',
    text: '"lodash": "4.17.21"',
  });
  assert.equal((await line('file:///w/pom.xml', lodash)).kind, 'none');
  assert.equal((await line('file:///w/notes.txt', lodash)).kind, 'none');
});
