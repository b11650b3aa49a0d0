import {
  connectionKeys,
  connectionNames,
  linkSafetyModes,
  threatListPattern,
  usualThreatLists,
} from '../model/connection.ts';
import { projectPattern } from '../model/deployments/types.ts';
import { type FindingCode, findingCodes, severities } from '../model/finding.ts';
import { hostPattern, servicePattern } from '../model/links.ts';
import { hoursPattern, weekDays } from '../model/scheduling/planned.ts';
import { fileNamePattern, hintParts, namedFormats, similarNamesModes } from '../model/settings.ts';
import { systems } from '../model/system.ts';
import { boundedRanges } from '../model/versioning.ts';

/** One setting: its declaration for editors, and its valid values. */
export type Declaration = Values & Scope;

interface Values {
  /** `array`: a list of strings. */
  readonly type: 'string' | 'boolean' | 'integer' | 'array';
  /** `null`: nothing is chosen, which differs from each value. */
  readonly default: string | boolean | number | readonly string[] | null;
  readonly items?: { readonly type: 'string'; readonly pattern?: string; readonly patternErrorMessage?: string };
  /** The pattern of valid texts, and the message of editors for others. */
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly markdownDescription: string;
}

/** Who may choose a value. */
type Scope =
  /** Workspaces must not. */
  | { readonly scope: 'machine' }
  /**
   * A workspace may. Until the person trusts it, its value is `ignored` where it could hide a finding or have a name sent
   * that would stay; other values count.
   */
  | { readonly scope: 'resource' | 'window'; readonly untrusted: 'ignored' | 'counts' };

const choices = ['auto', ...severities, 'off'] as const;

const findingNames: Readonly<Record<FindingCode, string>> = {
  malicious:
    'a version that is malware, or a dependency that brings some along, by its lockfile. `auto`: error. A workspace cannot change it',
  advisory: 'a version with known vulnerabilities. `auto`: error from a CVSS score of 7, otherwise warning',
  'advisory-below':
    'a dependency that brings packages with known vulnerabilities along, by its lockfile. `auto`: information',
  deprecated: 'a deprecated, yanked or retracted version. `auto`: warning',
  'no-match': 'a requirement that no published version meets. `auto`: error',
  'not-found':
    'a package that the service does not know. `auto`: hint, without an underline; warning for a name that is new since the last commit and that anybody could publish',
  license:
    'a license that the policy of the project file does not allow. `auto`: error if denied, warning if it needs a review',
  'young-version': 'a version in use that was published within the cooldown. `auto`: warning',
  'provenance-lost':
    'an update from a version with a verified attestation of its origin to one without; nothing is requested for it. `auto`: information',
  'install-script':
    'a package of npm, pnpm, yarn or bun that runs a script when it is installed, or that brings one, by the lockfile. `auto`: off, unless a project file chooses a severity; the hover shows it in any case',
  'low-score': 'a dependency whose project has a Scorecard below `packageInsights.minScore`. `auto`: information',
  'similar-name':
    'a name that is almost that of another package. `auto`: warning if the service calls them similar, otherwise information',
  archived: 'an archived source repository, which a connected code host reports. `auto`: information',
  'license-mismatch':
    'a license in an SBOM that differs from the license that the service reports. `auto`: information',
};

/** Hints have little room. */
const markPattern = '^.{0,12}$';

const markSettings = [
  ['problem', '⚠', 'Mark before a problem in hints.'],
  ['target', '→', 'Mark before the version to move to in hints.'],
  ['major', '(major)', 'Mark behind a version in hints that is a major step away.'],
  ['planned', '', 'Mark before the time of a scheduled update in hints. Empty: the word “scheduled”.'],
] as const;

/** Requests a day. The code host allows 5,000 an hour with a credential; a workspace has a few hundred repositories. */
const DEFAULT_DAILY_BUDGET = 2000;

