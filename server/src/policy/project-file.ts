import * as l10n from '@vscode/l10n';
import { parseJson } from '../formats/json/parse.ts';
import { itemsOf, type JsonObject, type JsonValue, stringAt, valueAt } from '../formats/json/tree.ts';
import type { Severity } from '../model/finding.ts';
import type { LicenseException, LicensePolicy } from '../model/license-policy.ts';
import type { Ignore, Project } from '../model/project.ts';
import type { Problem } from '../model/span.ts';
import { parseLicense } from './license-expressions.ts';
import { projectSchema, type Schema } from './project-schema.ts';

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

/** Something wrong with a project file. */
export interface ProjectProblem extends Problem {
  readonly severity: Severity;
  /** Whether the schema says so too, and with it every editor that knows schemas. */
  readonly bySchema?: boolean;
}

/**
 * The value as far as it meets a schema: what does not is told of and left out, and an object without what it needs
 * is left out whole, as is one of a list that has anything wrong in it.
 */
export function sound(value: JsonValue, schema: Schema, problems: ProjectProblem[]): unknown {
  switch (schema.type) {
    case 'object':
      return value.kind === 'object'
        ? soundObject(value, schema, problems)
        : wrong(value, l10n.t('an object'), problems);
    case 'array':
      if (value.kind !== 'array') return wrong(value, l10n.t('a list'), problems);
      return value.items.map((it) => sound(it, schema.items, problems)).filter((it) => it !== undefined);
    case 'string':
      return value.kind === 'string' ? soundText(value, schema, problems) : wrong(value, l10n.t('a text'), problems);
    case 'boolean': {
      const isBoolean = value.kind === 'scalar' && /^(?:true|false)$/.test(value.text);
      return isBoolean ? value.text === 'true' : wrong(value, l10n.t('true or false'), problems);
    }
    case 'integer': {
      const { minimum, maximum } = schema;
      // As in JSON Schema, where 7.0 is an integer.
      const number = value.kind === 'scalar' ? Number(value.text || Number.NaN) : Number.NaN;
      if (Number.isInteger(number) && number >= minimum && number <= maximum) return number;
      return wrong(value, l10n.t('a whole number from {0} to {1}', minimum, maximum), problems);
    }
  }
}

function soundObject(
  value: JsonObject,
  schema: Schema & { readonly type: 'object' },
  problems: ProjectProblem[],
): Readonly<Record<string, unknown>> | undefined {
  const read = new Map<string, unknown>();
  const before = problems.length;
  for (const property of value.properties) {
    const name = property.name.text;
    const known = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (known === undefined) {
      const severity = schema.required ? 'error' : 'warning';
      problems.push({ span: property.name.span, severity, message: unknownName(name), bySchema: true });
    } else if (property.value) {
      const part = sound(property.value, known, problems);
      if (part !== undefined) read.set(name, part);
    }
  }
  if (schema.required === undefined) return Object.fromEntries(read);
  const missing = schema.required.filter((it) => !value.properties.some(({ name }) => name.text === it));
  for (const name of missing) {
    const span = { start: value.span.start, end: value.span.start + 1 };
    const message = l10n.t('This needs “{0}”, and does not count without.', name);
    problems.push({ span, severity: 'error', message, bySchema: true });
  }
  // With `untill` misspelt an ignore would never end, and without its package it would hold for all.
  if (problems.length > before || schema.required.some((it) => !read.has(it))) return undefined;
  return Object.fromEntries(read);
}

function soundText(
  value: JsonValue & { readonly kind: 'string' },
  schema: Schema & { readonly type: 'string' },
  problems: ProjectProblem[],
): string | undefined {
  const { text } = value;
  if (schema.enum && !schema.enum.includes(text)) {
    return wrong(value, l10n.t('one of {0}', schema.enum.join(', ')), problems);
  }
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(text)) {
    problems.push({
      span: value.span,
      severity: 'error',
      message: l10n.t('This has another form. {0}', schema.description),
      bySchema: true,
    });
    return undefined;
  }
  if (text.trim().length < (schema.minLength ?? 0)) {
    // A schema takes blanks for a text.
    return wrong(value, l10n.t('a text that says something'), problems, text === '');
  }
  return text;
}

function wrong(value: JsonValue, wanted: string, problems: ProjectProblem[], bySchema = true): undefined {
  problems.push({ span: value.span, severity: 'error', message: l10n.t('This should be {0}.', wanted), bySchema });
  return undefined;
}

/** Settings that somebody may look for here, and that no project may choose. */
const personal = ['baseUrl', 'offline', 'batchSize', 'parallelBatches', 'inlayHints', 'lookUpDefaults'];

function unknownName(name: string): string {
  return personal.includes(name.replace(/^packageInsights\./, ''))
    ? l10n.t(
        '“{0}” is for each person to set: a project cannot choose where its dependencies are looked up, or how.',
        name,
      )
    : l10n.t('“{0}” is not known here.', name);
}
