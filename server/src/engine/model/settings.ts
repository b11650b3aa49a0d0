import type { ConnectionName, ConnectionSettings, LinkSafetyMode } from './connection.ts';
import type { FindingCode, Severity } from './finding.ts';
import type { Network } from './network.ts';
import type { SchedulingSettings } from './schedule-settings.ts';
import type { System } from './system.ts';
import type { BoundedRanges } from './versioning.ts';

/** A setting with an invalid value that determines which requests are sent where. */
export interface InvalidSetting {
  /** `packageInsights.baseUrl` */
  readonly setting: string;
  /** A clause that names the setting and its value. */
  readonly reason: string;
  /** Whether it stops all requests; otherwise it only restricts them. */
  readonly closes: boolean;
}

/** The marks of hints, which a person can choose; each may be empty. */
export interface HintMarks {
  /** Before what is wrong. */
  readonly problem: string;
  /** Before the version to move to. */
  readonly target: string;
  /** Behind a version that is a major step away. */
  readonly major: string;
  /** Before the time of a planned update; empty for the word. */
  readonly planned: string;
}

/** What hints can show, in this order. */
export const hintParts = ['severity', 'advisories', 'version', 'license', 'below', 'target', 'planned'] as const;
export type HintPart = (typeof hintParts)[number];

/** The formats that files may have under names of their own. */
export const namedFormats = [
  'package.json',
  'pom.xml',
  'requirements.txt',
  'pyproject.toml',
  'Pipfile',
  'setup.py',
  'Cargo.toml',
  'go.mod',
  'build.gradle',
  'libs.versions.toml',
  'csproj',
  'msbuild',
] as const;

/** A name with asterisks, and a format. */
export const fileNamePattern = `^(?!=)[^/\\\\=*?\\[\\]{}]*(?:\\*[^/\\\\=*?\\[\\]{}]+)*=(?:${namedFormats.map((it) => it.replaceAll('.', '\\.')).join('|')})$`;

export const similarNamesModes = ['off', 'lockfile', 'service'] as const;
export type SimilarNamesMode = (typeof similarNamesModes)[number];

/** The settings of a person. Declared in settings/declarations.ts, read by settings/read.ts. */
export interface Settings {
  /** Address of the Package Insights Service: `https://host[:port][/path]`; empty if invalid. */
  readonly baseUrl: string;
  /** Send no requests: use cached answers only. */
  readonly offline: boolean;
  /** The network settings of the editor; absent if it sent none. */
  readonly network?: Network;
  readonly inlayHints: 'all' | 'problems' | 'off';
  readonly hintMarks: HintMarks;
  readonly hintParts: readonly HintPart[];
  /** Hovers over purls in any text, not in manifests alone. */
  readonly purlHovers: boolean;
  /** A code lens above the first dependency that updates all deprecated or affected ones. */
  readonly codeLens: boolean;
  /** Package names link to their source repository. */
  readonly documentLinks: boolean;
  /** Show the findings of manifests that are not open. */
  readonly workspaceDiagnostics: boolean;
  /** Own names of manifests with their formats: `reqs*.txt=requirements.txt`. */
  readonly fileNames: readonly string[];
  /** Systems whose manifests are left alone. */
  readonly disabledSystems: readonly System[];
  /** `auto` uses the severity of the rule. */
  readonly severity: Readonly<Record<FindingCode, Severity | 'auto' | 'off'>>;
  /** Look up the default version of dependencies without problems, after everything else. */
  readonly lookUpDefaults: boolean;
  /** Look up everything that dependencies bring along by their lockfile, after everything else. */
  readonly lookUpBelow: boolean;
  /** Hosts of services that names may be sent to from a browser, which cannot read the registry settings of the computer. */
  readonly lookUpInBrowser: readonly string[];
  /** Look up the projects of dependencies: their score and stars. */
  readonly projectScores: boolean;
  /** The score of a project below which there is a finding; 0 for none. */
  readonly minScore: number;
  /** What names are compared with: the lockfiles, or also what the service calls similar. */
  readonly similarNames: SimilarNamesMode;
  /** Hosts of registries that are public. */
  readonly publicRegistries: readonly string[];
  /** Whether private registries are asked about their packages. */
  readonly privateRegistries: 'off' | 'ask';
  /** Versions younger than this many days are not suggested. Undefined where the person has not chosen. */
  readonly cooldownDays: number | undefined;
  /** What a fix does to a range that ends below its version. */
  readonly boundedRanges: BoundedRanges;
  /** Versions per request. */
  readonly batchSize: number;
  /** Concurrent batch requests. */
  readonly parallelBatches: number;
  /** In minutes: an answer is never refreshed before `min`, and always after `max`, which takes precedence. */
  readonly freshness: { readonly min: number; readonly max: number };
  readonly connections: Readonly<Record<ConnectionName, ConnectionSettings>>;
  /** `closed` for an invalid value: no link is checked, and none is shown as one. */
  readonly linkSafety: LinkSafetyMode | 'closed';
  /** What links are checked against: `MALWARE`. Not empty unless `linkSafety` is `closed` or `off`. */
  readonly threatLists: readonly string[];
  readonly scheduling: SchedulingSettings;
  /** `project` is empty while none is chosen. */
  readonly deployments: { readonly project: string };
  /** Invalid settings; absent if all are valid. */
  readonly invalidSettings?: readonly InvalidSetting[];
}

/** The invalid setting because of which no requests are sent. */
export function settingThatStopsLookups({
  invalidSettings = [],
}: Pick<Settings, 'invalidSettings'>): InvalidSetting | undefined {
  return invalidSettings.find((it) => it.closes);
}

/** Whether the person has permitted a browser to send names to this very service. */
export function mayLookUpInBrowser({
  baseUrl,
  lookUpInBrowser,
}: Pick<Settings, 'baseUrl' | 'lookUpInBrowser'>): boolean {
  const host = serviceHostOf(baseUrl);
  return host !== undefined && lookUpInBrowser.some((it) => it.trim().toLowerCase() === host);
}

/** The host of a service with its port, as the permission names it; undefined for an invalid address. */
export function serviceHostOf(baseUrl: string): string | undefined {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : undefined;
}
