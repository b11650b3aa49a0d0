import { parseJson } from '../formats/json/parse.ts';
import type { JsonValue } from '../formats/json/tree.ts';
import { removed, withoutItem } from '../formats/text/remove.ts';
import { parseToml } from '../formats/toml/parse.ts';
import { entriesOf, type TomlValue, tomlAt } from '../formats/toml/tree.ts';
import { parseXml } from '../formats/xml/parse.ts';
import type { XmlElement } from '../formats/xml/tree.ts';
import type { TextEdit } from '../model/graph/override.ts';
import type { Dependency, Manifest, ManifestFormat } from '../model/manifest.ts';
import { contains, type Span } from '../model/span.ts';

/*
 * Removes the whole entry of a dependency:
 *
 *     "lodash": "4.17.15",       with its comma, and its line where nothing else is on it
 *     "stolen": "1.0.1"
 *
 * What may be the entry is read from the syntax of the file, from the inside out. The first one counts without which the
 * file declares exactly the same otherwise: other dependencies, definitions and references stay as they are.
 */

/**
 * The edits that remove a dependency from the file that declares it. Undefined where it has no entry of its own: others
 * refer to it, or share its text.
 */
export function removalOf(
  format: ManifestFormat,
  text: string,
  dependency: Dependency,
): readonly TextEdit[] | undefined {
  const candidatesIn = entries[format.id];
  if (candidatesIn === undefined) return undefined;
  const before = format.parse(text);
  const { start, end } = dependency.nameSpan;
  const at = before.dependencies.findIndex((it) => it.nameSpan.start === start && it.nameSpan.end === end);
  if (at < 0 || isNamedElsewhere(format, text, dependency.name)) return undefined;
  const expected = declaredIn({ ...before, dependencies: before.dependencies.toSpliced(at, 1) });
  return candidatesIn(text, dependency.nameSpan).find((edits) => {
    const after = format.parse(applied(text, edits));
    return after.problems.length <= before.problems.length && declaredIn(after) === expected;
  });
}

/** The entries that hold a name, the innermost first, each with the edits that remove it. */
type EntriesAt = (text: string, name: Span) => TextEdit[][];

const entries: Readonly<Record<string, EntriesAt>> = {
  'package.json': inJson,
  'deno.json': inJson,
  'dotnet-tools.json': inJson,
  'global.json': inJson,
  'Cargo.toml': inToml,
  'pyproject.toml': inToml,
  Pipfile: inToml,
  'pom.xml': inXml,
  'extensions.xml': inXml,
  csproj: inXml,
  msbuild: inXml,
  'Directory.Build.props': inXml,
  'Directory.Packages.props': inXml,
  'packages.config': inXml,
  nuspec: inXml,
  'requirements.txt': inLines,
  'setup.cfg': inLines,
  'setup.py': inPythonList,
  'go.mod': inLines,
  'file-based-app': inLines,
  'build.gradle': inStatements,
};

/** What a file declares, without where. */
function declaredIn({ dependencies, definitions, references }: Manifest): string {
  // Each line of requirements may be a constraint of other files, which then have one less.
  const defined = definitions.filter((it) => !it.id.startsWith('constraint:'));
  // Others are implied by any dependency: go.work.
  const named = references.filter((it) => it.span !== undefined);
  const texts = dependencies.map(({ key, name, group, requirement }) => [key, name, group, plain(requirement)]);
  return JSON.stringify([texts, defined.map(({ id, value }) => [id, plain(value)]), named.map((it) => it.path)]);
}

function plain(requirement: Dependency['requirement']): unknown {
  return requirement.kind === 'literal' ? requirement.at.text : { ...requirement, span: undefined };
}

function applied(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.span.start - a.span.start)
    .reduce((it, { span, newText }) => it.slice(0, span.start) + newText + it.slice(span.end), text);
}

/** Features of Cargo and extras of Poetry name dependencies, which must be declared. */
function isNamedElsewhere({ id }: ManifestFormat, text: string, name: string): boolean {
  if (id !== 'Cargo.toml' && id !== 'pyproject.toml') return id === 'package.json' && text.includes(`"$${name}"`);
  const { root } = parseToml(text);
  const lists = [tomlAt(root, 'features'), tomlAt(root, 'tool', 'poetry', 'extras')].flatMap(entriesOf);
  return lists
    .flatMap(({ value }) => (value?.kind === 'array' ? value.items : []))
    .some((it) => it.kind === 'string' && it.text.replace(/^dep:/, '').replace(/[?/].*$/, '') === name);
}

function inJson(text: string, name: Span): TextEdit[][] {
  const found: TextEdit[][] = [];
  const visit = (value: JsonValue | undefined): void => {
    if (value?.kind !== 'object') return;
    const all = value.properties.map((it): Span => {
      const end = it.value?.span.end ?? it.name.span.end + 1;
      return { start: it.name.span.start - 1, end: it.value?.kind === 'string' ? end + 1 : end };
    });
    const at = all.findIndex((it) => contains(it, name.start));
    visit(value.properties[at]?.value);
    if (at >= 0) found.push(withoutItem(text, all, at));
  };
  visit(parseJson(text).root);
  return found;
}

