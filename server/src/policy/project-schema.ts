import { findingCodes, severities } from '../model/finding.ts';
import { licenseVerdicts } from '../model/license-policy.ts';
import { ratings } from '../model/severity-rating.ts';

/** The part of JSON Schema (draft 7) that says what a project file may hold. */
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
      /** What VS Code says in place of the pattern. */
      readonly patternErrorMessage?: string;
      readonly minLength?: number;
    }
  | { readonly type: 'integer'; readonly description: string; readonly minimum: number; readonly maximum: number }
  | { readonly type: 'boolean'; readonly description: string };

const packageName = text('A package: “lodash”, “npm/lodash”, “maven/org.yaml:snakeyaml” or “pkg:npm/lodash”.');

/** What a project file may hold. The reader goes by it, and `schemas/project-file.json`, which editors read, is made of it. */
export const projectSchema = object('What Package Insights is told by a project.', {
  $schema: text('Where the schema of this file is.'),
  ignores: array(
    'Findings that are accepted.',
    object(
      'One accepted finding.',
      {
        id: form(
          'An advisory by any of its identifiers, or one of “deprecated”, “no-match”, “not-found”, “license”, “license-mismatch”.',
          '^(?!advisory$).*\\S',
          'Advisories are ignored one by one: “GHSA-35jh-r3h4-6jhm”.',
        ),
        package: packageName,
        reason: text('Why it is accepted.'),
        until: form(
          'The last day that it holds, in UTC: “2027-02-19”.',
          '^\\d{4}-\\d{2}-\\d{2}$',
          'A day is written as “2027-02-19”.',
        ),
      },
      ['id', 'reason'],
    ),
  ),
  licenses: object('Which licences dependencies may have.', {
    allow: licenses('SPDX licences that are allowed. Where there are any, all others are denied.'),
    deny: licenses('SPDX licences that are denied.'),
    review: licenses('SPDX licences that somebody has to look at.'),
    unknown: choice('What becomes of a licence that nobody could name. Usually “review”.', licenseVerdicts),
    exceptions: array(
      'Packages that may have licences which others may not.',
      object(
        'One exception.',
        {
          package: packageName,
          licenses: licenses('SPDX licences that this package may have.'),
          allow: { type: 'boolean', description: 'Whether every licence of this package will do.' },
          reason: text('Why there is an exception.'),
        },
        ['package', 'reason'],
      ),
    ),
    runtimeOnly: { type: 'boolean', description: 'Leave out what is only built, tested or developed with.' },
  }),
  severity: object(
    'The least severity of findings: it makes them graver, never milder. Severities that a person has set come first.',
    Object.fromEntries(findingCodes.map((it) => [it, choice(`The least severity of “${it}”.`, severities)])),
  ),
  cooldownDays: {
    type: 'integer',
    description: 'Versions younger than this many days are not offered as an update.',
    minimum: 0,
    maximum: 365,
  },
  allowPrivate: {
    type: 'boolean',
    description:
      'That packages are not looked up since their names stay private does not make “package-insights check” fail.',
  },
  failOn: array(
    'Findings at which “package-insights check” fails, besides the usual ones.',
    form(
      'The code of a finding, with a level if you like: “license”, “deprecated:error”; or what must not be left unchecked: “unclear”, “unchecked”.',
      `^(withheld|unread|unclear|unchecked|advisory(:(${ratings.map((it) => it.name).join('|')}))?|(${findingCodes.join('|')})(:(${severities.join('|')}))?)$`,
      'This is the code of no finding, or no level of it: “license”, “deprecated:error” and “advisory:high” would be.',
    ),
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

function text(description: string): Schema {
  return { type: 'string', description, minLength: 1 };
}

function form(description: string, pattern: string, patternErrorMessage: string): Schema {
  return { type: 'string', description, pattern, patternErrorMessage };
}

function choice(description: string, allowed: readonly string[]): Schema {
  return { type: 'string', description, enum: allowed };
}

function licenses(description: string): Schema {
  return array(description, text('An SPDX licence: “MIT”, “GPL-2.0-only WITH Classpath-exception-2.0”.'));
}
