import { sameUri } from '../../base/uri.ts';
import { packageId, versionId } from '../../model/keys.ts';
import type { Definition } from '../../model/manifest.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';
import type { Span } from '../../model/span.ts';
import type { FoundDefinition } from '../link/definitions.ts';
import { inherit } from '../link/inheritance.ts';
import { linkScopeOf } from '../link/linker.ts';
import { createPoms } from '../link/published-poms.ts';
import type { LinkScope } from '../link/scope.ts';
import { eachOnce, type Location, type Navigated } from './navigated.ts';
import { type FoundFile, projectManifests } from './project-files.ts';
import { dependencyAt, resolve, type Subject } from './subject.ts';
import { nameOf, type Use, usesIn } from './uses.ts';

/** A file of the project whose references may be about some definitions. */
export interface LinkedProjectFile {
  /** The file, and those whose text counts as its own. */
  readonly parts: readonly { readonly file: ParsedManifest; readonly text: string }[];
  /** Every file that takes part. */
  readonly chain: readonly ParsedManifest[];
  readonly scope: LinkScope;
}

/** The places in all files of the project that refer to some definitions. */
export async function usersOf(
  document: Navigated,
  { definitions }: Pick<Subject, 'definitions'>,
): Promise<readonly Location[]> {
  const found: Location[] = [];
  for await (const it of filesNaming(document, definitions)) {
    if ('isUnreadable' in it) continue;
    for (const part of it.parts)
      for (const span of usesOf(part, it.scope, definitions)) found.push({ uri: part.file.uri, span });
  }
  return eachOnce(found);
}

/** The places in one file that refer to some definitions. */
export function usesOf(
  { file, text }: LinkedProjectFile['parts'][number],
  scope: LinkScope,
  definitions: readonly FoundDefinition[],
): readonly Span[] {
  const meant = new Set(definitions.map(identityOf));
  return resolve(usesNaming(usesIn(file, text), definitions), scope).flatMap(({ use, definitions: its }) => {
    const isMeant = its.some((one) => meant.has(identityOf(one)));
    // A constraint narrows itself, too.
    return isMeant && !its.some((one) => isAt(one, file.uri, use)) ? [use.span] : [];
  });
}

/** The lines of the project's manifests that require the same package as the one at an offset. */
export async function linesOfPackage(document: Navigated, offset: number): Promise<readonly Location[]> {
  const { key } = dependencyAt(document.file.manifest, offset)?.dependency ?? {};
  if (key === undefined || document.file.format.record !== undefined) return [];
  const found: Location[] = [];
  for (const it of await projectManifests(document, key.system))
    if ('manifest' in it)
      for (const { key: its, nameSpan } of it.manifest.dependencies)
        if (packageId(its) === packageId(key)) found.push({ uri: it.uri, span: nameSpan });
  return found;
}

/**
 * The files of the project that may name some definitions, linked; and those that cannot be read.
 * @param word what code that has it may mean, too
 */
export async function* filesNaming(
  document: Navigated,
  definitions: readonly FoundDefinition[],
  word?: string,
): AsyncGenerator<LinkedProjectFile | Extract<FoundFile, { readonly isUnreadable: true }>> {
  const { file: own, context, reader, chains, insights } = document;
  const { system } = own.format;
  const seen = new Set<string>();
  const poms = createPoms(insights, { reasonNotToLookUp: () => undefined }, (it) => it);

  async function link(
    file: ParsedManifest,
    text: string,
    texts: ReadonlyMap<string, string>,
  ): Promise<LinkedProjectFile | undefined> {
    seen.add(sameUri(file.uri));
    // Of what others include, the files around it decide.
    const includes = file.manifest.references.some((it) => it.kind === 'include' || it.kind === 'constraints');
    const names = naming(definitions);
    const isAbout =
      [...usesIn(file, text), ...file.manifest.definitions].some(names) ||
      (word !== undefined && file.format.code?.wordsIn(text, word).length);
    if (!includes && !isAbout) return undefined;
    const { chain, texts: read } = await chains.read(file, text, reader, texts);
    const scope = linkScopeOf(chain, (files, lookup) => inherit(files, lookup, poms.read));
    const [first = file] = chain.files;
    const parts = [first, ...chain.included].map((it) => ({ file: it, text: read.get(it.uri) ?? text }));
    return { parts, chain: chain.files, scope };
  }

  // A document that is not saved yet, or lies elsewhere.
  for (const it of [own, ...context.chain.files]) {
    if (seen.has(sameUri(it.uri)) || it.published) continue;
    const found = await link(it, context.texts.get(it.uri) ?? '', context.texts);
    if (found) yield found;
  }
  if (system === 'any') return;
  const all = await projectManifests(document, system);
  const texts = new Map(all.flatMap((it) => ('text' in it ? [[it.uri, it.text] as const] : [])));
  for (const it of all) {
    if (seen.has(sameUri(it.uri))) continue;
    const found = 'manifest' in it ? await link(it, it.text, texts) : it;
    if (found) yield found;
  }
}

function isAt({ uri, definition, published }: FoundDefinition, file: string, { span }: Use): boolean {
  return !published && uri === file && definition.span.start === span.start;
}

/** What tells one definition from others, in whichever chain it is found. */
export function identityOf({ uri, definition, published }: FoundDefinition): string {
  return published
    ? `${versionId(published.key)} ${definition.id}`
    : `${sameUri(uri)} ${definition.span.start} ${definition.span.end}`;
}

/** Those that may be about some definitions, each with what it may be the beginning of. */
function usesNaming(uses: readonly Use[], definitions: readonly FoundDefinition[]): readonly Use[] {
  const starts = new Set(uses.filter(naming(definitions)).map((it) => it.span.start));
  return uses.filter((it) => starts.has(it.span.start));
}

/** A catalog of another name and an alias have more in front of a name. */
function naming(definitions: readonly FoundDefinition[]): (it: Pick<Use, 'id'>) => boolean {
  const names = [...new Set(definitions.map((it) => lastNameOf(it.definition)))];
  return ({ id }) => id.includes('${') || names.some((it) => id.endsWith(it));
}

/** `core` of `managed:${project.groupId}:core`. */
function lastNameOf(definition: Definition): string {
  const name = nameOf(definition);
  return name.slice(name.lastIndexOf('}') + 1);
}
