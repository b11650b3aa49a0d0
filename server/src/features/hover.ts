import * as l10n from '@vscode/l10n';
import type { Hover, HoverParams } from 'vscode-languageserver';
import type { Snapshot } from '../engine/snapshot.ts';
import { timeOf } from '../model/day.ts';
import { contains, type Span } from '../model/span.ts';
import { failureOf, isPending, type Subject } from '../model/subject.ts';
import type { Context, Feature } from './feature.ts';
import { describeSubject } from './hover-text.ts';
import { type Prose, paragraph, toMarkup } from './prose.ts';
import { describeRequirements } from './requirements-text.ts';

/** Everything that is known of the dependency under the cursor. */
export const hover: Feature<HoverParams, Hover | null> = {
  method: 'textDocument/hover',
  patience: 800,
  capability: () => ({ hoverProvider: true }),
  uri: (it) => it.textDocument.uri,
  nothing: () => null,
  waits(snapshot, { position }, context) {
    const found = meantAt(snapshot, position, context);
    return found !== undefined && isPending(found.subject);
  },
  answer(snapshot, { position }, context) {
    const found = meantAt(snapshot, position, context);
    if (!found) return null;
    const { subject, span } = found;
    const required = describeRequirements(subject, context.requirements);
    const prose = [...describeSubject(subject, context.now, required), ...whenNext(subject, context)];
    return {
      contents: toMarkup(prose, context.client.markdownHover),
      ...(span && { range: context.positions(snapshot.uri).range(span) }),
    };
  },
};

/**
 * Until when a dependency that could not be asked about has to wait, because the service wishes it; or why one that is
 * being asked about takes so long.
 */
function whenNext(subject: Subject, { heldUntil, trouble }: Context): Prose {
  if (trouble !== undefined && isPending(subject)) {
    const { reason, isEarly } = trouble;
    return [
      paragraph(
        isEarly ? l10n.t('No answer so far: {0}.', reason) : l10n.t('It could not be asked so far: {0}.', reason),
      ),
    ];
  }
  if (heldUntil === undefined || failureOf(subject) === undefined) return [];
  return [paragraph(l10n.t('Nothing is asked until {0}.', timeOf(heldUntil)))];
}

/**
 * The dependency that a place is on; else the only one of its line, where the place is not in the indentation. An editor
 * without a mouse has its cursor on the line, on a quote perhaps.
 * @returns without a span where the place is on none
 */
function meantAt(
  snapshot: Snapshot,
  { line, character }: HoverParams['position'],
  context: Context,
): { readonly subject: Subject; readonly span?: Span } | undefined {
  const positions = context.positions(snapshot.uri);
  const offset = positions.offset({ line, character });
  const exact = subjectAt(snapshot, offset);
  if (exact) return exact;
  const text = snapshot.texts.get(snapshot.uri) ?? '';
  const whole = {
    start: positions.offset({ line, character: 0 }),
    end: positions.offset({ line, character: text.length }),
  };
  if (text.slice(whole.start, offset + 1).trim() === '') return undefined;
  const [subject, another] = snapshot.subjects.filter(({ linked: { span, dependency } }) =>
    [span, dependency.nameSpan].some((it) => it.start < whole.end && it.end > whole.start),
  );
  return subject && !another ? { subject } : undefined;
}

/** The dependency whose name or requirement the offset is on. */
export function subjectAt(snapshot: Snapshot, offset: number): { subject: Subject; span: Span } | undefined {
  for (const subject of snapshot.subjects) {
    const { span, dependency } = subject.linked;
    const hit = [span, dependency.nameSpan].find((it) => contains(it, offset));
    if (hit) return { subject, span: hit };
  }
  return undefined;
}
