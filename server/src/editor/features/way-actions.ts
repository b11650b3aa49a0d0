import type { CodeAction } from 'vscode-languageserver';
import { wayText, wayTitle } from '../../engine/analysis/below/way-texts.ts';
import type { WayOut } from '../../engine/analysis/below/ways-out.ts';
import { affectedOf } from '../../engine/analysis/below/ways-search.ts';
import { findingsIn } from '../../engine/analysis/findings.ts';
import { fixTo } from '../../engine/analysis/fixes.ts';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import { oneLine } from '../../engine/base/text.ts';
import type { EvaluatedDependency } from '../../engine/model/evaluated-dependency.ts';
import type { AffectedBelow } from '../../engine/model/graph/below.ts';
import type { Wanted } from '../../engine/model/ports.ts';
import { wayOutCommand } from '../command-names.ts';
import { type DependencyPlace, placeIn } from './commands.ts';
import { toDiagnostic } from './diagnostics.ts';
import type { AnswerContext } from './feature.ts';
import type { Inline } from './markup.ts';
import { toWorkspaceEdit } from './workspace-edit.ts';

/** For the first of the ways that are found, where none is known before the manifest is open. */
export const smallestWay = 'smallest';

/** The only argument of the command. */
export interface WayRequest extends DependencyPlace {
  readonly kind: WayOut['kind'] | typeof smallestWay;
  /** The affected package. */
  readonly package: string;
  readonly affected: string;
}

/** Affected packages of one dependency whose ways are shown, the worst ones: each needs some lookups. */
const MAX_SHOWN = 3;

function shownOf(evaluated: EvaluatedDependency): readonly AffectedBelow[] {
  return affectedOf(evaluated).slice(0, MAX_SHOWN);
}

/** The facts that the ways out of what some dependencies bring need. */
export function factsOfWays(
  near: readonly EvaluatedDependency[],
  { findWaysOut }: Pick<Snapshot, 'findWaysOut'>,
): Wanted[] {
  return near.flatMap((it) => shownOf(it).flatMap((affected) => findWaysOut(it, affected).wanted));
}

/** The same for the worst one of a dependency, which the hover shows. */
export function factsOfWorstWays(
  evaluated: EvaluatedDependency,
  { findWaysOut }: Pick<Snapshot, 'findWaysOut'>,
): readonly Wanted[] {
  const [worst] = shownOf(evaluated);
  return worst ? findWaysOut(evaluated, worst).wanted : [];
}

/** Links that lead out of the worst package that a dependency brings, as far as they are known. */
export function wayLinks(evaluated: EvaluatedDependency, { findWaysOut }: Pick<Snapshot, 'findWaysOut'>): Inline[][] {
  const [worst] = shownOf(evaluated);
  if (worst === undefined) return [];
  const { name } = evaluated.linked.dependency;
  return findWaysOut(evaluated, worst).ways.map((way): Inline[] => {
    const link = wayTitle(way, worst, name);
    const title = wayText(way, worst, name, evaluated.below?.lockfile ?? '');
    return [{ link, title, command: wayOutCommand, args: [wayRequest(evaluated, worst, way)] }];
  });
}

/** The ways out of what a dependency brings, by affected package, the smallest change first. */
export function wayActions(
  evaluated: EvaluatedDependency,
  snapshot: Pick<Snapshot, 'findWaysOut'>,
  context: AnswerContext,
  afterwards: (title: string) => Pick<CodeAction, 'command'>,
): CodeAction[] {
  const shown = shownOf(evaluated);
  if (shown.length === 0) return [];
  const findings = findingsIn([evaluated], context.settings).filter((it) => it.code === 'advisory-below');
  const diagnostics = findings.map((it) => toDiagnostic(it, context));
  const titles = new Set<string>();
  const { name } = evaluated.linked.dependency;
  return shown.flatMap((affected) =>
    snapshot.findWaysOut(evaluated, affected).ways.flatMap((way): CodeAction[] => {
      const title = oneLine(wayTitle(way, affected, name));
      // One update may lead out of several.
      const id = way.kind === 'direct' ? way.version : title;
      if (titles.has(id)) return [];
      titles.add(id);
      const action: CodeAction = { title, kind: 'quickfix', ...(diagnostics.length > 0 && { diagnostics }) };
      if (way.kind === 'direct') {
        const { move } = fixTo(evaluated, way.version);
        return move.ok ? [{ ...action, edit: toWorkspaceEdit(move.edits, context), ...afterwards(title) }] : [];
      }
      if (!context.client.executesCommands) return [];
      const request = wayRequest(evaluated, affected, way);
      return [{ ...action, command: { title, command: wayOutCommand, arguments: [request] } }];
    }),
  );
}

export function wayRequest(evaluated: EvaluatedDependency, { key }: AffectedBelow, { kind }: WayOut): WayRequest {
  return { ...placeIn(evaluated), kind, package: key.name, affected: key.version };
}
