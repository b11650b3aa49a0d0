import * as l10n from '@vscode/l10n';
import type { Problem } from '../api/problem.ts';
import type { RuleName } from '../api/rule-name.ts';
import type { Parameter, ServiceMethod } from '../api/service-method.ts';
import type { DocumentFix, TextChange } from '../model/documents/service-document.ts';
import { placeOf, typeAt, wholeSpan } from './body.ts';
import { addLine, removeBody, removeLine, setMember } from './edits.ts';
import { linesNamed, type RequestText } from './parse.ts';
import { emptyValue, usualValue } from './template.ts';

/** A document with its method and the methods that a fix may change to. */
export interface CheckedCall {
  readonly parsed: RequestText;
  readonly method: ServiceMethod;
  readonly methods: readonly ServiceMethod[];
}

/** Values of an enum that are offered as fixes; all are in the completion. */
const MAX_VALUES = 5;

/** Ways out of a problem, the best first. */
export function fixesFor(problem: Problem, call: CheckedCall): DocumentFix[] {
  const { rule, parameter, member } = problem;
  const fixes =
    rule !== undefined
      ? ruleFixes(rule, problem, call)
      : parameter !== undefined
        ? parameterFixes(parameter, problem, call)
        : member !== undefined
          ? memberFixes(problem, call)
          : [];
  // To call another method is a decision.
  const isSafe = ({ edits, isPreferred }: DocumentFix): boolean => edits !== undefined && isPreferred !== false;
  return fixes.map((it, at) => (at === 0 && isSafe(it) ? { ...it, isPreferred: true } : it));
}

function parameterFixes(name: string, { similar = [] }: Problem, { parsed, method }: CheckedCall): DocumentFix[] {
  const parameter = method.parameters.find((it) => it.name === name);
  const [line] = linesNamed(parsed, name).toReversed();
  if (parameter === undefined) {
    if (line === undefined) return [];
    return [
      ...similar.map((it) => changeTo(it, { span: line.nameSpan, newText: it })),
      { title: l10n.t('Remove {0}', name), edits: [removeLine(parsed, line)] },
    ];
  }
  if (line === undefined) return [addParameter(parameter, parsed, method)];
  const values = method.types.enumOf(parameter.type) ?? (parameter.type === 'boolean' ? ['true', 'false'] : []);
  const usual = usualValue(parameter, method);
  const isFilled = line.value !== '';
  const offered = new Set([...similar, ...values.slice(0, MAX_VALUES), ...(isFilled ? [] : [usual ?? ''])]);
  offered.delete('');
  const isMoment = parameter.type === 'date-time' && /^\d{4}-\d\d-\d\d[Tt][\d:.]+$/.test(line.value);
  const repeated = !parameter.isRepeatable && linesNamed(parsed, name).length > 1;
  return [
    ...(repeated ? [{ title: l10n.t('Remove {0}', `${name}: ${line.value}`), edits: [removeLine(parsed, line)] }] : []),
    ...(isMoment ? [changeTo(`${line.value}Z`, { span: line.valueSpan, newText: `${line.value}Z` })] : []),
    ...[...offered].map((it) => changeTo(it, valueChange(parsed, line, it))),
  ];
}

/** A value behind the colon, with a space between them. */
function valueChange({ text }: RequestText, line: ReturnType<typeof linesNamed>[number], value: string): TextChange {
  const isBare = text[line.valueSpan.start - 1] === ':';
  return { span: line.valueSpan, newText: isBare ? ` ${value}` : value };
}

function addParameter(parameter: Parameter, parsed: RequestText, method: ServiceMethod): DocumentFix {
  const line = `${parameter.name}: ${usualValue(parameter, method) ?? ''}`;
  return { title: l10n.t('Add {0}', line.replace(/: $/, '')), edits: [addLine(parsed, line)] };
}

function changeTo(value: string, ...edits: readonly TextChange[]): DocumentFix {
  return { title: l10n.t('Change to {0}', value), edits };
}

