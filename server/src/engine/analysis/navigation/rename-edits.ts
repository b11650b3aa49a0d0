import * as l10n from '@vscode/l10n';
import { nameOf as fileNameOf, sameUri } from '../../base/uri.ts';
import type { Edit } from '../../model/finding.ts';
import type { VersionKey } from '../../model/keys.ts';
import type { Renaming } from '../../model/manifest.ts';
import { contains, type Span } from '../../model/span.ts';
import type { FoundDefinition } from '../link/definitions.ts';
import type { LinkScope } from '../link/scope.ts';
import { type SharingFile, sharing } from './sharing.ts';
import { resolve } from './subject.ts';
import { identityOf, type LinkedProjectFile, usesOf } from './users.ts';
import { usesIn, usesOfDependency, usesOfValue } from './uses.ts';

/** Why a name stays, as a sentence. */
export interface Refusal {
  readonly refusal: string;
}

/** The change of a name, in all files. */
export interface Renamed {
  readonly edits: readonly Edit[];
  /** Why a person has to confirm it, as a sentence: something that is not known may use the name. */
  readonly doubt?: string;
}

/** A name that a person can change, as it is defined. */
export interface Renamable {
  readonly span: Span;
  readonly name: string;
}

/** A name with what has it. */
export interface Named extends Renamable {
  readonly kind: string;
  readonly renaming: Renaming;
  readonly definitions: readonly FoundDefinition[];
}

type Part = LinkedProjectFile['parts'][number];

/** The new name in all files of a build, or why it cannot be given. */
export function editsOf(named: Named, name: string, files: readonly LinkedProjectFile[]): Renamed | Refusal {
  const { name: before, kind, renaming } = named;
  const [asked] = named.definitions;
  if (asked === undefined) return { edits: [] };
  const build = sharing(asked, kind, files);
  const refused = build.map((it) => refusalIn(it, named, name)).find((it) => it !== undefined);
  if (refused !== undefined) return { refusal: refused };
  const all = [...new Map(build.flatMap((it) => it.definitions).map((it) => [identityOf(it), it])).values()];
  const parts = build.flatMap(({ file: { parts: its, scope } }) => its.map((part) => ({ ...part, scope })));
  const users = parts.flatMap((it) => usersIn(it, all, named).map((use) => ({ ...use, part: it })));
  if (renaming.isOnlyOfDependencies && !users.some((it) => it.isOfDependency))
    return { refusal: l10n.t('No dependency uses {0}: a tool may read it by its name.', before) };
  const edits = users.map(({ part: { file, text }, span }): Edit => {
    const newText = file.format.spellUse?.(name, { text, span, kind }) ?? name;
    return { uri: file.uri, span, newText };
  });
  const texts = new Map(files.flatMap((it) => it.parts.map(({ file, text }) => [sameUri(file.uri), text] as const)));
  for (const { uri, definition } of all) {
    const text = texts.get(sameUri(uri));
    if (text === undefined) return { refusal: l10n.t('{0} cannot be read, and may use {1}.', fileNameOf(uri), before) };
    for (const span of renaming.namesOf(text, definition)) edits.push({ uri, span, newText: name });
  }
  const distinct = new Map(edits.map((it) => [placeId(it.uri, it.span), it]));
  const left = kind === 'property' ? parts.flatMap((it) => leftIn(it, before, distinct)) : [];
  const [open] = left;
  if (open !== undefined) return { refusal: open };
  // A parent that uses the property would no longer get the project's value for it.
  const isDoubtful = kind === 'property' && build.some(({ file }) => file.scope.definitions.gapFor(`${kind}:${name}`));
  const doubt = l10n.t('A published parent is not known, which may use {0}.', before);
  return { edits: [...distinct.values()], ...(isDoubtful && { doubt }) };
}

function placeId(uri: string, { start }: Span): string {
  return `${sameUri(uri)} ${start}`;
}

