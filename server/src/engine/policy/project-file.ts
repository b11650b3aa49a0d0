import * as l10n from '@vscode/l10n';
import { similarNames } from '../base/similar-names.ts';
import { parseJson } from '../formats/json/parse.ts';
import { itemsOf, type JsonObject, type JsonValue, stringAt, valueAt } from '../formats/json/tree.ts';
import type { Severity } from '../model/finding.ts';
import type { LicenseException, LicensePolicy } from '../model/license-policy.ts';
import { listableClasses } from '../model/license-policy.ts';
import type { Ignore, PrivatePattern, Project } from '../model/project.ts';
import type { Level } from '../model/severity-rating.ts';
import type { Problem, Span } from '../model/span.ts';
import { licenseIds } from './license-classes.ts';
import { parseLicense } from './license-expressions.ts';
import { impossiblePattern } from './package-patterns.ts';
import { projectSchema, type Schema } from './project-schema.ts';
import type { LooseMember } from './strictest.ts';

/** The readable part of a project file. */
export interface ProjectFile {
  readonly project: Project;
  readonly text: string;
  /** In the order of the text. */
  readonly problems: readonly ProjectProblem[];
  /** What a change loosens in it without effect; absent if no change is judged. */
  readonly loosened?: readonly LooseMember[];
}

/** In UTF-16 units. People write some dozens of entries, a few kilobytes. */
export const MAX_PROJECT_FILE_LENGTH = 1_000_000;

/** People write some dozens. */
const MAX_IGNORES = 1000;

/** More problems than these help no reader. */
const MAX_PROBLEMS = 100;

/** Reads a project file; comments and trailing commas are allowed. Never throws. */
export function readProjectFile(uri: string, text: string): ProjectFile {
  if (text.length > MAX_PROJECT_FILE_LENGTH) {
    const message = l10n.t('This file is too long.');
    return {
      project: projectOf(uri, {}, everythingPrivate({ start: 0, end: 0 })),
      text,
      problems: [{ span: { start: 0, end: 0 }, severity: 'error', message }],
    };
  }
  const { root, problems: broken } = parseJson(text);
  const problems: ProjectProblem[] = broken.map((it) => ({ ...it, severity: 'error', bySchema: true }));
  // `validate` returns what the schema allows, which is this type.
  const file = (root && (validate(root, projectSchema, problems) as ProjectFileJson | undefined)) ?? {};
  if (root) problems.push(...semanticProblems(root));
  const privatePackages = privatePackagesIn(text, root, broken.length > 0);
  // One such part has the effect of all.
  const unclear = privatePackages.find((it) => it.isUnclear);
  if (unclear) problems.push(unclearPrivate(unclear.span));
  problems.sort((a, b) => a.span.start - b.span.start);
  return { project: projectOf(uri, file, privatePackages), text, problems: problems.slice(0, MAX_PROBLEMS) };
}

/** The JSON that the schema allows. */
interface ProjectFileJson {
  readonly ignores?: readonly Ignore[];
  readonly licenses?: Partial<Omit<LicensePolicy, 'exceptions'>> & {
    readonly exceptions?: readonly (LicenseException & { readonly allow?: boolean })[];
  };
  readonly severity?: Project['severity'];
  readonly cooldownDays?: number;
  readonly allowPrivate?: boolean;
  readonly failOn?: readonly string[];
  readonly unratedCountsAs?: Level;
  readonly exclude?: readonly string[];
}

function projectOf(
  uri: string,
  {
    ignores = [],
    licenses,
    severity = {},
    cooldownDays,
    allowPrivate = false,
    failOn = [],
    unratedCountsAs,
    exclude = [],
  }: ProjectFileJson,
  privatePackages: Project['privatePackages'],
): Project {
  return {
    uri,
    // An invalid day, 2026-02-30, would never expire.
    ignores: ignores.filter((it) => it.until === undefined || isDay(it.until)).slice(0, MAX_IGNORES),
    ...(licenses && { licenses: policyOf(licenses) }),
    severity,
    ...(cooldownDays !== undefined && { cooldownDays }),
    allowPrivate,
    failOn,
    ...(unratedCountsAs && { unratedCountsAs }),
    exclude,
    privatePackages,
  };
}

/**
 * The patterns of `private`, of all properties with that name. A part that cannot be read may name any package, so it
 * makes every package private.
 *
 *     { "private": ["npm/@acme/*", 7] }
 *                    ^^^^^^^^^^^   ^ everything
 */
