import * as l10n from '@vscode/l10n';
import { oneLine } from '../../base/text.ts';
import { type EvaluatedDependency, spelledName } from '../../model/evaluated-dependency.ts';
import type { PackageKey } from '../../model/keys.ts';
import { accessOf } from '../../model/registries/asked-registries.ts';
import { registriesText } from '../../model/registries/refusal-text.ts';
import type { Rule } from './rule.ts';

/**
 * The service does not know the package. Usual for private packages, hence a hint, which editors do not underline; a
 * warning for a new name without a known owner. Records are skipped: tools do not misspell names.
 */
export const notFound: Rule = {
  code: 'not-found',
  find(evaluated) {
    const { linked } = evaluated;
    if (!isUnknown(evaluated) || linked.isRecorded) return undefined;
    if (evaluated.isNewName) {
      const { fact, reason } = newNameText(evaluated);
      return { severity: 'warning', message: `${fact} ${reason}` };
    }
    return { severity: 'hint', message: unknownText({ ...linked.key, name: linked.dependency.name }) };
  },
};

/** Whether the service knows no such package, also where a lockfile has a version of it. */
export function isUnknown({
  resolution,
  version,
  package: list,
}: Pick<EvaluatedDependency, 'resolution' | 'version' | 'package'>): boolean {
  return resolution.kind === 'unknown' || (version?.state === 'unknown' && list?.state === 'unknown');
}

/**
 * A sentence without its full stop that says what an unknown package may be. Source: the contract of the service,
 * “Coverage”.
 */
export function unknownText({ system, name, registry }: PackageKey): string {
  const access = registry === undefined ? undefined : accessOf(registry);
  if (access) {
    const from = registriesText(access.registries);
    return access.besidePublic
      ? l10n.t('{0} is not in {1}: it may come from the public registry, where it is not looked up', name, from)
      : l10n.t('{0} is not in {1}', name, from);
  }
  switch (system) {
    case 'PYPI':
      return l10n.t(
        '{0} is unknown to the service: it may be private, too new, or not released as a wheel or sdist',
        name,
      );
    case 'GO':
      return l10n.t('{0} is unknown to the service: it may be private, too new, or not on the module proxy', name);
    case 'MAVEN':
      return l10n.t('{0} is unknown to the service: it may be private, too new, or only in another repository', name);
    default:
      return l10n.t('{0} is unknown to the service: it may be private, too new, or misspelled', name);
  }
}

/** More proposals help no reader. */
const MAX_SIMILAR = 3;

/** The names that may be meant by a new one without a known owner, the likeliest first. */
export function similarNamesOf({
  similar,
  similarName,
}: Pick<EvaluatedDependency, 'similar' | 'similarName'>): readonly string[] {
  const named = similar?.state === 'ready' ? similar.value.names : [];
  return [...new Set([...(similarName ? [similarName.name] : []), ...named])].slice(0, MAX_SIMILAR);
}

/** What a new name without a known owner is, and why; `isNewName` is set. */
export function newNameText(evaluated: Pick<EvaluatedDependency, 'linked' | 'similar' | 'similarName'>): {
  readonly fact: string;
  readonly reason: string;
} {
  const names = similarNamesOf(evaluated);
  return {
    fact: l10n.t('{0}: no such package (invented?).', oneLine(spelledName(evaluated.linked))),
    reason: [
      l10n.t('The name is new in this file, and the service does not know it.'),
      ...(names.length > 0 ? [l10n.t('Similar: {0}.', names.map((it) => oneLine(it)).join(', '))] : []),
    ].join(' '),
  };
}
