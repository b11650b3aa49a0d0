import * as l10n from '@vscode/l10n';
import { byText } from '../model/by-text.ts';
import type { Registry } from '../model/registry.ts';
import type { Subject } from '../model/subject.ts';
import type { Withheld } from '../report/report.ts';

/** The dependencies that the service did not hear of, by where they come from. */
export function withheldIn(subjects: readonly Subject[]): Withheld[] {
  const found = new Map<string, Withheld>();
  for (const { resolution } of subjects) {
    if (resolution.kind !== 'none' || resolution.withheld === undefined) continue;
    const { host, from, beside } = resolution.withheld;
    const origin = originOf(resolution.withheld);
    const count = (found.get(origin)?.count ?? 0) + 1;
    found.set(origin, {
      origin,
      ...(host !== undefined && { host }),
      ...(from !== undefined && { from }),
      ...(beside && { beside }),
      ...(resolution.isPublicUnsaid && { isPublicUnsaid: true }),
      count,
    });
  }
  return [...found.values()].sort((a, b) => b.count - a.count || byText(a.origin, b.origin));
}

function originOf({ host, from, beside, unreadable }: Registry): string {
  if (from !== undefined && unreadable) return l10n.t('a registry that {0} may name, which cannot be read', from);
  if (host === undefined) {
    return from === undefined ? l10n.t('a registry of their own') : l10n.t('what {0} says is private', from);
  }
  if (from === undefined) return l10n.t('the registry {0}', host);
  return beside
    ? l10n.t('the registry {0} or another ({1})', host, from)
    : l10n.t('the registry {0} ({1})', host, from);
}