function privatePackagesIn(text: string, root: JsonValue | undefined, isBroken: boolean): readonly PrivatePattern[] {
  const properties = root?.kind === 'object' ? root.properties.filter((it) => isPrivate(it.name.text)) : [];
  // In a text with syntax errors, entries of the list may be anywhere.
  const word = isBroken || root?.kind !== 'object' ? privateWord.exec(text) : null;
  const unclear = word ? everythingPrivate({ start: word.index, end: word.index + word[0].length }) : [];
  return [
    ...unclear,
    ...properties.flatMap(({ name, value }) => {
      if (value?.kind !== 'array' || name.text !== 'private') return everythingPrivate(name.span);
      return value.items.flatMap((it) =>
        it.kind === 'string' && it.text.trim() !== '' && impossiblePattern(it.text.trim()) === undefined
          ? [{ pattern: it.text.trim(), span: it.span }]
          : everythingPrivate(it.span),
      );
    }),
  ];
}

/** Whether a key is meant to be `private`: `Private` is. */
function isPrivate(key: string): boolean {
  return key.trim().toLowerCase() === 'private';
}

/** The word with any quotes, or without them. */
const privateWord = /(?<![\w-])["']?private["']?(?![\w-])/i;

function unclearPrivate(span: Span): ProjectProblem {
  const message = l10n.t('Until this is a list of packages, every package is private and nothing is looked up.');
  return { span, severity: 'error', message };
}

function everythingPrivate(span: Span): PrivatePattern[] {
  return [{ pattern: '*', span, isUnclear: true }];
}

function policyOf(given: NonNullable<ProjectFileJson['licenses']>): LicensePolicy {
  const { allow = [], deny = [], review = [], unknown = 'review', exceptions = [], runtimeOnly = false } = given;
  const sure = exceptions.filter((it) => (it.licenses ? it.allow !== true : it.allow === true));
  return { allow, deny, review, unknown, exceptions: sure, runtimeOnly };
}

/** Problems that the schema cannot express. */
function semanticProblems(root: JsonValue): ProjectProblem[] {
  const policy = valueAt(root, 'licenses');
  const exceptions = itemsOf(valueAt(policy, 'exceptions'));
  const ignores = itemsOf(valueAt(root, 'ignores'));
  const lists = [
    ...['allow', 'deny', 'review'].map((it) => valueAt(policy, it)),
    ...exceptions.map((it) => valueAt(it, 'licenses')),
  ];
  return [
    ...itemsOf(valueAt(root, 'private')).flatMap((it): ProjectProblem[] => {
      const message = it.kind === 'string' ? patternMistake(it.text.trim()) : undefined;
      return message === undefined ? [] : [{ span: it.span, severity: 'error', message }];
    }),
    ...ignores.flatMap((it): ProjectProblem[] => {
      const until = stringAt(it, 'until');
      if (!until || !/^\d{4}-\d\d-\d\d$/.test(until.text) || isDay(until.text)) return [];
      const message = l10n.t('Invalid date: {0}.', until.text);
      return [{ span: until.span, severity: 'error', message }];
    }),
    ...ignores.slice(MAX_IGNORES, MAX_IGNORES + 1).map((it): ProjectProblem => {
      const message = l10n.t('At most {0} ignores are allowed: the entries from here on do not count.', MAX_IGNORES);
      return { span: it.span, severity: 'error', message };
    }),
    ...lists.flatMap(itemsOf).flatMap((it): ProjectProblem[] => {
      if (it.kind !== 'string' || it.text === '') return [];
      const message = licenseMistake(it.text);
      return message === undefined ? [] : [{ span: it.span, severity: 'warning', message }];
    }),
    ...exceptions.flatMap((it): ProjectProblem[] => {
      const allow = valueAt(it, 'allow');
      const isAll = allow?.kind === 'scalar' && allow.text === 'true';
      if (it.kind !== 'object' || isAll === (valueAt(it, 'licenses') === undefined)) return [];
      const message = l10n.t('This exception does not count: it needs either “licenses” or “allow”: true.');
      return [{ span: { start: it.span.start, end: it.span.start + 1 }, severity: 'error', message }];
    }),
  ];
}

/** What is wrong with an entry of the list of private packages. */
function patternMistake(pattern: string): string | undefined {
  const found = impossiblePattern(pattern);
  if (found === undefined) return undefined;
  return found.meant === undefined
    ? l10n.t('“{0}” matches no package. Examples: {1}.', pattern, 'npm/@acme/*, maven/com.acme:*, nuget/Acme.*')
    : l10n.t('“{0}” matches no package. Did you mean {1}?', pattern, `“${found.meant}”`);
}

/** What is wrong with an entry of a license list. */
function licenseMistake(text: string): string | undefined {
  if (listableClasses.some((it) => it === text)) return undefined;
  if (text === 'unknown') return l10n.t('Unknown licenses have a key of their own: {0}.', '"unknown": "deny"');
  const expression = parseLicense(text);
  if (expression) {
    return expression.kind === 'license' ? undefined : l10n.t('“{0}” is an expression: list each license.', text);
  }
  const names = similarNames(text, [...listableClasses, ...licenseIds()]);
  return names.length > 0
    ? l10n.t(
        '“{0}” is not an SPDX license or license class. Did you mean {1}?',
        text,
        names.map((it) => `“${it}”`).join(', '),
      )
    : l10n.t(
        '“{0}” is not an SPDX license or license class. Examples: {1}.',
        text,
        'MIT, GPL-3.0-or-later, strong-copyleft',
      );
}

/** Ignores that have expired: their findings are reported again. */
export function expiredIgnores(text: string, today: string): ProjectProblem[] {
  return itemsOf(valueAt(parseJson(text.slice(0, MAX_PROJECT_FILE_LENGTH)).root, 'ignores')).flatMap(
    (it): ProjectProblem[] => {
      const until = stringAt(it, 'until');
      if (!until || !isDay(until.text) || until.text >= today) return [];
      const message = l10n.t('This ignore expired on {0}: the finding is reported again.', until.text);
      return [{ span: until.span, severity: 'information', message }];
    },
  );
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** A problem of a project file. */
export interface ProjectProblem extends Problem {
  readonly severity: Severity;
  /** Whether the schema finds the problem, too, and with it every editor that supports schemas. */
  readonly bySchema?: boolean;
}

/**
 * Returns the valid part of a value. Invalid parts are added to the problems and left out. An object is left out as a
 * whole if it lacks a required property, or if it has required properties and any problem.
 */
export function validate(value: JsonValue, schema: Schema, problems: ProjectProblem[]): unknown {
  switch (schema.type) {
    case 'object':
      return value.kind === 'object'
        ? validateObject(value, schema, problems)
        : reportWrongType(value, l10n.t('an object'), problems);
    case 'array':
      if (value.kind !== 'array') return reportWrongType(value, l10n.t('a list'), problems);
      return value.items.map((it) => validate(it, schema.items, problems)).filter((it) => it !== undefined);
    case 'string':
      return value.kind === 'string'
        ? validateText(value, schema, problems)
        : reportWrongType(value, l10n.t('a string'), problems);
    case 'boolean': {
      const isBoolean = value.kind === 'scalar' && /^(?:true|false)$/.test(value.text);
      return isBoolean ? value.text === 'true' : reportWrongType(value, l10n.t('true or false'), problems);
    }
    case 'integer': {
      const { minimum, maximum } = schema;
      // As in JSON Schema, where 7.0 is an integer.
      const number = value.kind === 'scalar' ? Number(value.text || Number.NaN) : Number.NaN;
      if (Number.isInteger(number) && number >= minimum && number <= maximum) return number;
      return reportWrongType(value, l10n.t('an integer from {0} to {1}', minimum, maximum), problems);
    }
  }
}

function validateObject(
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
      const part = validate(property.value, known, problems);
      if (part !== undefined) read.set(name, part);
    }
  }
  if (schema.required === undefined) return Object.fromEntries(read);
  const missing = schema.required.filter((it) => !value.properties.some(({ name }) => name.text === it));
  for (const name of missing) {
    const span = { start: value.span.start, end: value.span.start + 1 };
    const message = l10n.t('“{0}” is missing: this entry does not count.', name);
    problems.push({ span, severity: 'error', message, bySchema: true });
  }
  // With `until` misspelled an ignore would never expire, and without its package it would apply to all.
  if (problems.length > before || schema.required.some((it) => !read.has(it))) return undefined;
  return Object.fromEntries(read);
}

