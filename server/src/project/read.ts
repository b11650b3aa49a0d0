import * as l10n from '@vscode/l10n';
import { parseLicense } from '../licences/expression.ts';
import type { LicenseException, LicensePolicy } from '../model/policy.ts';
import type { Ignore, Project } from '../model/project.ts';
import { parseJson } from '../text/json.ts';
import { itemsOf, type JsonValue, stringAt, valueAt } from '../text/json-tree.ts';
import { projectSchema } from './schema.ts';
import { type ProjectProblem, sound } from './validate.ts';

/** A project file as far as it could be read. */
export interface ProjectReading {
  readonly project: Project;
  readonly text: string;
  /** In the order of the text. */
  readonly problems: readonly ProjectProblem[];
}

/** People write some dozens; a file with more than this is none of theirs. */
export const projectLimits = { ignores: 1000, characters: 1_000_000, problems: 100 };

/** Reads a project file; comments and trailing commas are let through. Never throws. */
export function readProject(uri: string, text: string): ProjectReading {
  if (text.length > projectLimits.characters) {
    const message = l10n.t('This file is too long to be read.');
    return {
      project: projectOf(uri, {}),
      text,
      problems: [{ span: { start: 0, end: 0 }, severity: 'error', message }],
    };
  }
  const { root, problems: broken } = parseJson(text);
  const problems: ProjectProblem[] = broken.map((it) => ({ ...it, severity: 'error', bySchema: true }));
  // The schema is what makes this true.
  const file = (root && (sound(root, projectSchema, problems) as ProjectFile | undefined)) ?? {};
  if (root) problems.push(...questionable(root));
  problems.sort((a, b) => a.span.start - b.span.start);
  return { project: projectOf(uri, file), text, problems: problems.slice(0, projectLimits.problems) };
}

/** What the schema lets through. */
interface ProjectFile {
  readonly ignores?: readonly Ignore[];
  readonly licenses?: Partial<Omit<LicensePolicy, 'exceptions'>> & {
    readonly exceptions?: readonly (LicenseException & { readonly allow?: boolean })[];
  };
  readonly severity?: Project['severity'];
  readonly cooldownDays?: number;
  readonly allowPrivate?: boolean;
  readonly failOn?: readonly string[];
}

function projectOf(
  uri: string,
  { ignores = [], licenses, severity = {}, cooldownDays = 0, allowPrivate = false, failOn = [] }: ProjectFile,
): Project {
  return {
    uri,
    // A day that no calendar has would never pass.
    ignores: ignores.filter((it) => it.until === undefined || isDay(it.until)).slice(0, projectLimits.ignores),
    ...(licenses && { licenses: policyOf(licenses) }),
    severity,
    cooldownDays,
    allowPrivate,
    failOn,
  };
}

function policyOf(given: NonNullable<ProjectFile['licenses']>): LicensePolicy {
  const { allow = [], deny = [], review = [], unknown = 'review', exceptions = [], runtimeOnly = false } = given;
  const sure = exceptions.filter((it) => (it.licenses ? it.allow !== true : it.allow === true));
  return { allow, deny, review, unknown, exceptions: sure, runtimeOnly };
}

/** What has the right form and is wrong nevertheless. */
function questionable(root: JsonValue): ProjectProblem[] {
  const policy = valueAt(root, 'licenses');
  const exceptions = itemsOf(valueAt(policy, 'exceptions'));
  const ignores = itemsOf(valueAt(root, 'ignores'));
  const lists = [
    ...['allow', 'deny', 'review'].map((it) => valueAt(policy, it)),
    ...exceptions.map((it) => valueAt(it, 'licenses')),
  ];
  return [
    ...ignores.flatMap((it): ProjectProblem[] => {
      const until = stringAt(it, 'until');
      if (!until || !/^\d{4}-\d\d-\d\d$/.test(until.text) || isDay(until.text)) return [];
      const message = l10n.t('There is no such day as {0}.', until.text);
      return [{ span: until.span, severity: 'error', message }];
    }),
    ...ignores.slice(projectLimits.ignores, projectLimits.ignores + 1).map((it): ProjectProblem => {
      const message = l10n.t(
        'No more than {0} findings can be ignored: from here on nothing counts.',
        projectLimits.ignores,
      );
      return { span: it.span, severity: 'error', message };
    }),
    ...lists.flatMap(itemsOf).flatMap((it): ProjectProblem[] => {
      if (it.kind !== 'string' || it.text === '' || parseLicense(it.text)?.kind === 'license') return [];
      const message = l10n.t('“{0}” is no SPDX licence: MIT, Apache-2.0 or GPL-3.0-or-later would be.', it.text);
      return [{ span: it.span, severity: 'warning', message }];
    }),
    ...exceptions.flatMap((it): ProjectProblem[] => {
      const allow = valueAt(it, 'allow');
      const isAll = allow?.kind === 'scalar' && allow.text === 'true';
      if (it.kind !== 'object' || isAll === (valueAt(it, 'licenses') === undefined)) return [];
      const message = l10n.t('An exception names either its licences or says “allow”: true; this does not count.');
      return [{ span: { start: it.span.start, end: it.span.start + 1 }, severity: 'error', message }];
    }),
  ];
}

/** Ignores that hold no longer: what they were about is told again. */
export function expiredIn(text: string, today: string): ProjectProblem[] {
  return itemsOf(valueAt(parseJson(text.slice(0, projectLimits.characters)).root, 'ignores')).flatMap(
    (it): ProjectProblem[] => {
      const until = stringAt(it, 'until');
      if (!until || !isDay(until.text) || until.text >= today) return [];
      const message = l10n.t('This ended on {0}: what it ignored is told again.', until.text);
      return [{ span: until.span, severity: 'information', message }];
    },
  );
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
