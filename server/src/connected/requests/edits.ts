import { type Edit, modify } from 'jsonc-parser';
import type { MemberPath } from '../api/problem.ts';
import type { TextChange } from '../model/documents/service-document.ts';
import type { ParameterLine, RequestText } from './parse.ts';

/** Adds a line behind the last one of the head. */
export function addLine({ headEnd, lineEnd }: RequestText, line: string): TextChange {
  return { span: { start: headEnd, end: headEnd }, newText: `${lineEnd}${line}` };
}

/** Removes a line with its line end. */
export function removeLine({ text }: RequestText, { line: { start, end } }: Pick<ParameterLine, 'line'>): TextChange {
  const behind = /^(?:\r\n|\n|\r)/.exec(text.slice(end, end + 2))?.[0] ?? '';
  return { span: { start, end: end + behind.length }, newText: '' };
}

/** Removes the body and the empty lines before it. */
export function removeBody({ text, body, lineEnd }: RequestText): TextChange[] {
  if (body === undefined) return [];
  const start = text.slice(0, body.span.start).trimEnd().length;
  return [{ span: { start, end: text.length }, newText: lineEnd }];
}

/**
 * Sets a member, or removes it.
 * @param value undefined to remove it
 * @returns undefined if the body is no JSON
 */
export function setMember(parsed: RequestText, path: MemberPath, value: unknown): TextChange[] | undefined {
  const { body, lineEnd } = parsed;
  if (body === undefined) {
    if (value === undefined || path.length !== 1) return undefined;
    const text = JSON.stringify({ [String(path[0])]: value }, undefined, 2).replaceAll('\n', lineEnd);
    const at = parsed.headEnd;
    return [{ span: { start: at, end: at }, newText: `${lineEnd}${lineEnd}${text}${lineEnd}` }];
  }
  if (body.faults.length > 0 || body.root === undefined) return undefined;
  // What stays keeps its form.
  if (value === undefined) return modify(body.blanked, [...path], undefined, {}).map(changeOf);
  const formattingOptions = { tabSize: 2, insertSpaces: true, eol: lineEnd };
  return modify(body.blanked, [...path], value, { formattingOptions, getInsertionIndex: () => 0 }).map(changeOf);
}

function changeOf({ offset, length, content }: Edit): TextChange {
  return { span: { start: offset, end: offset + length }, newText: content };
}
