import { findingCodes, severities } from '../model/finding.ts';
import { licenseVerdicts, listableClasses } from '../model/license-policy.ts';
import { levels } from '../model/severity-rating.ts';

/** The part of JSON Schema (draft 7) that describes project files. */
export type Schema =
  | {
      readonly type: 'object';
      readonly description: string;
      readonly properties: Readonly<Record<string, Schema>>;
      readonly required?: readonly string[];
      readonly additionalProperties: false;
    }
  | { readonly type: 'array'; readonly description: string; readonly items: Schema }
  | {
      readonly type: 'string';
      readonly description: string;
      readonly enum?: readonly string[];
      readonly pattern?: string;
      /** The message that VS Code shows in place of the pattern. */
      readonly patternErrorMessage?: string;
      readonly minLength?: number;
      /** Values that editors offer. */
      readonly examples?: readonly string[];
    }
  | { readonly type: 'integer'; readonly description: string; readonly minimum: number; readonly maximum: number }
  | { readonly type: 'boolean'; readonly description: string };

/** A glob that takes nothing back, and leads to no other folder. */
export const EXCLUDE_PATTERN = '^(?![!#\\s]|(.*/)?\\.\\.(/|$)).*\\S';

const packageName = text(
  'A package or a pattern: “lodash”, “npm/lodash”, “maven/org.yaml:snakeyaml”, “pkg:npm/lodash”, “@acme/*”, “maven/com.acme:*”.',
);

/**
 * The schema of project files. The reader uses it, and `schemas/project-file.json`, which editors read, is generated
 * from it.
 */
/** Malware is an error, fails every check, and nothing in a project accepts it. */
const codes = findingCodes.filter((it) => it !== 'malicious');

export const projectSchema = object('Settings of a project for Package Insights.', {
  $schema: text('The address of the schema of this file.'),
  ignores: array(
    'Ignored findings.',
    object(
      'An ignored finding.',
      {
        id: form(
          `An advisory, by any of its identifiers, or one of ${codes
            .filter((it) => it !== 'advisory')
            .map((it) => `“${it}”`)
            .join(', ')}.`,
          '^(?!advisory$).*\\S',
          'Advisories are ignored one by one: “GHSA-35jh-r3h4-6jhm”.',
        ),
        package: packageName,
        reason: text('The reason for the ignore.'),
        until: form(
          'The last day of the ignore, in UTC: “2027-02-19”.',
          '^\\d{4}-\\d{2}-\\d{2}$',
          'Enter a date such as “2027-02-19”.',
        ),
      },
      ['id', 'reason'],
    ),
  ),
  private: array(
    'Packages that are never looked up: their names stay on the machine. An entry with an error makes every package private.',
    text('A package or a pattern: “npm/@acme/*”, “maven/com.acme:*”, “golang/git.acme.example/*”, “nuget/Acme.*”.'),
  ),
  licenses: object('The license policy for dependencies.', {
    allow: licenses('Allowed SPDX licenses and classes. If there are any, all others are denied.'),
    deny: licenses('Denied SPDX licenses and classes.'),
    review: licenses('SPDX licenses and classes that need a review.'),
    unknown: choice(
      'The verdict on licenses without an SPDX identifier and on unknown licenses. Default: “review”.',
      licenseVerdicts,
    ),
    exceptions: array(
      'Packages with additional allowed licenses.',
      object(
        'One exception.',
        {
          package: packageName,
          licenses: licenses('SPDX licenses and classes that are allowed for this package.'),
          allow: { type: 'boolean', description: 'Whether every license is allowed for this package.' },
          reason: text('The reason for the exception.'),
        },
        ['package', 'reason'],
      ),
    ),
    runtimeOnly: { type: 'boolean', description: 'Exclude dependencies for building, testing and development.' },
  }),
  severity: object(
    'The minimum severity of findings. It raises severities and never lowers them. A person’s own settings take precedence.',
    Object.fromEntries(codes.map((it) => [it, choice(`The minimum severity of “${it}”.`, severities)])),
  ),
  cooldownDays: {
    type: 'integer',
    description: 'Versions that were published less than this number of days ago are not suggested as updates.',
    minimum: 0,
    maximum: 365,
  },
  allowPrivate: {
    type: 'boolean',
    description:
      'Packages that are not looked up to keep their names private do not make “package-insights check” fail.',
  },
  exclude: array(
    'Manifests that are left out of reports, of the workspace and of “package-insights check”, which count them.',
    form(
      'A glob, relative to the folder of this file, with the rules of .gitignore: “fixtures”, “/examples/”, “**/testdata/**”.',
      EXCLUDE_PATTERN,
      'Enter a glob that stays within the folder of this file, without “!”: “/examples/”.',
    ),
  ),
  failOn: array(
    'Additional findings at which “package-insights check” fails.',
    form(
      'The code of a finding, with an optional level: “license”, “deprecated:error”; or a kind of gap: “unclear”, “unchecked”.',
      `^(withheld|unread|unclear|unchecked|advisory(:(${levels.join('|')}))?|(${codes.join('|')})(:(${severities.join('|')}))?)$`,
      'Unknown code or level. Examples: “license”, “deprecated:error”, “advisory:high”.',
    ),
  ),
  unratedCountsAs: choice(
    'The level at which advisories without a rating count for “package-insights check”. Default: “high”.',
    levels,
  ),
});

function object(
  description: string,
  properties: Readonly<Record<string, Schema>>,
  required?: readonly string[],
): Schema & { readonly type: 'object' } {
  return { type: 'object', description, properties, ...(required && { required }), additionalProperties: false };
}

function array(description: string, items: Schema): Schema {
  return { type: 'array', description, items };
}

function text(description: string): Schema & { readonly type: 'string' } {
  return { type: 'string', description, minLength: 1 };
}

function form(description: string, pattern: string, patternErrorMessage: string): Schema {
  return { type: 'string', description, pattern, patternErrorMessage };
}

function choice(description: string, allowed: readonly string[]): Schema {
  return { type: 'string', description, enum: allowed };
}

function licenses(description: string): Schema {
  const entry = text(
    `An SPDX license: “MIT”, “GPL-2.0-only WITH Classpath-exception-2.0”; or a class of licenses: ${listableClasses.map((it) => `“${it}”`).join(', ')}.`,
  );
  return array(description, { ...entry, examples: listableClasses });
}
