import * as l10n from '@vscode/l10n';
import { canonicalName } from '../../model/keys.ts';
import type {
  Definition,
  Dependency,
  FileRef,
  Manifest,
  ManifestFormat,
  Part,
  PreReleases,
  Requirement,
} from '../../model/manifest.ts';
import type { Problem, Span } from '../../model/span.ts';
import { interpreterEnvironments } from './graph/markers.ts';
import {
  addSourceReplacement,
  folderLink,
  type LocalFolder,
  releaseDefinition,
  sourceDefinition,
  sourceId,
} from './local-sources.ts';
import { eggFragment, type Pep508, readPep508, sourceOfUrl } from './pep508.ts';
import { readReleaseOptions } from './pre-releases.ts';
import { releaseAt, releasesTaken, requirementAt } from './releases.ts';
import { type LogicalLine, logicalLines } from './requirements-lines.ts';

const id = 'requirements.txt';

/** The requirements and constraints files of pip (`-r` and `-c`). */
export const requirementsTxt: ManifestFormat = {
  id,
  system: 'PYPI',
  environments: interpreterEnvironments,
  files:
    /(?:^|\/)(?:[^/]*requirements[^/]*\.(?:txt|in|pip|lock)|requirement(?:[._-][^/]*)?\.(?:txt|in)|(?:[^/]*[._-])?constraints?(?:[._-][^/]*)?\.(?:txt|in)|[^/]*requirements\/(?:[^/]+\/)*[^/]+\.(?:txt|in|pip))$/i,
  languages: ['pip-requirements', 'package-insights-requirements'],
  parse,
};

interface MutableRequirements {
  readonly dependencies: Dependency[];
  readonly definitions: Definition[];
  readonly references: FileRef[];
  readonly problems: Problem[];
  /** The directories of projects that are installed from there. */
  readonly folders: LocalFolder[];
  /** The packages of local archives, and those with a URL, also in a constraint. */
  readonly makes: Set<string>;
  readonly preReleases: Map<string, PreReleases>;
}

function parse(text: string): Manifest {
  const found: MutableRequirements = {
    dependencies: [],
    definitions: [],
    references: [],
    problems: [],
    folders: [],
    makes: new Set(),
    preReleases: new Map(),
  };
  for (const line of logicalLines(text)) readLine(line, found);
  const { dependencies, definitions, references, problems, folders, makes, preReleases } = found;
  // A source in one line, here or in an included file, applies to all lines of the package.
  const constraints = references.filter((it) => it.kind === 'constraints').map((it) => it.path);
  const mayHaveLocalSource = references.length > 0 || definitions.some((it) => it.id.startsWith(sourceId('')));
  const takes = releasesTaken(dependencies);
  return {
    dependencies: mayHaveLocalSource ? dependencies.map((it) => addSourceReplacement(it, '-r')) : dependencies,
    definitions,
    references,
    problems,
    ...(folders.length > 0 && {
      projects: [...new Set(folders.map((it) => it.path))],
      links: folders.map(folderLink),
    }),
    ...(constraints.length > 0 && { modules: constraints }),
    ...(makes.size > 0 && { makes: [...makes] }),
    ...(takes.size > 0 && { takes }),
    ...(preReleases.size > 0 && { preReleases }),
  };
}

function readLine(line: LogicalLine, found: MutableRequirements): void {
  const start = line.text.search(/\S/);
  if (start < 0) return;
  if (line.text[start] === '-') readOption(line, start, found);
  else readRequirement(line, start, found);
}

function readRequirement(line: LogicalLine, start: number, found: MutableRequirements): void {
  const end = endOfRequirement(line.text);
  const text = line.text.slice(start, end);
  const read = isUrlOrPath(text) || isProse(text) ? undefined : readPep508(text);
  if (read) addRequirement(line, start, end, read, found);
  else if (isUrlOrPath(text)) readUrlOrPath(line, start, end, found);
  // A name from the environment is known to pip alone.
  else found.problems.push(problem(line, start, end, 'not a requirement'));
}

/** Two words in a row: a text file in a folder of requirements may be notes, or the export of another tool. */
function isProse(text: string): boolean {
  return /^[\w.-]+[ \t]+[a-z]/i.test(text);
}

/** For pip the options begin at the first word with a hyphen: `--hash=…`, `--config-settings …`. */
function endOfRequirement(text: string): number {
  const options = text.search(/\s-/);
  return text.slice(0, options < 0 ? text.length : options).trimEnd().length;
}

