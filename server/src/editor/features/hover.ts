import * as l10n from '@vscode/l10n';
import type { Hover, HoverParams } from 'vscode-languageserver';
import { wayInto } from '../../engine/analysis/below/way-in.ts';
import { type DependencyFinding, findingsAtDefinitions, findingsIn } from '../../engine/analysis/findings.ts';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import { alternativesOf } from '../../engine/analysis/verdict.ts';
import { timeOf } from '../../engine/base/dates.ts';
import { type EvaluatedDependency, failureOf, isPending } from '../../engine/model/evaluated-dependency.ts';
import type { Wanted } from '../../engine/model/ports.ts';
import { settingThatStopsLookups } from '../../engine/model/settings.ts';
import { isMalware } from '../../engine/model/severity-rating.ts';
import type { Span } from '../../engine/model/span.ts';
import { factsOfTargets } from './commands.ts';
import { definitionAt, definitionsIn, dependencyAt, lineAt, onlyDependencyOn } from './cursor.ts';
import { type AnswerContext, added, type Feature } from './feature.ts';
import { actionLinks } from './hover/actions.ts';
import { describeAlternatives } from './hover/alternatives.ts';
import { describeBrought } from './hover/brought.ts';
import { describeDefinition } from './hover/definition.ts';
import { describeDependency } from './hover/dependency.ts';
import { describeInstallScripts } from './hover/install-scripts.ts';
import { describeRequirements } from './hover/requirements.ts';
import { describeWayIn } from './hover/way-in.ts';
import { addressesIn, type Markup, paragraph, toMarkup } from './markup.ts';
import { factsOfWorstWays, wayLinks } from './way-actions.ts';

/** All facts of the dependency at the cursor. */
export const hover: Feature<HoverParams, Hover | null> = {
  method: 'textDocument/hover',
  patience: 800,
  uri: (it) => it.textDocument.uri,
  emptyAnswer: () => null,
  awaitedFacts(snapshot, { position }, context) {
    const found = dependencyForPosition(snapshot, position, context);
    return found !== undefined && isPending(found.evaluated) ? 'all' : undefined;
  },
  neededFacts(snapshot, { position }, context) {
    const found = dependencyForPosition(snapshot, position, context);
    if (!found) return [];
    const { repository } = found.evaluated;
    const source: Wanted[] = repository ? [{ kind: 'repository', id: repository.id, isAsked: true }] : [];
    const ways = context.client.commandLinks ? factsOfWorstWays(found.evaluated, snapshot) : [];
    return [...factsOfTargets(found.evaluated), ...ways, ...source];
  },
  isAsked: true,
  addresses(snapshot, { position }, context) {
    const found = dependencyForPosition(snapshot, position, context);
    return found ? addressesIn(proseOf(found.evaluated, snapshot, context)) : [];
  },
  answer(snapshot, { position }, context) {
    const found = dependencyForPosition(snapshot, position, context);
    if (!found) return null;
    const { evaluated, span } = found;
    const { start, end } = evaluated.linked.span;
    const find = evaluated.shared ? findingsAtDefinitions : findingsIn;
    const isOfFindings = context.client.commandLinks && span?.start === start && span.end === end;
    const beside = isOfFindings ? find([evaluated], context.settings).filter(isShownBeside) : [];
    // Where a person has turned the finding off, the hover says it.
    const isBesideFindings =
      beside.length > 0 && (!evaluated.advisories.some(isMalware) || beside.some((it) => it.code === 'malicious'));
    return {
      contents: toMarkup(proseOf(evaluated, snapshot, context, isBesideFindings), context.client, context.links),
      ...(span && { range: context.positions(snapshot.uri).range(span) }),
    };
  },
};

/**
 * Whether VS Code shows a finding above the hover, wherever in the requirement the mouse is. Of a hint only the first two
 * characters show it, unless it has a tag. Source: VS Code's MarkerDecorationsService.
 */
function isShownBeside({ severity, code }: DependencyFinding): boolean {
  return severity !== 'hint' || code === 'deprecated';
}

/** The hover of a dependency, also shown on its hint. */
export function proseOf(
  evaluated: EvaluatedDependency,
  snapshot: Snapshot,
  context: AnswerContext,
  isBesideFindings = false,
): Markup {
  const managing = snapshot.findManagingFixes(evaluated);
  const ways = context.client.commandLinks ? wayLinks(evaluated, snapshot) : [];
  const actions = [...actionLinks(evaluated, managing, ways, context), ...added('hover', evaluated, context)];
  if (evaluated.shared) {
    return describeDefinition(evaluated, evaluated.shared, actions, isBesideFindings);
  }
  const { uri, lockfiles } = snapshot;
  const around = { uri, lockfiles, graphOf: context.graphOf };
  const way = wayInto(snapshot, evaluated, context.graphOf);
  const options = {
    now: context.now,
    required: [
      ...(way ? [describeWayIn(uri, way, context.positions)] : []),
      ...describeBrought(around, evaluated),
      ...describeInstallScripts(around, evaluated),
      ...describeRequirements(evaluated, context.requirements),
    ],
    closed: settingThatStopsLookups(context.settings)?.reason,
    mayOfferAsking: context.mayOfferAsking,
    alternatives: describeAlternatives(alternativesOf(evaluated, snapshot.dependencies)),
    actions,
    isBesideFindings,
    managing,
  };
  return [...describeDependency(evaluated, options), ...waitText(evaluated, context)];
}

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
  const exact = dependencyAt(snapshot, offset) ?? definitionAt(snapshot, offset);
  if (exact) return exact;
  const line = lineAt(position.line, snapshot, positions);
  const before = snapshot.texts.get(snapshot.uri)?.slice(line.start, offset + 1) ?? '';
  if (before.trim() === '') return undefined;
  const [definition] = definitionsIn(snapshot, line);
  const evaluated = onlyDependencyOn(line, snapshot) ?? definition;
  return evaluated && { evaluated };
}
