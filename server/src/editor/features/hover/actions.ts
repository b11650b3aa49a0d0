import * as l10n from '@vscode/l10n';
import { type DependencyFinding, findingsBehind } from '../../../engine/analysis/findings.ts';
import { fixesFor } from '../../../engine/analysis/fixes.ts';
import type { ManagingFixes } from '../../../engine/analysis/managing-fixes.ts';
import { verdictOf } from '../../../engine/analysis/verdict.ts';
import {
  overridesText,
  shortManagingNotes,
  shortTargetNotes,
  targetNotes,
  withoutSize,
} from '../../../engine/analysis/verdict-text.ts';
import { type EvaluatedDependency, managedBy } from '../../../engine/model/evaluated-dependency.ts';
import { updateCommand } from '../../command-names.ts';
import { type DependencyPlace, type ManagingRequest, placeIn, whatChangesCommand } from '../commands.ts';
import { type AnswerContext, added } from '../feature.ts';
import { ignoreRequests } from '../ignore-actions.ts';
import { type Block, type Inline, joined, type Markup, paragraph } from '../markup.ts';

/** Targets in one row. The choice of versions has all. */
const MAX_TARGETS = 4;

/**
 * The actions of a dependency, the recommended one first. Without commands, the versions that it can move to.
 *
 *     Update to 4.17.21 (patch) · 4.18.1 (minor, default version) · Override qs with 6.7.3 · What changes · Ignore…
 *
 * @param ways links to the ways out of what it brings
 */
export function actionLinks(
  evaluated: EvaluatedDependency,
  managing: ManagingFixes,
  ways: readonly Inline[][],
  context: AnswerContext,
): Markup {
  const place = placeIn(evaluated);
  const pieces = [
    ...managingLinks(evaluated, managing, place, context),
    ...updateLinks(evaluated, place),
    ...ways,
    ...(context.client.commandLinks ? otherLinks(evaluated, place, context) : []),
  ];
  return pieces.length > 0 ? [paragraph(...joined(pieces, ' · '))] : [];
}

/** A search that has not been made yet is one link, which makes it. */
function managingLinks(
  evaluated: EvaluatedDependency,
  { fixes, isSearching }: ManagingFixes,
  place: DependencyPlace,
  { client }: AnswerContext,
): Inline[][] {
  const links = fixes.map((fix): Inline[] => {
    const { way, name, version } = fix;
    const notes = shortManagingNotes(fix).join(', ');
    const link =
      way === 'parent'
        ? l10n.t('Update {0} to {1} ({2})', name, version, notes)
        : l10n.t('Set {0} to {1} ({2})', name, version, notes);
    const request: ManagingRequest = { ...place, way, version };
    return [{ link, command: updateCommand, args: [request] }];
  });
  const manager = managedBy(evaluated.linked);
  if (!isSearching || !manager || !client.commandLinks || fixes.some((it) => it.way === 'parent')) return links;
  const request: ManagingRequest = { ...place, way: 'parent' };
  return [[{ link: l10n.t('Update {0}', manager.through), command: updateCommand, args: [request] }], ...links];
}

function updateLinks(evaluated: EvaluatedDependency, place: DependencyPlace): Inline[][] {
  if (evaluated.linked.isRecorded) return [];
  const verdict = verdictOf(evaluated);
  const { recommended } = verdict;
  const fixes = fixesFor(evaluated).filter(
    ({ move, target }) =>
      move.ok &&
      (target.flaw === undefined || !verdict.needsMove) &&
      // The others were not checked for the packages that share the version.
      (evaluated.sharing === undefined || target === recommended),
  );
  const sorted = [
    ...fixes.filter((it) => it.target === recommended),
    ...fixes.filter((it) => it.target !== recommended),
  ];
  return sorted.slice(0, MAX_TARGETS).map(({ target, move }, at) => {
    const overridden = move.ok && move.overrides ? [overridesText(move.overrides)] : [];
    const isBack = target.isDowngrade && at === 0;
    const notes = [...shortTargetNotes(evaluated, isBack ? withoutSize(target) : target), ...overridden].join(', ');
    const text = notes === '' ? target.version : `${target.version} (${notes})`;
    const link = at > 0 ? text : isBack ? l10n.t('Go back to {0}', text) : l10n.t('Update to {0}', text);
    const title = [target.version, ...targetNotes(evaluated, target)].join(', ');
    return [{ link, title, command: updateCommand, args: [{ ...place, version: target.version }] }];
  });
}

function otherLinks(evaluated: EvaluatedDependency, place: DependencyPlace, context: AnswerContext): Block['parts'][] {
  const { targets, recommended } = verdictOf(evaluated);
  // The requirements of several packages are not compared, and private registries report none.
  const isOne = evaluated.shared === undefined && evaluated.linked.key.registry === undefined;
  const target = !isOne ? undefined : (recommended ?? targets[0]);
  const requests = findingsBehind(evaluated, context.settings).flatMap((it: DependencyFinding) =>
    ignoreRequests(it, context),
  );
  return [
    ...(target
      ? [[{ link: l10n.t('What changes'), command: whatChangesCommand, args: [{ ...place, version: target.version }] }]]
      : []),
    ...added('links', evaluated, context),
    ...(requests.length > 0 ? [[{ link: l10n.t('Ignore…'), command: 'packageInsights.ignore', args: requests }]] : []),
  ];
}