const connectionPurposes = {
  'code-host': 'archived repositories, last push and open issues of packages',
  'link-safety': 'checks of the links that packages declare',
  scheduling: 'calendar events for updates',
  deployments: 'types and states of deployment manifests',
  'token-audit': 'the use of your credentials',
} as const;

const connectionSettings: Readonly<Record<string, Declaration>> = Object.fromEntries(
  connectionNames.flatMap((name): [string, Declaration][] => {
    const key = `connections.${connectionKeys[name]}`;
    const baseUrl: Declaration = {
      type: 'string',
      default: '',
      pattern: `^$|${servicePattern}`,
      patternErrorMessage: 'An address like https://service.example, or http://127.0.0.1:8080 on this machine.',
      scope: 'machine',
      markdownDescription: `Address of the service for ${connectionPurposes[name]}. Empty: not connected, and nothing is sent.`,
    };
    const dailyBudget: Declaration = {
      type: 'integer',
      default: DEFAULT_DAILY_BUDGET,
      minimum: 0,
      maximum: 1_000_000,
      scope: 'machine',
      markdownDescription: `Requests a day (UTC) for ${connectionPurposes[name]}. After that, nothing is sent in the background until the next day, only what you ask for yourself.`,
    };
    return [
      [`${key}.baseUrl`, baseUrl],
      [`${key}.dailyBudget`, dailyBudget],
    ];
  }),
);

/**
 * Every setting below `packageInsights.`, in the order in which editors list them: display, findings, requests. The
 * extension's package.json repeats them; a test compares both.
 */