function memberFixes({ member = [], missing, similar = [] }: Problem, call: CheckedCall): DocumentFix[] {
  const { parsed, method } = call;
  const { body } = method;
  if (body === undefined) {
    const edits = removeBody(parsed);
    return edits.length > 0 ? [{ title: l10n.t('Remove the body'), edits }] : [];
  }
  if (missing !== undefined) {
    const value = emptyValue(typeAt(body, [missing], method.types), method);
    return fixOf(l10n.t('Add {0}', missing), setMember(parsed, [missing], value));
  }
  const place = placeOf(parsed.body?.root, member);
  if (place.depth < member.length || member.length === 0) return [];
  const { value, property } = place;
  const isName = property !== undefined && typeAt(body, member, method.types) === undefined;
  if (isName) {
    return [
      ...similar.map((it) => changeTo(it, { span: property.name.span, newText: JSON.stringify(it).slice(1, -1) })),
      ...fixOf(l10n.t('Remove {0}', property.name.text), setMember(parsed, member, undefined)),
    ];
  }
  if (value === undefined) return [];
  const type = typeAt(body, member, method.types);
  const values = (type?.kind === 'named' && method.types.enumOf(type.name)) || [];
  const offered = [...new Set([...similar, ...values.slice(0, MAX_VALUES)])];
  return [
    ...offered.map((it) => changeTo(it, { span: wholeSpan(value), newText: JSON.stringify(it) })),
    // 42 as "42" and the other way round.
    ...(value.kind === 'scalar' && value.text !== 'null' && isText(type, method)
      ? [changeTo(`"${value.text}"`, { span: value.span, newText: `"${value.text}"` })]
      : []),
    ...(value.kind === 'string' &&
    /^(?:true|false|-?\d+)$/.test(value.text) &&
    offered.length === 0 &&
    !isText(type, method)
      ? [changeTo(value.text, { span: wholeSpan(value), newText: value.text })]
      : []),
  ];
}

function isText(type: ReturnType<typeof typeAt>, method: ServiceMethod): boolean {
  return typeof emptyValue(type, method) === 'string' && !(type?.kind === 'named' && method.types.enumOf(type.name));
}

function fixOf(title: string, edits: readonly TextChange[] | undefined): DocumentFix[] {
  return edits && edits.length > 0 ? [{ title, edits }] : [];
}

function ruleFixes(rule: RuleName, problem: Problem, call: CheckedCall): DocumentFix[] {
  const { parsed, method } = call;
  const replace: DocumentFix = {
    title: l10n.t('Replace whatever is there (replace: true)'),
    edits: [addLine(parsed, 'replace: true')],
  };
  switch (rule) {
    case 'update-replaces':
    case 'fingerprint':
    case 'policy-replaces': {
      const name = rule === 'fingerprint' ? 'fingerprint' : 'etag';
      return [
        { title: l10n.t('Read it, and insert its {0}', name), command: { run: 'insertVersion', args: [] } },
        replace,
      ];
    }
    case 'event-id':
      return method.body ? [] : useMethod('scheduling.events.list', call, { from: 'eventId', to: 'iCalUID' });
    case 'import-default':
      return [
        ...fixOf(l10n.t('Change to {0}', 'default'), setMember(parsed, ['eventType'], 'default')),
        ...useMethod('scheduling.events.insert', call),
      ];
    case 'move-destination':
    case 'quick-add-text': {
      const name = rule === 'quick-add-text' ? 'text' : 'destination';
      const parameter = method.parameters.find((it) => it.name === name);
      return parameter && linesNamed(parsed, name).length === 0 ? [addParameter(parameter, parsed, method)] : [];
    }
    case 'clear-primary':
      return [...calendarFix(call), ...useMethod('scheduling.calendars.delete', call)];
    case 'delete-secondary':
      return useMethod('scheduling.calendars.clear', call);
    case 'sync-token': {
      const [token] = linesNamed(parsed, 'syncToken');
      const [excluded] = linesNamed(parsed, problem.parameter ?? '');
      return [
        ...(excluded ? [{ title: l10n.t('Remove {0}', excluded.name), edits: [removeLine(parsed, excluded)] }] : []),
        ...(token ? [{ title: l10n.t('Remove {0}', token.name), edits: [removeLine(parsed, token)] }] : []),
      ];
    }
    case 'patch-units':
    case 'patch-semantics':
    case 'move-default':
    case 'rate-limit-status':
      return [];
  }
}

function calendarFix({ parsed }: CheckedCall): DocumentFix[] {
  const [line] = linesNamed(parsed, 'calendarId');
  if (line === undefined)
    return [{ title: l10n.t('Add {0}', 'calendarId: primary'), edits: [addLine(parsed, 'calendarId: primary')] }];
  return [changeTo('primary', valueChange(parsed, line, 'primary'))];
}

/** Changes to another method. What that one does not accept goes, and a parameter may get another name. */
function useMethod(
  id: string,
  { parsed, methods }: CheckedCall,
  renamed?: { readonly from: string; readonly to: string },
): DocumentFix[] {
  const target = methods.find((it) => it.id === id);
  const { method: line, lines } = parsed;
  if (target === undefined || line === undefined) return [];
  const edits = lines.flatMap((it): TextChange[] => {
    if (it.name === renamed?.from) return [{ span: it.nameSpan, newText: renamed.to }];
    return target.parameters.some(({ name }) => name === it.name) ? [] : [removeLine(parsed, it)];
  });
  return [
    {
      title: l10n.t('Use {0}', id),
      isPreferred: false,
      edits: [{ span: line.span, newText: id }, ...edits, ...(target.body ? [] : removeBody(parsed))],
    },
  ];
}
