import * as l10n from '@vscode/l10n';
import { addTo } from '../../base/collections.ts';
import { verbatim } from '../../formats/text/literal.ts';
import { canonicalName } from '../../model/keys.ts';
import type { LockedPackage, Lockfile, LockfileFormat } from '../../model/lockfile.ts';
import type { Dependency, Manifest } from '../../model/manifest.ts';
import type { Literal, Problem } from '../../model/span.ts';
import type { System } from '../../model/system.ts';
import type { Versioning } from '../../model/versioning.ts';
import { gapInLockfile } from './cut-lockfile.ts';
import { isFolderAddress } from './registry-address.ts';

/**
 * An exact version in the syntax of its system's requirements: `2.31.0` of PyPI reads as `==2.31.0`. npm, Go and Maven
 * write the version alone.
 */
export function asExactRequirement(system: System, literal: Literal): Literal {
  const { before, behind } = marks[system];
  const { span, text, encode } = literal;
  if (before === '' || text.startsWith(before)) return literal;
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

/** A kind of lockfile, declared once for both its readers. */
interface Declaration extends Omit<LockfileFormat, 'opened'> {
  readonly system: System;
  /** As in `ManifestFormat`. */
  readonly files: RegExp;
  /** The command that writes an entry anew, where that is another than `update`. */
  readonly writer?: string;
}

/** Derives the format of the opened lockfile from the parser that serves the manifests beside it. */
export function lockfileFormat({ system, files, writer, ...format }: Declaration): LockfileFormat {
  const toDependency = dependencyOf(system, writer ?? format.update);
  const parse = (text: string): Manifest => {
    const lockfile = format.parse(text);
    const problems = problemsInLockfile(lockfile, text, format.id);
    return { dependencies: lockfile.packages.map(toDependency), definitions: [], references: [], problems };
  };
  return { ...format, opened: { id: format.id, system, record: 'lockfile', files, parse } };
}

/** What git leaves in a file that both sides of a merge changed. */
const mergeMark = /^(?:<{7}|={7}|>{7})(?=[ \r]|$)/m;

/** The first line that is neither blank nor a comment. */
const firstLine = /^\uFEFF?(?:[^\S\n]*(?:(?:#|\/\/).*)?\n)*[^\S\n]*(?<line>.*)/;

/** How such a line of a lockfile begins: `{`, `lockfileVersion: '9.0'`, `version = 1`, `[[package]]`, `a@1, a@^1.0.0:`. */
const usualLine = /^(?:$|#|\/[/*]|[{[]|---|[^\s<=>]+\s*[:=]|.*:\s*$)/;

/** Whether a text that is not empty is something else than a lockfile: a page, a pointer to a large file. */
export function isNoLockfile(lockfile: Pick<Lockfile, 'packages'>, text: string): boolean {
  return !usualLine.test(firstLine.exec(text)?.groups?.['line'] ?? '') && lockfile.packages.length === 0;
}

/** The problems of a lockfile, with those that its parser passes over. */
export function problemsInLockfile(
  lockfile: Pick<Lockfile, 'packages' | 'problems'>,
  text: string,
  id: string,
): readonly Problem[] {
  const before = knownProblems.get(lockfile);
  if (before) return before;
  const start =
    mergeMark.exec(text)?.index ?? (isNoLockfile(lockfile, text) ? 0 : undefined) ?? gapInLockfile(id, text);
  const own = lockfile.problems;
  const isOwn = start === undefined || own.some((it) => it.span.start <= start);
  const all = isOwn ? own : [{ span: { start, end: start }, message: 'no tool writes this' }, ...own];
  knownProblems.set(lockfile, all);
  return all;
}

/** Each manifest that a lockfile serves asks, at each keystroke. */
const knownProblems = new WeakMap<object, readonly Problem[]>();

/**
 * Makes dependencies of the entries of a lockfile. An entry that does not come from a registry is listed, and not
 * looked up; nor is one whose registry is a folder: `registry = "../wheels"` of uv.
 * @param command the command that writes the lockfile anew
 */
export function dependencyOf(system: System, command: string): (entry: LockedPackage) => Dependency {
  return ({ name, nameSpan, packageName = name, version, source, registry, scope = 'runtime', condition }) => {
    const from = source ?? (registry !== undefined && isFolderAddress(registry) ? 'path' : undefined);
    return {
      key: { system, name: canonicalName(system, packageName) },
      name,
      nameSpan,
      requirement: from
        ? { kind: 'source', source: from, span: version.span }
        : { kind: 'literal', at: asExactRequirement(system, version) },
      scope,
      ...(condition !== undefined && { condition }),
      ...(registry !== undefined && { registries: [registry] }),
      frozen: lockfileFrozenReason(command),
    };
  };
}

/**
 * An entry with the name and the version side by side:
 *
 *     lodash@4.17.21        golang.org/x/text v0.3.7
 *     ^      ^              ^                 ^
 *     start  behind one character of any kind
 */
export function adjacentEntry(text: string, start: number, name: string, version: string): LockedPackage {
  const end = start + name.length;
  return { name, nameSpan: { start, end }, version: verbatim(text, end + 1, end + 1 + version.length) };
}

/** The reason is worded once for each command and language: a lockfile has thousands of entries. */
const worded = { message: '', texts: new Map<string, string>() };

/**
 * Why no edit of a lockfile is offered.
 * @param command the command that writes it anew: `npm install`
 */
export function lockfileFrozenReason(command: string): string {
  const message = l10n.t('a tool writes this lockfile: change what requires the package, then run {0}');
  if (message !== worded.message) {
    worded.message = message;
    worded.texts.clear();
  }
  const text = worded.texts.get(command) ?? message.replace('{0}', () => command);
  worded.texts.set(command, text);
  return text;
}

/** Versions of one package that count. A lockfile holds a few, for different environments; each is compared with each dependency. */
export const MAX_VERSIONS = 100;

/** The versions of the packages from a registry, by canonical name. */
export function versionsByName(
  system: System,
  packages: Iterable<LockedPackage>,
): ReadonlyMap<string, readonly string[]> {
  const versions = new Map<string, string[]>();
  for (const { name, packageName = name, source, version } of packages) {
    const id = canonicalName(system, packageName);
    if (source === undefined && (versions.get(id)?.length ?? 0) < MAX_VERSIONS) addTo(versions, id, version.text);
  }
  return versions;
}

/** What an entry says of its registry. */
interface Named {
  readonly name: string;
  readonly packageName?: string;
  readonly source?: LockedPackage['source'] | undefined;
  readonly registry?: string | undefined;
}

/**
 * The addresses of registries that entries name, by canonical name. Of an artifact only the host counts; Cargo tells
 * registries apart by the whole address.
 */
export function registriesByName(system: System, packages: Iterable<Named>): ReadonlyMap<string, readonly string[]> {
  const registries = new Map<string, readonly string[]>();
  /** Packages of one registry have the same list. */
  const lists = new Map<string, readonly string[]>();
  for (const { name, packageName = name, source, registry } of packages) {
    if (registry === undefined || source !== undefined) continue;
    const id = canonicalName(system, packageName);
    const address = system === 'CARGO' ? registry : withoutPath(registry);
    const before = registries.get(id);
    if (before !== undefined && (before.length === MAX_VERSIONS || before.includes(address))) continue;
    const all = [...(before ?? []), address];
    const list = lists.get(all.join('\n')) ?? all;
    lists.set(all.join('\n'), list);
    registries.set(id, list);
  }
  return registries;
}

/** `https://npm.example/a/-/a-1.0.0.tgz` → `https://npm.example/` */
function withoutPath(address: string): string {
  const authority = /^https?:\/\/[^/?#]+(?=[/?#])/i.exec(address)?.[0];
  return authority === undefined ? address : `${authority}/`;
}

/**
 * Of the locked versions of one package the highest in the range; where none is in the range, the highest.
 * @param range undefined where the range is not certain
 */
export function pickLockedVersion(
  versions: readonly string[],
  range: string | undefined,
  { keeps, compare }: Versioning,
): string | undefined {
  const inRange = range === undefined ? [] : versions.filter((it) => keeps(it, range));
  return (inRange.length > 0 ? inRange : versions).toSorted(compare).at(-1);
}
