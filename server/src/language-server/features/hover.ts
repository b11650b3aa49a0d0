import * as l10n from '@vscode/l10n';
import type { Hover, HoverParams } from 'vscode-languageserver';
import type { Snapshot } from '../../analysis/snapshot.ts';
import { timeOf } from '../../base/dates.ts';
import { type EvaluatedDependency, failureOf, isPending } from '../../model/evaluated-dependency.ts';
import { settingThatStopsLookups } from '../../model/settings.ts';
import type { Span } from '../../model/span.ts';
import { dependencyAt, lineAt, onlyDependencyOn } from './cursor.ts';
import type { AnswerContext, Feature } from './feature.ts';
import { describeDependency } from './hover/dependency.ts';
import { describeRequirements } from './hover/requirements.ts';
import { type Markup, paragraph, toMarkup } from './markup.ts';

/** All facts of the dependency at the cursor. */
export const hover: Feature<HoverParams, Hover | null> = {
  method: 'textDocument/hover',
  patience: 800,
  capability: () => ({ hoverProvider: true }),
  uri: (it) => it.textDocument.uri,
  emptyAnswer: () => null,
  awaitedFacts(snapshot, { position }, context) {
    const found = dependencyForPosition(snapshot, position, context);
    return found !== undefined && isPending(found.evaluated) ? 'all' : undefined;
  },
  answer(snapshot, { position }, context) {
    const found = dependencyForPosition(snapshot, position, context);
    if (!found) return null;
    const { evaluated, span } = found;
    const required = describeRequirements(evaluated, context.requirements);
    const closed = settingThatStopsLookups(context.settings)?.reason;
    const prose = [...describeDependency(evaluated, context.now, required, closed), ...waitText(evaluated, context)];
    return {
      contents: toMarkup(prose, context.client.markdownHover),
      ...(span && { range: context.positions(snapshot.uri).range(span) }),
    };
  },
};

/**
 * When a failed dependency is requested again because the service requested a wait, or why a pending one takes so long.
 */
function waitText(evaluated: EvaluatedDependency, { retryAt, connectionProblem }: AnswerContext): Markup {
  if (connectionProblem !== undefined && isPending(evaluated)) {
    const { reason, isOnlySlow } = connectionProblem;
    return [paragraph(isOnlySlow ? l10n.t('No answer so far: {0}.', reason) : l10n.t('Retrying: {0}.', reason))];
  }
  if (retryAt === undefined || failureOf(evaluated) === undefined) return [];
  return [paragraph(l10n.t('No requests until {0}.', timeOf(retryAt)))];
}

/**
 * The dependency at a position, or the only one of its line if the position is not in the indentation.
 * @returns without a span in the second case
 */
function dependencyForPosition(
  snapshot: Snapshot,
  position: HoverParams['position'],
  context: AnswerContext,
): { readonly evaluated: EvaluatedDependency; readonly span?: Span } | undefined {
  const positions = context.positions(snapshot.uri);
  const offset = positions.offset(position);
  const exact = dependencyAt(snapshot, offset);
  if (exact) return exact;
  const line = lineAt(position.line, snapshot, positions);
  const before = snapshot.texts.get(snapshot.uri)?.slice(line.start, offset + 1) ?? '';
  const evaluated = before.trim() === '' ? undefined : onlyDependencyOn(line, snapshot);
  return evaluated && { evaluated };
}
