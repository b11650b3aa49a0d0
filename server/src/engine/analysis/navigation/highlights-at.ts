import type { Span } from '../../model/span.ts';
import type { Navigated } from './navigated.ts';
import { subjectAt, textOf } from './subject.ts';
import { usesOf } from './users.ts';

/** A place of the document that is about the same definition as the one at an offset. */
export interface Highlight {
  readonly span: Span;
  /** The definition itself. */
  readonly isDefinition: boolean;
}

export async function highlightsAt(document: Navigated, offset: number): Promise<readonly Highlight[]> {
  const subject = await subjectAt(document, offset);
  if (subject === undefined) return [];
  const { definitions, scope } = subject;
  const part = { file: document.file, text: textOf(document) };
  const defined = definitions.filter((it) => !it.published && it.uri === document.file.uri);
  const spans = new Map(defined.map(({ definition: { span } }) => [span.start, span]));
  return [
    ...[...spans.values()].map((span) => ({ span, isDefinition: true })),
    ...usesOf(part, scope, definitions).map((span) => ({ span, isDefinition: false })),
  ];
}
