import * as l10n from '@vscode/l10n';
import {
  type EvaluatedDependency,
  type LinkedDependency,
  managedBy,
  type Published,
} from '../model/evaluated-dependency.ts';
import { advisoriesUnknownText } from '../model/severity-rating.ts';
import type { TargetVerdict } from '../model/verdict.ts';
import type { Step } from '../model/versioning.ts';
import { recommendedFix } from './fixes.ts';
import { type ManagingFix, type ManagingFixes, noManagingFixes } from './managing-fixes.ts';
import { isSampled, nearestKnownText } from './rules/advisory.ts';
import { ageText, outsideText } from './rules/cooldown-text.ts';

/** The words of a verdict, the same in every view. */

export function stepText(step: Step): string {
  switch (step) {
    case 'patch':
      return l10n.t('patch');
    case 'minor':
      return l10n.t('minor');
    case 'major':
      return l10n.t('major');
  }
}

/** `overrides org.json:json-bom 2.15.0` */
export function overridesText({ key }: Published): string {
  return l10n.t('overrides {0} {1}', key.name, key.version);
}

/** What an update of a parent or BOM, or a property that overrides one of its own, does: `patch`, `fixes 3 advisories` */
export function managingNotes(evaluated: EvaluatedDependency, { step, target, overrides }: ManagingFix): string[] {
  return [...stepNote(step), ...fixedText(target, evaluated), ...warningsOf(target), ...overridesNote(overrides)];
}

/** The same for a place beside the problems: `manages 2.13.5`, `patch` */
export function shortManagingNotes({ step, target, overrides }: ManagingFix): string[] {
  return [l10n.t('manages {0}', target.version), ...stepNote(step), ...warningsOf(target), ...overridesNote(overrides)];
}

/** Why a dependency is not moved: once all versions of what manages it were tried, none of them is a way out. */
export function refusalText(
  { linked }: EvaluatedDependency,
  reason: string,
  { fixes, isSearching, isTried }: ManagingFixes = noManagingFixes,
): string {
  const manager = managedBy(linked);
  if (manager === undefined || !isTried || isSearching || fixes.length > 0) return reason;
  const { key, through } = manager;
  return l10n.t(
    'managed by {0} {1}, and no version of {2} is known that manages one without problems',
    key.name,
    key.version,
    through,
  );
}

/** That what manages a version was looked through in vain, although a version of its own would do; undefined otherwise. */
export function managerInVainText(
  evaluated: EvaluatedDependency,
  { fixes, isSearching, isTried }: ManagingFixes = noManagingFixes,
): string | undefined {
  const manager = managedBy(evaluated.linked);
  if (manager === undefined || !isTried || isSearching || fixes.length > 0) return undefined;
  if (!recommendedFix(evaluated)?.move.ok) return undefined;
  const { name } = evaluated.linked.dependency;
  return l10n.t('No version of {0} is known that manages {1} without problems', manager.through, name);
}

function stepNote(step: Step | undefined): string[] {
  return step ? [stepText(step)] : [];
}

function overridesNote(overrides: Published | undefined): string[] {
  return overrides ? [overridesText(overrides)] : [];
}

/** What happens with a move: `patch`, `fixes 3 advisories`, `latest`, `license MIT → ISC`, `deprecated` */
export function targetNotes(evaluated: EvaluatedDependency, target: TargetVerdict): string[] {
  return [
    ...sizeText(evaluated, target),
    ...fixedText(target, evaluated),
    ...kindText(evaluated, target),
    ...warningsOf(target),
    ...uncheckedText(evaluated),
  ];
}

/** Dependencies that move along without being checked, at the definition of a version. */
function uncheckedText({ shared }: EvaluatedDependency): string[] {
  const count = shared?.unchecked.length ?? 0;
  if (count === 0) return [];
  return [count === 1 ? l10n.t('1 package not checked') : l10n.t('{0} packages not checked', count)];
}

/** The same without what it fixes, for a place beside the problems: `minor`, `latest` */
export function shortTargetNotes(evaluated: EvaluatedDependency, target: TargetVerdict): string[] {
  return [
    ...sizeText(evaluated, target),
    ...kindText(evaluated, target),
    ...warningsOf(target),
    ...uncheckedText(evaluated),
  ];
}

