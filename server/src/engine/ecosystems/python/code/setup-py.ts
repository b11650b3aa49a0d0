import * as l10n from '@vscode/l10n';
import { canonicalName } from '../../../model/keys.ts';
import type { FileRef, Manifest, ManifestFormat, Scope } from '../../../model/manifest.ts';
import type { Span } from '../../../model/span.ts';
import { applyLocalSources } from '../../shared/local-sources.ts';
import { interpreterEnvironments } from '../graph/markers.ts';
import {
  addSpecifier,
  type ParsedDependencies,
  type PythonSection,
  type SpecifierText,
  specifierAt,
} from '../pep508.ts';
import { executedFiles } from './executed-files.ts';
import {
  bracketContents,
  conditionalBranches,
  type DictEntry,
  endOfValue,
  findDictEntries,
  findVariables,
  isStatementStart,
  type PythonString,
  type PythonTokens,
  punctuationAt,
  splitTokens,
  type TokenRange,
  tokenizePython,
} from './python-syntax.ts';

/** The script of setuptools, as far as its requirements are literals. It is not run. */
export const setupPy: ManifestFormat = {
  id: 'setup.py',
  system: 'PYPI',
  environments: interpreterEnvironments,
  files: /(^|\/)setup\.py$/,
  parse,
};

const scopes: ReadonlyMap<string, Scope> = new Map([
  ['install_requires', 'runtime'],
  ['setup_requires', 'build'],
  ['tests_require', 'dev'],
]);
const extras = 'extras_require';
const runtime = { scope: 'runtime', group: 'install_requires' } as const;

/** Variables that refer to variables: real files stay below 5. */
const MAX_NESTING = 16;

interface SetupScript extends PythonTokens {
  readonly found: ParsedDependencies;
  /** The values that are assigned or added to each variable, in the order of the text. */
  readonly variables: ReadonlyMap<string, readonly TokenRange[]>;
  /** The values that are assigned to the entries of each variable. */
  readonly entries: ReadonlyMap<string, DictEntry[]>;
  /** Each variable is read where it is first used. */
  readonly used: Set<string>;
  /** The names of arguments that only Python can compute. */
  readonly computed: Set<string>;
}

/**
 *     base = ["requests>=2.31"]
 *     setup(install_requires=base + ["flask==3.0"], extras_require={"test": ["pytest"]})
 */
function parse(text: string): Manifest {
  const source = tokenizePython(text);
  const found: ParsedDependencies = { dependencies: [], problems: [] };
  const script: SetupScript = {
    ...source,
    found,
    variables: findVariables(source),
    entries: findDictEntries(source),
    used: new Set(),
    computed: new Set(),
  };
  for (let at = 0; at < source.tokens.length; at++) readArgument(script, at);
  found.dependencies.sort((a, b) => a.nameSpan.start - b.nameSpan.start);
  const identity = projectName(source, script.variables);
  return {
    dependencies: applyLocalSources(found.dependencies),
    definitions: [],
    references: [
      ...[...script.computed].map((name) => computedArgument(text, name)),
      ...executedFiles(source, setupPy.id),
    ],
    problems: found.problems,
    ...(identity && { identity: canonicalName('PYPI', identity) }),
  };
}

/** `setup(name="acme", …)`, or `setup(name=NAME)` with a variable: `NAME = "acme"` */
function projectName(source: PythonTokens, variables: SetupScript['variables']): string | undefined {
  const { tokens, close } = source;
  const at = tokens.findIndex((it, index) => it.text === 'setup' && punctuationAt(source, index + 1) === '(');
  const end = at < 0 ? undefined : close[at + 1];
  if (end === undefined) return undefined;
  for (const { from, to } of splitTokens(source, { from: at + 2, to: end }, ',')) {
    const value = tokens[from + 2];
    const isName = tokens[from]?.text === 'name' && punctuationAt(source, from + 1) === '=' && to === from + 3;
    if (!isName) continue;
    const [range] = value?.kind === 'word' ? (variables.get(value.text) ?? []) : [];
    const text = range && range.to === range.from + 1 ? tokens[range.from] : value;
    if (text?.kind === 'string' && !text.isComputed) return text.text;
  }
  return undefined;
}

