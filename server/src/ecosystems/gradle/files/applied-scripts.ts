import type { FileRef } from '../../../model/manifest.ts';
import type { Script } from '../script.ts';
import { type Statement, wordAt } from '../statements.ts';
import type { Token } from '../tokens.ts';
import { referenceTo } from '../values.ts';

/** Id of the format of scripts. */
const SCRIPT = 'build.gradle';
const scripts = /\.gradle(?:\.kts)?$/;

/**
 * The script that a statement applies.
 *
 *     apply from: "$rootDir/gradle/versions.gradle"     apply(from = "versions.gradle.kts")
 *                           ^^^^^^^^^^^^^^^^^^^^^^^ looked for in the directories above
 */
export function readAppliedScript(tokens: readonly Token[], script: Script): FileRef | undefined {
  const from = tokens.findIndex(
    (it) => it.kind !== 'punctuation' && script.text.slice(it.span.start, it.span.end) === 'from',
  );
  const at = tokens.findIndex((it, index) => index > from && it.kind === 'string');
  const string = tokens[at];
  if (from < 0) return undefined;
  if (string?.kind !== 'string') return readAppliedVariable(tokens.slice(from + 1), script);
  const [first] = string.pieces;
  const last = string.pieces.at(-1);
  if (!first || last?.kind !== 'text' || string.pieces.length > 2) return undefined;
  const before = script.text.slice(tokens[from]?.end ?? 0, string.span.start);
  const directoryText = first.kind === 'expression' ? first.text : before;
  const directory = first.kind === 'expression' ? resolveDirectory(first.text, script, 0) : '';
  const path = `${directory ?? ''}${last.text}`.replaceAll('\\', '/').replace(/^\/+/, '');
  const isScript = scripts.test(path);
  const span = last.span;
  // Where the directory is unknown, a script in the repository is found by its name.
  if (directory === undefined && isScript) return undefined;
  if (directory === undefined || /^[a-z]+:\/\//i.test(path))
    return { kind: 'include', path: directory === undefined ? '${}' : path, format: SCRIPT, span, required: true };
  const fromRoot = directory === '' && /\broot(?:Dir|Project)\b/.test(directoryText);
  const reference = { kind: 'include', path, format: SCRIPT, span, required: true } as const;
  return fromRoot || isBelowRoot(directoryText, script) ? { ...reference, upward: 'self' } : reference;
}

/** `apply from: script`, with the value of the variable in the same script. */
function readAppliedVariable(tokens: readonly Token[], script: Script): FileRef | undefined {
  const words = tokens.filter((it) => it.kind === 'word');
  const [first] = words;
  const last = words.at(-1);
  if (!first || !last) return undefined;
  const span = { start: first.start, end: last.end };
  const path = resolveDirectory(script.text.slice(span.start, span.end), script, 0) || '${}';
  return { kind: 'include', path, format: SCRIPT, span, required: true };
}

/** A directory relative to the script, or to the root of the build; `''` for these, undefined where it is unknown. */
function resolveDirectory(expression: string, script: Script, depth: number): string | undefined {
  if (/^(?:(?:rootProject|project|settings)\s*\.\s*)*(?:rootDir|projectDir|settingsDir)\b/.test(expression)) return '';
  const definition = script.definitions.findLast((it) => it.id === referenceTo(expression).id);
  if (depth > 5 || definition === undefined) return undefined;
  const { value } = definition;
  if (value.kind === 'literal') return value.at.text;
  if (value.kind === 'reference') return resolveDirectory(value.to.label, script, depth + 1);
  if (value.kind !== 'template') return undefined;
  const parts = value.parts.map((it) => (typeof it === 'string' ? it : resolveDirectory(it.label, script, depth + 1)));
  return parts.includes(undefined) ? undefined : parts.join('');
}

function isBelowRoot(expression: string, { definitions }: Script): boolean {
  const value = definitions.findLast((it) => it.id === referenceTo(expression).id)?.value;
  const parts = value?.kind === 'template' ? value.parts : value?.kind === 'reference' ? [value.to] : [];
  return parts.some((it) => typeof it !== 'string' && /\broot(?:Dir|Project)\b/.test(it.label));
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
