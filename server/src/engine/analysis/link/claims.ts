import * as l10n from '@vscode/l10n';
import { conditionalSources, poetryTable } from '../../ecosystems/shared/project-rules.ts';
import { versioning } from '../../ecosystems/versioning.ts';
import { areFieldsRead } from '../../ecosystems/workspace-clients.ts';
import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import type { Dependency } from '../../model/manifest.ts';
import type { Claim } from '../../model/manifest-chain.ts';
import type { System } from '../../model/system.ts';
import type { LockedDependency } from './locked-versions.ts';

/** The claims that the client of a project may honor. */
export function possibleClaims(claims: readonly Claim[] = [], lockfiles: readonly string[] = []): readonly Claim[] {
  return claims.every((it) => it.fields === undefined)
    ? claims
    : claims.filter(({ fields, client }) => !fields || areFieldsRead(fields, lockfiles, client) !== 'no');
}

/**
 * Why a client may take a member of the workspace from a registry: none of the claims is sure. Undefined where one is.
 * @param lockfiles the names of those beside the project or above
 */
export function contestOf(
  { key: { system, name }, requirement }: LinkedDependency,
  claims: readonly Claim[],
  lockfiles: readonly string[],
): string | undefined {
  let reason: string | undefined;
  const [first = '', ...others] = claims.flatMap((it) => it.version ?? []);
  if (first !== '' && requirement.kind === 'text' && claims.some((it) => it.isPatch)) {
    const { text } = requirement;
    if (![first, ...others].some((it) => versioning[system].keeps(it, text)))
      return `${l10n.t('a member of this workspace is named {0}', name)}; ${l10n.t('its version there is {0}', first)}`;
  }
  for (const it of claims) {
    const against = contest(it, system, requirement.kind === 'text' ? requirement.text : undefined, lockfiles);
    if (against === undefined) return undefined;
    reason ??= against;
  }
  return reason && `${l10n.t('a member of this workspace is named {0}', name)}; ${reason}`;
}

function contest(
  { version, fields, client, needs }: Claim,
  system: System,
  range: string | undefined,
  lockfiles: readonly string[],
): string | undefined {
  if (fields) {
    return areFieldsRead(fields, lockfiles, client) === 'probably not' ? unreadText(fields) : undefined;
  }
  if (needs === 'path') return l10n.t('Cargo takes it from there only where a path or a patch leads to it');
  // The lockfile records what was linked.
  if (needs === 'project reference')
    return l10n.t('NuGet takes it from there only where a {0} leads to it', 'ProjectReference');
  if (needs === 'protocol of yarn' && !lockfiles.includes('yarn.lock'))
    return l10n.t(
      'yarn takes it from there only where the version begins with {0}, because of {1}',
      'workspace:',
      'enableTransparentWorkspaces',
    );
  if (needs === 'protocol of pnpm' && !lockfiles.includes('pnpm-lock.yaml'))
    return l10n.t(
      'pnpm takes it from there only where {0} is set or the version begins with {1}',
      'linkWorkspacePackages',
      'workspace:',
    );
  if (version === undefined || range === undefined || !isVersionCompared.has(system)) return undefined;
  const { read, keeps } = versioning[system];
  const { kind } = read(range);
  if ((kind !== 'pin' && kind !== 'range') || keeps(version, range)) return undefined;
  return l10n.t('its version there is {0}', version);
}

/** Systems whose tools take a member only in a version that is required. Go takes any. */
const isVersionCompared: ReadonlySet<System> = new Set(['NPM', 'MAVEN']);

/** Why a local source of another group may not be the one of a dependency. */
export function contestedField(field: string): string {
  return unreadText([field]);
}

function unreadText(fields: readonly string[]): string {
  if (fields.includes(conditionalSources))
    return l10n.t('{0} takes it from elsewhere under conditions alone', conditionalSources);
  if (fields.includes(poetryTable)) return l10n.t('{0} takes it from elsewhere, which only Poetry reads', poetryTable);
  return l10n.t('{0} takes it from elsewhere, which npm does not read', `“${fields.join('”, “')}”`);
}

/** Adds that the lockfile has a version from a registry of what counts as a member of the workspace. */
export function withLockedContest(found: LockedDependency, { requirement: required }: Dependency): LockedDependency {
  const { linked, locked } = found;
  const { requirement, dependency, key } = linked;
  if (requirement.kind !== 'source' || locked === undefined || linked.contested !== undefined) return found;
  if (dependency.requirement.kind === 'source' && !dependency.written) return found;
  // Go takes whatever version is in the workspace; go.sum has others, too.
  if (key.system === 'GO' || dependency.inherits) return found;
  // Of a crate that a patch replaces, Cargo.lock may have a version from a registry for another requirement.
  const range = required.kind === 'literal' ? required.at.text : '';
  if (dependency.replacement && !versioning[key.system].keeps(locked.version, range)) return found;
  const contested = l10n.t('{0} has version {1} from a registry', locked.lockfile, locked.version);
  return { linked: { ...linked, contested } };
}