/** For a list whose headings say the kind: the same, unless the kind needs an explanation. */
export function listedTargetNotes(evaluated: EvaluatedDependency, target: TargetVerdict): string[] {
  const isExplained = evaluated.heldBack !== undefined || evaluated.otherFlavor !== undefined;
  const isNamed = target.kinds.some((it) => it !== 'safe') && !isExplained;
  return [
    ...sizeText(evaluated, target),
    ...fixedText(target, evaluated),
    ...(isNamed ? [] : kindText(evaluated, target)),
    ...warningsOf(target),
    ...uncheckedText(evaluated),
  ];
}

/** The fewest words, for a line that is the answer: `minor`, `newest for android`. The plain default goes without saying. */
export function answerNotes(evaluated: EvaluatedDependency, target: TargetVerdict): string[] {
  const isUsual = !evaluated.heldBack && !evaluated.otherFlavor;
  return [...sizeText(evaluated, target), ...(isUsual ? [] : kindText(evaluated, target)), ...warningsOf(target)];
}

/** For a title that says that it goes back. */
export function withoutSize({ step, ...target }: TargetVerdict): TargetVerdict {
  return { ...target, isDowngrade: false };
}

function sizeText({ resolution }: EvaluatedDependency, { step, isDowngrade }: TargetVerdict): string[] {
  if (isDowngrade)
    return [
      resolution.kind === 'no-match' ? l10n.t('lower than the one written') : l10n.t('lower than the one in use'),
    ];
  return stepNote(step);
}

/** What is ignored counts: accepting a problem changes nothing about what an update fixes. */
function fixedText(target: TargetVerdict, { advisories }: EvaluatedDependency): string[] {
  const { isChecked, fixedIgnored = 0 } = target;
  const fixed = target.fixed + fixedIgnored;
  const all = advisories.length;
  if (!isChecked || fixed === 0) return [];
  if (fixed < all) return [l10n.t('fixes {0} of {1} vulnerabilities', fixed, all)];
  return [all === 1 ? l10n.t('fixes the vulnerability') : l10n.t('fixes {0} vulnerabilities', all)];
}

/** Why the version is offered. What the safe one fixes explains it, if it is the nearest. */
function kindText(evaluated: EvaluatedDependency, { kinds }: TargetVerdict): string[] {
  const { heldBack, otherFlavor } = evaluated;
  if (kinds.includes('default')) {
    if (heldBack) return [outsideText(heldBack.limit)];
    return [otherFlavor ? l10n.t('newest for {0}', otherFlavor.flavor) : l10n.t('latest')];
  }
  if (kinds.includes('stable')) return [l10n.t('newest stable version')];
  if (kinds.includes('in-range')) return [l10n.t('newest in range')];
  if (kinds.includes('in-major')) return [l10n.t('latest minor')];
  return isSampled(evaluated) ? [nearestKnownText()] : [];
}

function warningsOf(target: TargetVerdict): string[] {
  const { age, license, losesProvenance, flaw, isChecked, isPreRelease, areAdvisoriesUnknown } = target;
  return [
    ...(isPreRelease ? [l10n.t('pre-release')] : []),
    ...(age === undefined ? [] : [ageText(age)]),
    ...(license ? [l10n.t('license {0} → {1}', license.from, license.to)] : []),
    ...(losesProvenance ? [l10n.t('without provenance')] : []),
    ...(flaw === undefined ? [] : [flaw]),
    ...(isChecked ? [] : [l10n.t('not checked yet')]),
    ...(areAdvisoriesUnknown ? [advisoriesUnknownText()] : []),
  ];
}

export function otherwiseText(): string {
  return l10n.t({ message: 'otherwise', comment: 'the version of a dependency that applies where no condition holds' });
}

/** `when '$(TargetFramework)' == 'net48'`, `otherwise`; undefined if the dependency has only one version. */
export function conditionText({ of, dependency: { condition } }: LinkedDependency): string | undefined {
  if (of === undefined) return undefined;
  const isAlways = condition === undefined || condition === of.condition;
  return isAlways ? otherwiseText() : l10n.t('when {0}', condition);
}
