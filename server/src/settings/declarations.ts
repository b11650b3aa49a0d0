import { type FindingCode, findingCodes, severities } from '../model/finding.ts';
import { hostPattern, servicePattern } from '../model/links.ts';

/** One setting: how it is declared to editors, and what its value must look like. */
export interface Declaration {
  /** `array`: of strings. */
  readonly type: 'string' | 'boolean' | 'integer' | 'array';
  readonly default: string | boolean | number | readonly string[];
  readonly items?: { readonly type: 'string'; readonly pattern?: string; readonly patternErrorMessage?: string };
  /** What a text must look like, and what editors say where it does not. */
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** `machine`: no workspace may set it. */
  readonly scope: 'machine' | 'resource' | 'window';
  readonly markdownDescription: string;
}

const choices = ['auto', ...severities, 'off'] as const;

const findingNames: Readonly<Record<FindingCode, string>> = {
  advisory: 'a version with known advisories. `auto`: an error for a CVSS score of 7 and more, else a warning',
  deprecated: 'a deprecated, yanked or retracted version. `auto`: a warning',
  'no-match': 'a requirement that no published version meets. `auto`: an error',
  'not-found': 'a package that the service does not know. `auto`: information',
  license:
    'a licence that the policy of the project file does not allow. `auto`: an error if denied, a warning if to be reviewed',
  'license-mismatch': 'a licence in a bill of materials that is not the one the service knows of. `auto`: information',
};

/**
 * Every setting, below `packageInsights.`, in the order in which people are shown them: what they see, what it counts,
 * where it is asked. The extension's package.json says the same; a test compares them.
 */
export const declarations: Readonly<Record<string, Declaration>> = {
  inlayHints: {
    type: 'string',
    default: 'all',
    enum: ['all', 'problems', 'off'],
    enumDescriptions: [
      'Resolved version, licence and what is wrong, behind every requirement.',
      'Only where something is wrong.',
      'No hints.',
    ],
    scope: 'resource',
    markdownDescription: 'What is shown behind each requirement.',
  },
  codeLens: {
    type: 'boolean',
    default: false,
    scope: 'resource',
    markdownDescription:
      'A line above the first dependency that updates every deprecated or affected dependency of the file at a click.',
  },
  documentLinks: {
    type: 'boolean',
    default: false,
    scope: 'resource',
    markdownDescription:
      'Make the name of a package a link to its source code, or else to its home page. Some editors, this one among them, underline every link; the hover has the same addresses. Takes effect when a file is next opened or changed.',
  },
  purlHovers: {
    type: 'boolean',
    default: false,
    scope: 'window',
    markdownDescription:
      'Show what is known of a package where the cursor is on its purl (`pkg:npm/lodash@4.17.21`) in any text. Only the purl under the cursor is looked up.',
  },
  workspaceDiagnostics: {
    type: 'boolean',
    default: false,
    scope: 'window',
    markdownDescription:
      'Show the findings of every manifest of the workspace among the problems, not only those of open ones. What `.gitignore` files leave out is left out here, too.',
  },
  cooldownDays: {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 365,
    scope: 'machine',
    markdownDescription:
      'Versions younger than this many days are not offered as an update: an older sound version is offered in their place. A workspace cannot shorten it; a project file can lengthen it.',
  },
  ...Object.fromEntries(
    findingCodes.map((it): [string, Declaration] => [
      `severity.${it}`,
      {
        type: 'string',
        default: 'auto',
        enum: choices,
        scope: 'resource',
        markdownDescription: `Severity of ${findingNames[it]}.`,
      },
    ]),
  ),
  baseUrl: {
    type: 'string',
    default: 'https://api.deps.dev',
    pattern: servicePattern,
    patternErrorMessage:
      'This is not a valid address, so nothing is looked up. An address begins with “http://” or “https://”: “https://insights.example”.',
    scope: 'machine',
    markdownDescription:
      'Address of the Package Insights Service. Package names and versions of your manifests are sent there, digests of files that you have identified, and nothing else. A workspace cannot change it.',
  },
  publicRegistries: {
    type: 'array',
    items: {
      type: 'string',
      pattern: hostPattern,
      patternErrorMessage:
        'This is not a host, so it does not count. A host is written as “mirror.example”, without a port, a path or “*”.',
    },
    default: [],
    scope: 'machine',
    markdownDescription:
      'Hosts of registries that hold public packages alone, such as a mirror: `mirror.example`. Packages that configuration takes from any other registry than the public one are not looked up, so that private names stay private. A workspace cannot change it.',
  },
  offline: {
    type: 'boolean',
    default: false,
    scope: 'machine',
    markdownDescription: 'Ask nothing, and show what was looked up before. A workspace cannot change it.',
  },
  lookUpDefaults: {
    type: 'boolean',
    default: true,
    scope: 'window',
    markdownDescription:
      'Look up the default version of dependencies that have nothing wrong, too, once everything else has been answered: hints can then name it. Costs one more request for each dependency that is behind.',
  },
  'freshness.min': {
    type: 'integer',
    default: 5,
    minimum: 1,
    maximum: 10_080,
    scope: 'machine',
    markdownDescription:
      'For how many minutes an answer is not asked for again, whatever the service says of it. The command *Look Everything Up Again* asks at once.',
  },
  'freshness.max': {
    type: 'integer',
    default: 1440,
    minimum: 1,
    maximum: 43_200,
    scope: 'machine',
    markdownDescription:
      'Minutes after which an answer is asked for again, even if the service says that it holds for longer. It counts more than `packageInsights.freshness.min`.',
  },
  batchSize: {
    type: 'integer',
    default: 100,
    minimum: 1,
    maximum: 5000,
    scope: 'machine',
    markdownDescription: 'Version look-ups in one request. The public service answers in pages of 100.',
  },
  parallelBatches: {
    type: 'integer',
    default: 8,
    minimum: 1,
    maximum: 32,
    scope: 'machine',
    markdownDescription: 'How many such requests may be under way at a time.',
  },
};
