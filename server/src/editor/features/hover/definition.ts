import * as l10n from '@vscode/l10n';
import { conflictText } from '../../../engine/analysis/rules/advisory.ts';
import { verdictOf } from '../../../engine/analysis/verdict.ts';
import type { EvaluatedDependency, SharedVersion } from '../../../engine/model/evaluated-dependency.ts';
import { type Block, type Inline, item, type Markup, paragraph, phrase } from '../markup.ts';
import { advisories, beyondFinding } from './advisories.ts';
import { notesOf } from './alternatives.ts';
import { problems } from './dependency.ts';

/** Advisories, and packages, before the rest is counted. */
const MAX_LISTED = 5;

/**
 * The hover of a version that dependencies share: what moves with it, what is wrong, what to do.
 *
 *     spring.version 5.2.0.RELEASE · affects 7 dependencies
 *     3 known advisories, worst critical 9.8. Fixed in 5.3.18.
 *     Update to 5.3.18 (minor)
 *     - GHSA-36p3-wjmg-h94x critical 9.8: Remote Code Execution in Spring Framework
 *     - org.springframework:spring-beans: 2 advisories
 *     - org.springframework:spring-core
 */
export function describeDefinition(
  evaluated: EvaluatedDependency,
  { users, count, unchecked }: SharedVersion,
  actions: Markup,
  isBesideFindings: boolean,
): Markup {
  const { dependency, requirement } = evaluated.linked;
  const version = requirement.kind === 'text' ? requirement.text : '';
  const headline: Inline[] = [{ strong: dependency.name }, ' ', { code: version }];
  if (dependency.condition) headline.push(' ', ...phrase(l10n.t('when {0}'), { code: dependency.condition }));
  headline.push(` · ${count === 1 ? l10n.t('affects 1 dependency') : l10n.t('affects {0} dependencies', count)}`);
  const left = users.length - MAX_LISTED;
  return [
    paragraph(...headline),
    ...(isBesideFindings ? [] : problems(evaluated)),
    ...sharingNote(evaluated),
    ...actions,
    ...advisories(beyondFinding(evaluated), MAX_LISTED).first,
    ...users.slice(0, MAX_LISTED).map(describeUser),
    ...(left > 0 ? [item(l10n.t('and {0} more', left))] : []),
    ...(unchecked.length > 0 ? [paragraph(l10n.t('Not checked: {0}', unchecked.join(', ')))] : []),
  ];
}

function describeUser(user: EvaluatedDependency): Block {
  const notes = notesOf(user);
  const { name } = user.linked.dependency;
  return item(notes.length > 0 ? `${name}: ${notes.join(', ')}` : name);
}

/** Why the packages that share a version stay, where no finding says so. */
function sharingNote(evaluated: EvaluatedDependency): Block[] {
  const text = verdictOf(evaluated).needsMove ? '' : conflictText(evaluated);
  return text === '' ? [] : [paragraph(text)];
}