function validateText(
  value: JsonValue & { readonly kind: 'string' },
  schema: Schema & { readonly type: 'string' },
  problems: ProjectProblem[],
): string | undefined {
  const { text } = value;
  if (schema.enum && !schema.enum.includes(text)) {
    return reportWrongType(value, l10n.t('one of {0}', schema.enum.join(', ')), problems);
  }
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(text)) {
    problems.push({
      span: value.span,
      severity: 'error',
      message: l10n.t('Invalid value. {0}', schema.description),
      bySchema: true,
    });
    return undefined;
  }
  if (text.trim().length < (schema.minLength ?? 0)) {
    // A schema accepts blanks as a text.
    return reportWrongType(value, l10n.t('a non-empty string'), problems, text === '');
  }
  return text;
}

function reportWrongType(value: JsonValue, wanted: string, problems: ProjectProblem[], bySchema = true): undefined {
  problems.push({ span: value.span, severity: 'error', message: l10n.t('This should be {0}.', wanted), bySchema });
  return undefined;
}

/** Settings that people may expect here, and that a project may not choose. */
const personalSettings = [
  'baseUrl',
  'offline',
  'batchSize',
  'parallelBatches',
  'inlayHints',
  'lookUpDefaults',
  'lookUpBelow',
];

function unknownName(name: string): string {
  return personalSettings.includes(name.replace(/^packageInsights\./, ''))
    ? l10n.t('“{0}” is a personal setting: a project cannot choose where or how its dependencies are looked up.', name)
    : l10n.t('Unknown key “{0}”.', name);
}
