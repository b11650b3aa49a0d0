import * as l10n from '@vscode/l10n';
import { nameOf as fileNameOf, sameUri } from '../../base/uri.ts';
import type { Edit } from '../../model/finding.ts';
import type { VersionKey } from '../../model/keys.ts';
import type { ManifestFormat, Renaming } from '../../model/manifest.ts';
import { contains, type Span } from '../../model/span.ts';
import type { FoundDefinition } from '../link/definitions.ts';
import type { LinkScope } from '../link/linker.ts';
import type { Navigated } from './navigated.ts';
import { MAX_PROJECT_FILES } from './project-files.ts';
import { dependencyAt, partAt, subjectAt, textOf } from './subject.ts';
import { filesNaming, identityOf, type LinkedProjectFile, usesOf } from './users.ts';
import { usesOfDependency, usesOfValue } from './uses.ts';

/*
 * A name is changed wherever it stands, in one edit, or nowhere:
 *
 *     <a.version>1.0</a.version>     ${a.version}     -x ${a.version}
 *      ^^^^^^^^^       ^^^^^^^^^       ^^^^^^^^^            ^^^^^^^^^
 *
 * Files of one build share a name: a module that gives the property of its parent another value has the new name, too.
 */

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

interface Named extends Renamable {
  readonly kind: string;
  readonly renaming: Renaming;
  readonly definitions: readonly FoundDefinition[];
}

/** What can be renamed at an offset; undefined where no name of ours is. */
export async function renamableAt(document: Navigated, offset: number): Promise<Renamable | Refusal | undefined> {
  const found = await nameAt(document, offset);
  return found && ('refusal' in found ? found : { span: found.span, name: found.name });
}

/** The edits that give the thing at an offset another name, in all files of the project. */
export async function renameAt(
  document: Navigated,
  offset: number,
  name: string,
): Promise<Renamed | Refusal | undefined> {
  const found = await nameAt(document, offset);
  if (found === undefined || 'refusal' in found) return found;
  if (name === found.name) return { edits: [] };
  const refused = found.renaming.refuse(name, found.kind);
  if (refused !== undefined) return { refusal: l10n.t('{0} is no valid name: {1}.', name, refused) };
  document.chains.forgetFound();
  const files: LinkedProjectFile[] = [];
  for await (const it of filesNaming(document, found.definitions)) {
    if ('isUnreadable' in it)
      return { refusal: l10n.t('{0} cannot be read, and may use {1}.', fileNameOf(it.uri), found.name) };
    files.push(it);
    if (files.length >= MAX_PROJECT_FILES)
      return { refusal: l10n.t('More than {0} files may use {1}.', MAX_PROJECT_FILES, found.name) };
  }
  return editsOf(found, name, files);
}

async function nameAt(document: Navigated, offset: number): Promise<Named | Refusal | undefined> {
  const subject = (await partAt(document, offset)) ?? (await subjectAt(document, offset));
  const [first] = subject?.definitions ?? [];
  if (subject === undefined || first === undefined) return dependencyAt(document.file.manifest, offset) && ofPackage();
  const { published } = first;
  if (published) return { refusal: l10n.t('{0} defines it, and is published.', pomName(published.key)) };
  const renaming = formatDefining(first, document)?.renaming;
  for (const definition of subject.definitions) {
    const { id, span } = definition.definition;
    const kind = id.slice(0, id.indexOf(':'));
    const text = textDefining(definition, document);
    if (!renaming || renaming.kinds[kind] === undefined || text === undefined) continue;
    const places = definition.uri === document.file.uri ? renaming.namesOf(text, definition.definition) : [];
    const at = [...places, subject.origin].find((it) => contains(it, offset)) ?? subject.origin;
    // The value of a definition is about it, and no name.
    if (definition.definition.value.kind === 'literal' && at === subject.origin && isValue(subject.origin, definition))
      return undefined;
    const definitions = subject.definitions.filter((it) => it.definition.span.start === span.start);
    return { span: at, name: text.slice(span.start, span.end), kind, renaming, definitions };
  }
  const isScript = subject.definitions.some(({ definition: { id } }) => id.startsWith('property:'));
  if (isScript)
    return { refusal: l10n.t('Code that is not read may use a variable or property of Gradle by its name.') };
  return ofPackage();

  function isValue(origin: Span, { uri, definition: { value } }: FoundDefinition): boolean {
    return uri === document.file.uri && value.kind === 'literal' && value.at.span.start === origin.start;
  }
}

function ofPackage(): Refusal {
  return { refusal: l10n.t('It has the name of its package, which cannot be changed here.') };
}

