import * as l10n from '@vscode/l10n';
import { pathText, releaseText } from '../../../engine/analysis/below/texts.ts';
import { type AroundLocked, broughtBy } from '../../../engine/analysis/brought.ts';
import { severityText } from '../../../engine/analysis/rules/advisory.ts';
import { wordForDeprecated } from '../../../engine/analysis/rules/deprecated.ts';
import type { EvaluatedDependency } from '../../../engine/model/evaluated-dependency.ts';
import {
  type AffectedBelow,
  type Below,
  type PackageBelow,
  uncheckedCount,
} from '../../../engine/model/graph/below.ts';
import { activeBelow } from '../../../engine/policy/ignores.ts';
import { type Block, type Inline, item, paragraph } from '../markup.ts';
import { linkTo } from './advisories.ts';

/** Packages listed with their problems; the others are counted. */
const MAX_LISTED = 10;

/**
 * What is installed because of a dependency, by its lockfile. Without one it is unknown.
 *
 *     Brings 63 packages, 1 with known advisories, 1 deprecated
 *     - qs 6.11.0 high 7.5 GHSA-hrpp-h998-j3pp: express → body-parser → qs 6.11.0
 *     - Deprecated: express → har-validator 5.1.5
 *     2 of 63 not checked: 1 private or from no registry, 1 failed (connection refused)
 */
export function describeBrought(around: AroundLocked, evaluated: EvaluatedDependency): Block[] {
  const below = activeBelow(evaluated);
  if (below) return describeBelow(below, evaluated);
  const brought = broughtBy(around, evaluated);
  return brought ? [paragraph(countText(brought))].filter(() => !brought.isPartial || brought.count > 0) : [];
}

function describeBelow(below: Below, { linked }: EvaluatedDependency): Block[] {
  const { affected, deprecated, count, isPartial, graph } = below;
  if (count === 0 && isPartial) return [];
  const { name } = linked.dependency;
  const pathTexts = <T extends PackageBelow>(some: readonly T[]): (readonly [T, string])[] => {
    const listed = some.slice(0, MAX_LISTED);
    const paths = below.pathsTo(listed);
    return listed.map((it, at) => [it, pathText(graph, paths[at] ?? [], name)]);
  };
  const first = [countText(below), ...problemTexts(below)];
  const problems = [
    ...pathTexts(affected).map(([it, path]) => item(...affectedPackage(it), `: ${path}`)),
    ...pathTexts(deprecated).map(([it, path]) => item(`${wordForDeprecated(it.key.system)}: ${path}`)),
  ];
  const more = affected.length + deprecated.length - MAX_LISTED;
  return [
    paragraph(first.join(', ')),
    ...problems.slice(0, MAX_LISTED),
    ...(more > 0 ? [item(l10n.t('{0} more', more))] : []),
    ...uncheckedTexts(below).map((it) => paragraph(it)),
  ];
}

/** In the words of the finding, whose identifier is a link here. */
function affectedPackage({ key, advisories: [worst] }: AffectedBelow): Inline[] {
  if (worst === undefined) return [releaseText(key)];
  const { id, facts } = worst;
  return [
    `${releaseText(key)} ${severityText(worst)} `,
    linkTo(id, facts.state === 'ready' ? facts.value.url : undefined),
  ];
}

/** `Brings 63 packages` */
export function countText({ count, isPartial }: Pick<Below, 'count' | 'isPartial'>): string {
  if (isPartial)
    return count === 1 ? l10n.t('Brings at least 1 package') : l10n.t('Brings at least {0} packages', count);
  if (count === 0) return l10n.t('Brings no other package');
  return count === 1 ? l10n.t('Brings 1 package') : l10n.t('Brings {0} packages', count);
}

/** `1 with known advisories`, `1 deprecated` */
export function problemTexts({ affected, deprecated }: Pick<Below, 'affected' | 'deprecated'>): readonly string[] {
  return [
    ...(affected.length > 0 ? [l10n.t('{0} with known vulnerabilities', affected.length)] : []),
    ...(deprecated.length > 0 ? [l10n.t('{0} deprecated', deprecated.length)] : []),
  ];
}

/** `2 of 63 not checked: 1 private or from no registry, 1 failed (connection refused)` */
export function uncheckedTexts({ count, unchecked }: Pick<Below, 'count' | 'unchecked'>): readonly string[] {
  const { pending, withheld, unknown, listed, failed, reason } = unchecked;
  const open = uncheckedCount(unchecked);
  const reasons = [
    ...(withheld > 0 ? [l10n.t('{0} private or from no registry', withheld)] : []),
    ...(unknown > 0 ? [l10n.t('{0} unknown to the service', unknown)] : []),
    ...(listed > 0 ? [l10n.t('{0} whose vulnerabilities the service does not know', listed)] : []),
    ...(failed > 0 ? [l10n.t('{0} failed ({1})', failed, reason ?? '')] : []),
  ];
  return [
    ...(open > 0 ? [`${l10n.t('{0} of {1} not checked', open, count)}: ${reasons.join(', ')}`] : []),
    ...(pending > 0 ? [l10n.t('{0} of {1} not checked yet', pending, count)] : []),
  ];
}
