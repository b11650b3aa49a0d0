import * as l10n from '@vscode/l10n';
import { nameOf as fileNameOf, pathOf, sameUri } from '../../base/uri.ts';
import { writtenName } from '../../ecosystems/gradle/flow/order.ts';
import type { Dependency, ManifestFormat, Renaming } from '../../model/manifest.ts';
import { contains, type Span } from '../../model/span.ts';
import type { System } from '../../model/system.ts';
import type { FoundDefinition } from '../link/definitions.ts';
import { MAX_PROJECT_FILES } from './limits.ts';
import type { Navigated } from './navigated.ts';
import { editsOf, type Named, pomName, type Refusal, type Renamable, type Renamed } from './rename-edits.ts';
import { dependencyAt, partAt, subjectAt, textOf } from './subject.ts';
import { filesNaming, type LinkedProjectFile } from './users.ts';

/*
 * A name is changed wherever it stands, in one edit, or nowhere:
 *
 *     <a.version>1.0</a.version>     ${a.version}     -x ${a.version}
 *      ^^^^^^^^^       ^^^^^^^^^       ^^^^^^^^^            ^^^^^^^^^
 *
 * Files of one build share a name: a module that gives the property of its parent another value has the new name, too.
 */

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
  for await (const it of filesNaming(document, found.definitions, found.name)) {
    if ('isUnreadable' in it)
      return { refusal: l10n.t('{0} cannot be read, and may use {1}.', fileNameOf(it.uri), found.name) };
    files.push(it);
    if (files.length >= MAX_PROJECT_FILES)
      return { refusal: l10n.t('More than {0} files may use {1}.', MAX_PROJECT_FILES, found.name) };
  }
  const renamed = editsOf(found, name, files);
  if ('refusal' in renamed) return renamed;
  const outside = renamed.edits.find((it) => !sameUri(it.uri).startsWith(sameUri(document.root)));
  return outside ? { refusal: l10n.t('{0} is outside of the folder that is open.', fileNameOf(outside.uri)) } : renamed;
}

async function nameAt(document: Navigated, offset: number): Promise<Named | Refusal | undefined> {
  const subject = (await partAt(document, offset)) ?? (await subjectAt(document, offset));
  const [first] = subject?.definitions ?? [];
  const at = dependencyAt(document.file.manifest, offset)?.dependency;
  if (subject === undefined || first === undefined) return at && keptBy(at);
  const { published } = first;
  if (published) return { refusal: l10n.t('{0} defines it, and is published.', pomName(published.key)) };
  const renaming = formatDefining(first, document)?.renaming;
  for (const definition of subject.definitions) {
    const { id, span } = definition.definition;
    const kind = id.slice(0, id.indexOf(':'));
    const text = await textDefining(definition, document);
    if (!renaming || renaming.kinds[kind] === undefined || text === undefined) continue;
    const name = text.slice(span.start, span.end);
    const kept = refusalToGive(renaming, kind, definition, name);
    if (kept !== undefined) return { refusal: kept };
    const places = definition.uri === document.file.uri ? renaming.namesOf(text, definition.definition) : [];
    const at = [...places, subject.origin].find((it) => contains(it, offset)) ?? subject.origin;
    // The value of a definition is about it, and no name.
    if (definition.definition.value.kind === 'literal' && at === subject.origin && isValue(subject.origin, definition))
      return undefined;
    const definitions = subject.definitions.filter((it) => it.definition.span.start === span.start);
    return { span: at, name, kind, renaming, definitions };
  }
  return keptBy(at);

  function isValue(origin: Span, { uri, definition: { value } }: FoundDefinition): boolean {
    return uri === document.file.uri && value.kind === 'literal' && value.at.span.start === origin.start;
  }
}

/** Systems in which code imports a package by the name that a manifest gives it: an alias, too. */
const isImported: ReadonlySet<System> = new Set(['NPM', 'CARGO']);

function keptBy(dependency: Dependency | undefined): Refusal {
  const { key, name = '' } = dependency ?? {};
  return key && isImported.has(key.system) && key.name !== name
    ? { refusal: l10n.t('Code imports it by this name, which cannot be changed here.') }
    : { refusal: l10n.t('It has the name of its package, which cannot be changed here.') };
}

/** Why what has a name keeps it. */
function refusalToGive(
  { files, keep, kinds }: Renaming,
  kind: string,
  { uri, definition: { id } }: FoundDefinition,
  name: string,
): string | undefined {
  if (files?.test(pathOf(uri)) === false)
    return l10n.t('Code that is not read may use a variable or property of Gradle by its name.');
  const kept = keep?.(name);
  if (kept !== undefined) return l10n.t('{0} keeps its name: {1}.', name, kept);
  const [, own = ''] = (kinds[kind]?.(name) ?? '').split(/:(.*)/s);
  return writtenName(id).endsWith(own)
    ? undefined
    : l10n.t('{0} is written with escapes, which are not changed.', name);
}

function formatDefining({ uri }: FoundDefinition, { context, reader }: Navigated): ManifestFormat | undefined {
  return context.chain.files.find((it) => it.uri === uri)?.format ?? reader.formatOf(uri);
}

async function textDefining({ uri }: FoundDefinition, document: Navigated): Promise<string | undefined> {
  return uri === document.file.uri ? textOf(document) : (document.context.texts.get(uri) ?? document.files.read(uri));
}
