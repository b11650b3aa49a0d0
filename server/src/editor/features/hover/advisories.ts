import * as l10n from '@vscode/l10n';
import { bySeverity, severityText } from '../../../engine/analysis/rules/advisory.ts';
import type { EvaluatedDependency } from '../../../engine/model/evaluated-dependency.ts';
import { advisoryLink } from '../../../engine/model/links.ts';
import { isSuspicion, suspicions, suspicionText } from '../../../engine/model/severity-rating.ts';
import type { Advisory } from '../../../engine/model/signals/advisory.ts';
import { type Block, type Inline, item } from '../markup.ts';

/** Some versions have hundreds of advisories. */
const MAX_ADVISORIES = 20;

/** Without what the finding of malware says in the same words: that PyPI has quarantined the project. */
export function beyondFinding({ advisories: all }: EvaluatedDependency): Pick<EvaluatedDependency, 'advisories'> {
  return { advisories: all.filter((it) => it.id !== suspicions.quarantined) };
}

/**
 * The flaws of a version, worst first.
 * @param room how many come first
 */
export function advisories(
  { advisories: all }: Pick<EvaluatedDependency, 'advisories'>,
  room: number,
): { readonly first: readonly Block[]; readonly more: readonly Block[] } {
  const sorted = bySeverity(all);
  const isWhole = sorted.length <= room;
  const first = sorted.slice(0, isWhole ? room : room - 1);
  const more = sorted.slice(first.length, MAX_ADVISORIES);
  const left = sorted.length - first.length;
  const unlisted = left - more.length;
  return {
    first: [...first.map(advisory), ...(left > 0 ? [item(l10n.t('and {0} more', left))] : [])],
    more: [...more.map(advisory), ...(unlisted > 0 ? [item(l10n.t('and {0} more', unlisted))] : [])],
  };
}

function advisory(it: Advisory): Block {
  const { id, aliases, facts } = it;
  if (isSuspicion(id)) return item(suspicionText(id));
  if (facts.state !== 'ready') return item(linkTo(id, undefined));
  const { title, url } = facts.value;
  const parts: Inline[] = [linkTo(id, url), ` ${severityText(it)}`];
  if (title) parts.push(`: ${title}`);
  if (aliases.length > 0) parts.push(` (${l10n.t('also {0}', aliases.join(', '))})`);
  return item(...parts);
}

/** The identifier, which leads to its record. */
export function linkTo(id: string, address: string | undefined): Inline {
  if (isSuspicion(id)) return suspicionText(id);
  const { text, url } = advisoryLink(id, address);
  return { link: text, url };
}
