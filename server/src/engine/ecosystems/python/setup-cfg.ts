import { canonicalName } from '../../model/keys.ts';
import type { FileRef, Manifest, ManifestFormat, Scope } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { applyLocalSources } from '../shared/local-sources.ts';
import { interpreterEnvironments } from './graph/markers.ts';
import { addSpecifier, type ParsedDependencies, type PythonSection, specifierAt } from './pep508.ts';
import { requirementsTxt } from './requirements.ts';

/** The declarative configuration of setuptools. */
export const setupCfg: ManifestFormat = {
  id: 'setup.cfg',
  system: 'PYPI',
  environments: interpreterEnvironments,
  files: /(^|\/)setup\.cfg$/,
  parse,
};

interface ParsedConfig extends ParsedDependencies {
  readonly references: FileRef[];
}

/** A list of requirements: the text behind the equals sign, which may be empty, and the indented lines below it. */
interface RequirementList {
  readonly section: PythonSection;
  readonly lines: Span[];
}

const scopes: ReadonlyMap<string, Scope> = new Map([
  ['install_requires', 'runtime'],
  ['setup_requires', 'build'],
  ['tests_require', 'dev'],
]);

function parse(text: string): Manifest {
  const found: ParsedConfig = { dependencies: [], references: [], problems: [] };
  for (const { lines, section } of readLists(text)) addList(text, lines, section, found);
  const identity = projectName(text);
  const python = /^python_requires[ \t]*=[ \t]*(\S.*?)[ \t]*\r?$/m.exec(text)?.[1];
  return {
    ...found,
    dependencies: applyLocalSources(found.dependencies),
    definitions: [],
    ...(identity && { identity: canonicalName('PYPI', identity) }),
    ...(python !== undefined && { python }),
  };
}

/** `name = acme` in `[metadata]`; undefined for a computed name, or one in another file. */
function projectName(text: string): string | undefined {
  const start = /^\uFEFF?\[metadata\]/m.exec(text)?.index;
  if (start === undefined) return undefined;
  const end = text.indexOf('\n[', start);
  return /^name[ \t]*[=:][ \t]*([\w.-]{1,1000})[ \t]*\r?$/m.exec(text.slice(start, end < 0 ? text.length : end))?.[1];
}

/** The section of a key of setuptools, of pbr (`[extras]`, in OpenStack's projects), or of old wheels (`requires-dist`). */
function sectionOf(section: string, name: string): PythonSection | undefined {
  if (section === 'options.extras_require' || section === 'extras')
    return { scope: 'optional', group: `extra ${name}` };
  // Older files write a dash.
  const group = name.toLowerCase().replaceAll('-', '_');
  if (section === 'metadata' && group === 'requires_dist') return { scope: 'runtime', group };
  const scope = section === 'options' ? scopes.get(group) : undefined;
  return scope && { scope, group };
}

/**
 * Adds one requirement for each line. Semicolons separate requirements on a single line, and begin no marker there.
 *
 *     install_requires = requests>=2; flask          tests_require =
 *                        ^^^^^^^^ ^^^  ^^^^^             pytest>=8 ; python_version > "3.8"  # note
 */
function addList(text: string, lines: readonly Span[], section: PythonSection, found: ParsedConfig): void {
  const [first, second] = lines;
  if (first === undefined) return;
  if (text.startsWith('file:', first.start)) {
    addFileReferences(text, { start: first.start + 'file:'.length, end: first.end }, found);
    return;
  }
  const items = second === undefined ? [...splitSpan(text, first, ';')] : lines;
  for (const { start, end } of items) {
    const joined = text.slice(start, end).replace(/\\(?:\r?\n|$)/g, (it) => ' '.repeat(it.length));
    const comment = joined.search(/(?<=\s)#/);
    const written = joined.slice(0, comment < 0 ? joined.length : comment).trimEnd();
    addSpecifier(specifierAt(normalizeMarker(written), start), section, found);
  }
}

/** pbr has two ways of its own to write a marker: `tomli>=2:python_version<"3.11"`, `tomli>=2 (python_version<"3.11")`. */
function normalizeMarker(written: string): string {
  return written
    .replace(/^([\w.[\],<>=!~* -]+):(?=\s*\w)/, '$1;')
    .replace(/^([\w.[\],<>=!~* -]+)\((?=\s*[a-z])([^()]*)\)$/, '$1;$2 ');
}

/** `file: requirements.txt, more.txt` */
function addFileReferences(text: string, span: Span, found: ParsedConfig): void {
  for (const it of splitSpan(text, span, ',')) {
    const path = text.slice(it.start, it.end);
    if (path !== '') found.references.push({ kind: 'include', path, format: requirementsTxt.id, span: it });
  }
}

function* splitSpan(text: string, { start, end }: Span, separator: string): Generator<Span> {
  let from = start;
  for (const piece of text.slice(start, end).split(separator)) {
    yield trimSpan(text, from, from + piece.length);
    from += piece.length + separator.length;
  }
}

/** The lists as Python's configparser reads them: a deeper indented line continues a value; a comment has its own line. */
function readLists(text: string): RequirementList[] {
  const all: RequirementList[] = [];
  let header = '';
  let current: { readonly list?: RequirementList } | undefined;
  let indent = 0;
  let next = text.startsWith('\uFEFF') ? 1 : 0;
  while (next < text.length) {
    const begin = next;
    const feed = text.indexOf('\n', begin);
    next = feed < 0 ? text.length : feed + 1;
    const line = trimSpan(text, begin, feed < 0 ? text.length : feed);
    const sign = text[line.start];
    if (line.start === line.end || sign === '#' || sign === ';') continue;
    const depth = line.start - begin;
    if (current && depth > indent) {
      const last = current.list?.lines.at(-1);
      // setuptools joins lines at a backslash.
      if (last && text[last.end - 1] === '\\') current.list?.lines.splice(-1, 1, { start: last.start, end: line.end });
      else current.list?.lines.push(line);
      continue;
    }
    const written = text.slice(line.start, line.end);
    current = undefined;
    indent = depth;
    if (written.startsWith('[')) {
      header = /^\[([^\]]*)/.exec(written)?.[1]?.trim() ?? '';
      continue;
    }
    const equals = written.search(/[=:]/);
    const name = written.slice(0, Math.max(0, equals)).trim();
    if (!/^[\w. -]+$/.test(name)) continue;
    const section = sectionOf(header, name);
    const list = section && { section, lines: [trimSpan(text, line.start + equals + 1, line.end)] };
    if (list) all.push(list);
    current = list ? { list } : {};
  }
  return all;
}

function trimSpan(text: string, start: number, end: number): Span {
  const written = text.slice(start, end);
  const from = start + written.length - written.trimStart().length;
  return { start: Math.min(from, end), end: Math.max(from, start + written.trimEnd().length) };
}
