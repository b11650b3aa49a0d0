import type { TextEdit } from '../../model/graph/override.ts';
import { indentAt, indentStepOf, lineEndOf } from '../text/insert.ts';
import type { JsonObject, JsonValue } from './tree.ts';

/** Members to set: texts, and objects of such members. */
export interface JsonMembers {
  readonly [name: string]: string | JsonMembers;
}

/**
 * The edits that set members of an object. Those that are missing are added behind the last one, in the style of the
 * text; everything else stays as it is.
 *
 *     "overrides": { "a": "1.0.0" }    { overrides: { b: { c: '2.0.0' } } }
 *     "overrides": { "a": "1.0.0", "b": { "c": "2.0.0" } }
 *
 * A text gives way to an object that holds it as its member `.`. Undefined where a member is of another kind otherwise.
 */
export function setJsonMembers(text: string, object: JsonObject, members: JsonMembers): TextEdit[] | undefined {
  const edits: TextEdit[] = [];
  return merge(object, members) ? edits : undefined;

  function merge(into: JsonObject, some: JsonMembers): boolean {
    const added: [string, string | JsonMembers][] = [];
    for (const [name, value] of Object.entries(some)) {
      const present = into.properties.findLast((it) => it.name.text === name);
      if (present === undefined) added.push([name, value]);
      else if (typeof value === 'string') {
        if (present.value?.kind !== 'string') return false;
        edits.push({ span: present.value.span, newText: JSON.stringify(value).slice(1, -1) });
      } else if (present.value?.kind === 'string' && '.' in value) {
        const { start, end } = present.value.span;
        edits.push({ span: { start: start - 1, end: end + 1 }, newText: written(value, linesIn(text, into)) });
      } else if (present.value?.kind !== 'object' || !merge(present.value, value)) return false;
    }
    if (added.length > 0) edits.push(addition(text, into, added));
    return true;
  }
}

function addition(text: string, into: JsonObject, added: readonly [string, string | JsonMembers][]): TextEdit {
  const last = into.properties.at(-1);
  const lines = linesIn(text, into);
  const separator = lines ? `,${lines.end}${lines.inner}` : ', ';
  const all = added.map(([name, value]) => `${JSON.stringify(name)}: ${written(value, lines)}`).join(separator);
  if (last !== undefined) {
    const at = endOf(last.value) ?? last.name.span.end + 1;
    return { span: { start: at, end: at }, newText: `${separator}${all}` };
  }
  const at = into.span.start + 1;
  if (!lines) return { span: { start: at, end: at }, newText: all };
  const isClosedBelow = text.slice(at, into.span.end - 1).includes('\n');
  const closing = isClosedBelow ? '' : `${lines.end}${indentAt(text, into.span.start)}`;
  return { span: { start: at, end: at }, newText: `${lines.end}${lines.inner}${all}${closing}` };
}

interface Lines {
  readonly end: string;
  readonly step: string;
  readonly inner: string;
}

/** How the members of an object are written; undefined where they are on one line. */
function linesIn(text: string, { span, properties: [first] }: JsonObject): Lines | undefined {
  const isBroken =
    first === undefined ? text.includes('\n') : text.slice(span.start, first.name.span.start).includes('\n');
  if (!isBroken) return undefined;
  const step = indentStepOf(text);
  const inner = first ? indentAt(text, first.name.span.start) : `${indentAt(text, span.start)}${step}`;
  return { end: lineEndOf(text), step, inner };
}

/** @param lines undefined for an object on one line */
function written(value: string | JsonMembers, lines: Lines | undefined): string {
  if (typeof value === 'string') return JSON.stringify(value);
  const deeper = lines && { ...lines, inner: `${lines.inner}${lines.step}` };
  const all = Object.entries(value).map(([name, it]) => `${JSON.stringify(name)}: ${written(it, deeper)}`);
  if (!lines || !deeper) return `{ ${all.join(', ')} }`;
  return `{${deeper.end}${deeper.inner}${all.join(`,${deeper.end}${deeper.inner}`)}${lines.end}${lines.inner}}`;
}

/** The offset behind a value, its quote included. */
function endOf(value: JsonValue | undefined): number | undefined {
  return value?.kind === 'string' ? value.span.end + 1 : value?.span.end;
}