/** `install_requires=…` in a call, `"install_requires": …` in a dictionary, `options["install_requires"] = …`. */
function readArgument(script: SetupScript, at: number): void {
  const { tokens } = script;
  const token = tokens[at];
  const name = token?.text ?? '';
  const scope = scopes.get(name);
  if (token === undefined || (scope === undefined && name !== extras)) return;
  const isVariable = token.kind === 'word' && isStatementStart(script, at);
  const sign = token.kind === 'word' ? '=' : punctuationAt(script, at + 1) === ']' ? '=' : ':';
  const from = at + (token.kind === 'string' && sign === '=' ? 3 : 2);
  if (isVariable || punctuationAt(script, from - 1) !== sign) return;
  const range = { from, to: endOfValue(script, from) };
  const before = script.found.dependencies.length;
  if (scope) readList(script, range, { scope, group: name }, 0);
  else readExtras(script, range, 0);
  if (scope && token.kind === 'word' && script.found.dependencies.length === before && isComputed(script, range))
    script.computed.add(name);
}

/** What stands for a file that is not there to be read. */
function computedArgument(text: string, name: string): FileRef {
  const start = text.indexOf(name);
  return {
    kind: 'include',
    path: '${}',
    format: setupPy.id,
    span: { start, end: start + name.length },
    required: true,
  };
}

/** Whether only Python knows the value: a call, or a variable with one. An empty list has no requirements. */
function isComputed(script: SetupScript, { from, to }: TokenRange, depth = 0): boolean {
  const first = script.tokens[from];
  if (first?.kind === 'word' && to === from + 1) {
    const values = script.variables.get(first.text);
    return values === undefined || (depth < MAX_NESTING && values.some((it) => isComputed(script, it, depth + 1)));
  }
  const words = script.tokens
    .slice(from, to)
    .map((it, at) => it.kind === 'word' && punctuationAt(script, from + at + 1));
  return words.includes('(');
}

/** A list, a tuple, a multi-line text, a variable, or a sum of these; of a conditional expression, both values. */
function readList(script: SetupScript, range: TokenRange, section: PythonSection, depth: number): void {
  for (const { from, to } of conditionalBranches(script, range).flatMap((it) => [...splitTokens(script, it, '+')])) {
    const first = script.tokens[from];
    const inside = bracketContents(script, { from, to });
    if (inside) {
      const items = [...splitTokens(script, inside, ',')];
      const isGroup = punctuationAt(script, from) === '(' && items.length === 1 && depth < MAX_NESTING;
      if (isGroup && conditionalBranches(script, inside).length > 1) readList(script, inside, section, depth + 1);
      else for (const item of items) readItem(script, item, section, depth);
    } else if (first?.kind === 'string') {
      const pieces = splitPattern(script, { from: from + 1, to });
      if (pieces) addSplitText(first, pieces, section, script.found);
    } else if (first?.kind === 'word' && to === from + 1) {
      for (const it of takeVariable(script, first.text, depth)) readList(script, it, section, depth + 1);
    }
  }
}

/** One string, several that Python joins, a variable, or `*others`. What only Python knows is a gap. */
function readItem(script: SetupScript, { from, to }: TokenRange, section: PythonSection, depth: number): void {
  const items = script.tokens.slice(from, to);
  const [first] = items;
  const strings = items.filter((it) => it.kind === 'string');
  const isPlain = strings.length > 0 && strings.length === items.length;
  if (isPlain && !strings.some((it) => it.isComputed)) {
    // An unterminated string is not joined with the next.
    const open = strings.findIndex((it) => it.isUnterminated) + 1;
    for (const it of [strings.slice(0, open), strings.slice(open)]) {
      if (it.length > 0) addSpecifier(joinStrings(it), section, script.found);
    }
  } else if (first?.text === '*' && first.kind !== 'string') readList(script, { from: from + 1, to }, section, depth);
  else if (items.length === 1 && first?.kind === 'word' && script.variables.has(first.text)) {
    for (const it of takeVariable(script, first.text, depth)) readList(script, it, section, depth + 1);
  } else if (items.some((it) => (it.kind === 'string' ? it.isComputed : calculating.has(it.text))))
    script.computed.add(scopes.has(section.group) ? section.group : extras);
}

/** A call, a sum, or a format. */
const calculating: ReadonlySet<string> = new Set(['(', '+', '%']);

