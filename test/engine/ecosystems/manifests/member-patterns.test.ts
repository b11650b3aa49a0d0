import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memberPatterns } from '../../../../server/src/engine/ecosystems/member-patterns.ts';

/** Patterns; the directories that they include, behind `but` those that they do not. */
const cases = `
packages/*                   a packages packages/a/b other/a but packages/a packages/.a
packages/**                  other but packages packages/a packages/a/b/c
packages/*/js                packages/js packages/a/b/js but packages/a/js
pkg-*                        pkg packages but pkg-a pkg-
**/app                       apps app/x but app a/app a/b/app
a/**/b/**/c                  a/b a/c b/c but a/b/c a/x/b/y/z/c
{apps,libs}/{a,b?}           apps/c libs but apps/a libs/bc
./packages/a/                packages but packages/a
packages/* !packages/old     packages/old but packages/a
packages/* !**/o*            packages/old but packages/a
p/** !p/old/** p/old/keep    q but p/a p/old/keep
p/** !p/old p/*              p/old but p/a p/old/keep
!!a !b c !!!c                b c but a
../* a/../b /                b x .. ../b/c but ../b
../../a/**                   a ../a but ../../a ../../a/b
*                            a/b but a
.                            a but .
!packages/a                  packages/a packages/b but
[ab]x                        cx/y but ax
p/!(old) p/@(a|b)/x          p but p/a p/b/x
!(a)/b                       a but a/b b/b
p/{a,{b,c}} q/r{1..9}        p q but p/a p/c q/r2
p/* !p/@(a) !p/[b] !p/c      p/c but p/a p/b
`;

for (const line of cases.trim().split('\n')) {
  const [, patterns = '', directories = ''] = /^(.*?) {2,}(.*)$/.exec(line) ?? [];
  test(`members in ${patterns}`, () => {
    const { include } = memberPatterns(patterns.split(' '));
    const [out = '', within = ''] = directories.split(/ ?but ?/);
    for (const it of out.split(' ').filter(Boolean)) assert.equal(include(it), false, it);
    for (const it of within.split(' ').filter(Boolean)) assert.equal(include(it), true, it);
  });
}

test('where members are looked for, and how deep', () => {
  const at = (pattern: string) => memberPatterns([pattern]).places;
  assert.deepEqual(at('packages/*'), [{ directory: 'packages', depth: 1 }]);
  assert.deepEqual(at('./a/b/'), [{ directory: 'a/b', depth: 0 }]);
  assert.deepEqual(at('../b/*'), [{ directory: '../b', depth: 1 }]);
  const all = { directory: 'a', depth: Number.POSITIVE_INFINITY };
  // Right below it, a package may be called as folders that tools fill.
  assert.deepEqual(at('a/*/c/**'), [all, { directory: 'a', depth: 2 }]);
  assert.deepEqual(at('!a'), []);
});

test('no pattern takes long, and none multiplies without end', () => {
  const stars = `${'*a'.repeat(300)}b`;
  const deep = `${'**/a/'.repeat(150)}b`;
  const { include, places } = memberPatterns([stars, deep, '{a,b}'.repeat(200), `${'{a,b,c,d}/'.repeat(60)}`]);
  assert.equal(include('a'.repeat(1000)), false);
  assert.equal(include('a/'.repeat(2000)), false);
  assert.ok(places.length <= 500, String(places.length));
});

test('patterns that take each other back are compared in no time', () => {
  const out = Array.from({ length: 250 }, (_, at) => `!${'**/a/'.repeat(15)}${at}`);
  const back = Array.from({ length: 250 }, (_, at) => `${'a/'.repeat(31)}${at}`);
  const { include } = memberPatterns([...out, ...back, `${'a/'.repeat(32)}x`]);
  assert.equal(include(`${'a/'.repeat(31)}7`), true);
  assert.equal(include(`${'a/'.repeat(32)}x`), false);
});

test('a tree is gone through once, however many patterns lead there', () => {
  const all = Number.POSITIVE_INFINITY;
  const within = (...patterns: readonly string[]) =>
    memberPatterns(patterns).places.map(({ directory, depth }) => `${directory} ${depth === all ? 'all' : depth}`);
  assert.deepEqual(within('**/a', '**', '**/c/**', '*/**'), [' all', ' 2']);
  assert.deepEqual(within('a/*', 'a/*/*', 'a/b', 'ab/*'), ['a 2', 'ab 1']);
  assert.deepEqual(within('*/*/*', '../a', '../*', '../../b'), [' 3', '.. 1', '../../b 0']);
  assert.deepEqual(within('a', 'b/c', '*'), [' 1', 'b/c 0']);
  // Folders that tools fill are passed over, unless somebody says where to look.
  assert.deepEqual(within('build/*', '**', 'build/**', 'build'), [' all', 'build all', ' 2', 'build 2']);
});

test('each of some hundred packages may have a pattern of its own', () => {
  const { include } = memberPatterns(Array.from({ length: 400 }, (_, at) => `packages/${at}`));
  assert.ok(include('packages/399'));
});
