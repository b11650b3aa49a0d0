import type { FileRef, FindDefinition, Requirement } from '../../../model/manifest.ts';
import type { Span } from '../../../model/span.ts';
import type { Script } from '../script.ts';
import { type Statement, wordAt } from '../statements.ts';
import type { Piece, Token } from '../tokens.ts';
import { referenceTo } from '../values.ts';

/** Id of the format of scripts. */
const SCRIPT = 'build.gradle';
const scripts = /\.gradle(?:\.kts)?$/;

/** Finds what a name stands for. */
type Find = (id: string) => Requirement | undefined;

/**
 * The script that a statement applies.
 *
 *     apply from: "$rootDir/gradle/versions.gradle"     apply(from = "versions.gradle.kts")
 *                           ^^^^^^^^^^^^^^^^^^^^^^^ looked for in the directories above
 *     apply from: "${scripts}/versions.gradle"          which another file may define
 */
export function readAppliedScript(tokens: readonly Token[], script: Script): FileRef | undefined {
  const from = tokens.findIndex(
    (it) => it.kind !== 'punctuation' && script.text.slice(it.span.start, it.span.end) === 'from',
  );
  if (from < 0) return undefined;
  const string = tokens.find((it, index) => index > from && it.kind === 'string');
  if (string?.kind !== 'string') return readAppliedVariable(tokens.slice(from + 1), script);
  const { pieces } = string;
  const last = pieces.at(-1);
  if (last?.kind !== 'text') return undefined;
  const { span } = last;
  const before = script.text.slice(tokens[from]?.end ?? 0, string.span.start);
  const own = definedIn(script);
  const known = fileAt(pieces, before, span, own);
  if (known) return known;
  const ids = pieces.flatMap((it) => (it.kind === 'expression' ? [referenceTo(it.text).id] : []));
  const resolve = (find: FindDefinition) => fileAt(pieces, before, span, (id) => own(id) ?? find(id)?.value);
  // Where the directory is unknown, a script in the repository is found by its name.
  const required = !scripts.test(last.text) && ({ required: true } as const);
  return { kind: 'include', path: '${}', format: SCRIPT, span, ...required, composed: { ids, resolve } };
}

function definedIn({ definitions }: Script): Find {
  return (id) => definitions.findLast((it) => it.id === id)?.value;
}

/** @param before what stands before the text: `rootProject.file(` */
function fileAt(pieces: readonly Piece[], before: string, span: Span, find: Find): FileRef | undefined {
  const parts = pieces.map((it) => (it.kind === 'text' ? it.text : resolveDirectory(it.text, find, 0)));
  if (parts.includes(undefined)) return undefined;
  const path = parts.join('').replaceAll('\\', '/').replace(/^\/+/, '');
  const reference = { kind: 'include', path, format: SCRIPT, span, required: true } as const;
  const [first] = pieces;
  const directory = first?.kind === 'expression' ? first.text : before;
  const fromRoot = rootDirectory.test(directory) || isBelowRoot(directory, find);
  return fromRoot && !/^[a-z]+:\/\//i.test(path) ? { ...reference, upward: 'self' } : reference;
}

const rootDirectory = /\broot(?:Dir|Project)\b/;

/** `apply from: script`, with the value of the variable in the same script. */
function readAppliedVariable(tokens: readonly Token[], script: Script): FileRef | undefined {
  const words = tokens.filter((it) => it.kind === 'word');
  const [first] = words;
  const last = words.at(-1);
  if (!first || !last) return undefined;
  const span = { start: first.start, end: last.end };
  const path = resolveDirectory(script.text.slice(span.start, span.end), definedIn(script), 0) || '${}';
  return { kind: 'include', path, format: SCRIPT, span, required: true };
}

/** A directory relative to the script, or to the root of the build; `''` for these, undefined where it is unknown. */
function resolveDirectory(expression: string, find: Find, depth: number): string | undefined {
  if (/^(?:(?:rootProject|project|settings)\s*\.\s*)*(?:rootDir|projectDir|settingsDir)\b/.test(expression)) return '';
  const value = depth > 5 ? undefined : find(referenceTo(expression).id);
  if (value?.kind === 'literal') return value.at.text;
  if (value?.kind === 'reference') return resolveDirectory(value.to.label, find, depth + 1);
  if (value?.kind !== 'template') return undefined;
  const parts = value.parts.map((it) => (typeof it === 'string' ? it : resolveDirectory(it.label, find, depth + 1)));
  return parts.includes(undefined) ? undefined : parts.join('');
}

function isBelowRoot(expression: string, find: Find): boolean {
  const value = find(referenceTo(expression).id);
  const parts = value?.kind === 'template' ? value.parts : value?.kind === 'reference' ? [value.to] : [];
  return parts.some((it) => typeof it !== 'string' && rootDirectory.test(it.label));
}

/**
 * The script of a project that has a name of its own. One that Gradle's scripts have is found by it.
 *
 *     rootProject.buildFileName = 'root.build'       project(':a').buildFileName = 'a.build'
 */
export function readBuildFile({ tokens }: Statement): FileRef | undefined {
  const at = tokens.findIndex((_, index) => wordAt(tokens, index) === 'buildFileName');
  const string = tokens.slice(at).find((it) => it.kind === 'string');
  const last = string?.pieces.at(-1);
  if (at < 0 || string?.kind !== 'string' || last?.kind !== 'text' || scripts.test(last.text)) return undefined;
  const named = tokens.slice(0, at).find((it) => it.kind === 'string');
  const project = named?.pieces.length === 1 && named.pieces[0]?.kind === 'text' ? named.pieces[0].text : undefined;
  const isRoot = tokens.some((_, index) => index < at && wordAt(tokens, index) === 'rootProject');
  const isKnown = string.pieces.length === 1 && (isRoot || project !== undefined);
  const directory = isRoot ? '' : `${(project ?? '').replace(/^:/, '').replaceAll(':', '/')}/`;
  const path = isKnown ? `${directory}${last.text}` : '${}';
  return { kind: 'include', path, format: SCRIPT, span: last.span, required: true };
}
