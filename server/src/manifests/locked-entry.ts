import type { Dependency } from '../model/manifest.ts';
import type { System } from '../model/system.ts';
import { verbatim } from '../text/verbatim.ts';
import { writtenBy } from './written-by.ts';

/**
 * Makes dependencies of the entries of a lockfile that have the name and the version side by side:
 *
 *     lodash@4.17.21        golang.org/x/text v0.3.7
 *     ^      ^              ^                 ^
 *     start  behind one character, whichever
 *
 * @param command what writes the lockfile anew
 */
export function entriesOf(system: System, command: string) {
  return (text: string, start: number, name: string, version: string): Dependency => {
    const end = start + name.length;
    return {
      key: { system, name },
      name,
      nameSpan: { start, end },
      requirement: { kind: 'literal', at: verbatim(text, end + 1, end + 1 + version.length) },
      scope: 'runtime',
      frozen: writtenBy(command),
    };
  };
}
