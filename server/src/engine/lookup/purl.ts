import * as l10n from '@vscode/l10n';
import { groupAdvisories } from '../analysis/evaluate/advisories.ts';
import { versioning } from '../ecosystems/versioning.ts';
import { type PackageFacts, rowsOf, type VersionFacts, type VersionSummary } from '../model/facts.ts';
import type { Identity, Lookups, OldAnswer } from '../model/lookups.ts';
import type { Insights } from '../model/ports.ts';
import { formatPurl, type Purl } from '../model/purl.ts';
import type { Advisory } from '../model/signals/advisory.ts';
import { createOwnerId } from './package-lookup.ts';

/** The result of looking up a package or version by its purl. */
export type LookedUp =
  | {
      readonly kind: 'found';
      readonly purl: string;
      readonly identity: Identity;
      /** The default version of its package, if it is known and `identity` is another version. */
      readonly defaultVersion?: VersionSummary;
      readonly advisories: readonly Advisory[];
      readonly old?: OldAnswer;
    }
  | { readonly kind: 'unknown'; readonly purl: string; readonly old?: OldAnswer }
  | { readonly kind: 'failed'; readonly purl: string; readonly reason: string };

/** How long to wait for what is not necessary, in ms. Without details of advisories, only their ids are shown. */
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
      const about = { kind: 'found', purl, identity, ...(found.old && { old: found.old }) } as const;
      if (identity.kind === 'package') return { ...about, advisories: [] };
      return { ...about, ...(await besides(identity.facts, insights, signal)) };
    }
  }
}

/** What other answers report of a version: the details of its advisories, and the default version of its package. */
async function besides(
  { key, advisories: ids, isDefault }: VersionFacts,
  insights: Insights,
  signal: AbortSignal,
): Promise<{ readonly advisories: readonly Advisory[]; readonly defaultVersion?: VersionSummary }> {
  const owner = createOwnerId();
  insights.request(owner, [
    ...ids.map((id) => ({ kind: 'advisory', id }) as const),
    ...(isDefault ? [] : [{ kind: 'package', key } as const]),
  ]);
  await insights.whenSettled(owner, PATIENCE, signal);
  const advisories = groupAdvisories(ids, insights);
  const list = insights.package(key);
  insights.release(owner);
  const preferred = list.state === 'ready' ? rowsOf(list.value.versions).find((it) => it.isDefault) : undefined;
  return { advisories, ...(preferred && preferred.version !== key.version && { defaultVersion: preferred }) };
}

/** The versions of a package, newest first: by date, or by their order where a date is missing. */
export function newestFirst({ key, versions: list }: PackageFacts): readonly VersionSummary[] {
  const { compare } = versioning[key.system];
  const versions = rowsOf(list);
  const areDated = versions.every((it) => it.publishedAt !== undefined);
  return versions.sort(
    (a, b) => (areDated ? (b.publishedAt ?? 0) - (a.publishedAt ?? 0) : 0) || compare(b.version, a.version),
  );
}