/** A path or URL without a name before it: `./lib`, `C:\lib`, `lib/sub`, `lib.whl`, `git+https://…`. */
function isUrlOrPath(text: string): boolean {
  return /^(?:[./\\~]|[\w.-]*[/\\]|[a-z][a-z0-9+.-]*:|(?:git|hg|svn|bzr)\+|[^\s@;]+\.(?:whl|zip|tgz|tar\.\w+)(?:$|[\s;[#]))/i.test(
    text,
  );
}

/** An address names its package only by `#egg=name`. */
function readUrlOrPath(line: LogicalLine, from: number, to: number, found: MutableRequirements): void {
  const written = line.text.slice(from, to).split(/\s/, 1)[0] ?? '';
  const [address = ''] = written.split('#', 1);
  const marker = /\s;\s*(\S.*)$/s.exec(line.text.slice(from, to))?.[1];
  const archived = archiveName(address);
  const release = releaseAt(address);
  if (release !== undefined) {
    const span = line.spanOf(from, from + written.length);
    const named = requirementAt([address], release.name, span);
    if (named)
      addDependency(found, {
        name: release.name,
        nameSpan: span,
        ...named,
        ...(marker !== undefined && { condition: marker.trim() }),
      });
    return;
  }
  if (archived !== undefined) {
    if (marker === undefined) found.makes.add(archived);
  } else if (sourceOfUrl(written) === 'path') addLocalProject(address, line, from, found);
  const egg = eggFragment(written);
  if (!egg) return;
  const { name } = egg;
  const start = from + egg.start;
  addDependency(found, {
    name,
    nameSpan: line.spanOf(start, start + name.length),
    requirement: { kind: 'source', source: sourceOfUrl(written), span: line.spanOf(from, from + written.length) },
    ...(marker !== undefined && { condition: marker.trim() }),
  });
}

/** `./lib[extra]`: only the files there name the package. */
function addLocalProject(written: string, line: LogicalLine, from: number, found: MutableRequirements): void {
  const [whole = ''] = written.split('[', 1);
  const path = whole.replace(/^file:(?!\/\/)/i, '');
  if (path === '' || /^[a-z][a-z0-9+.-]*:|[$~]/i.test(path)) return;
  const span = line.spanOf(from + whole.length - path.length, from + whole.length);
  found.folders.push({ path: path.replaceAll('\\', '/'), span });
}

/** The option of pip that names a file, behind any others; each has shorter forms. */
const fileOption = /(?<=^|\s)(?:-[rc]\s*|--(?:requirem|cons)[a-z]*(?:\s+|=|$))/;
const editableOption = /^(?:-e\s*|--editable(?:\s+|=|$))/;

function readOption(line: LogicalLine, start: number, found: MutableRequirements): void {
  const text = line.text.slice(start);
  const editable = editableOption.exec(text)?.[0];
  const file = editable === undefined ? fileOption.exec(text) : null;
  if (editable !== undefined) readEditable(line, start + editable.length, found);
  readReleaseOptions(text, found.preReleases);
  if (file) readFileReference(line, start + file.index, start + file.index + file[0].length, found);
}

/** `-r base.txt`, `--constraint="all of it.txt"`, `-r https://lists.example/base.txt`, which is not read. */
function readFileReference(line: LogicalLine, option: number, at: number, found: MutableRequirements): void {
  const quoted = /^(["'])(.*?)\1/.exec(line.text.slice(at));
  const path = quoted?.[2] ?? /^\S*/.exec(line.text.slice(at))?.[0] ?? '';
  if (path === '') {
    found.problems.push(problem(line, option, line.text.trimEnd().length, 'a file name is missing'));
    return;
  }
  const start = quoted ? at + 1 : at;
  found.references.push({
    kind: /^(?:-r|--r)/.test(line.text.slice(option, at)) ? 'include' : 'constraints',
    path: path.replaceAll('\\', '/'),
    format: id,
    span: line.spanOf(start, start + path.length),
  });
}

function readEditable(line: LogicalLine, at: number, found: MutableRequirements): void {
  const end = endOfRequirement(line.text);
  const value = line.text.slice(at, end);
  const read = isUrlOrPath(value) ? undefined : readPep508(value);
  // A name without a path is a folder.
  if (read?.spec.kind === 'url') addRequirement(line, at, end, read, found);
  else if (isUrlOrPath(value)) readUrlOrPath(line, at, end, found);
  else if (value !== '') addLocalProject(value, line, at, found);
}

/** @param at the offset of the parsed text in the line; `to` its end, behind which are options */
function addRequirement(line: LogicalLine, at: number, to: number, read: Pep508, found: MutableRequirements): void {
  const slice = (span: Span) => line.text.slice(at + span.start, at + span.end);
  const place = (span: Span) => line.spanOf(at + span.start, at + span.end);
  const { spec, marker } = read;
  const split = spec.kind === 'specifier' && line.isSplit(at + spec.span.start, at + spec.span.end);
  const frozen = /\s--hash(?:[=\s]|$)/.test(line.text.slice(to))
    ? l10n.t('pinned by hash')
    : split
      ? l10n.t('the version spans several lines')
      : undefined;
  const requirement = requirementOf(spec, slice, place);
  addDependency(found, {
    name: slice(read.name),
    nameSpan: place(read.name),
    requirement,
    ...(marker && { condition: slice(marker) }),
    ...(frozen !== undefined && { frozen }),
    ...(spec.kind === 'url' && requirementAt([slice(spec.span)], slice(read.name), place(spec.span))),
  });
  for (const { span, message } of read.problems) {
    // The value of a variable is unknown, and with it whether the specifier is valid.
    if (requirement.kind !== 'template' || spec.kind === 'any' || span !== spec.span)
      found.problems.push({ span: place(span), message });
  }
}

function requirementOf(asks: Pep508['spec'], slice: (it: Span) => string, place: (it: Span) => Span): Requirement {
  switch (asks.kind) {
    case 'any':
      return { kind: 'none' };
    case 'url':
      return { kind: 'source', source: asks.source, span: place(asks.span) };
    case 'specifier': {
      const text = slice(asks.span);
      const span = place(asks.span);
      const parts = text.split(/(\$\{[A-Z0-9_]+\})/).filter((it) => it !== '');
      if (!parts.some(isVariable)) return { kind: 'literal', at: { span, text, encode: (value) => value } };
      // pip expands `==${REQUESTS}`: no file defines the variable.
      return { kind: 'template', parts: parts.map(partOf), span };
    }
  }
}

function partOf(text: string): Part {
  return isVariable(text) ? { id: `env:${text.slice(2, -1)}`, label: text } : text;
}

function isVariable(text: string): boolean {
  return /^\$\{[A-Z0-9_]+\}$/.test(text);
}

type NamedRequirement = Pick<Dependency, 'name' | 'nameSpan' | 'requirement' | 'registries' | 'condition' | 'frozen'>;

/** Each named line is also a constraint, for files that include this one with `-c`. */
function addDependency(found: MutableRequirements, named: NamedRequirement): void {
  const key = { system: 'PYPI', name: canonicalName('PYPI', named.name) } as const;
  const constraint = { id: `constraint:${key.name}`, label: 'constraints' };
  const { nameSpan: span, requirement: value, name: _name, registries, ...rest } = named;
  found.dependencies.push({
    key,
    ...named,
    scope: 'runtime',
    // A constraint does not apply to a package from a URL.
    ...(value.kind !== 'source' && registries === undefined && { constraint }),
  });
  found.definitions.push({ id: constraint.id, span, value, ...rest });
  if (registries && named.condition === undefined) found.definitions.push(releaseDefinition(key.name, value, span));
  if (value.kind !== 'source' || named.condition !== undefined) return;
  found.definitions.push(sourceDefinition(key.name, value.source, value.span));
  found.makes.add(key.name);
}

function problem(line: LogicalLine, start: number, end: number, message: string): Problem {
  return { span: line.spanOf(start, end), message };
}

/** In characters. Source: NAME_MAX of Linux. */
const MAX_FILE_NAME_LENGTH = 255;

/** `./wheels/acme_lib-1.0-py3-none-any.whl` is an archive of `acme-lib`: the version begins behind the name. */
export function archiveName(address: string): string | undefined {
  const file = address.slice(Math.max(address.lastIndexOf('/'), address.lastIndexOf('\\')) + 1);
  if (file.length > MAX_FILE_NAME_LENGTH) return undefined;
  const [, name] = /^([a-z0-9](?:[\w.]|-(?!\d))*)-\d.*\.(?:whl|zip|tgz|tar\.\w+)$/i.exec(file) ?? [];
  return name && canonicalName('PYPI', name);
}
