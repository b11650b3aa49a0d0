import * as l10n from '@vscode/l10n';
import { similarNames } from '../../engine/base/similar-names.ts';
import { isRecord } from '../../engine/base/text.ts';
import type { ConnectionName } from '../../engine/model/connection.ts';
import type { Span } from '../../engine/model/span.ts';
import { type BuiltRequest, buildRequest, type GivenParameters } from '../api/build-request.ts';
import type { Problem } from '../api/problem.ts';
import { type RequestOptions, ruleText } from '../api/rules.ts';
import { allMethods, resourceParameter, type ServiceMethod } from '../api/service-method.ts';
import type { DocumentFinding, DocumentFix } from '../model/documents/service-document.ts';
import { faultyScalars, jsonOf, placeOf, wholeSpan } from './body.ts';
import { type CheckedCall, fixesFor } from './fixes.ts';
import { linesNamed, type RequestText } from './parse.ts';

/** Lines of the head that are no parameters of a method. No method has a parameter of such a name. */
export const optionLines = ['etag', 'replace'] as const;

/** A request document, checked. */
export interface CheckedRequest {
  readonly parsed: RequestText;
  /** Absent while the document names none that exists. */
  readonly method?: ServiceMethod;
  readonly given: GivenParameters;
  readonly options: RequestOptions;
  /** A value of JSON; undefined without a body. */
  readonly body: unknown;
  /** In the order of the text. Those of the severity `error` prevent that it is sent. */
  readonly findings: readonly DocumentFinding[];
  readonly built?: BuiltRequest;
}

export interface CheckCircumstances {
  readonly isConnected: (name: ConnectionName) => boolean;
  /** Whether commands of our extension can be offered. */
  readonly isOwnExtension: boolean;
}

/** Checks a document as `package-insights call` checks its arguments. Sends nothing. */
export async function checkRequest(parsed: RequestText, circumstances: CheckCircumstances): Promise<CheckedRequest> {
  const all = await allMethods();
  const method = all.find((it) => it.id === parsed.method?.id);
  const { given, options } = parametersOf(parsed, method);
  const root = parsed.body?.root;
  const body = root && jsonOf(root);
  const findings: DocumentFinding[] = [...strayFindings(parsed), ...faultsOf(parsed)];
  if (method === undefined) {
    findings.push(...methodFindings(parsed, all));
    return { parsed, given, options, body, findings: inOrder(findings) };
  }
  const resource = resourceParameter(method);
  const name = resource && given[resource.name];
  // The name is asked for when it is sent.
  const confirm = typeof name === 'string' ? name : (name?.[0] ?? '');
  const isFaulty = findings.some((it) => it.code === 'no-json');
  const built = buildRequest(method, given, isFaulty ? undefined : body, { ...options, confirm });
  const call = { parsed, method, methods: all };
  if (!built.ok) {
    const problems = isFaulty ? built.problems.filter((it) => it.member === undefined) : built.problems;
    for (const it of problems) findings.push(findingOf(it, call, 'error'));
  } else for (const it of built.notes) findings.push(findingOf(it, call, 'information'));
  findings.push(...noticesFor(parsed, method, body, all), ...connectionFinding(parsed, method, circumstances));
  return { parsed, method, given, options, body, findings: inOrder(findings), built };
}

function inOrder(findings: readonly DocumentFinding[]): DocumentFinding[] {
  return findings.toSorted((a, b) => a.span.start - b.span.start);
}

