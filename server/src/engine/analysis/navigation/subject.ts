import { groupBy } from '../../base/collections.ts';
import type { Dependency, Manifest } from '../../model/manifest.ts';
import { contains, type Span } from '../../model/span.ts';
import type { FoundDefinition } from '../link/definitions.ts';
import { linkScopeOf, spanOf } from '../link/linker.ts';
import type { LinkScope } from '../link/scope.ts';
import { startReading } from '../load/file-chain.ts';
import { definitionsOf, type Navigated } from './navigated.ts';
import { type Use, usesIn, usesOfDependency } from './uses.ts';

/** What a place in a document is about: the definitions that are made or named there. */
export interface Subject {
  readonly origin: Span;
  readonly definitions: readonly FoundDefinition[];
  /** What the references of the document resolve to. */
  readonly scope: LinkScope;
}

/** A place with the definitions that it means. */
export interface ResolvedUse {
  readonly use: Use;
  readonly definitions: readonly FoundDefinition[];
}

/** The subject at an offset: that of a reference, of a definition or its value, or of a dependency with an override. */
export async function subjectAt(document: Navigated, offset: number): Promise<Subject | undefined> {
  const { file } = document;
  const { scope, link } = await document.linked();
  const { uri, manifest } = file;
  const uses = usesIn(file, textOf(document)).filter(({ span, isPart }) => !isPart && contains(span, offset));
  const known = resolve(uses, scope);
  const isOpen = known.length === 0 && uses.length > 0;
  const wider = isOpen ? await scopeOfUses(document, scope) : scope;
  const [best, ...others] = (isOpen ? resolve(uses, wider) : known).sort((a, b) => lengthOf(a.use) - lengthOf(b.use));
  if (best) {
    const same = others.filter((it) => lengthOf(it.use) === lengthOf(best.use));
    return { origin: best.use.span, definitions: [best, ...same].flatMap((it) => it.definitions), scope: wider };
  }
  const at = dependencyAt(manifest, offset);
  // What the project as a whole says.
  const around = at ? link(at.dependency).flatMap((it) => usesOfDependency(it.linked.dependency)) : [];
  const ruling = around.flatMap((it) => definitionsOf(it, scope));
  if (at && ruling.length > 0) return { origin: at.span, definitions: ruling, scope };
  const own = manifest.definitions.filter((it) => definitionSpans(it).some((span) => contains(span, offset)));
  const [first] = own;
  if (first === undefined) return undefined;
  const origin = definitionSpans(first).find((span) => contains(span, offset)) ?? first.span;
  return { origin, definitions: own.map((definition) => ({ uri, definition })), scope };
}

/** What only a part of a reference at an offset names. */
export async function partAt(document: Navigated, offset: number): Promise<Subject | undefined> {
  const uses = usesIn(document.file, textOf(document)).filter(({ span, isPart }) => isPart && contains(span, offset));
  if (uses.length === 0) return undefined;
  const { scope } = await document.linked();
  const [part] = resolve(uses, scope);
  return part && { origin: part.use.span, definitions: part.definitions, scope };
}

/** Of several beginnings of an accessor the longest counts that something defines: `libs.spring.core.get()`. */
export function resolve(uses: readonly Use[], scope: LinkScope): ResolvedUse[] {
  const resolved = uses.flatMap((use) => {
    const definitions = definitionsOf(use, scope);
    return definitions.length > 0 ? [{ use, definitions }] : [];
  });
  return [...groupBy(resolved, (it) => it.use.span.start).values()].flatMap((same) => {
    const longest = Math.max(...same.map((it) => lengthOf(it.use)));
    return same.filter((it) => lengthOf(it.use) === longest);
  });
}

/** With the files that only what is no dependency needs. */
async function scopeOfUses({ file, context, reader }: Navigated, scope: LinkScope): Promise<LinkScope> {
  const { usedFiles } = file.format;
  if (usedFiles === undefined) return scope;
  const { text } = context.document;
  return linkScopeOf(await startReading(reader).chain(file.uri, file.format, text, usedFiles));
}

export function dependencyAt(
  { dependencies }: Manifest,
  offset: number,
): { readonly dependency: Dependency; readonly span: Span } | undefined {
  for (const dependency of dependencies) {
    const span = [dependency.nameSpan, spanOf(dependency)].find((it) => contains(it, offset));
    if (span) return { dependency, span };
  }
  return undefined;
}

export function textOf({ context, file }: Pick<Navigated, 'context' | 'file'>): string {
  return context.texts.get(file.uri) ?? '';
}

function definitionSpans({ span, value }: Manifest['definitions'][number]): readonly Span[] {
  return value.kind === 'literal' ? [span, value.at.span] : [span];
}

function lengthOf({ span }: Use): number {
  return span.end - span.start;
}
