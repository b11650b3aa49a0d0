import { canonicalName } from '../model/keys.ts';
import type { Dependency, Source } from '../model/manifest.ts';
import type { Span } from '../model/span.ts';
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

/**
 * Makes a dependency of an entry that was not taken from a registry: it is listed as what it is, and not looked up.
 * @param at what says where it was taken from
 */
export function takenFrom(system: System, command: string) {
  return (name: string, nameSpan: Span, source: Source, at: Span): Dependency => ({
    key: { system, name: canonicalName(system, name) },
    name,
    nameSpan,
    requirement: { kind: 'source', source, span: at },
    scope: 'runtime',
    frozen: writtenBy(command),
  });
}
