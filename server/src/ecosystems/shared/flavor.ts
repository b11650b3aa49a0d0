import type { System } from '../../model/system.ts';
import { remembered } from './comparators.ts';

/*
 * What a version is built for, beside its number: `jre` of `31.1-jre`, `canary` of `18.3.0-canary.1`. An update keeps it,
 * since nobody who writes `31.1-android` can use `33.8.0-jre`. The model is what Renovate calls compatibility.
 *
 *     31.1-jre → 33.8.0-jre         yes     31.1-android → 33.8.0-jre       no
 *     4.3.0.RELEASE → 5.0.0         yes     12.8.1.jre8 → 13.2.0.jre11      no
 *     2.0.0-M1 → 2.0.0              yes     2.0.0-canary.1 → 2.0.0-next.5   no
 */

/** Where the versions of a system say it. */
const places = {
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

/** Steps towards the release, and ways to say that it is one: they come and go within one family. */
const steps: ReadonlySet<string> = new Set([
  ...['a', 'alpha', 'b', 'beta', 'm', 'milestone', 'c', 'cr', 'rc', 'pre', 'pr', 'preview', 'prerelease', 'candidate'],
  ...['final', 'ga', 'release', 'sp', 'sr', 'sec', 'v', 'r', 'rev', 'p', 'patch', 'post', 'update', 'hotfix', 'build'],
  // Apache releases what is in its incubator like anything else.
  ...['incubating', 'incubator'],
]);

/** Streams of builds that are no step towards a certain release. Who pins one may move to a release, or along it. */
const channels: ReadonlySet<string> = new Set([
  ...['canary', 'next', 'nightly', 'dev', 'devel', 'experimental', 'insiders', 'edge', 'unstable', 'snapshot'],
  ...['draft', 'wip', 'ea', 'eap', 'ci'],
]);

/** In a pre-release any other word names a channel, but for these: no release without them is the same. */
const platforms: ReadonlySet<string> = new Set([
  ...['alpine', 'slim', 'android', 'ios', 'jre', 'jdk', 'mono', 'browser', 'esm', 'cjs', 'cpu', 'cuda', 'gpu'],
]);

/** Words with which the number behind the next separator belongs: `2.3-groovy-4.0`. Of others it counts builds: `redhat-00001`. */
const numbered: ReadonlySet<string> = new Set([
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
 * Whether a version is built for the same as another. A pre-release may become a release, and nothing becomes a build of
 * a channel that it was not.
 */
export function keepsFlavor(system: System, from: string, to: string): boolean {
  const read = readers[places[system]];
  const [before, after] = [read(from), read(to)];
  return before.build === after.build && (after.channel === '' || after.channel === before.channel);
}

/**
 * Whether what is written may move to a version. Where no flavor is written, that of the default version will do, too:
 * from `20.0` on there is `33.8.0-jre` alone.
 */
export function flavorFilter(system: System, from: string, preferred: string | undefined): (to: string) => boolean {
  const isFree = preferred !== undefined && flavorOf(system, from) === '';
  return (to) => keepsFlavor(system, from, to) || (isFree && keepsFlavor(system, preferred, to));
}

/** What a version is built for: `android`, `canary`; `''` where it is as any other. */
export function flavorOf(system: System, version: string): string {
  const { build, channel } = readers[places[system]](version);
  return [build, channel].filter((it) => it !== '').join('-');
}

/** The numbers that a version begins with: `31.1` of `31.1-jre`, by which its flavors are compared. */
export function numbersOf(version: string): string {
  return /^[\d.]*\d/.exec(version)?.[0] ?? version;
}

const readers: Readonly<Record<(typeof places)[System], (version: string) => Flavor>> = {
  words: remembered(readWords),
  channel: remembered(readChannel),
  local: remembered(readLocal),
  nowhere: () => none,
};

/** `jre8` of `12.8.1.jre8`; none of a version that begins with a name: `Hoxton.SR12`. */
function readWords(version: string): Flavor {
  const words: string[] = [];
  let channel = '';
  for (const [, word = '', attached = '', apart = ''] of behindNumbers(version).matchAll(
    /([a-z]+)(\d*)(?:[-_.]?(\d+(?:\.\d+)*))?/g,
  )) {
    if (steps.has(word)) continue;
    if (channels.has(word)) channel ||= word;
    else words.push(word + attached + (numbered.has(word) && apart !== '' ? `-${apart}` : ''));
  }
  return { build: words.join('-'), channel };
}

/** `.jre8` of `12.8.1.jre8`, in lower case. Longer texts are no versions. */
function behindNumbers(version: string): string {
  const numbers = /^[\d._]*\d/.exec(version)?.[0];
  return numbers === undefined || version.length > longest ? '' : version.slice(numbers.length).toLowerCase();
}

const longest = 200;

function readChannel(version: string): Flavor {
  const word = /^[^-+]*-([a-z]+)/i.exec(version.slice(0, longest))?.[1]?.toLowerCase();
  if (word === undefined || steps.has(word)) return none;
  return platforms.has(word) ? { build: word, channel: '' } : { build: '', channel: word };
}

function readLocal(version: string): Flavor {
  const label = /\+([a-z]+\d*)/i.exec(version.slice(0, longest))?.[1]?.toLowerCase();
  return label === undefined ? none : { build: label, channel: '' };
}