/** `{"test": […], "socks:os_name == 'nt'": […], **others}`, or `dict(test=[…])`. */
function readExtras(script: SetupScript, range: TokenRange, depth: number): void {
  const { tokens } = script;
  const first = tokens[range.from];
  const isCall = first?.kind === 'word' && first.text === 'dict';
  if (first?.kind === 'word' && range.to === range.from + 1) {
    const entries = script.entries.get(first.text) ?? [];
    for (const it of takeVariable(script, first.text, depth)) readExtras(script, it, depth + 1);
    for (const { key, value } of entries.splice(0)) readExtra(script, key, value, depth);
  }
  const inside = bracketContents(script, isCall ? { from: range.from + 1, to: range.to } : range);
  for (const { from, to } of inside ? splitTokens(script, inside, ',') : []) {
    const key = tokens[from];
    const third = tokens[from + 2];
    if (punctuationAt(script, from) === '*' && third?.kind === 'word' && to === from + 3) {
      for (const it of takeVariable(script, third.text, depth)) readExtras(script, it, depth + 1);
    } else if (punctuationAt(script, from + 1) === (isCall ? '=' : ':') && key?.kind === (isCall ? 'word' : 'string')) {
      readExtra(script, key.text, { from: from + 2, to }, depth);
    }
  }
}

function readExtra(script: SetupScript, key: string, value: TokenRange, depth: number): void {
  const colon = key.indexOf(':');
  const name = (colon < 0 ? key : key.slice(0, colon)).trim();
  const condition = colon < 0 ? '' : key.slice(colon + 1).trim();
  // Without a name it is no extra, but a condition of runtime dependencies.
  const place = name === '' ? runtime : ({ scope: 'optional', group: `extra ${name}` } as const);
  readList(script, value, { ...place, ...(condition !== '' && { condition }) }, depth);
}

/** In characters. Real lists have some thousand; splitting megabytes exhausts the stack. */
const MAX_TEXT_LENGTH = 100_000;
/** The lines of an undecoded text: a line may end with `\n` as an escape. */
const linePattern = /(?:[^\n\\]|\\(?!n))+/g;
const wordPattern = /\S+/g;

/** setuptools splits a text into lines; `.split()` behind it splits it into words. */
function splitPattern({ tokens }: SetupScript, { from, to }: TokenRange): RegExp | undefined {
  const called = tokens.slice(from, to).filter((it) => it.kind === 'word');
  if (!called.every(({ text }) => /^(?:strip|split|splitlines)$/.test(text))) return undefined;
  if (tokens.slice(from, to).some((it) => it.kind === 'string' && !/^(?:\n|\\n)$/.test(it.text))) return undefined;
  return called.at(-1)?.text === 'split' && to - from === called.length * 4 ? wordPattern : linePattern;
}

function addSplitText(string: PythonString, pieces: RegExp, section: PythonSection, found: ParsedDependencies): void {
  if (string.isComputed || string.text.length > MAX_TEXT_LENGTH) return;
  for (const { index, 0: piece } of string.text.matchAll(pieces)) {
    const written = piece.replace(/(?:^|\s)#.*/s, '').trimEnd();
    addSpecifier(specifierAt(written, string.start + index), section, found);
  }
}

function takeVariable({ variables, used }: SetupScript, name: string, depth: number): readonly TokenRange[] {
  if (depth >= MAX_NESTING || used.has(name)) return [];
  used.add(name);
  return variables.get(name) ?? [];
}

/**
 * Joins adjacent strings, which are one string in Python.
 *
 *     "requests" ">=2.31"     requests>=2.31
 */
export function joinStrings(strings: readonly PythonString[]): SpecifierText {
  const [first, second] = strings;
  if (first && second === undefined) return specifierAt(first.text, first.start);
  const text = strings.map((it) => it.text).join('');
  const place = (offset: number): number => {
    let left = offset;
    for (const it of strings) {
      if (left < it.text.length) return it.start + left;
      left -= it.text.length;
    }
    return strings.at(-1)?.end ?? 0;
  };
  // The end of a range belongs to the string of its last character.
  const span = (from: number, to: number): Span => ({
    start: place(from),
    end: to > from ? place(to - 1) + 1 : place(from),
  });
  const isSplit = (from: number, to: number): boolean => span(from, to).end - span(from, to).start !== to - from;
  return {
    text,
    span,
    literal: (from, to) => ({ span: span(from, to), text: text.slice(from, to), encode: (value) => value }),
    frozen: (from, to) => (isSplit(from, to) ? l10n.t('the version is composed of several strings') : undefined),
  };
}
