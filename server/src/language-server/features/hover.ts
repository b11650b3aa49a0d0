import * as l10n from '@vscode/l10n';
import type { Hover, HoverParams } from 'vscode-languageserver';
import type { Snapshot } from '../../analysis/snapshot.ts';
import { timeOf } from '../../base/dates.ts';
import { type EvaluatedDependency, failureOf, isPending } from '../../model/evaluated-dependency.ts';
import { closedBy } from '../../model/settings.ts';
import type { Span } from '../../model/span.ts';
import { aloneOn, dependencyAt, lineAt } from './cursor.ts';
import type { Context, Feature } from './feature.ts';
import { describeDependency } from './hover/dependency.ts';
import { describeRequirements } from './hover/requirements.ts';
import { type Markup, paragraph, toMarkup } from './markup.ts';

/** Everything that is known of the dependency under the cursor. */
export const hover: Feature<HoverParams, Hover | null> = {
  method: 'textDocument/hover',
  patience: 800,
  capability: () => ({ hoverProvider: true }),
  uri: (it) => it.textDocument.uri,
  nothing: () => null,
  waits(snapshot, { position }, context) {
    const found = meantAt(snapshot, position, context);
    return found !== undefined && isPending(found.evaluated) ? 'all' : undefined;
  },
  answer(snapshot, { position }, context) {
    const found = meantAt(snapshot, position, context);
    if (!found) return null;
    const { evaluated, span } = found;
    const required = describeRequirements(evaluated, context.requirements);
    const closed = closedBy(context.settings)?.reason;
    const prose = [...describeDependency(evaluated, context.now, required, closed), ...whenNext(evaluated, context)];
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
function whenNext(evaluated: EvaluatedDependency, { heldUntil, trouble }: Context): Markup {
  if (trouble !== undefined && isPending(evaluated)) {
    const { reason, isEarly } = trouble;
    return [paragraph(isEarly ? l10n.t('No answer so far: {0}.', reason) : l10n.t('Retrying: {0}.', reason))];
  }
  if (heldUntil === undefined || failureOf(evaluated) === undefined) return [];
  return [paragraph(l10n.t('No requests until {0}.', timeOf(heldUntil)))];
}

/**
 * The dependency that a place is on; else the one that has its line to itself, where the place is not in the indentation.
 * @returns without a span where the place is on none
 */
function meantAt(
  snapshot: Snapshot,
  position: HoverParams['position'],
  context: Context,
): { readonly evaluated: EvaluatedDependency; readonly span?: Span } | undefined {
  const positions = context.positions(snapshot.uri);
  const offset = positions.offset(position);
  const exact = dependencyAt(snapshot, offset);
  if (exact) return exact;
  const line = lineAt(position.line, snapshot, positions);
  const before = snapshot.texts.get(snapshot.uri)?.slice(line.start, offset + 1) ?? '';
  const evaluated = before.trim() === '' ? undefined : aloneOn(line, snapshot);
  return evaluated && { evaluated };
}
