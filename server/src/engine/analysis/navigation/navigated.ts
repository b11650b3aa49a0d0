import type { Published } from '../../model/evaluated-dependency.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';
import type { Files, Insights } from '../../model/ports.ts';
import type { Span } from '../../model/span.ts';
import type { FoundDefinition } from '../link/definitions.ts';
import type { LinkedFile } from '../link/linked-document.ts';
import type { LinkScope } from '../link/scope.ts';
import type { DocumentContext } from '../load/context.ts';
import type { ManifestReader } from '../load/file-reader.ts';
import type { ProjectChains } from './project-chains.ts';
import type { Use } from './uses.ts';

/** An open document with all that its references resolve in. */
export interface Navigated {
  readonly context: DocumentContext;
  /** The document itself. */
  readonly file: ParsedManifest;
  /** Waits for the members of the workspace. */
  readonly linked: () => Promise<Linked>;
  readonly reader: ManifestReader;
  readonly chains: ProjectChains;
  readonly files: Files;
  readonly insights: Pick<Insights, 'requirements'>;
  /** The folder whose files may belong to the same project. */
  readonly root: string;
  /** Where a published file can be shown: the place of a definition in it. */
  readonly locate?: (found: FoundDefinition) => Location | undefined;
}

export interface Linked extends Pick<LinkedFile, 'link'> {
  readonly scope: LinkScope;
}

/** A place in a file to go to. */
export interface Location {
  readonly uri: string;
  /** The name of what is there; empty at the start of a file. */
  readonly span: Span;
}

const START: Span = { start: 0, end: 0 };

export function startOf(uri: string): Location {
  return { uri, span: START };
}

/** The definitions that a reference means: the usual one, and those that may apply in its place. */
export function definitionsOf({ id, span, isConstraint }: Use, scope: LinkScope): readonly FoundDefinition[] {
  const { definitions } = scope;
  const first = (isConstraint ? scope.constraints.get(id) : undefined) ?? definitions.get(id);
  if (first === undefined) return [];
  const others = definitions
    .alternativesFor({ kind: 'reference', to: { id, label: id }, span })
    .flatMap((it) => it.get(id) ?? []);
  return others.length === 0 ? [first] : [...new Map([first, ...others].map((it) => [it.definition, it])).values()];
}

/** Where a definition is: that of a published file where the workspace includes it. */
export function locationOf(found: FoundDefinition, { locate }: Pick<Navigated, 'locate'>): readonly Location[] {
  const { uri, definition, published } = found;
  if (published === undefined) return [{ uri, span: definition.span }];
  const shown = locate?.(found);
  if (shown) return [shown];
  const named = includedAs(published).named;
  return named ? [{ uri: named.uri, span: named.dependency.nameSpan }] : [];
}

function includedAs(published: Published): Published {
  return published.includedBy ? includedAs(published.includedBy) : published;
}

/** Each place once, in their order. */
export function eachOnce(all: readonly Location[]): readonly Location[] {
  return [...new Map(all.map((it) => [`${it.uri} ${it.span.start} ${it.span.end}`, it])).values()];
}
