import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VersionFacts } from '../../../server/src/engine/model/facts.ts';
import { type CodePages, codePages } from '../../../server/src/engine/model/signals/comparison.ts';
import type { System } from '../../../server/src/engine/model/system.ts';

interface Known {
  readonly repository?: string;
  readonly commit?: string;
  readonly links?: readonly string[];
  readonly verified?: false;
}

function facts(system: System, name: string, version: string, known: Known = {}): VersionFacts {
  const { repository = 'git+https://github.com/Owner/Lib.git', commit, links = [], verified = true } = known;
  return {
    key: { system, name, version },
    projects: [],
    links: [{ label: 'SOURCE_REPO', url: repository }, ...links.map((url) => ({ label: 'ORIGIN', url }))],
    provenances: commit === undefined ? [] : [{ type: '', sourceRepository: repository, commit, url: '', verified }],
  } as unknown as VersionFacts;
}

const [one, two] = ['1'.repeat(40), '2'.repeat(40)] as const;

const pages = (before: VersionFacts | undefined, after: VersionFacts, connected?: string): CodePages | undefined =>
  codePages(before, after, connected);
const npm = (version: string, known: Known = {}) => facts('NPM', 'lib', version, known);

test('the commits of attestations are compared', () => {
  assert.deepEqual(pages(npm('1.0.0', { commit: one }), npm('1.1.0', { commit: two })), {
    releases: 'https://github.com/owner/lib/releases',
    comparison: `https://github.com/owner/lib/compare/${one}...${two}`,
  });
});

test('tags are named as in an address that a version declares', () => {
  const links = ['https://github.com/owner/lib/tree/lib%401.1.0'];
  assert.deepEqual(pages(npm('1.0.0'), npm('1.1.0', { links })), {
    releases: 'https://github.com/owner/lib/releases/tag/lib%401.1.0',
    comparison: 'https://github.com/owner/lib/compare/lib%401.0.0...lib%401.1.0',
  });
  // 11.1.0 is another version.
  const other = ['https://github.com/owner/lib/tree/11.1.0'];
  assert.deepEqual(pages(npm('1.0.0'), npm('1.1.0', { links: other })), {
    releases: 'https://github.com/owner/lib/releases',
  });
});

test('no tag is guessed, and what is not verified names no commit', () => {
  const releases = { releases: 'https://github.com/owner/lib/releases' };
  assert.deepEqual(pages(npm('1.0.0'), npm('1.1.0')), releases);
  assert.deepEqual(
    pages(npm('1.0.0', { commit: one, verified: false }), npm('1.1.0', { commit: two, verified: false })),
    releases,
  );
  assert.deepEqual(pages(npm('1.0.0', { commit: one }), npm('1.1.0')), releases);
  assert.deepEqual(pages(undefined, npm('1.1.0', { commit: two })), releases);
});

test('versions of other repositories are not compared', () => {
  const before = npm('1.0.0', { commit: one, repository: 'https://github.com/former/lib' });
  assert.deepEqual(pages(before, npm('1.1.0', { commit: two })), {
    releases: 'https://github.com/owner/lib/releases',
  });
});

test('the tag of a Go module is its version, below the directory of the module, or its commit', () => {
  const go = (name: string, version: string) => facts('GO', name, version);
  for (const [name, from, to, compared] of [
    ['github.com/owner/lib', 'v1.0.0', 'v1.1.0', 'v1.0.0...v1.1.0'],
    ['github.com/owner/lib/v2', 'v2.0.0', 'v2.1.0', 'v2.0.0...v2.1.0'],
    ['github.com/owner/lib/sub/v2', 'v2.0.0', 'v2.1.0', 'sub/v2.0.0...sub/v2.1.0'],
    ['github.com/owner/lib', 'v2.0.0+incompatible', 'v3.0.0+incompatible', 'v2.0.0...v3.0.0'],
    ['github.com/owner/lib', 'v0.0.0-20200101000000-abcdefabcdef', 'v1.0.0', 'abcdefabcdef...v1.0.0'],
  ] as const)
    assert.equal(pages(go(name, from), go(name, to))?.comparison, `https://github.com/owner/lib/compare/${compared}`);
});

test('each known code host has its own pages, another one has none', () => {
  for (const [repository, comparison, releases] of [
    [
      'https://gitlab.com/a/b/lib',
      `https://gitlab.com/a/b/lib/-/compare/${one}...${two}`,
      'https://gitlab.com/a/b/lib/-/releases',
    ],
    [
      'git@bitbucket.org:a/lib.git',
      `https://bitbucket.org/a/lib/branches/compare/${two}%0D${one}`,
      'https://bitbucket.org/a/lib/downloads/?tab=tags',
    ],
    [
      'https://codeberg.org/a/lib',
      `https://codeberg.org/a/lib/compare/${one}...${two}`,
      'https://codeberg.org/a/lib/releases',
    ],
  ] as const) {
    const [before, after] = [npm('1.0.0', { repository, commit: one }), npm('1.1.0', { repository, commit: two })];
    assert.deepEqual(pages(before, after), { releases, comparison }, repository);
  }
  const repository = 'https://code.example/a/lib';
  assert.equal(pages(npm('1.0.0', { repository }), npm('1.1.0', { repository })), undefined);
  assert.equal(
    pages(npm('1.0.0', { repository }), npm('1.1.0', { repository }), 'code.example')?.releases,
    'https://code.example/a/lib/releases',
  );
});

test('what a version declares cannot leave its repository, or break a link', () => {
  const links = ['https://github.com/owner/lib/tree/)](https://evil.example/1.1.0'];
  const above = ['https://github.com/owner/lib/tree/%2e%2e/%2e%2e/other/1.1.0'];
  const found = [links, above].map((it) => pages(npm('1.0.0'), npm('1.1.0', { links: it })));
  for (const it of found.flatMap((all) => [all?.comparison, all?.releases])) {
    assert.ok(it === undefined || it.startsWith('https://github.com/owner/lib/'), it);
    assert.doesNotMatch(it ?? '', /[()[\]]/);
  }
  const repository = 'https://github.com/owner/..%2f..';
  assert.match(
    pages(undefined, npm('1.1.0', { repository }))?.releases ?? 'https://github.com/',
    /^https:\/\/github\.com\//,
  );
});
