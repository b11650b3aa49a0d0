import type { Snapshot } from '../../analysis/snapshot.ts';
import type { Positions } from '../../formats/text/positions.ts';
import { contains, type Span } from '../../model/span.ts';
import type { Subject } from '../../model/subject.ts';

/** The dependency whose name or requirement the offset is on. */
export function subjectAt(snapshot: Snapshot, offset: number): { subject: Subject; span: Span } | undefined {
  for (const subject of snapshot.subjects) {
    const hit = spansOf(subject).find((it) => contains(it, offset));
    if (hit) return { subject, span: hit };
  }
  return undefined;
}

/** The dependencies whose name or requirement a span touches. */
export function subjectsIn({ subjects }: Snapshot, { start, end }: Span): Subject[] {
  return subjects.filter((subject) => spansOf(subject).some((it) => it.start <= end && it.end >= start));
}

/**
 * The dependency that has a line to itself: it is what somebody means who is anywhere on that line, as one is who moves
 * from line to line with a key.
 */
export function aloneOn(line: Span, snapshot: Snapshot): Subject | undefined {
  const [subject, another] = subjectsIn(snapshot, line);
  return another ? undefined : subject;
}

/** Where a line of a snapshot's own text stands, without its end. */
export function lineAt(line: number, snapshot: Snapshot, positions: Positions): Span {
  const longest = snapshot.texts.get(snapshot.uri)?.length ?? 0;
  return { start: positions.offset({ line, character: 0 }), end: positions.offset({ line, character: longest }) };
}

function spansOf({ linked: { span, dependency } }: Subject): readonly Span[] {
  return [span, dependency.nameSpan];
}
