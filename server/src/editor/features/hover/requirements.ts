import * as l10n from '@vscode/l10n';
import type { RequirementGroup } from '../../../engine/lookup/requirement-group.ts';
import { groupsOf } from '../../../engine/lookup/requirement-groups.ts';
import { diffRequirements } from '../../../engine/lookup/upgrade-diff.ts';
import { type EvaluatedDependency, targetFor } from '../../../engine/model/evaluated-dependency.ts';
import { packageId, type VersionKey } from '../../../engine/model/keys.ts';
import type { Requirements } from '../../../engine/model/lookups.ts';
import { type Block, paragraph } from '../markup.ts';

/**
 * The requirements of a dependency if they were looked up before, and the differences of its default version:
 *
 *     Requires 3 packages; 4.18.1 adds 1, drops 2 and changes 0
 */
export function describeRequirements(
  evaluated: EvaluatedDependency,
  known: (key: VersionKey) => Requirements | undefined,
): Block[] {
  const { linked, resolution } = evaluated;
  if (resolution.kind !== 'version') return [];
  const target = targetFor(evaluated, 'default');
  const groups = (version: string): RequirementGroup[] | undefined => {
    const key = { ...linked.key, version };
    const declared = known(key);
    return declared && groupsOf(key, declared, () => ({ kind: 'pending' }));
  };
  const own = groups(resolution.version);
  if (own === undefined) return [];
  const count = new Set(
    own.filter((it) => it.scope === 'runtime').flatMap((it) => it.entries.map(({ key }) => packageId(key))),
  ).size;
  const requires = requiring(count);
  const others = target && groups(target.version);
  if (!others) return [paragraph(requires)];
  const { adds, drops, changes } = diffRequirements(own, others);
  return [
    paragraph(
      l10n.t(
        '{0}; {1} adds {2}, removes {3} and changes {4}',
        requires,
        target.version,
        adds.length,
        drops.length,
        changes.length,
      ),
    ),
  ];
}

function requiring(count: number): string {
  if (count === 0) return l10n.t('Requires no packages');
  return count === 1 ? l10n.t('Requires 1 package') : l10n.t('Requires {0} packages', count);
}
