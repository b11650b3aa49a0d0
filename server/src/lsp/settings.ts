import { type FindingCode, findingCodes, severities } from '../model/finding.ts';
import type { Settings } from '../model/settings.ts';

/** One setting: how it is declared to editors, and what its value must look like. */
export interface Declaration {
  readonly type: 'string' | 'boolean' | 'integer';
  readonly default: string | boolean | number;
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
  license: 'a licence that the policy does not allow. `auto`: a warning',
};

/** Findings that can be met already, and so have a setting. */
const shownFindings = findingCodes.filter((it) => it !== 'license');

/** Every setting, below `packageInsights.`. The extension's package.json says the same; a test compares them. */
export const declarations: Readonly<Record<string, Declaration>> = {
  baseUrl: {
    type: 'string',
    default: 'https://api.deps.dev',
    scope: 'machine',
    markdownDescription:
      'Address of the Package Insights Service. Package names and versions of your manifests are sent there, and nothing else. A workspace cannot change it.',
  },
  offline: {
    type: 'boolean',
    default: false,
    scope: 'machine',
    markdownDescription: 'Ask nothing, and show what was looked up before. A workspace cannot change it.',
  },
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
  lookUpDefaults: {
    type: 'boolean',
    default: true,
    scope: 'window',
    markdownDescription:
      'Look up the default version of dependencies that have nothing wrong, too, once everything else has been answered: hints can then name it. Costs one more request for each dependency that is behind.',
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
  ...Object.fromEntries(
    shownFindings.map((it): [string, Declaration] => [
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
};

/**
 * Reads settings as editors send them: nested or with dots in the names, with `packageInsights` around them or without.
 * What does not fit is left at its default.
 * @param given where each setting is looked for, the first that has it counts
 */
export function readSettings(...given: readonly unknown[]): Settings {
  const value = (name: string): unknown => {
    const declaration = declarations[name];
    if (declaration === undefined) return undefined;
    const found = given
      .flatMap((it) => [lookUp(it, name), lookUp(it, `packageInsights.${name}`)])
      .find((it) => fits(it, declaration));
    return found ?? declaration.default;
  };
  const severity = Object.fromEntries(findingCodes.map((it) => [it, value(`severity.${it}`) ?? 'auto']));
  return {
    baseUrl: httpAddress(value('baseUrl')) ?? String(declarations.baseUrl?.default),
    offline: value('offline') as boolean,
    inlayHints: value('inlayHints') as Settings['inlayHints'],
    severity: severity as Settings['severity'],
    lookUpDefaults: value('lookUpDefaults') as boolean,
    batchSize: value('batchSize') as number,
    parallelBatches: value('parallelBatches') as number,
  };
}

function lookUp(given: unknown, name: string): unknown {
  if (typeof given !== 'object' || given === null) return undefined;
  const flat = Object.entries(given).find(([key]) => key === name);
  if (flat) return flat[1];
  const [head, ...rest] = name.split('.');
  const inner = Object.entries(given).find(([key]) => key === head)?.[1];
  return rest.length > 0 ? lookUp(inner, rest.join('.')) : undefined;
}

function fits(value: unknown, { type, enum: allowed, minimum, maximum }: Declaration): boolean {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return (
        Number.isInteger(value) && Number(value) >= (minimum ?? -Infinity) && Number(value) <= (maximum ?? Infinity)
      );
    case 'string':
      return typeof value === 'string' && (allowed === undefined || allowed.includes(value));
  }
}

function httpAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  return url.protocol === 'https:' || url.protocol === 'http:' ? value.replace(/\/+$/, '') : undefined;
}