function editsOf(named: Named, name: string, files: readonly LinkedProjectFile[]): Renamed | Refusal {
  const { name: before, kind, renaming, definitions } = named;
  const [asked] = definitions;
  if (asked === undefined) return { edits: [] };
  const build = sharing(asked, kind, files);
  const old = renaming.kinds[kind]?.(before) ?? '';
  const length = old.length - kind.length - ':'.length;
  const next = (renaming.kinds[kind]?.(name) ?? '').slice(kind.length + ':'.length);
  const refused = build.map((it) => refusalIn(it)).find((it) => it !== undefined);
  if (refused !== undefined) return { refusal: refused };
  const all = [...new Map(build.flatMap((it) => it.definitions).map((it) => [identityOf(it), it])).values()];
  const users = build.flatMap(({ file: { parts, scope }, ids }) => parts.flatMap((it) => usersIn(it, scope, ids)));
  if (renaming.isOnlyOfDependencies && !users.some((it) => it.isOfDependency))
    return { refusal: l10n.t('No dependency uses {0}: a tool may read it by its name.', before) };
  const texts = new Map(files.flatMap((it) => it.parts.map(({ file, text }) => [sameUri(file.uri), text] as const)));
  const edits = users.map((it) => it.edit);
  for (const { uri, definition } of all) {
    const text = texts.get(sameUri(uri));
    if (text === undefined) return { refusal: l10n.t('{0} cannot be read, and may use {1}.', fileNameOf(uri), before) };
    for (const span of renaming.namesOf(text, definition)) edits.push({ uri, span, newText: name });
  }
  const distinct = new Map(edits.map((it) => [`${sameUri(it.uri)} ${it.span.start}`, it]));
  // A parent that uses the property would no longer get the project's value for it.
  const isDoubtful = kind === 'property' && build.some(({ file }) => file.scope.definitions.gapFor(`${kind}:${name}`));
  const doubt = l10n.t('A published parent is not known, which may use {0}.', before);
  return { edits: [...distinct.values()], ...(isDoubtful && { doubt }) };

  function refusalIn({ file: { scope }, ids }: SharingFile): string | undefined {
    const defined = [...ids].flatMap((id) => scope.definitions.allOf(id.slice(0, id.length - length) + next));
    const [taken] = defined;
    if (taken) return l10n.t('{0} is defined already, in {1}.', name, fileOf(taken));
    const published = [...ids].flatMap((id) => scope.definitions.allOf(id)).find((it) => it.published)?.published;
    if (published)
      return l10n.t('{0}, which is published, uses {1} and would not get its value.', pomName(published.key), before);
    const { before: first = [], behind = [] } = scope.options ?? {};
    const isSet = [...first, ...behind].some(({ manifest }) => manifest.definitions.some((it) => ids.has(it.id)));
    return isSet ? l10n.t('Options that the build is started with set {0}.', before) : undefined;
  }

  function usersIn({ file, text }: LinkedProjectFile['parts'][number], scope: LinkScope, ids: ReadonlySet<string>) {
    const { dependencies, definitions: own } = file.manifest;
    const uses = [...dependencies.flatMap(usesOfDependency), ...own.flatMap(({ value }) => usesOfValue(value))];
    return usesOf({ file, text }, scope, all).map((span) => ({
      edit: { uri: file.uri, span, newText: file.format.spellUse?.(name, text, span) ?? name },
      isOfDependency: uses.some((it) => ids.has(it.id) && it.span.start <= span.start && it.span.end >= span.end),
    }));
  }
}

/** A file whose build shares a name with a definition. */
interface SharingFile {
  readonly file: LinkedProjectFile;
  /** The ids of the name there: a catalog of another name has it in front. */
  readonly ids: ReadonlySet<string>;
  /** Every definition of it in files of the project. */
  readonly definitions: readonly FoundDefinition[];
}

function sharing(asked: FoundDefinition, kind: string, files: readonly LinkedProjectFile[]): readonly SharingFile[] {
  const meant = new Set([identityOf(asked)]);
  const found = new Map<LinkedProjectFile, SharingFile>();
  // A module that is found late may lead to the parent that it overrides.
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const file of files) {
      const its = found.has(file) ? undefined : sharingFile(file);
      if (its === undefined) continue;
      found.set(file, its);
      for (const it of its.definitions) meant.add(identityOf(it));
    }
  }
  return [...found.values()];

  function sharingFile(file: LinkedProjectFile): SharingFile | undefined {
    const own = file.chain.flatMap(({ uri, manifest }) =>
      manifest.definitions.filter((it) => it.id.startsWith(`${kind}:`)).map((definition) => ({ uri, definition })),
    );
    const ids = new Set(own.filter((it) => meant.has(identityOf(it))).map((it) => it.definition.id));
    return ids.size > 0 ? { file, ids, definitions: own.filter((it) => ids.has(it.definition.id)) } : undefined;
  }
}

function fileOf({ uri, published }: FoundDefinition): string {
  return published ? pomName(published.key) : fileNameOf(uri);
}

function pomName({ name, version }: VersionKey): string {
  return `${name} ${version}`;
}

function formatDefining({ uri }: FoundDefinition, { context, reader }: Navigated): ManifestFormat | undefined {
  return context.chain.files.find((it) => it.uri === uri)?.format ?? reader.formatOf(uri);
}

function textDefining({ uri }: FoundDefinition, document: Navigated): string | undefined {
  return uri === document.file.uri ? textOf(document) : document.context.texts.get(uri);
}
