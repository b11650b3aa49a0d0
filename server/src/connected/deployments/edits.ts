import { type YamlScalar, yamlLiteral } from '../../engine/formats/yaml/scalar.ts';
import type { YamlEntry, YamlMap } from '../../engine/formats/yaml/tree.ts';
import type { Span } from '../../engine/model/span.ts';
import type { DeploymentManifest } from './manifest.ts';
import { type SchemaNode, viewOf } from './schema.ts';

/** A replacement in the text of a manifest. */
export interface ManifestEdit {
  readonly span: Span;
  readonly newText: string;
}

export function replace(scalar: YamlScalar, text: string): ManifestEdit {
  const { span, encode } = yamlLiteral(scalar);
  return { span, newText: encode(text) };
}

/** Adds a member to a map, behind its last one in a block, as the first one in `{}`. */
export function addMember(text: string, map: YamlMap, name: string, value: string): ManifestEdit | undefined {
  const written = value === '' ? `${name}: ` : `${name}: ${value}`;
  if (text[map.span.start] === '{') {
    const at = map.span.start + 1;
    return { span: { start: at, end: at }, newText: map.entries.length > 0 ? `${written}, ` : written };
  }
  const own = map.entries.filter((it) => !it.merged);
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last) return undefined;
  const end = endOfLine(text, last.value?.span.end ?? last.key.span.end);
  const line = `${lineEnd(text)}${indentOf(text, first.key.span.start)}${written}`;
  return { span: { start: end, end }, newText: line };
}

/** Adds the first member below a key without a value: `properties:`. */
export function addBelow(text: string, { key }: YamlEntry, name: string, value: string): ManifestEdit {
  const end = endOfLine(text, key.span.end);
  const indent = `${indentOf(text, key.span.start)}  `;
  return {
    span: { start: end, end },
    newText: `${lineEnd(text)}${indent}${name}: ${value}`,
  };
}

/** Imports a file: as a further element of the list, or as a list above the resources. */
export function addImport(text: string, { root, imports }: DeploymentManifest, path: string): ManifestEdit | undefined {
  const last = imports.at(-1);
  if (last) {
    const start = text.lastIndexOf('\n', last.path.span.start - 1) + 1;
    const dash = /^(\s*)- /.exec(text.slice(start, last.path.span.start))?.[0];
    if (dash === undefined) return undefined;
    const end = endOfLine(text, (last.name ?? last.path).span.end);
    return { span: { start: end, end }, newText: `${lineEnd(text)}${dash}path: ${path}` };
  }
  if (root.entries.some((it) => it.key.text === 'imports')) return undefined;
  const key = root.entries.find((it) => it.key.text === 'resources')?.key;
  if (!key || text[root.span.start] === '{') return undefined;
  const start = text.lastIndexOf('\n', key.span.start - 1) + 1;
  if (!/^\uFEFF?["']?$/.test(text.slice(start, key.span.start))) return undefined;
  const at = start === 0 && text.startsWith('\uFEFF') ? 1 : start;
  const end = lineEnd(text);
  return { span: { start: at, end: at }, newText: `imports:${end}- path: ${path}${end}` };
}

/** What a new member is given: its default or its only value, else nothing that would have to be invented. */
export function firstValue(node: SchemaNode): string {
  const view = viewOf(node);
  const value = view.default ?? (view.values.length === 1 ? view.values[0] : undefined);
  if (value !== undefined && (typeof value !== 'object' || value === null)) return plainText(value);
  if (view.kinds.length !== 1) return '';
  return view.kinds[0] === 'array' ? '[]' : view.kinds[0] === 'object' ? '{}' : '';
}

/** A value as YAML in one line. */
export function plainText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? '';
  const scalar = { kind: 'scalar', span: { start: 0, end: 0 }, text: '', style: 'plain', flow: true } as const;
  return yamlLiteral(scalar).encode(value);
}

export function lineEnd(text: string): '\r\n' | '\n' {
  return /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
}

/** The end of the line that contains an offset, without its line end. */
function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end < 0) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}

/** The column of an offset as spaces; a dash of a list counts as one: `- name` is two columns deep. */
function indentOf(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return text.slice(start, offset).replace('\uFEFF', '').replace(/[^\t]/g, ' ');
}
