import type {
  TargetRow,
  VersionDetails,
  VersionRow,
  VersionsAnswer,
} from '../../../server/src/editor/requests/versions.ts';

export type VersionList = Extract<VersionsAnswer, { readonly kind: 'list' }>;

/** The rows of a list of versions, each in one group, which keeps their order. */
export interface VersionGroups {
  /** Those that suggest themselves. */
  readonly targets: readonly TargetRow[];
  /** Without a known problem, or not checked yet. */
  readonly others: readonly VersionRow[];
  /** Affected, deprecated or denied ones. */
  readonly troubled: readonly VersionRow[];
  readonly malicious: readonly VersionRow[];
}

/** What is known to have problems comes after everything else: a list may have forty of them above the first sound one. */
export function groupVersions(
  { targets, versions }: Pick<VersionList, 'targets' | 'versions'>,
  details: ReadonlyMap<string, VersionDetails>,
): VersionGroups {
  const isMalicious = ({ version }: VersionRow): boolean => details.get(version)?.isMalicious === true;
  const isTroubled = (it: VersionRow): boolean =>
    it.isDeprecated || it.hasFlaw === true || details.get(it.version)?.isAffected === true;
  const all: readonly VersionRow[] = [...targets, ...versions];
  return {
    targets: targets.filter((it) => !isTroubled(it) && !isMalicious(it)),
    others: versions.filter((it) => !isTroubled(it) && !isMalicious(it)),
    troubled: all.filter((it) => isTroubled(it) && !isMalicious(it)),
    malicious: all.filter(isMalicious),
  };
}

/** Those to look up next, so that the list begins with a sound version; none once it does. */
export function uncheckedBeforeSound(
  { targets, others }: VersionGroups,
  details: ReadonlyMap<string, VersionDetails>,
): readonly VersionRow[] {
  const [first] = [...targets, ...others];
  return first === undefined || details.has(first.version) ? [] : others;
}
