import type { TextEdit } from '../../model/graph/override.ts';
import { endOfLineAt, indentAt, indentStepOf, lineEndOf } from '../text/insert.ts';
import { type YamlScalar, yamlLiteral } from './scalar.ts';
import type { YamlMap, YamlValue } from './tree.ts';

/**
 * The edits that set texts in a map below a key of the root, which is added at the end of the file where it is missing.
 * Undefined where the key, or a name in the map, has another kind of value.
 *
 *     overrides:
 *       qs: 6.11.1
 */
export function setYamlTexts(
  text: string,
  root: YamlValue | undefined,
  key: string,
  wanted: readonly (readonly [string, string])[],
): TextEdit[] | undefined {
  const end = lineEndOf(text);
  const lines = (indent: string, added = wanted): string[] =>
    added.map(([name, value]) => `${indent}${plain(name)}: ${plain(value)}`);
  if (root !== undefined && (root.kind !== 'map' || text[root.span.start] === '{')) return undefined;
  const entry = root?.entries.findLast((it) => it.key.text === key && !it.merged);
  if (entry === undefined) {
    // The end of the file is that of another document, or behind all.
    if (root !== undefined && /^(?:---|\.\.\.)(?=\s|$)/m.test(text.slice(root.span.start))) return undefined;
    const newText = [`${key}:`, ...lines(indentStepOf(text))].join(end);
    const isOpen = text !== '' && text !== '\uFEFF' && !text.endsWith('\n');
    return [{ span: { start: text.length, end: text.length }, newText: `${isOpen ? end : ''}${newText}${end}` }];
  }
  const { value } = entry;
  if (value === undefined || (value.kind === 'scalar' && value.text === '')) {
    const at = endOfLineAt(text, entry.key.span.end);
    const indent = `${indentAt(text, entry.key.span.start)}${indentStepOf(text)}`;
    const newText = lines(indent).map((it) => `${end}${it}`);
    return [{ span: { start: at, end: at }, newText: newText.join('') }];
  }
  if (value.kind !== 'map') return undefined;
  const edits: TextEdit[] = [];
  const missing: (readonly [string, string])[] = [];
  for (const it of wanted) {
    const present = value.entries.findLast(({ key: { text: name }, merged }) => name === it[0] && !merged);
    if (present === undefined) missing.push(it);
    else if (present.value?.kind !== 'scalar') return undefined;
    else {
      const literal = yamlLiteral(present.value);
      edits.push({ span: literal.span, newText: literal.encode(it[1]) });
    }
  }
  if (missing.length === 0) return edits;
  const added = behindLast(text, value, (indent) => lines(indent, missing));
  return added && [...edits, added];
}

function behindLast(text: string, map: YamlMap, lines: (indent: string) => string[]): TextEdit | undefined {
  const own = map.entries.filter((it) => !it.merged);
  const [first, last] = [own[0], own.at(-1)];
  if (text[map.span.start] === '{') {
    const at = map.span.start + 1;
    const newText = lines('').join(', ');
    return { span: { start: at, end: at }, newText: first ? `${newText}, ` : newText };
  }
  if (!first || !last) return undefined;
  const at = endOfLineAt(text, last.value?.span.end ?? last.key.span.end);
  const newText = lines(indentAt(text, first.key.span.start)).map((it) => `${lineEndOf(text)}${it}`);
  return { span: { start: at, end: at }, newText: newText.join('') };
}

/** A text as a value of one line, in quotes where it needs them. */
function plain(text: string): string {
  const scalar: YamlScalar = { kind: 'scalar', span: { start: 0, end: 0 }, text: '', style: 'plain', flow: true };
  return yamlLiteral(scalar).encode(text);
}
