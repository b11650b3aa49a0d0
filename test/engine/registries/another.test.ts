import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goProxy } from '../../../server/src/engine/registries/go-proxy.ts';
import { mavenClient } from '../../../server/src/engine/registries/maven.ts';
import { nugetClient } from '../../../server/src/engine/registries/nuget.ts';
import { simpleIndex } from '../../../server/src/engine/registries/simple-index.ts';
import { type Answers, questionAt } from './question.ts';

/* A registry that answers about another package, whatever the reason: nothing of it is told. */

const another = { kind: 'failed', reason: 'the answer is not about this package' };
const pom = (head: string): string => `<project>${head}<version>1.0</version></project>`;
const coordinates = (group: string, artifact: string): string =>
  `<groupId>${group}</groupId><artifactId>${artifact}</artifactId>`;

const poms: readonly (readonly [title: string, head: string, isOther: boolean])[] = [
  ['its own', coordinates('com.acme', 'core'), false],
  ['of a parent’s group', `<parent>${coordinates('com.acme', 'parent')}</parent><artifactId>core</artifactId>`, false],
  ['without coordinates', '', false],
  ['a property', coordinates('${parent.groupId}', '${name}'), false],
  ['of another group', coordinates('com.other', 'core'), true],
  ['of another artifact', coordinates('com.acme', 'other'), true],
  ['of another parent', `<parent>${coordinates('com.other', 'p')}</parent><artifactId>core</artifactId>`, true],
];
for (const [title, head, isOther] of poms) {
  test(`a POM ${title}`, async () => {
    const question = questionAt('maven', 'com.acme:core', { '/com/acme/core/1.0/core-1.0.pom': pom(head) });
    for (const answer of [
      await mavenClient.version?.(withoutAccept(question), '1.0'),
      await mavenClient.requirements?.(withoutAccept(question), '1.0'),
    ]) {
      if (isOther) assert.deepEqual(answer, another);
      else assert.equal(answer?.kind, 'found');
    }
  });
}

test('a list of versions of another artifact', async () => {
  const list = (head: string) =>
    mavenClient.list(
      questionAt('maven', 'com.acme:core', {
        '/com/acme/core/maven-metadata.xml': `<metadata>${head}<versioning><versions><version>1.0</version></versions></versioning></metadata>`,
      }),
    );
  assert.equal((await list(coordinates('com.acme', 'core'))).kind, 'found');
  assert.equal((await list('')).kind, 'found');
  assert.deepEqual(await list(coordinates('com.acme', 'other')), another);
  assert.deepEqual(await list('<groupId>com.other</groupId>'), another);
});

test('a go.mod of another module has no requirements, retractions or deprecation', async () => {
  const go = (mod: string): Answers => ({
    '/example.com/core/@v/list': 'v1.0.0\n',
    '/example.com/core/@v/v1.0.0.mod': mod,
  });
  const said = '// Deprecated: use another.\nmodule PATH\n\nrequire example.com/x v1.0.0\n\nretract v1.0.0\n';
  const own = questionAt('go-proxy', 'example.com/core', go(said.replace('PATH', '"example.com/core"')));
  assert.equal((await goProxy.requirements?.(own, 'v1.0.0'))?.kind, 'found');
  const ofOwn = await goProxy.list(own);
  assert.equal(ofOwn.kind === 'found' && ofOwn.value.version('v1.0.0')?.isDeprecated, true);
  // Go refuses what a renamed module requires, too, and lists its versions.
  const other = questionAt('go-proxy', 'example.com/core', go(said.replace('PATH', 'example.com/other')));
  assert.deepEqual(await goProxy.requirements?.(other, 'v1.0.0'), another);
  const list = await goProxy.list(other);
  assert.equal(list.kind === 'found' && list.value.version('v1.0.0')?.isDeprecated, false);
});

test('a nuspec of another package', async () => {
  const nuget = (id: string): Answers => ({
    '': JSON.stringify({
      resources: [{ '@id': 'https://registry.example/team/flat', '@type': 'PackageBaseAddress/3.0.0' }],
    }),
    '/flat/acme.core/1.0.0/acme.core.nuspec': `<package><metadata><id>${id}</id><dependencies/></metadata></package>`,
  });
  const of = (id: string) => nugetClient.requirements?.(questionAt('nuget', 'acme.core', nuget(id)), '1.0.0');
  assert.equal((await of('Acme.Core'))?.kind, 'found');
  assert.deepEqual(await of('Acme.Other'), another);
});

test('a page and the metadata of another package of Python', async () => {
  const python = (page: string, metadata: string): Answers => ({
    '/acme-core/': {
      text: JSON.stringify({
        name: page,
        files: [
          {
            filename: 'acme_core-1.0-py3-none-any.whl',
            url: 'https://registry.example/team/a.whl',
            'core-metadata': true,
          },
        ],
      }),
      type: 'application/vnd.pypi.simple.v1+json',
    },
    '/a.whl.metadata': `Metadata-Version: 2.1\nName: ${metadata}\nVersion: 1.0\nLicense-Expression: MIT\n\nName: x\n`,
  });
  const question = (page: string, metadata: string) =>
    withoutAccept(questionAt('simple-index', 'acme-core', python(page, metadata)));
  assert.equal((await simpleIndex.version?.(question('Acme_Core', 'Acme.Core'), '1.0'))?.kind, 'found');
  assert.deepEqual(await simpleIndex.list(question('acme-other', 'acme-core')), another);
  assert.deepEqual(await simpleIndex.version?.(question('acme-core', 'acme-other'), '1.0'), another);
  assert.deepEqual(await simpleIndex.requirements?.(question('acme-core', 'acme-other'), '1.0'), another);
});

/** Its answers are found by their paths alone. */
function withoutAccept(question: ReturnType<typeof questionAt>): ReturnType<typeof questionAt> {
  return { ...question, send: ({ accept: _, ...request }) => question.send(request) };
}
