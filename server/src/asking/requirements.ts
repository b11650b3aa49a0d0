import * as l10n from '@vscode/l10n';
import { canonicalName, type VersionKey, versionId } from '../model/keys.ts';
import type { Lookups } from '../model/lookups.ts';
import type { System } from '../model/system.ts';
import { versioning } from '../versions/index.ts';
import { versionsInBills } from './maven-bills.ts';
import { unmanaged } from './maven-requirements.ts';
import { groupsOf, type Pom, type RequirementGroup } from './requirement-groups.ts';

/** What a version requires, or why that cannot be told. */
export type Required =
  | { readonly kind: 'found'; readonly groups: readonly RequirementGroup[] }
  /** The service has no such look-up for the system. */
  | { readonly kind: 'unserved'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Source: contract of the Package Insights Service, GetRequirements. */
const served: ReadonlySet<System> = new Set(['NPM', 'MAVEN', 'NUGET']);

/** A chain of parents longer than this is none. */
const mostParents = 16;

/** @param asked in any spelling of its system */
export async function requirementsOf(asked: VersionKey, lookups: Lookups, signal: AbortSignal): Promise<Required> {
  const { system } = asked;
  const name = canonicalName(system, asked.name);
  const key = { system, name, version: versioning[system].canonical(asked.version) };
  if (!served.has(system)) {
    return {
      kind: 'unserved',
      reason: l10n.t('The service knows requirements of npm, Maven and NuGet packages only.'),
    };
  }
  const answer = await lookups.requirements(key, signal);
  switch (answer.kind) {
    case 'found': {
      const declared = answer.value;
      if (declared.system !== 'MAVEN') return { kind: 'found', groups: groupsOf(key, declared, []) };
      const pom: Pom = { key, declared };
      const parents = await parentsOf(pom, lookups, signal);
      const imported = await versionsInBills(pom, parents, unmanaged(pom, parents), lookups, signal);
      return { kind: 'found', groups: groupsOf(key, declared, parents, imported) };
    }
    case 'unknown':
      return {
        kind: 'unknown',
        reason: l10n.t('The service does not know what {0} {1} requires.', key.name, key.version),
      };
    case 'failed':
      return { kind: 'failed', reason: answer.reason };
    case 'aborted':
      return { kind: 'failed', reason: l10n.t('interrupted') };
  }
}

/** The published parents of a POM, nearest first, as far as they can be had. */
async function parentsOf(pom: Pom, lookups: Lookups, signal: AbortSignal): Promise<readonly Pom[]> {
  const parents: Pom[] = [];
  const seen = new Set([versionId(pom.key)]);
  for (let next = pom.declared.parent; next !== undefined && parents.length < mostParents; ) {
    const key: VersionKey = { system: 'MAVEN', ...next };
    if (seen.has(versionId(key))) break;
    seen.add(versionId(key));
    const answer = await lookups.requirements(key, signal);
    if (answer.kind !== 'found' || answer.value.system !== 'MAVEN') break;
    parents.push({ key, declared: answer.value });
    next = answer.value.parent;
  }
  return parents;
}
