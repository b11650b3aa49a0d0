import * as l10n from '@vscode/l10n';
import { ageText, heldBackText } from '../../../engine/analysis/rules/cooldown-text.ts';
import { rules } from '../../../engine/analysis/rules/index.ts';
import { dayOf } from '../../../engine/base/dates.ts';
import { type EvaluatedDependency, targetFor } from '../../../engine/model/evaluated-dependency.ts';
import type { Ignore } from '../../../engine/model/project.ts';
import { isMalware } from '../../../engine/model/severity-rating.ts';
import { findIgnore } from '../../../engine/policy/ignores.ts';
import { type Block, paragraph } from '../markup.ts';

/** The findings that the project file ignores. */
export function ignoresText({ project, linked, advisories }: EvaluatedDependency): Block[] {
  if (!project || project.ignores.length === 0) return [];
  const advisoryIgnores = advisories.flatMap(({ id, aliases }): Block[] => {
    const ignore = isMalware({ id, aliases }) ? undefined : findIgnore(project, linked.key, [id, ...aliases]);
    return ignore ? [paragraph(ignoreText(id, ignore))] : [];
  });
  const codes = rules.flatMap(({ code }): Block[] => {
    const ignore = code === 'malicious' ? undefined : findIgnore(project, linked.key, [code]);
    return ignore ? [paragraph(ignoreText(code, ignore))] : [];
  });
  return [...advisoryIgnores.slice(0, MAX_ADVISORY_IGNORES), ...codes];
}

/** A version may have hundreds of advisories. */
const MAX_ADVISORY_IGNORES = 10;

function ignoreText(id: string, { until, reason }: Ignore): string {
  return until === undefined
    ? l10n.t('{0} is ignored: {1}', id, reason)
    : l10n.t('{0} is ignored until {1}: {2}', id, dayOf(Date.parse(until)), reason);
}

/** `4.18.1 is 2 days old: within the cooldown of 7 days (min-release-age in .npmrc)` */
export function cooldownText({ heldBack, targets }: EvaluatedDependency, now: number): Block[] {
  if (!heldBack) return [];
  const substitute = targetFor({ targets }, 'default');
  const { version, publishedAt } = heldBack;
  const text = l10n.t('{0} is {1}: {2}.', version, ageText(Math.max(0, now - publishedAt)), heldBackText(heldBack));
  return [paragraph(text, ...(substitute ? [' ', l10n.t('Suggested instead: {0}.', substitute.version)] : []))];
}
