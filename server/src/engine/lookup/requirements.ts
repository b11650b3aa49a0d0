import * as l10n from '@vscode/l10n';
import type { DefinitionGap } from '../analysis/link/definitions.ts';
import type { ReadPom } from '../analysis/link/inheritance.ts';
import { MAX_POMS } from '../analysis/link/published-poms.ts';
import { oneLine } from '../base/text.ts';
import { publishedPom } from '../ecosystems/maven/published-pom.ts';
import { versioning } from '../ecosystems/versioning.ts';
import { canonicalName, type VersionKey, versionId } from '../model/keys.ts';
import type { Lookups, Requirements } from '../model/lookups.ts';
import type { Manifest } from '../model/manifest.ts';
import type { RequirementGroup } from './requirement-group.ts';
import { groupsOf } from './requirement-groups.ts';

/** The requirements of a version, or why they are unavailable. */
export type RequirementsResult =
  | { readonly kind: 'found'; readonly groups: readonly RequirementGroup[] }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** @param asked in any spelling of its system */
export async function requirementsOf(
  asked: VersionKey,
  lookups: Lookups,
  signal: AbortSignal,
): Promise<RequirementsResult> {
  const { system } = asked;
  const name = canonicalName(system, asked.name);
  const key = { system, name, version: versioning[system].canonical(asked.version) };
  const answer = await lookups.requirements(key, signal);
  switch (answer.kind) {
    case 'found':
      return { kind: 'found', groups: await withPoms(key, answer.value, lookups, signal) };
    case 'unknown':
      return {
        kind: 'unknown',
        reason: l10n.t(
          'The requirements of {0} {1} are unknown to the service.',
          oneLine(asked.name),
          oneLine(asked.version),
        ),
      };
    case 'failed':
      return { kind: 'failed', reason: l10n.t('Lookup failed: {0}.', answer.reason) };
    case 'aborted':
      return { kind: 'failed', reason: l10n.t('interrupted') };
  }
}

/** Resolves the groups with the published parents and BOMs of a POM. The POMs of each round are requested together. */
async function withPoms(
  key: VersionKey,
  declared: Requirements,
  lookups: Lookups,
  signal: AbortSignal,
): Promise<RequirementGroup[]> {
  const known = new Map<string, Manifest | DefinitionGap>();
  for (;;) {
    const open = new Map<string, VersionKey>();
    const read: ReadPom = (named, version) => {
      const asked = { ...named.key, version };
      const found = known.get(versionId(asked));
      if (found) return found;
      if (known.size + open.size >= MAX_POMS) {
        const reason = l10n.t('it requires more than {0} published POMs', MAX_POMS);
        return { kind: 'withheld', pom: `${asked.name} ${version}`, reason };
      }
      open.set(versionId(asked), asked);
      return { kind: 'pending' };
    };
    const groups = groupsOf(key, declared, read);
    if (open.size === 0 || signal.aborted) return groups;
    const all = [...open].map(async ([id, asked]) => known.set(id, await pomOf(asked, lookups, signal)));
    await Promise.all(all);
  }
}

async function pomOf(key: VersionKey, lookups: Lookups, signal: AbortSignal): Promise<Manifest | DefinitionGap> {
  const answer = await lookups.requirements(key, signal);
  const pom = `${key.name} ${key.version}`;
  switch (answer.kind) {
    case 'found':
      return answer.value.system === 'MAVEN' ? publishedPom(key, answer.value) : { kind: 'unknown', pom };
    case 'unknown':
      return { kind: 'unknown', pom };
    case 'failed':
      return { kind: 'withheld', pom, reason: answer.reason };
    case 'aborted':
      return { kind: 'pending' };
  }
}
