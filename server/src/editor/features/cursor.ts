import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import { alternativesOf, worstOfEach } from '../../engine/analysis/verdict.ts';
import type { Positions } from '../../engine/formats/text/positions.ts';
import type { EvaluatedDependency } from '../../engine/model/evaluated-dependency.ts';
import { contains, type Span } from '../../engine/model/span.ts';

/** The dependency whose name or requirement the offset is on. */
export function dependencyAt(
  snapshot: Snapshot,
  offset: number,
): { evaluated: EvaluatedDependency; span: Span } | undefined {
  for (const evaluated of snapshot.dependencies) {
    const hit = spansOf(evaluated).find((it) => contains(it, offset));
    if (hit) return { evaluated: worstOf(evaluated, snapshot), span: hit };
  }
  return undefined;
}

/** Of the versions that it has under different conditions. */
function worstOf(evaluated: EvaluatedDependency, { dependencies }: Snapshot): EvaluatedDependency {
  return alternativesOf(evaluated, dependencies)[0] ?? evaluated;
}

/** The definition whose name or value the offset is on. */
export function definitionAt(
  { definitions }: Snapshot,
  offset: number,
): { evaluated: EvaluatedDependency; span: Span } | undefined {
  for (const evaluated of definitions) {
    const hit = spansOf(evaluated).find((it) => contains(it, offset));
    if (hit) return { evaluated, span: hit };
  }
  return undefined;
}

/** The definitions on a line or in a span. */
export function definitionsIn({ definitions }: Snapshot, { start, end }: Span): EvaluatedDependency[] {
  return definitions.filter((evaluated) => spansOf(evaluated).some((it) => it.start <= end && it.end >= start));
}

/**
 * The dependencies whose name or requirement a span touches, each with all versions that it has under different conditions.
 */
export function dependenciesIn({ dependencies }: Snapshot, { start, end }: Span): EvaluatedDependency[] {
  const touched = dependencies.filter((it) => spansOf(it).some((at) => at.start <= end && at.end >= start));
  return [...new Set(touched.flatMap((it) => alternativesOf(it, touched)))];
}

/** The only dependency of a line: it is meant anywhere on the line. */
export function onlyDependencyOn(line: Span, snapshot: Snapshot): EvaluatedDependency | undefined {
  const [evaluated, another] = worstOfEach(dependenciesIn(snapshot, line));
  return another ? undefined : evaluated;
}

/** The span of a line of the document, without its line break. */
export function lineAt(line: number, snapshot: Snapshot, positions: Positions): Span {
  const longest = snapshot.texts.get(snapshot.uri)?.length ?? 0;
  return { start: positions.offset({ line, character: 0 }), end: positions.offset({ line, character: longest }) };
}

function spansOf({ linked: { span, dependency } }: EvaluatedDependency): readonly Span[] {
  return [span, dependency.nameSpan];
}
