import { type FindingCode, findingCodes, severities } from '../model/finding.ts';
import { hostPattern, servicePattern } from '../model/links.ts';
import { fileNamePattern, hintParts, namedFormats, similarNamesModes } from '../model/settings.ts';
import { systems } from '../model/system.ts';
import { boundedRanges } from '../model/versioning.ts';
import { connectionSettings } from './connection-settings.ts';
import type { Declaration, Scope } from './declaration.ts';

/** What a choice means; `auto` differs by finding. */
const choiceTexts = {
  error: 'An error.',
  warning: 'A warning.',
  information: 'An information.',
  hint: 'A hint, without an underline, and not in the Problems view.',
  off: 'It is not reported.',
} as const;

/** What is reported, and what `auto` makes of it. */
const findingTexts: Readonly<Record<FindingCode, readonly [string, string]>> = {
  malicious: [
    'a version that is malware, or a dependency that brings some along, by its lockfile. A workspace cannot change it',
    'An error.',
  ],
  advisory: ['a version with known vulnerabilities', 'An error from a CVSS score of 7, otherwise a warning.'],
  'advisory-below': [
    'a dependency that brings packages with known vulnerabilities along, by its lockfile',
    'An information.',
  ],
  deprecated: ['a deprecated, yanked or retracted version', 'A warning.'],
  'no-match': ['a requirement that no published version meets', 'An error.'],
  'not-found': [
    'a package that the service does not know',
    'A hint, without an underline; a warning for a name that is new since the last commit and that anybody could publish.',
  ],
  license: [
    'a license that the policy of the project file does not allow',
    'An error if denied, a warning if it needs a review.',
  ],
  'young-version': ['a version in use that was published within the cooldown', 'A warning.'],
  'provenance-lost': [
    'an update from a version with a verified attestation of its origin to one without; nothing is requested for it',
    'An information.',
  ],
  'install-script': [
    'a package of npm, pnpm, yarn or bun that runs a script when it is installed, or that brings one, by the lockfile',
    'It is not reported, unless a project file chooses a severity; the hover shows it in any case.',
  ],
  'low-score': ['a dependency whose project has a Scorecard below `packageInsights.minScore`', 'An information.'],
  'similar-name': [
    'a name that is almost that of another package',
    'A warning if the service calls them similar, otherwise an information.',
  ],
  archived: ['an archived source repository, which a connected code host reports', 'An information.'],
  'license-mismatch': [
    'a license in an SBOM that differs from the license that the service reports',
    'An information.',
  ],
};

/** Hints have little room. */
const markPattern = '^.{0,12}$';

const markSettings = [
  ['problem', '⚠', 'Mark before a problem in hints.'],
  ['target', '→', 'Mark before the version to move to in hints.'],
  ['major', '(major)', 'Mark behind a version in hints that is a major step away.'],
  ['planned', '', 'Mark before the time of a scheduled update in hints. Empty: the word “scheduled”.'],
] as const;

const hints: Readonly<Record<string, Declaration>> = {
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
      'What hints show: the worst `severity`, the number of vulnerabilities (`advisories`), the resolved `version`, the `license`, affected packages that it brings (`below`), the `target` to move to, when an update is scheduled (`planned`).',
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
        isAdvanced: true,
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
      'Show a hover for purls (`pkg:npm/lodash@4.17.21`) in any text. Only the purl under the cursor is looked up. In a workspace without manifests they begin with the first command of Package Insights.',
  },
};

