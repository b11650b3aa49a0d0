import * as l10n from '@vscode/l10n';
import { verdictOf } from '../../engine/analysis/verdict.ts';
import { targetNotes } from '../../engine/analysis/verdict-text.ts';
import { versioning } from '../../engine/ecosystems/versioning.ts';
import { type EvaluatedDependency, factsOf, spelledName } from '../../engine/model/evaluated-dependency.ts';
import { deprecationOf } from '../../engine/model/facts.ts';
import { formatPurl } from '../../engine/model/purl.ts';
import { allRatings, ratedText } from '../../engine/model/severity-rating.ts';
import type { TargetVerdict, Verdict } from '../../engine/model/verdict.ts';
import type { ManifestPlace, UpdateDraft } from '../model/scheduling/planned.ts';
import type { ObservedDependency } from '../model/scheduling/schedule.ts';

/** Identifiers of advisories that an event lists. */
const MAX_ADVISORIES = 5;

/** The version that a dependency moves to if no other one is chosen; undefined if it has nowhere to go. */
export function plannedTarget(evaluated: EvaluatedDependency): TargetVerdict | undefined {
  // A calendar is another service, which must not learn the names of private packages.
  if (evaluated.linked.isRecorded || evaluated.linked.key.registry !== undefined) return undefined;
  const { recommended, targets } = verdictOf(evaluated);
  return [recommended, ...targets.filter((it) => !it.isDowngrade)].find((it) => it?.isChecked && it.flaw === undefined);
}

/** The packages that an update of a dependency or of a definition moves. */
export function packagesMovedBy(evaluated: EvaluatedDependency): readonly EvaluatedDependency[] {
  const moved = evaluated.shared?.users ?? [evaluated];
  // The names of the others may be private.
  return moved.filter((it) => it.resolution.kind === 'version' && it.linked.key.registry === undefined);
}

/** The update of a dependency to one of its targets, to be planned. */
export function updateDraft(
  evaluated: EvaluatedDependency,
  target: TargetVerdict,
  places: readonly ManifestPlace[],
): UpdateDraft {
  const { linked, resolution } = evaluated;
  const facts = factsOf(evaluated);
  const verdict = verdictOf(evaluated);
  return {
    purl: formatPurl(linked.key),
    name: spelledName(linked, facts),
    ...(resolution.kind === 'version' && { from: resolution.version }),
    target: target.version,
    ...(verdict.worst && { severity: verdict.worst.rating }),
    why: [
      ...advisoriesText(verdict),
      ...(verdict.isDeprecated ? [deprecationText(facts && deprecationOf(facts)?.reason)] : []),
      ...targetNotes(evaluated, target),
    ],
    places,
  };
}

/** Orders updates by the severity of what they fix. */
export function worstFirst(a: UpdateDraft, b: UpdateDraft): number {
  return rankOf(a) - rankOf(b);
}

function rankOf({ severity }: UpdateDraft): number {
  return severity === undefined ? allRatings.length : allRatings.indexOf(severity);
}

/** `2 advisories, worst high 7.4: GHSA-35jh-r3h4-6jhm, GHSA-29mw-wpgm-hmr9` */
function advisoriesText({ advisories, worst }: Verdict): string[] {
  if (worst === undefined || advisories.length === 0) return [];
  const grade = ratedText(worst);
  const { length } = advisories;
  const count =
    length === 1 ? l10n.t('1 vulnerability, {0}', grade) : l10n.t('{0} vulnerabilities, worst {1}', length, grade);
  const ids = advisories.slice(0, MAX_ADVISORIES).map((it) => it.id);
  return [`${count}: ${ids.join(', ')}${length > MAX_ADVISORIES ? ' …' : ''}`];
}

function deprecationText(reason: string | undefined): string {
  return reason === undefined ? l10n.t('deprecated') : l10n.t('deprecated: {0}', reason);
}

/** The dependencies of a manifest as planned updates see them. */
export function observedDependencies(dependencies: readonly EvaluatedDependency[]): readonly ObservedDependency[] {
  return dependencies.map(({ linked: { key }, resolution }) => ({
    purl: formatPurl(key),
    reaches(target, from) {
      if (resolution.kind !== 'version') return false;
      const { compare } = versioning[key.system];
      const isDown = from !== undefined && compare(target, from) < 0;
      const order = compare(resolution.version, target);
      return isDown ? order <= 0 : order >= 0;
    },
  }));
}
