import * as l10n from '@vscode/l10n';
import type { Severity } from '../model/finding.ts';
import type { Problem } from '../model/span.ts';
import type { JsonObject, JsonValue } from '../text/json-tree.ts';
import type { Schema } from './schema.ts';

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
