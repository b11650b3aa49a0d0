import * as l10n from '@vscode/l10n';
import { costText } from '../api/cost.ts';
import { ruleText } from '../api/rules.ts';
import type { Member, Parameter, ServiceMethod, Type } from '../api/service-method.ts';
import { valueTypeOf } from '../api/value-types.ts';
import type { DocumentProse } from '../model/documents/service-document.ts';
import { typeText } from './body.ts';

/** Values of an enum in a text; more are in the completion. */
const MAX_VALUES = 12;

export function methodProse(method: ServiceMethod): DocumentProse {
  const { id, verb, path, rules, body, parameters } = method;
  const required = parameters.filter((it) => it.isRequired).map((it) => it.name);
  return [
    { kind: 'paragraph', parts: [{ strong: id }] },
    { kind: 'paragraph', parts: [{ code: `${verb} ${path}` }] },
    { kind: 'paragraph', parts: [costText(method)] },
    ...(required.length > 0
      ? ([{ kind: 'paragraph', parts: [l10n.t('Required: {0}', required.join(', '))] }] as const)
      : []),
    ...(body ? ([{ kind: 'paragraph', parts: [bodyText(method)] }] as const) : []),
    ...rules.map((it) => ({ kind: 'item' as const, parts: [ruleText(it)] })),
  ];
}

function bodyText({ body }: ServiceMethod): string {
  if (body === undefined) return '';
  return body.required.length === 0
    ? l10n.t('Body: {0}', body.type)
    : l10n.t('Body: {0}, which requires {1}', body.type, body.required.join(', '));
}

/** `required; text`, `one of all, externalOnly, none; default: all` */
export function parameterText(parameter: Parameter, { types }: ServiceMethod): string {
  const { type, isRequired, isRepeatable, min, max, default: usual, pattern } = parameter;
  return [
    ...(isRequired ? [l10n.t('required')] : []),
    expectedText(types.enumOf(type), type),
    ...(min !== undefined && max !== undefined ? [l10n.t('from {0} to {1}', min, max)] : []),
    ...(min !== undefined && max === undefined ? [l10n.t('from {0}', min)] : []),
    ...(pattern === undefined ? [] : [l10n.t('matches {0}', pattern)]),
    ...(isRepeatable ? [l10n.t('repeatable')] : []),
    ...(usual === undefined ? [] : [l10n.t('default: {0}', usual)]),
  ].join('; ');
}

function expectedText(values: readonly string[] | undefined, type: string): string {
  if (values === undefined) return valueTypeOf(type)?.expected() || type;
  const shown = values.slice(0, MAX_VALUES).join(', ');
  return l10n.t('one of {0}', values.length > MAX_VALUES ? `${shown}, …` : shown);
}

export function parameterProse(parameter: Parameter, method: ServiceMethod): DocumentProse {
  return [
    { kind: 'paragraph', parts: [{ strong: parameter.name }] },
    { kind: 'paragraph', parts: [parameterText(parameter, method)] },
  ];
}

/** `required; one of confirmed, tentative, cancelled` */
export function memberText(type: Type, { types }: ServiceMethod, isRequired: boolean, isReadOnly: boolean): string {
  const expected = type.kind === 'named' ? expectedText(types.enumOf(type.name), type.name) : typeText(type);
  return [
    ...(isRequired ? [l10n.t('required')] : []),
    expected,
    ...(isReadOnly ? [l10n.t('set by the service')] : []),
  ].join('; ');
}

export function memberProse(member: Member, method: ServiceMethod, isRequired: boolean): DocumentProse {
  return [
    { kind: 'paragraph', parts: [{ strong: member.name }, ` ${typeText(member.type)}`] },
    { kind: 'paragraph', parts: [memberText(member.type, method, isRequired, member.isReadOnly)] },
  ];
}