const findings: Readonly<Record<string, Declaration>> = {
  workspaceDiagnostics: {
    type: 'boolean',
    default: false,
    scope: 'window',
    untrusted: 'ignored',
    markdownDescription:
      'Report the findings of all manifests in the workspace in the Problems view, not only those of open manifests. Files that `.gitignore` excludes are skipped, unless git tracks them.',
  },
  ...Object.fromEntries(
    findingCodes.map((it): [string, Declaration] => {
      const [what, usual] = findingTexts[it];
      const scope: Scope = it === 'malicious' ? { scope: 'machine' } : { scope: 'resource', untrusted: 'ignored' };
      const values = it === 'malicious' ? (['off'] as const) : ([...severities, 'off'] as const);
      return [
        `severity.${it}`,
        {
          type: 'string',
          default: 'auto',
          enum: ['auto', ...values],
          enumDescriptions: [usual, ...values.map((value) => choiceTexts[value])],
          ...scope,
          markdownDescription: `Severity of ${what}.`,
        },
      ];
    }),
  ),
  cooldownDays: {
    type: 'integer',
    default: null,
    minimum: 0,
    maximum: 365,
    scope: 'machine',
    markdownDescription:
      'Suggest no version younger than this number of days, unless it fixes a vulnerability. `null`: as package managers, Dependabot and Renovate say, or 3. [More](cooldown.md)',
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
    isAdvanced: true,
    markdownDescription:
      'How an update changes a range that ends below the new version, here 50.0.1. In NuGet, and for a locked version with problems, `widen` moves both bounds.',
  },
  minScore: {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 10,
    scope: 'window',
    untrusted: 'ignored',
    isAdvanced: true,
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
    scope: 'resource',
    untrusted: 'ignored',
    isAdvanced: true,
    markdownDescription:
      'Manifests under names of your own, each with the format that it is read as: `reqs*.txt=requirements.txt`. An asterisk matches any characters. [Formats](settings.md#file-names)',
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
    isAdvanced: true,
    markdownDescription: `Systems whose manifests and lockfiles are left alone: they show nothing, and nothing of them is looked up. ${systems.map((it) => `\`${it.toLowerCase()}\``).join(', ')}. Bills of materials are not concerned.`,
  },
};

const lookups: Readonly<Record<string, Declaration>> = {
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
    isAdvanced: true,
    markdownDescription:
      'Also look up the version that dependencies without problems can move to, after all other requests, so that hints can show it. Costs one request for each dependency that is behind.',
  },
  lookUpBelow: {
    type: 'boolean',
    default: true,
    scope: 'window',
    untrusted: 'ignored',
    isAdvanced: true,
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
  'freshness.min': {
    type: 'integer',
    default: 5,
    minimum: 1,
    maximum: 10_080,
    scope: 'machine',
    isAdvanced: true,
    markdownDescription:
      'Minimum age of an answer, in minutes, before it is requested again. The command *Look Up Everything Again* requests it at once.',
  },
  'freshness.max': {
    type: 'integer',
    default: 1440,
    minimum: 1,
    maximum: 43_200,
    scope: 'machine',
    isAdvanced: true,
    markdownDescription:
      'Maximum age of an answer, in minutes, whatever the service allows. Takes precedence over `packageInsights.freshness.min`. Versions and advisories are requested after an hour at the latest, unless that minimum is longer.',
  },
  batchSize: {
    type: 'integer',
    default: 100,
    minimum: 1,
    maximum: 5000,
    scope: 'machine',
    isAdvanced: true,
    markdownDescription: 'Number of versions in one request. The public service answers in pages of 100.',
  },
  parallelBatches: {
    type: 'integer',
    default: 8,
    minimum: 1,
    maximum: 32,
    scope: 'machine',
    isAdvanced: true,
    markdownDescription: 'Number of such requests at the same time.',
  },
};

const privacy: Readonly<Record<string, Declaration>> = {
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
  lookUpInBrowser: {
    type: 'array',
    items: { type: 'string' },
    default: [],
    scope: 'machine',
    isAdvanced: true,
    markdownDescription:
      'In a browser: hosts of services that names may be sent to, although registry settings of your computer (`~/.npmrc`, …), which may keep some private, cannot be read there. *Look Up Packages in the Browser…* adds one. Without effect on a desktop.',
  },
};

/** The groups of settings in the order in which editors list them, by the names of their titles. package.json repeats them. */
export const settingGroups = { hints, findings, lookups, privacy, connections: connectionSettings } as const;

/** Every setting below `packageInsights.` */
export const declarations: Readonly<Record<string, Declaration>> = Object.assign({}, ...Object.values(settingGroups));
