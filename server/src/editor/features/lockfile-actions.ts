import * as l10n from '@vscode/l10n';
import type { CodeAction } from 'vscode-languageserver';
import { type WayIn, wayInto } from '../../engine/analysis/below/way-in.ts';
import { findingsIn } from '../../engine/analysis/findings.ts';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import { verdictOf } from '../../engine/analysis/verdict.ts';
import { oneLine } from '../../engine/base/text.ts';
import type { EvaluatedDependency } from '../../engine/model/evaluated-dependency.ts';
import { updateCommand, wayOutCommand } from '../command-names.ts';
import type { DependencyPlace, UpdateRequest } from './commands.ts';
import { toDiagnostic } from './diagnostics.ts';
import type { AnswerContext } from './feature.ts';
import { placeWords } from './hover/way-in.ts';
import { quickFix } from './offers.ts';
import { smallestWay, type WayRequest } from './way-actions.ts';

/**
 * What a tool has written changes by the manifest: the commands open it, and change there what requires the package.
 *
 *     Update qs to 6.11.1 in package.json, line 3
 *     Change express in package.json, line 3, which brings qs 6.10.3
 */
export function lockfileActions(
  evaluated: EvaluatedDependency,
  snapshot: Snapshot,
  context: AnswerContext,
): CodeAction[] {
  const { linked, resolution } = evaluated;
  const { needsMove, recommended } = verdictOf(evaluated);
  if (!linked.isRecorded || !needsMove || resolution.kind !== 'version' || !context.client.executesCommands) return [];
  const way = wayInto(snapshot, evaluated, context.graphOf);
  if (way?.dependency === undefined) return [];
  const { name } = linked.dependency;
  const at = placeOfWay(way);
  const where = placeWords(snapshot.uri, way, context.positions);
  const diagnostics = findingsIn([evaluated], context.settings).map((it) => toDiagnostic(it, context));
  const action = (title: string, command: string, argument: UpdateRequest | WayRequest): CodeAction => {
    return { title, kind: quickFix, diagnostics, command: { title, command, arguments: [argument] } };
  };
  if (way.path.length === 1) {
    if (recommended === undefined) return [];
    const { version } = recommended;
    const title = oneLine(l10n.t('Update {0} to {1} in {2}', name, version, where));
    return [action(title, updateCommand, { ...at, version })];
  }
  if (!context.settings.lookUpBelow) return [];
  const title = oneLine(l10n.t('Change {0} in {1}, which brings {2} {3}', way.name, where, name, resolution.version));
  return [action(title, wayOutCommand, { ...at, kind: smallestWay, package: name, affected: resolution.version })];
}

function placeOfWay({ uri, dependency, name }: WayIn): DependencyPlace {
  return { uri, offset: dependency?.nameSpan.start ?? 0, name };
}
