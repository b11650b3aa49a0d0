import * as l10n from '@vscode/l10n';
import type { JsonValue } from '../../engine/formats/json/tree.ts';
import { contains, type Span } from '../../engine/model/span.ts';
import type { MemberPath } from '../api/problem.ts';
import { allMethods, type ServiceMethod } from '../api/service-method.ts';
import type { DocumentHover } from '../model/documents/service-document.ts';
import { typeAt } from './body.ts';
import { memberProse, methodProse, parameterProse } from './describe.ts';
import type { RequestText } from './parse.ts';

/** What the method, the parameter or the member at an offset is. */
export async function hoverRequest(parsed: RequestText, offset: number): Promise<DocumentHover | undefined> {
  const { method: line, lines, body } = parsed;
  const method = (await allMethods()).find((it) => it.id === line?.id);
  if (method === undefined || line === undefined) return undefined;
  if (contains(line.span, offset)) return { span: line.span, prose: methodProse(method) };
  const given = lines.find((it) => contains(it.line, offset));
  if (given) {
    const parameter = method.parameters.find((it) => it.name === given.name);
    if (parameter) return { span: given.nameSpan, prose: parameterProse(parameter, method) };
    const text = optionText(given.name);
    return text === undefined ? undefined : { span: given.nameSpan, prose: [{ kind: 'paragraph', parts: [text] }] };
  }
  const found = body?.root && memberAt(body.root, offset, []);
  return found && hoverMember(found, method);
}

function optionText(name: string): string | undefined {
  if (name === 'etag') return l10n.t('change only this version of the resource');
  return name === 'replace' ? l10n.t('replace whatever version is there') : undefined;
}

interface FoundMember {
  readonly path: MemberPath;
  readonly span: Span;
}

/** The innermost member whose name or plain value is at an offset. */
function memberAt(value: JsonValue, offset: number, path: MemberPath): FoundMember | undefined {
  if (value.kind === 'array') {
    for (const [at, it] of value.items.entries()) {
      const found = memberAt(it, offset, [...path, at]);
      if (found) return found;
    }
  } else if (value.kind === 'object') {
    for (const { name, value: it } of value.properties) {
      const own = { path: [...path, name.text], span: { start: name.span.start - 1, end: name.span.end + 1 } };
      if (contains(own.span, offset)) return own;
      const inner = it && memberAt(it, offset, own.path);
      if (inner) return inner;
      const isPlain = it && it.kind !== 'object' && it.kind !== 'array';
      if (isPlain && contains(it.span, offset)) return own;
    }
  }
  return undefined;
}

function hoverMember({ path, span }: FoundMember, method: ServiceMethod): DocumentHover | undefined {
  const { body, types } = method;
  const name = path.at(-1);
  if (body === undefined || typeof name !== 'string') return undefined;
  const owner = typeAt(body, path.slice(0, -1), types);
  const members = owner?.kind === 'named' ? types.membersOf(owner.name) : undefined;
  const member = members?.find((it) => it.name === name);
  if (member === undefined) return undefined;
  const isRequired = path.length === 1 && body.required.includes(name);
  return { span, prose: memberProse(member, method, isRequired) };
}
