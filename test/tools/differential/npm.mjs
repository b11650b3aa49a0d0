/*
 * Holds ecosystems/npm/versions.ts against npm's own semver and npm-pick-manifest, over random versions and ranges:
 *
 *     node test/engine/ecosystems/versions/differential/npm.mjs [cases] [seed] [folder with both in its node_modules]
 *
 * Not part of the tests: without a folder it fetches both with `npm`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm } from '../../../server/src/engine/ecosystems/npm/versions.ts';
import { randomSemver, rewritten, tell } from './random.mjs';

const [cases = '50000', seed = '1', given] = process.argv.slice(2);
const { any, below, maybe, version, near, number, suffix } = randomSemver(Number(seed));

const wild = () => any('x', 'X', '*');
const partial = () =>
  any(
    number(),
    `${number()}.${number()}`,
    `${number()}.${wild()}`,
    `${number()}.${number()}.${wild()}`,
    wild(),
    `${wild()}.${wild()}`,
  ) + maybe(12, suffix);
const operator = () =>
  any('', '', '^', '~', '>=', '>', '<', '<=', '=', '~>') + maybe(6, () => ' ') + maybe(10, () => any('v', '='));
const simple = () => operator() + any(partial(), version(), version().replace(/[+-].*/, ''));
const side = () =>
  maybe(5, () => `${any(partial(), version())} - ${any(partial(), version())}`) ||
  Array.from({ length: any(1, 1, 1, 2, 3) }, simple).join(any(' ', '  '));
const range = () =>
  maybe(25, () => any('*', '', 'x', '||', 'latest', '>=*', '^', '1.2.3.4')) ||
  Array.from({ length: any(1, 1, 1, 2) }, side).join(any('||', ' || '));
const stable = () => `${any(0, 1, 1, 2)}.${below(4)}.${below(4)}${maybe(4, () => any('-rc.1', '-0', '-beta.2'))}`;

const asked = Array.from({ length: Number(cases) }, () => {
  const it = maybe(12, () => any('v', '=', ' v', '= v', '=v')) + version();
  const text = range();
  const list = [...new Set(Array.from({ length: 1 + below(7) }, stable))];
  return any(
    ['compare', it, any(version(), near(it))],
    ['canonical', it],
    ['satisfies', any(it, stable()), text],
    ['satisfies', any(stable(), near(text.replace(/^\D*/, ''))), text],
    ['pick', text.trim(), list, any(undefined, any(...list))],
    rewritten(npm, text, stable(), any('widen', 'replace')),
    rewritten(npm, text, stable(), any('widen', 'replace')),
  );
});

const folder = given ?? mkdtempSync(join(tmpdir(), 'npm-order-'));
try {
  if (given === undefined)
    execFileSync('npm', ['install', '--prefix', folder, '--silent', 'semver', 'npm-pick-manifest'], {
      stdio: 'ignore',
    });
  const require = createRequire(join(folder, 'here.js'));
  const semver = require('semver');
  const pickManifest = require('npm-pick-manifest');
  const loose = { loose: true };

  const theirs = ([kind, a, b, preferred]) => {
    switch (kind) {
      case 'compare': {
        const [left, right] = [semver.parse(a, loose), semver.parse(b, loose)];
        return left && right ? semver.compare(left, right) : 'no version';
      }
      case 'canonical':
        return `${semver.valid(a, loose)} ${semver.parse(a, loose)?.prerelease.length === 0}`;
      case 'satisfies':
      case 'rewritten':
        return semver.satisfies(a, b, loose);
      default:
        try {
          const versions = Object.fromEntries(b.map((it) => [it, { name: 'it', version: it }]));
          return pickManifest({ name: 'it', versions, 'dist-tags': { latest: preferred } }, a).version;
        } catch {
          return 'none';
        }
    }
  };
  const ours = ([kind, a, b, preferred]) => {
    const isVersion = (it) => npm.compare(it, 'x') > 0;
    switch (kind) {
      case 'compare':
        return isVersion(a) && isVersion(b) ? Math.sign(npm.compare(a, b)) : 'no version';
      case 'canonical':
        return `${isVersion(a) ? npm.canonical(a) : null} ${npm.isStable(a)}`;
      case 'rewritten':
        return true;
      case 'satisfies':
        return npm.satisfies(a, b);
      default:
        return npm.pick(a, b, preferred) ?? 'none';
    }
  };
  process.exitCode = tell(asked, asked.map(ours), asked.map(theirs), `seed ${seed}`);
} finally {
  if (given === undefined) rmSync(folder, { recursive: true });
}