/** Why the files of a build do not allow another name. */
function refusalIn(
  { file: { scope, parts }, ids, unclear }: SharingFile,
  { name: before, kind, renaming }: Named,
  name: string,
): string | undefined {
  if (unclear !== undefined)
    return l10n.t(
      '{0} defines {1} in several places, and only its code tells which one counts.',
      fileNameOf(unclear),
      before,
    );
  const length = tailOf(renaming, kind, before).length;
  const next = tailOf(renaming, kind, name);
  const [taken] = [...ids].flatMap((id) => scope.definitions.allOf(id.slice(0, id.length - length) + next));
  if (taken) return l10n.t('{0} is defined already, in {1}.', name, fileOf(taken));
  const user = kind === 'property' && parts.find((it) => it.file.format.code?.wordsIn(it.text, name).length);
  if (user) return l10n.t('{0} uses the name {1} already.', fileNameOf(user.file.uri), name);
  const published = [...ids].flatMap((id) => scope.definitions.allOf(id)).find((it) => it.published)?.published;
  if (published)
    return l10n.t('{0}, which is published, uses {1} and would not get its value.', pomName(published.key), before);
  const { before: first = [], behind = [] } = scope.options ?? {};
  const isSet = [...first, ...behind].some(({ manifest }) => manifest.definitions.some((it) => ids.has(it.id)));
  return isSet ? l10n.t('Options that the build is started with set {0}.', before) : undefined;
}

/** The end of an id that is the name: `a-b` for `library:a-b`, and for `library:tools-a-b`. */
function tailOf({ kinds }: Renaming, kind: string, name: string): string {
  return (kinds[kind]?.(name) ?? '').slice(kind.length + ':'.length);
}

interface LinkedPart extends Part {
  readonly scope: LinkScope;
}

interface User {
  readonly span: Span;
  readonly isOfDependency: boolean;
}

function usersIn(
  { file, text, scope }: LinkedPart,
  all: readonly FoundDefinition[],
  { name, renaming }: Named,
): readonly User[] {
  const meant = new Set(all.map(identityOf));
  const { dependencies, definitions } = file.manifest;
  // The same thing may have ids of several kinds: a property, a library.
  const required = renaming.isOnlyOfDependencies
    ? [...dependencies.flatMap(usesOfDependency), ...definitions.flatMap(({ value }) => usesOfValue(value))]
    : [];
  const ofDependencies = resolve(required, scope).filter((it) =>
    it.definitions.some((one) => meant.has(identityOf(one))),
  );
  const { code } = file.format;
  let words: readonly Span[] | undefined;
  return usesOf({ file, text }, scope, all).flatMap((written) => {
    let span: Span | undefined = written;
    if (code && compared(text.slice(written.start, written.end)) !== compared(name)) {
      // A composed value has more than the name, and a variable with the same contents another one.
      words ??= code.wordsIn(text, name);
      span = words.find((it) => contains(written, it.start) && it.end <= written.end);
    }
    const isOfDependency = ofDependencies.some(
      ({ use }) => use.span.start <= written.start && use.span.end >= written.end,
    );
    return span ? [{ span, isOfDependency }] : [];
  });
}

/** `spring-core` as scripts may spell it. */
function compared(name: string): string {
  return name.replace(/[._-]/g, '-');
}

/** The places of a name in code that nothing tells the meaning of, as sentences. */
function leftIn({ file, text, scope }: LinkedPart, name: string, edits: ReadonlyMap<string, Edit>): readonly string[] {
  const own = [...edits.values()].filter((it) => sameUri(it.uri) === sameUri(file.uri));
  if (text.split(name).length - 1 === own.length) return [];
  const words = file.format.code?.wordsIn(text, name) ?? [];
  const open = words.filter((it) => !edits.has(placeId(file.uri, it)));
  if (open.length === 0) return [];
  // What has the same name and is something else; a variable is that only behind its definition.
  const resolved = resolve(usesIn(file, text), scope).filter(({ use, definitions }) =>
    definitions.some(
      ({ uri, definition: { span } }) =>
        uri !== file.uri || span.start < use.span.start || file.format.code?.local(text, span) === undefined,
    ),
  );
  const others = [...resolved.map((it) => it.use.span), ...file.manifest.definitions.map((it) => it.span)];
  return open
    .filter((it) => !others.some(({ start, end }) => start <= it.start && it.end <= end))
    .map(({ start }) => {
      const line = text.slice(0, start).split('\n').length;
      return l10n.t('{0}, line {1}: what {2} means there is not known.', fileNameOf(file.uri), line, name);
    });
}

function fileOf({ uri, published }: FoundDefinition): string {
  return published ? pomName(published.key) : fileNameOf(uri);
}

export function pomName({ name, version }: VersionKey): string {
  return `${name} ${version}`;
}
