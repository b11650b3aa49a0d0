import type { TextEdit } from '../../model/graph/override.ts';
import { endOfLineAt, indentAt, indentStepOf, lineEndOf } from '../text/insert.ts';
import { entriesOf, type TomlArray, type TomlTable, type TomlValue, tomlAt } from './tree.ts';

/**
 * The edits that add a text to a list, and the list and its table where they are missing. Undefined where another kind of
 * value has the name, or the table is written in a form that cannot be added to.
 *
 *     [tool.uv]
 *     override-dependencies = ["urllib3==2.2.3"]
 */
export function addTomlItem(
  text: string,
  root: TomlTable,
  table: readonly string[],
  list: string,
  item: string,
): TextEdit[] | undefined {
  const present = tomlAt(root, ...table, list);
  const written = JSON.stringify(item);
  if (present === undefined) return addTomlEntry(text, root, table, `${list} = [${written}]`);
  return present.kind === 'array' && text[present.span.start] === '[' ? intoArray(text, present, written) : undefined;
}

/** The edits that add a line to a table, and the table at the end of the file where it is missing. */
export function addTomlEntry(
  text: string,
  root: TomlTable,
  table: readonly string[],
  line: string,
): TextEdit[] | undefined {
  const end = lineEndOf(text);
  const found = tomlAt(root, ...table);
  if (found !== undefined && found.kind !== 'table') return undefined;
  const own = entriesOf(found).filter((it) => isWrittenHere(text, it.value));
  const last = own.at(-1);
  const header = headerOf(text, root, table);
  if (last !== undefined) {
    // Names with dots are entries of another table.
    if (header === undefined || last.key.span.start < header || isInline(text, root, table)) return undefined;
    const at = endOfLineAt(text, endOf(text, last.value) ?? last.key.span.end);
    return [{ span: { start: at, end: at }, newText: `${end}${indentAt(text, last.key.span.start)}${line}` }];
  }
  if (header !== undefined) {
    const at = endOfLineAt(text, header);
    return [{ span: { start: at, end: at }, newText: `${end}${line}` }];
  }
  if (isInline(text, root, table)) return undefined;
  const isOpen = text !== '' && !text.endsWith('\n');
  const gap = text.trim() === '' ? '' : `${isOpen ? end : ''}${end}`;
  const newText = `${gap}[${table.join('.')}]${end}${line}${end}`;
  return [{ span: { start: text.length, end: text.length }, newText }];
}

/** The offset behind the header of a table; undefined where it has none of its own. */
function headerOf(text: string, root: TomlTable, table: readonly string[]): number | undefined {
  const names = table.map((it) => `["']?${it.replace(/[^\w-]/g, '\\$&')}["']?`).join('[ \\t]*\\.[ \\t]*');
  // The first line may begin with a byte order mark.
  const headers = [...text.matchAll(new RegExp(`^\\uFEFF?[ \\t]*\\[[ \\t]*${names}[ \\t]*\\]`, 'gm'))];
  const found = headers.find((it) => !isInText(root, it.index));
  return found && found.index + found[0].length;
}

/** Whether an offset is within a string: that of several lines may look like anything. */
function isInText(value: TomlValue | undefined, offset: number): boolean {
  switch (value?.kind) {
    case 'string':
      return value.span.start <= offset && offset < value.span.end;
    case 'table':
      return value.entries.some((it) => isInText(it.value, offset));
    case 'array':
      return value.items.some((it) => isInText(it, offset));
    default:
      return false;
  }
}

/** Whether a part of the path is written between braces. */
function isInline(text: string, root: TomlTable, table: readonly string[]): boolean {
  return table.some((_, at) => {
    const found = tomlAt(root, ...table.slice(0, at + 1));
    return found !== undefined && text[found.span.start] === '{';
  });
}

/** Whether a value follows its name, unlike a table with a header of its own. */
function isWrittenHere(text: string, value: TomlValue | undefined): boolean {
  if (value?.kind === 'table') return text[value.span.start] === '{';
  return value?.kind !== 'array' || text[value.span.start] === '[';
}

function endOf(text: string, value: TomlValue | undefined): number | undefined {
  if (value?.kind !== 'string') return value?.span.end;
  return value.span.end + (text[value.span.end] === value.quote[0] ? value.quote.length : 0);
}

function intoArray(text: string, array: TomlArray, written: string): TextEdit[] {
  const last = array.items.at(-1);
  const inside = array.span.start + 1;
  if (last === undefined) return [{ span: { start: inside, end: inside }, newText: written }];
  const behind = endOf(text, last) ?? last.span.end;
  const rest = text.slice(behind, array.span.end - 1);
  const comma = /^\s*,/.exec(rest)?.[0];
  const isOnOneLine = !text.slice(inside, last.span.start).includes('\n');
  if (isOnOneLine) {
    const at = behind + (comma?.length ?? 0);
    return [{ span: { start: at, end: at }, newText: comma === undefined ? `, ${written}` : ` ${written},` }];
  }
  // A comment behind the last item stays with it.
  const at = Math.min(endOfLineAt(text, behind), array.span.end - 1);
  const indent = indentAt(text, last.span.start) || indentStepOf(text);
  const line = `${lineEndOf(text)}${indent}${written}${comma === undefined ? '' : ','}`;
  if (comma !== undefined) return [{ span: { start: at, end: at }, newText: line }];
  if (at === behind) return [{ span: { start: at, end: at }, newText: `,${line}` }];
  return [
    { span: { start: behind, end: behind }, newText: ',' },
    { span: { start: at, end: at }, newText: line },
  ];
}
