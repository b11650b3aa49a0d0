import * as l10n from '@vscode/l10n';
import { addTo } from '../../base/collections.ts';
import { verbatim } from '../../formats/text/literal.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Dependency, Source } from '../../model/manifest.ts';
import type { Literal, Span } from '../../model/span.ts';
import type { System } from '../../model/system.ts';
import type { Versioning } from '../../model/versioning.ts';

/**
 * A version that is there and no other, as its system writes that in a requirement: `2.31.0` of PyPI reads as
 * `==2.31.0`. What npm, Go and Maven write for it is the version alone.
 */
export function stated(system: System, { span, text, encode }: Literal): Literal {
  const { before, behind } = marks[system];
  const bare = (value: string): string =>
    value.startsWith(before) && value.endsWith(behind)
      ? value.slice(before.length, value.length - behind.length)
      : value;
  return { span, text: `${before}${text}${behind}`, encode: (value) => encode(bare(value)) };
}

const marks = {
  GO: { before: '', behind: '' },
  NPM: { before: '', behind: '' },
  CARGO: { before: '=', behind: '' },
  MAVEN: { before: '', behind: '' },
  PYPI: { before: '==', behind: '' },
  NUGET: { before: '[', behind: ']' },
} as const satisfies Record<System, { readonly before: string; readonly behind: string }>;

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

/** A lockfile has thousands of entries with one reason, which is worded once in a language: by command. */
const worded = { message: '', texts: new Map<string, string>() };

/**
 * Why what stands in a lockfile is not changed in it.
 * @param command what writes it anew: `npm install`
 */
export function writtenBy(command: string): string {
  const message = l10n.t('a lockfile is written by its tool: {0}');
  if (message !== worded.message) {
    worded.message = message;
    worded.texts.clear();
  }
  const text = worded.texts.get(command) ?? message.replace('{0}', () => command);
  worded.texts.set(command, text);
  return text;
}

/** Versions of one package that count. A lockfile holds a few, for different environments; each is held against each dependency. */
const most = 100;

/** Notes a version that is locked. */
export function addVersion(versions: Map<string, string[]>, name: string, version: string): void {
  if ((versions.get(name)?.length ?? 0) < most) addTo(versions, name, version);
}

/**
 * Of the versions of one package that are locked the highest that is asked for; where none of them is, the highest.
 * @param range undefined where nothing certain is asked for
 */
export function chosen(
  versions: readonly string[],
  range: string | undefined,
  { keeps, compare }: Versioning,
): string | undefined {
  const asked = range === undefined ? [] : versions.filter((it) => keeps(it, range));
  return (asked.length > 0 ? asked : versions).toSorted(compare).at(-1);
}
