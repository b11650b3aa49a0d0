import type { Hover, HoverParams } from 'vscode-languageserver';
import type { Snapshot } from '../engine/workspace.ts';
import { contains, type Span } from '../model/span.ts';
import { isPending, type Subject } from '../model/subject.ts';
import type { Feature } from './feature.ts';
import { describeSubject } from './hover-text.ts';
import { toMarkup } from './prose.ts';
import { describeRequirements } from './requirements-text.ts';

/** Everything that is known of the dependency under the cursor. */
export const hover: Feature<HoverParams, Hover | null> = {
  method: 'textDocument/hover',
  patience: 800,
  capability: () => ({ hoverProvider: true }),
  uri: (it) => it.textDocument.uri,
  nothing: () => null,
  waits(snapshot, { position }, context) {
    const found = subjectAt(snapshot, context.positions(snapshot.uri).offset(position));
    return found !== undefined && isPending(found.subject);
  },
  answer(snapshot, { position }, context) {
    const positions = context.positions(snapshot.uri);
    const found = subjectAt(snapshot, positions.offset(position));
    if (!found) return null;
    const { subject, span } = found;
    const required = describeRequirements(subject, context.requirements);
    return {
      contents: toMarkup(describeSubject(subject, context.now, required), context.client.markdownHover),
      range: positions.range(span),
    };
  },
};

/** The dependency whose name or requirement the offset is on. */
export function subjectAt(snapshot: Snapshot, offset: number): { subject: Subject; span: Span } | undefined {
  for (const subject of snapshot.subjects) {
    const { span, dependency } = subject.linked;
    const hit = [span, dependency.nameSpan].find((it) => contains(it, offset));
    if (hit) return { subject, span: hit };
  }
  return undefined;
}
