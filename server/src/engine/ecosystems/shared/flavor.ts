import type { System } from '../../model/system.ts';
import { memoize } from './parsed-versions.ts';

/*
 * The flavor of a version is the platform or channel that it is built for: `jre` of `31.1-jre`, `canary` of
 * `18.3.0-canary.1`. An update keeps it: a project with `31.1-android` cannot use `33.8.0-jre`. Renovate calls it
 * compatibility.
 *
 *     31.1-jre → 33.8.0-jre         yes     31.1-android → 33.8.0-jre       no
 *     4.3.0.RELEASE → 5.0.0         yes     12.8.1.jre8 → 13.2.0.jre11      no
 *     2.0.0-M1 → 2.0.0              yes     2.0.0-canary.1 → 2.0.0-next.5   no
 */

/** The place of the flavor in the versions of a system. */
const flavorPlaces = {
  /** Any word behind the numbers: `31.1-jre`, `12.8.1.jre8`, `1.5.2-native-mt`. */
  MAVEN: 'words',
  /** The first word of a pre-release: `18.3.0-canary-a870b2d`, `9.0.0-preview.1`. */
  NPM: 'channel',
  NUGET: 'channel',
  CARGO: 'channel',
  /** A pre-release of Go is a step towards the release or a commit. */
  GO: 'nowhere',
  /** The local part: `2.1.0+cu118`. */
  PYPI: 'local',
} as const satisfies Record<System, string>;

/** Steps towards a release, and words for a release: they change within one flavor. */
const releaseSteps: ReadonlySet<string> = new Set([
  ...['a', 'alpha', 'b', 'beta', 'm', 'milestone', 'c', 'cr', 'rc', 'pre', 'pr', 'preview', 'prerelease', 'candidate'],
  ...['final', 'ga', 'release', 'sp', 'sr', 'sec', 'v', 'r', 'rev', 'p', 'patch', 'post', 'update', 'hotfix', 'build'],
  // Apache publishes the projects of its incubator as ordinary releases.
  ...['incubating', 'incubator'],
]);

/** Streams of builds that lead to no certain release. A pin to one may move to a release, or within the stream. */
const channels: ReadonlySet<string> = new Set([
  ...['canary', 'next', 'nightly', 'dev', 'devel', 'experimental', 'insiders', 'edge', 'unstable', 'snapshot'],
  ...['draft', 'wip', 'ea', 'eap', 'ci'],
]);

/** In a pre-release any other word names a channel. These name a platform, which a release without the word does not serve. */
const platforms: ReadonlySet<string> = new Set([
  ...['alpine', 'slim', 'android', 'ios', 'jre', 'jdk', 'mono', 'browser', 'esm', 'cjs', 'cpu', 'cuda', 'gpu'],
]);

/** Words that a number behind the next separator belongs to: `2.3-groovy-4.0`. Behind other words it counts builds: `redhat-00001`. */
const numberedWords: ReadonlySet<string> = new Set([
  'groovy',
  'spark',
  'scala',
  's',
  'hadoop',
  'hive',
  'flink',
  'jdk',
  'java',
]);

interface Flavor {
  /** `jre`, `jre8`, `native-mt`, `cu118`; `''` for none. */
  readonly build: string;
  /** `canary`; `''` for a release and a step towards it. */
  readonly channel: string;
}

const none: Flavor = { build: '', channel: '' };

/**
 * Whether an update from one version to another keeps the flavor. A pre-release may become a release; no version moves to
 * a channel that it was not in.
 */
export function keepsFlavor(system: System, from: string, to: string): boolean {
  const read = readers[flavorPlaces[system]];
  const [before, after] = [read(from), read(to)];
  return before.build === after.build && (after.channel === '' || after.channel === before.channel);
}

/**
 * Whether a version is an update for the declared one. A declared version without a flavor may also move to the flavor of
 * the default version: above `20.0` there is only `33.8.0-jre`.
 */
export function flavorFilter(system: System, from: string, preferred: string | undefined): (to: string) => boolean {
  const isFree = preferred !== undefined && flavorOf(system, from) === '';
  return (to) => keepsFlavor(system, from, to) || (isFree && keepsFlavor(system, preferred, to));
}

/** The flavor of a version: `android`, `canary`; `''` for none. */
export function flavorOf(system: System, version: string): string {
  const { build, channel } = readers[flavorPlaces[system]](version);
  return [build, channel].filter((it) => it !== '').join('-');
}

/**
 * Whether a version is a state of the sources, not published as a step towards a release: `2.0.dev3`,
 * `v0.0.0-20191109021931-daa7c04131f5`. Sources: PEP 440, “Developmental releases”; golang.org/x/mod/module.
 */
export function isStateOfSources(system: System, version: string): boolean {
  if (version.length > MAX_VERSION_LENGTH) return true;
  if (system === 'PYPI') return /\d[-_.]?dev/i.test(version);
  return system === 'GO' && /[-.]\d{14}-[\da-z]+/i.test(version);
}

/** The numbers that a version begins with: `31.1` of `31.1-jre`. Versions of different flavors are compared by them. */
export function leadingNumbers(version: string): string {
  return /^[\d.]*\d/.exec(version)?.[0] ?? version;
}

const readers: Readonly<Record<(typeof flavorPlaces)[System], (version: string) => Flavor>> = {
  words: memoize(readWords),
  channel: memoize(readChannel),
  local: memoize(readLocal),
  nowhere: () => none,
};

/** `jre8` of `12.8.1.jre8`. A version that begins with a name has none: `Hoxton.SR12`. */
function readWords(version: string): Flavor {
  const words: string[] = [];
  let channel = '';
  for (const [, word = '', attached = '', apart = ''] of behindNumbers(version).matchAll(
    /([a-z]+)(\d*)(?:[-_.]?(\d+(?:\.\d+)*))?/g,
  )) {
    if (releaseSteps.has(word)) continue;
    if (channels.has(word)) channel ||= word;
    else words.push(word + attached + (numberedWords.has(word) && apart !== '' ? `-${apart}` : ''));
  }
  return { build: words.join('-'), channel };
}

/** `.jre8` of `12.8.1.jre8`, in lower case. */
function behindNumbers(version: string): string {
  const numbers = /^[\d._]*\d/.exec(version)?.[0];
  return numbers === undefined || version.length > MAX_VERSION_LENGTH
    ? ''
    : version.slice(numbers.length).toLowerCase();
}

/** In characters. The longest published versions stay below 100. */
const MAX_VERSION_LENGTH = 200;

function readChannel(version: string): Flavor {
  const word = /^[^-+]*-([a-z]+)/i.exec(version.slice(0, MAX_VERSION_LENGTH))?.[1]?.toLowerCase();
  if (word === undefined || releaseSteps.has(word)) return none;
  return platforms.has(word) ? { build: word, channel: '' } : { build: '', channel: word };
}

function readLocal(version: string): Flavor {
  const label = /\+([a-z]+\d*)/i.exec(version.slice(0, MAX_VERSION_LENGTH))?.[1]?.toLowerCase();
  return label === undefined ? none : { build: label, channel: '' };
}