function parametersOf(
  { lines }: RequestText,
  method: ServiceMethod | undefined,
): { readonly given: GivenParameters; readonly options: RequestOptions } {
  const given: Record<string, string[]> = {};
  const options: { etag?: string; replace?: boolean } = {};
  for (const { name, value, isComplete } of lines) {
    // A line that is not filled in gives nothing.
    const isFilled = isComplete && value !== '';
    const isKnown = method?.parameters.some((it) => it.name === name);
    if (name === 'etag' && !isKnown) {
      if (isFilled) options.etag = value;
    } else if (name === 'replace' && !isKnown) options.replace = value === 'true';
    else if (isFilled || !isKnown) {
      const before = Object.hasOwn(given, name) ? (given[name] ?? []) : [];
      Object.defineProperty(given, name, {
        value: [...before, value],
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return { given, options };
}

function strayFindings({ strays }: RequestText): DocumentFinding[] {
  return strays.map((span) => ({
    span,
    code: 'unclear-line',
    severity: 'error',
    message: l10n.t('A request begins with METHOD and the name of a method, and has a parameter a line: name: value'),
  }));
}

function faultsOf({ body }: RequestText): DocumentFinding[] {
  if (body === undefined) return [];
  const faults = [...body.faults, ...(body.root ? faultyScalars(body.root) : [])];
  return faults.slice(0, 1).map((span) => ({
    span: visible(span, body.span),
    code: 'no-json',
    severity: 'error',
    message: l10n.t('The body is not JSON from here on'),
  }));
}

/** An empty span is not seen. */
function visible(span: Span, { start, end }: Span): Span {
  if (span.end > span.start) return span;
  return span.start > start ? { start: span.start - 1, end: span.start } : { start, end: Math.min(end, start + 1) };
}

function methodFindings(parsed: RequestText, all: readonly ServiceMethod[]): DocumentFinding[] {
  const { method, strays, lines, body, text } = parsed;
  if (method === undefined) {
    if (strays.length > 0 || lines.length > 0 || body === undefined) {
      const isEmpty = text.replace(/^\s*#.*$/gm, '').trim() === '';
      return isEmpty ? [] : strays.length > 0 ? [] : [missingMethod({ start: 0, end: text.length })];
    }
    return [missingMethod(body.span)];
  }
  if (method.id === '') return [missingMethod(method.keyword)];
  const ids = all.map((it) => it.id);
  const near = similarNames(method.id, ids);
  // `events.list`, without its service.
  const similar = near.length > 0 ? near : ids.filter((it) => it.endsWith(`.${method.id}`)).slice(0, 5);
  return [
    {
      span: method.span,
      code: 'unknown-method',
      severity: 'error',
      message: l10n.t('No service has a method {0}', method.id),
      fixes: similar.map((id, at) => ({
        title: l10n.t('Change to {0}', id),
        edits: [{ span: method.span, newText: id }],
        ...(at === 0 && { isPreferred: true }),
      })),
    },
  ];
}

function missingMethod(span: Span): DocumentFinding {
  return {
    span,
    code: 'no-method',
    severity: 'error',
    message: l10n.t('Name a method: METHOD scheduling.events.list'),
  };
}

function findingOf(problem: Problem, call: CheckedCall, severity: DocumentFinding['severity']): DocumentFinding {
  const { message, rule } = problem;
  return {
    span: spanOf(problem, call),
    code: rule ?? codeOf(problem, call),
    severity,
    message,
    fixes: fixesFor(problem, call),
  };
}

function codeOf({ parameter, member, missing, similar }: Problem, { parsed, method }: CheckedCall): string {
  if (parameter !== undefined) {
    if (!method.parameters.some((it) => it.name === parameter)) return 'unknown-parameter';
    return linesNamed(parsed, parameter).some((it) => it.value !== '') ? 'invalid-parameter' : 'missing-parameter';
  }
  if (missing !== undefined) return 'missing-member';
  if (member === undefined) return 'invalid-option';
  return similar ? 'unknown-member' : 'invalid-member';
}

/** The place of a problem: the value or the name of its parameter, the member, or else the method. */
function spanOf({ parameter, member, similar, rule }: Problem, { parsed, method }: CheckedCall): Span {
  const whole = parsed.method?.span ?? { start: 0, end: 0 };
  if (parameter !== undefined) {
    const [line] = linesNamed(parsed, parameter).toReversed();
    if (line === undefined) return whole;
    const isKnown = method.parameters.some((it) => it.name === parameter);
    return isKnown && line.value !== '' ? line.valueSpan : line.nameSpan;
  }
  const { body } = parsed;
  if (member === undefined || body === undefined) return whole;
  const { value, property, depth } = placeOf(body.root, member);
  // What is missing as a whole concerns the method.
  if (member.length === 0 || depth === 0) return rule === undefined && depth === 0 ? openingOf(body.span) : whole;
  const isUnknown = depth === member.length && property !== undefined && (similar || value === undefined);
  if (isUnknown || value === undefined || depth < member.length)
    return property ? quoted(property.name.span) : openingOf(body.span);
  return value.kind === 'object' || value.kind === 'array'
    ? property
      ? quoted(property.name.span)
      : openingOf(value.span)
    : wholeSpan(value);
}

function quoted({ start, end }: Span): Span {
  return { start: start - 1, end: end + 1 };
}

function openingOf({ start, end }: Span): Span {
  return { start, end: Math.min(end, start + 1) };
}

/** Rules that inform. */
function noticesFor(
  parsed: RequestText,
  method: ServiceMethod,
  body: unknown,
  methods: readonly ServiceMethod[],
): DocumentFinding[] {
  const { method: line } = parsed;
  if (line === undefined || !method.rules.includes('patch-units')) return [];
  const fixes: DocumentFix[] = methods.some((it) => it.id === method.id.replace(/\.patch$/, '.update'))
    ? [{ title: l10n.t('Use get and update'), command: { run: 'getAndUpdate', args: [] } }]
    : [];
  const lists = isRecord(body) ? Object.entries(body).filter(([, it]) => Array.isArray(it)) : [];
  return [
    { span: line.span, code: 'patch-units', severity: 'information', message: ruleText('patch-units'), fixes },
    ...lists.map(([name]): DocumentFinding => {
      const { property } = placeOf(parsed.body?.root, [name]);
      const span = property ? quoted(property.name.span) : line.span;
      return { span, code: 'patch-semantics', severity: 'information', message: ruleText('patch-semantics') };
    }),
  ];
}

function connectionFinding(
  { method: line }: RequestText,
  { connection }: ServiceMethod,
  { isConnected, isOwnExtension }: CheckCircumstances,
): DocumentFinding[] {
  if (line === undefined || isConnected(connection)) return [];
  const command = { id: 'packageInsights.connectService', args: [{ name: connection }] };
  return [
    {
      span: line.span,
      code: 'not-connected',
      severity: 'warning',
      message: l10n.t('{0} is not connected, so nothing can be sent', connection),
      fixes: isOwnExtension ? [{ title: l10n.t('Connect {0}…', connection), command }] : [],
    },
  ];
}
