import type { System } from '../../model/system.ts';
import type { Step } from '../../model/versioning.ts';

/*
 * The size of a step between two versions, by the number that changes first:
 *
 *     4.17.15 → 4.17.21   patch          0.4.1 → 0.5.0   major for npm and Cargo, minor for the others
 *     4.17.15 → 4.18.1    minor          1!2.0 → 2!1.0   major: another epoch
 *     4.17.15 → 5.0.0     major          31.1-jre → 31.1-android   patch
 */

/**
 * Which number announces incompatible changes: always the first one, or the first one that is not zero.
 * Source: the caret ranges of npm and Cargo; the other systems give zeros no meaning.
 */
const breakingNumbers = {
  NPM: 'first other than zero',
  CARGO: 'first other than zero',
  GO: 'first',
  MAVEN: 'first',
  PYPI: 'first',
  NUGET: 'first',
} as const satisfies Record<System, string>;

/** In characters. The longest published versions stay below 100. */
const MAX_VERSION_LENGTH = 200;

/** @returns undefined for a version without numbers in front: `Hoxton.SR12` */
export function stepOf(system: System, from: string, to: string): Step | undefined {
  const [before, after] = [numbersOf(from), numbersOf(to)];
  if (before === undefined || after === undefined) return undefined;
  if (before.epoch !== after.epoch) return 'major';
  const length = Math.max(before.numbers.length, after.numbers.length);
  const numbers = Array.from({ length }, (_, at) => before.numbers[at] ?? 0);
  const changed = numbers.findIndex((it, at) => it !== (after.numbers[at] ?? 0));
  if (changed === -1) return 'patch';
  const nonZero = breakingNumbers[system] === 'first' ? 0 : numbers.findIndex((it) => it !== 0);
  if (changed <= nonZero || nonZero === -1) return 'major';
  return changed === 0 ? 'major' : changed === 1 ? 'minor' : 'patch';
}

/** Whether two versions are builds of the same release, or steps towards it: `1.2.0-beta.435` and `1.2-rc.1`. */
export function isSameRelease(one: string, other: string): boolean {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  if (a === undefined || b === undefined || a.epoch !== b.epoch) return false;
  const length = Math.max(a.numbers.length, b.numbers.length);
  return Array.from({ length }, (_, at) => at).every((at) => (a.numbers[at] ?? 0) === (b.numbers[at] ?? 0));
}

/** `{ epoch: 1, numbers: [2, 0] }` of `1!2.0rc1`, `{ epoch: 0, numbers: [1, 2, 3] }` of `v1.2.3` */
function numbersOf(version: string): { readonly epoch: number; readonly numbers: readonly number[] } | undefined {
  if (version.length > MAX_VERSION_LENGTH) return undefined;
  const [, epoch = '0', numbers] = /^[vV=]?(?:(\d+)!)?(\d+(?:\.\d+)*)/.exec(version) ?? [];
  return numbers === undefined ? undefined : { epoch: Number(epoch), numbers: numbers.split('.').map(Number) };
}