function inToml(text: string, name: Span): TextEdit[][] {
  const found: TextEdit[][] = [];
  const visit = (value: TomlValue | undefined): void => {
    if (value?.kind === 'array') {
      const all = value.items.map((it) => tomlSpan(text, it));
      const at = all.findIndex((it) => contains(it, name.start));
      visit(value.items[at]);
      if (at >= 0 && value.items[at]?.kind === 'string') found.push(withoutItem(text, all, at));
    }
    if (value?.kind !== 'table') return;
    const all = value.entries.map((it) => {
      const start = startOfKey(text, it.key.span.start);
      return { start, end: it.value ? tomlSpan(text, it.value).end : it.key.span.end };
    });
    value.entries.forEach((it, at) => {
      const span = all[at] ?? it.key.span;
      const isAround = contains(span, name.start) || isAnyAround(it.value, name.start);
      if (!isAround) return;
      visit(it.value);
      if (isInBraces(text, value)) found.push(withoutItem(text, all, at));
      else if (isHeader(text, it.key.span.start)) {
        // `[dependencies.bad]`, or `[dependencies.other]` with `package = "bad"`
        const isOwn =
          contains(it.key.span, name.start) || entriesOf(it.value).some(({ key }) => key.text === 'package');
        if (isOwn) found.push([removed(text, sectionAt(text, it.key.span.start))]);
      } else found.push([removed(text, span)]);
    });
  };
  visit(parseToml(text).root);
  return found;
}

function isAnyAround(value: TomlValue | undefined, offset: number): boolean {
  if (value?.kind === 'table') {
    return value.entries.some((it) => contains(it.key.span, offset) || isAnyAround(it.value, offset));
  }
  if (value?.kind === 'array') return value.items.some((it) => isAnyAround(it, offset));
  return value !== undefined && contains(value.span, offset);
}

/** With its quotes. */
function tomlSpan(text: string, value: TomlValue): Span {
  const { start, end } = value.span;
  if (value.kind !== 'string') return value.span;
  const quote = value.quote.length;
  return { start: start - quote, end: text.startsWith(value.quote, end) ? end + quote : end };
}

function startOfKey(text: string, start: number): number {
  return text[start - 1] === '"' || text[start - 1] === "'" ? start - 1 : start;
}

function isInBraces(text: string, { span }: TomlValue): boolean {
  return text[span.start] === '{';
}

function isHeader(text: string, offset: number): boolean {
  return /^\uFEFF?[ \t]*\[/.test(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset));
}

/** The lines of a table, without blank lines and comments before the next one. */
function sectionAt(text: string, offset: number): Span {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const next = /\n[ \t]*\[/g;
  next.lastIndex = offset;
  const until = text.slice(start, next.exec(text)?.index ?? text.length);
  return { start, end: start + until.replace(/(?:\r?\n[ \t]*(?:#[^\n]*)?)+$/, '').length };
}

const removableElements: ReadonlySet<string> = new Set([
  'dependency',
  'plugin',
  'extension',
  'path',
  'PackageReference',
  'GlobalPackageReference',
  'PackageDownload',
  'DotNetCliToolReference',
  'package',
]);

function inXml(text: string, name: Span): TextEdit[][] {
  const found: TextEdit[][] = [];
  const visit = (all: readonly XmlElement[]): void => {
    const around = all.find((it) => contains(it.span, name.start));
    if (around === undefined) return;
    visit(around.children);
    if (removableElements.has(around.name)) found.push([removed(text, around.span)]);
  };
  const { root } = parseXml(text);
  if (root) visit([root]);
  return found;
}

/** A line that begins with the name, with the lines that continue it. */
function inLines(text: string, name: Span): TextEdit[][] {
  const start = text.lastIndexOf('\n', name.start - 1) + 1;
  if (!/^\uFEFF?[ \t]*(?:require[ \t]+|#:(?:package|sdk)[ \t]+)?["']?$/.test(text.slice(start, name.start))) return [];
  const line = /(?:[^\\\r\n]|\\(?!\r?\n)|\\\r?\n)*/y;
  line.lastIndex = start;
  return [[removed(text, { start, end: start + (line.exec(text)?.[0].length ?? 0) })]];
}

/** A text of its own between the commas of a list. */
function inPythonList(text: string, name: Span): TextEdit[][] {
  const quote = text[name.start - 1];
  if (quote !== '"' && quote !== "'") return [];
  const end = text.indexOf(quote, name.end) + 1;
  const before = /(?:^|[[(,])[ \t]*$/m.test(text.slice(0, name.start - 1));
  const comma = /^[ \t]*,/.exec(text.slice(end))?.[0];
  if (!before || (comma === undefined && !/^\s*[\])]/.test(text.slice(end)))) return [];
  return [[removed(text, { start: name.start - 1, end: end + (comma?.length ?? 0) })]];
}

/** A statement on a line of its own: `implementation("a:b:1.0")` */
function inStatements(text: string, name: Span): TextEdit[][] {
  const start = text.lastIndexOf('\n', name.start - 1) + 1;
  const eol = text.indexOf('\n', name.start);
  const line = text
    .slice(start, eol < 0 ? text.length : eol)
    .replace(/\/\/.*$/, '')
    .trim();
  const before = text.slice(0, start).trimEnd();
  const behind = text.slice(eol < 0 ? text.length : eol).trimStart();
  const isWhole = /^[A-Za-z_]\w*[ \t]*(?:\([^{}]*\)|[^(){}][^{}]*)$/.test(line) && /['")\w\]]$/.test(line);
  if (!isWhole || /[,(=:+]$/.test(before) || /^[{.,+?]/.test(behind)) return [];
  return [[removed(text, { start, end: start + text.slice(start, eol < 0 ? text.length : eol).trimEnd().length })]];
}
