import type { FindingCode, Severity } from './finding.ts';
import type { Network } from './network.ts';

/** A setting that decides what is asked of whom, with a value that cannot be understood. */
export interface InvalidSetting {
  /** `packageInsights.baseUrl` */
  readonly setting: string;
  /** A clause that names the setting and its value. */
  readonly reason: string;
  /** Nothing is asked until it is put right; else less is asked than otherwise. */
  readonly closes: boolean;
}

/** What the engine and the features let a person choose. Declared in settings/declarations.ts, read by settings/read.ts. */
export interface Settings {
  /** Where the Package Insights Service is: `https://host[:port][/path]`; empty where that cannot be understood. */
  readonly baseUrl: string;
  /** Ask nothing: what was looked up before is all there is. */
  readonly offline: boolean;
  /** What the editor itself has set for the network; absent where it says nothing. */
  readonly network?: Network;
  readonly inlayHints: 'all' | 'problems' | 'off';
  /** Hovers over purls in any text, not in manifests alone. */
  readonly purlHovers: boolean;
  /** A code lens above the first dependency that moves all that should be moved. */
  readonly codeLens: boolean;
  /** Names of packages are links to where they are made. */
  readonly documentLinks: boolean;
  /** Show the findings of manifests that are not open. */
  readonly workspaceDiagnostics: boolean;
  /** `auto` is what the rule says. */
  readonly severity: Readonly<Record<FindingCode, Severity | 'auto' | 'off'>>;
  /** Look up the default version of dependencies that have nothing wrong, once all else is answered. */
  readonly lookUpDefaults: boolean;
  /** Hosts of registries whose packages anybody may hear of. */
  readonly publicRegistries: readonly string[];
  /** Versions younger than this many days are not what to move to. */
  readonly cooldownDays: number;
  /** Version look-ups in one request. */
  readonly batchSize: number;
  /** Batches under way at a time. */
  readonly parallelBatches: number;
  /** In minutes: before `min` no answer is asked for again, after `max` every one is. The latter counts more. */
  readonly freshness: { readonly min: number; readonly max: number };
  /** What of it cannot be understood; absent where all can. */
  readonly invalidSettings?: readonly InvalidSetting[];
}

/** Why nothing is asked, as long as a setting that decides of it cannot be understood. */
export function settingThatStopsLookups({
  invalidSettings = [],
}: Pick<Settings, 'invalidSettings'>): InvalidSetting | undefined {
  return invalidSettings.find((it) => it.closes);
}
