import * as l10n from '@vscode/l10n';
import { groupAdvisories } from '../analysis/evaluate/dependency.ts';
import { versioning } from '../ecosystems/versioning.ts';
import type { Advisory } from '../model/evaluated-dependency.ts';
import type { PackageFacts, VersionSummary } from '../model/facts.ts';
import type { AdvisoryId } from '../model/keys.ts';
import type { Identity, Lookups, OldAnswer } from '../model/lookups.ts';
import type { Insights } from '../model/ports.ts';
import { formatPurl, type Purl } from '../model/purl.ts';
import { createOwnerId } from './package-lookup.ts';

/** The result of looking up a package or version by its purl. */
export type LookedUp =
  | {
      readonly kind: 'found';
      readonly purl: string;
      readonly identity: Identity;
      readonly advisories: readonly Advisory[];
      readonly old?: OldAnswer;
    }
  | { readonly kind: 'unknown'; readonly purl: string; readonly old?: OldAnswer }
  | { readonly kind: 'failed'; readonly purl: string; readonly reason: string };

/** How long to wait for the details of advisories, in ms. Without details only their ids are shown. */
const PATIENCE = 30_000;

export async function lookUpPurl(
  named: Purl,
  insights: Insights & { readonly lookups: Lookups },
  signal: AbortSignal,
): Promise<LookedUp> {
  const purl = formatPurl(named.key, named.version);
  const found = await insights.lookups.purl(named, signal);
  switch (found.kind) {
    case 'unknown':
      return { ...found, purl };
    case 'failed':
      return { kind: 'failed', purl, reason: found.reason };
    case 'aborted':
      return { kind: 'failed', purl, reason: l10n.t('interrupted') };
    case 'found': {
      const identity = found.value;
      const ids = identity.kind === 'version' ? identity.facts.advisories : [];
      const advisories = await advisoriesOf(ids, insights, signal);
      return { kind: 'found', purl, identity, advisories, ...(found.old && { old: found.old }) };
    }
  }
}

async function advisoriesOf(
  ids: readonly AdvisoryId[],
  insights: Insights,
  signal: AbortSignal,
): Promise<readonly Advisory[]> {
  const owner = createOwnerId();
  insights.request(
    owner,
    ids.map((id) => ({ kind: 'advisory', id })),
  );
  await insights.whenSettled(owner, PATIENCE, signal);
  const advisories = groupAdvisories(ids, insights);
  insights.release(owner);
  return advisories;
}

/** The versions of a package, newest first: by date, or by their order where a date is missing. */
export function newestFirst({ key, versions }: PackageFacts): readonly VersionSummary[] {
  const { compare } = versioning[key.system];
  const areDated = versions.every((it) => it.publishedAt !== undefined);
  return versions.toSorted(
    (a, b) => (areDated ? (b.publishedAt ?? 0) - (a.publishedAt ?? 0) : 0) || compare(b.version, a.version),
  );
}