export const declarations: Readonly<Record<string, Declaration>> = {
  inlayHints: {
    type: 'string',
    default: 'all',
    enum: ['all', 'problems', 'off'],
    enumDescriptions: [
      'Problems, resolved version and license of every dependency, and the version to move to.',
      'Only dependencies with problems.',
      'No hints.',
    ],
    scope: 'resource',
    untrusted: 'ignored',
    markdownDescription: 'Inlay hints at the end of each dependency line.',
  },
  hintParts: {
    type: 'array',
    items: {
      type: 'string',
      pattern: `^(${hintParts.join('|')})$`,
      patternErrorMessage: 'Enter “severity”, “advisories”, “version”, “license”, “below”, “target” or “planned”.',
    },
    default: hintParts,
    scope: 'resource',
    untrusted: 'ignored',
    markdownDescription:
      'What hints show: the `severity` of the worst vulnerability, the number of vulnerabilities (`advisories`), the resolved `version`, the `license`, the number of affected packages that a dependency brings along (`below`), the `target` to move to, and when an update is scheduled (`planned`). What does not fit on the line is omitted: first what repeats the text, then the license, then counts.',
  },
  ...Object.fromEntries(
    markSettings.map(([name, text, markdownDescription]): [string, Declaration] => [
      `hintMarks.${name}`,
      {
        type: 'string',
        default: text,
        pattern: markPattern,
        patternErrorMessage: 'Enter up to 12 characters.',
        scope: 'resource',
        untrusted: 'ignored',
        markdownDescription,
      },
    ]),
  ),
  codeLens: {
    type: 'boolean',
    default: false,
    scope: 'resource',
    untrusted: 'counts',
    markdownDescription:
      'Show a code lens above the first dependency that updates every deprecated or affected dependency in the file.',
  },
  documentLinks: {
    type: 'boolean',
    default: false,
    scope: 'resource',
    untrusted: 'counts',
    markdownDescription:
      'Link package names to their source code, or to their home page. VS Code underlines every link; the hover contains the same links. In other editors it takes effect when a file is next opened or changed.',
  },
  purlHovers: {
    type: 'boolean',
    default: false,
    scope: 'window',
    untrusted: 'ignored',
    markdownDescription:
      'Show a hover for purls (`pkg:npm/lodash@4.17.21`) in any text. Only the purl under the cursor is looked up.',
  },
  offerInstall: {
    type: 'boolean',
    default: true,
    scope: 'window',
    untrusted: 'counts',
    markdownDescription:
      'After the first update in a window, offer to run the install command of the package manager, such as `npm install`, in a terminal. Nothing runs unasked.',
  },
  fileNames: {
    type: 'array',
    items: {
      type: 'string',
      pattern: fileNamePattern,
      patternErrorMessage: `Enter a file name and a format, such as “reqs*.txt=requirements.txt”. Formats: ${namedFormats.join(', ')}.`,
    },
    default: [],
    scope: 'window',
    untrusted: 'ignored',
    markdownDescription: `Manifests under names of your own, each with the format that it is read as: \`reqs*.txt=requirements.txt\`. An asterisk matches any characters. Names that a format has anyway keep theirs. Formats: ${namedFormats.map((it) => `\`${it}\``).join(', ')}.`,
  },
  disabledSystems: {
    type: 'array',
    items: {
      type: 'string',
      pattern: `^(?:${systems.join('|').toLowerCase()})$`,
      patternErrorMessage: `Enter one of ${systems.join(', ').toLowerCase()}.`,
    },
    default: [],
    scope: 'window',
    untrusted: 'ignored',
    markdownDescription: `Systems whose manifests and lockfiles are left alone: they show nothing, and nothing of them is looked up. ${systems.map((it) => `\`${it.toLowerCase()}\``).join(', ')}. Bills of materials are not concerned.`,
  },
  workspaceDiagnostics: {
    type: 'boolean',
    default: false,
    scope: 'window',
    untrusted: 'ignored',
    markdownDescription:
      'Report the findings of all manifests in the workspace in the Problems view, not only those of open manifests. Files that `.gitignore` excludes are skipped, unless git tracks them.',
  },
  cooldownDays: {
    type: 'integer',
    default: null,
    minimum: 0,
    maximum: 365,
    scope: 'machine',
    markdownDescription:
      'Do not suggest updates to versions that were published less than this number of days ago, unless they fix a vulnerability; an older version without problems is suggested instead. `null`: as long as the settings of the package managers say, of Dependabot and of Renovate, or 3 days if there are none. A workspace cannot shorten the cooldown; it can extend it. [More](https://github.com/package-insights/package-insights/blob/main/docs/cooldown.md)',
  },
  boundedRanges: {
    type: 'string',
    default: 'widen',
    enum: boundedRanges,
    enumDescriptions: [
      'The upper bound is moved: `>=41,<42` becomes `>=41,<51`, and `^1 || ^2` becomes `^1 || ^2 || ^4`.',
      'Both bounds are moved: `>=41,<42` becomes `>=50,<51`, and `^1 || ^2` becomes `^4`.',
      'Such a range is not changed. The update is refused with a reason.',
    ],
    scope: 'window',
    untrusted: 'counts',
    markdownDescription:
      'How an update changes a range that ends below the new version, here 50.0.1: `widen` moves the upper bound (`>=41,<42` becomes `>=41,<51`), `replace` moves both bounds (`>=50,<51`), `never` refuses the update. NuGet installs the lowest version of an interval, so both bounds move there. They also move for a locked version with problems, which a lockfile would keep in a widened range.',
  },
  ...Object.fromEntries(
    findingCodes.map((it): [string, Declaration] => [
      `severity.${it}`,
      {
        type: 'string',
        default: 'auto',
        ...(it === 'malicious'
          ? { enum: ['auto', 'off'], scope: 'machine' }
          : { enum: choices, scope: 'resource', untrusted: 'ignored' }),
        markdownDescription: `Severity of ${findingNames[it]}.`,
      },
    ]),
  ),
  baseUrl: {
    type: 'string',
    default: 'https://api.deps.dev',
    pattern: servicePattern,
    patternErrorMessage:
      'Invalid address: nothing is looked up. An address begins with “http://” or “https://”, for example “https://insights.example”.',
    scope: 'machine',
    markdownDescription:
      'Address of the Package Insights Service. Only package names and versions from your manifests, and digests of files that you identify, are sent to it. A workspace cannot change it.',
  },
  publicRegistries: {
    type: 'array',
    items: {
      type: 'string',
      pattern: hostPattern,
      patternErrorMessage:
        'Invalid host: this entry does not count. Enter a host such as “mirror.example”, without port, path or “*”.',
    },
    default: [],
    scope: 'machine',
    markdownDescription:
      'Hosts of registries that contain only public packages, such as a mirror: `mirror.example`. Packages from all other configured registries are not looked up, so that private names stay private. A workspace cannot change it.',
  },
  privateRegistries: {
    type: 'string',
    default: 'off',
    enum: ['off', 'ask'],
    enumDescriptions: [
      'Ask no private registry: the names of its packages stay on this machine.',
      'Ask the private registry that the configuration of npm, pip, Maven and other tools names for a package, with the credential that they keep for it.',
    ],
    scope: 'machine',
    markdownDescription:
      'Whether private registries are asked about their own packages. A name goes only to the registry that its own client would ask, and a credential only to the registry that it is for. A workspace cannot change it.',
  },
  offline: {
    type: 'boolean',
    default: false,
    scope: 'machine',
    markdownDescription: 'Send no requests, and show cached answers only. A workspace cannot change it.',
  },
  lookUpDefaults: {
    type: 'boolean',
    default: true,
    scope: 'window',
    untrusted: 'ignored',
    markdownDescription:
      'Also look up the version that dependencies without problems can move to, after all other requests, so that hints can show it. Costs one request for each dependency that is behind.',
  },
  lookUpInBrowser: {
    type: 'array',
    items: { type: 'string' },
    default: [],
    scope: 'machine',
    markdownDescription:
      'In a browser: hosts of services that names may be sent to, although the registry settings of your computer (`~/.npmrc`, …) cannot be read there and may keep some private. *Look Up Packages in the Browser…* adds one. Without effect in a desktop window.',
  },
  lookUpBelow: {
    type: 'boolean',
    default: true,
    scope: 'window',
    untrusted: 'ignored',
    markdownDescription:
      'Also look up everything that dependencies bring along by their lockfile, after all other requests, so that hints, hovers and findings can show what is affected or deprecated below them. Costs one request for each hundred packages of the lockfile.',
  },
  projectScores: {
    type: 'boolean',
    default: false,
    scope: 'machine',
    markdownDescription:
      'Look up the source project of each dependency: its OpenSSF Scorecard and its stars, which the hover shows. Costs one request a day for each project. Only projects that the service itself names for a looked-up dependency are requested.',
  },
  minScore: {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 10,
    scope: 'window',
    untrusted: 'ignored',
    markdownDescription:
      'Report dependencies whose project has a Scorecard below this score, 1 to 10, as `low-score`. 0: none. Requires `packageInsights.projectScores`.',
  },
  similarNames: {
    type: 'string',
    default: 'lockfile',
    enum: similarNamesModes,
    enumDescriptions: [
      'Names are not compared.',
      'A dependency that is not in the lockfile yet is compared with the packages that are. Nothing is requested.',
      'The service is also asked which packages are named similarly: one request a day for each direct dependency.',
    ],
    scope: 'machine',
    markdownDescription:
      'Report names that are suspiciously like that of another package, as `similar-name`: `lodahs` for `lodash`. Names of private packages are never sent.',
  },
  'freshness.min': {
    type: 'integer',
    default: 5,
    minimum: 1,
    maximum: 10_080,
    scope: 'machine',
    markdownDescription:
      'Minimum age of an answer, in minutes, before it is requested again. The command *Look Up Everything Again* requests it at once.',
  },
  'freshness.max': {
    type: 'integer',
    default: 1440,
    minimum: 1,
    maximum: 43_200,
    scope: 'machine',
    markdownDescription:
      'Maximum age of an answer, in minutes, before it is requested again, even if the service allows a longer time. Takes precedence over `packageInsights.freshness.min`. Versions and advisories, which may tell of malware, are requested after an hour at the latest, unless `packageInsights.freshness.min` is longer.',
  },
  batchSize: {
    type: 'integer',
    default: 100,
    minimum: 1,
    maximum: 5000,
    scope: 'machine',
    markdownDescription: 'Number of versions in one request. The public service answers in pages of 100.',
  },
  parallelBatches: {
    type: 'integer',
    default: 8,
    minimum: 1,
    maximum: 32,
    scope: 'machine',
    markdownDescription: 'Number of such requests at the same time.',
  },
  ...connectionSettings,
  'connections.linkSafety.mode': {
    type: 'string',
    default: 'off',
    enum: linkSafetyModes,
    enumDescriptions: [
      'Links are not checked.',
      'The addresses of links are sent to the connected service.',
      'Lists are kept on this machine. Only the beginnings of hashes are sent, and only for links that may be on a list.',
    ],
    scope: 'machine',
    markdownDescription: 'Whether the links that packages declare are checked before they can be clicked.',
  },
  'connections.linkSafety.threatLists': {
    type: 'array',
    items: {
      type: 'string',
      pattern: threatListPattern,
      patternErrorMessage: 'A list of addresses like MALWARE, or MALWARE/WINDOWS/URL.',
    },
    default: usualThreatLists,
    scope: 'machine',
    markdownDescription:
      'The lists that links are checked against. *Package Insights: Choose Threat Lists…* shows those of the connected service. With an invalid name, an empty list or a list that the service does not have, no link counts as checked.',
  },
  'connections.deployments.project': {
    type: 'string',
    default: '',
    pattern: projectPattern,
    patternErrorMessage: 'The name or the number of a project, such as “my-project”.',
    scope: 'machine',
    markdownDescription:
      'The project of deployment manifests. Empty: none is chosen, and nothing about deployment manifests is sent.',
  },
  'connections.scheduling.calendar': {
    type: 'string',
    default: '',
    scope: 'machine',
    markdownDescription:
      'Id of the calendar for scheduled updates. Empty: the one that was chosen with a command. Nothing is sent in the background until a calendar is chosen.',
  },
  'connections.scheduling.busyCalendars': {
    type: 'array',
    items: { type: 'string' },
    default: ['primary'],
    scope: 'machine',
    markdownDescription: 'Ids of the calendars whose events are busy times when a time for an update is proposed.',
  },
  'connections.scheduling.workingHours': {
    type: 'string',
    default: '09:00-17:00',
    pattern: hoursPattern,
    patternErrorMessage: 'Enter two times of a day, for example “09:00-17:00”.',
    scope: 'machine',
    markdownDescription:
      'Hours in which a time for an update is proposed, in the time zone of the calendar. Maintenance windows take precedence.',
  },
  'connections.scheduling.workingDays': {
    type: 'array',
    items: {
      type: 'string',
      pattern: `^(${weekDays.join('|')})$`,
      patternErrorMessage: 'Enter “mon”, “tue”, “wed”, “thu”, “fri”, “sat” or “sun”.',
    },
    default: ['mon', 'tue', 'wed', 'thu', 'fri'],
    scope: 'machine',
    markdownDescription: 'Days on which a time for an update is proposed.',
  },
  'connections.scheduling.slotMinutes': {
    type: 'integer',
    default: 30,
    minimum: 5,
    maximum: 480,
    scope: 'machine',
    markdownDescription: 'Length of the event for an update, in minutes.',
  },
  'connections.scheduling.notifications': {
    type: 'string',
    default: '',
    pattern: `^$|${servicePattern}`,
    patternErrorMessage: 'An https address, or http://127.0.0.1:PORT on this machine.',
    scope: 'machine',
    markdownDescription:
      'Address that the calendar notifies of changes. At an address of this machine, the extension listens itself. Empty: changes are requested every 15 minutes.',
  },
};
