import type { FileRef } from '../../model/manifest.ts';
import { namedIn } from './aliases.ts';
import { readArtifacts } from './arguments.ts';
import { addArtifact } from './dependencies.ts';
import { unrollLoop } from './flow/loops.ts';
import type { Script } from './script.ts';
import { bracketContents, hasWord, punctuationAt, Statement, splitTokens, wordAt } from './statements.ts';
import { type ScriptString, type Token, Word } from './tokens.ts';

/** Only the blocks of a broken script nest deeper. */
const MAX_BLOCK_DEPTH = 50;

/** The variables of a script that stand for its dependencies: `def d = project.dependencies`. Absent where it has no other name for them. */
export function namesOfDependencies(text: string): ReadonlySet<string> | undefined {
  const names = text.includes('ependencies') ? Array.from(text.matchAll(assigned), ([, name = '']) => name) : [];
  return names.length > 0 || text.includes(getter) ? new Set(names) : undefined;
}

const getter = 'getDependencies';

const assigned =
  /\b(\w+)(?:\s*:\s*[\w.]+)?\s*=\s*(?:\w+\s*\.\s*)*(?:dependencies|getDependencies\s*\(\s*\))[ \t]*(?=[;\r\n]|$)/g;

/** The statement with `dependencies` where it has another name of it: `d.add(…)`, `project.getDependencies().add(…)`. */
export function qualified(statement: Statement, names: ReadonlySet<string> | undefined): Statement {
  if (names === undefined) return statement;
  const { tokens, blocks, parameters } = statement;
  const [first, ...rest] = tokens;
  if (first?.kind === 'word' && names.has(first.text) && punctuationAt(tokens, 1) === '.')
    return new Statement([dependenciesAt(first), ...rest], [...blocks], [...parameters]);
  const at = tokens.findIndex((_, index) => wordAt(tokens, index) === getter);
  const word = tokens[at];
  if (word === undefined || punctuationAt(tokens, at + 1) !== '(' || punctuationAt(tokens, at + 2) !== ')')
    return statement;
  const replaced = [...tokens.slice(0, at), dependenciesAt(word), ...tokens.slice(at + 3)];
  return new Statement(replaced, [...blocks], [...parameters]);
}

function dependenciesAt({ start, end }: Token): Word {
  return new Word('dependencies', start, end);
}

/**
 * Reads what the code of a script names beside its blocks of dependencies: a complete artifact that is passed to something
 * about dependencies is one that a build may take. What decides over dependencies and is not read becomes a problem.
 *
 *     if (details.requested.name == 'a') details.useTarget 'g:b:1.0'
 *     invokeMethod('implementation', 'g:a:1.0')
 *     evaluate(file('other.gradle'))
 * @returns the scripts that it evaluates
 */
export function readCode(statements: readonly Statement[], script: Script): readonly FileRef[] {
  const read = new Set(script.dependencies.map((it) => it.nameSpan.start));
  const evaluated: FileRef[] = [];
  const around: Statement[] = [];
  visit(statements, false);
  return evaluated;

  function visit(some: readonly Statement[], isAbout: boolean): void {
    if (around.length > MAX_BLOCK_DEPTH) return;
    for (const statement of some) {
      around.push(statement);
      visitOne(statement, isAbout || hasWord(statement, subjects));
      const isInside = statement.blocks.length > 0 && (isAbout || opensDependencies(statement));
      for (const it of statement.blocks) visit(it, isInside);
      around.pop();
    }
  }

  function visitOne({ tokens }: Statement, isAbout: boolean): void {
    let found = 0;
    for (const [at, token] of tokens.entries()) {
      if (token.kind === 'string' && isAbout && isArtifact(token, script)) {
        if (!isRead(token) && isPassed(tokens, at)) add(token);
        found++;
      } else if (token.kind === 'word' && deciding.has(token.text)) {
        const file = token.text === 'evaluate' ? evaluatedFile(tokens, at) : undefined;
        if (file) evaluated.push(file);
        else if (token.text !== 'evaluate' || punctuationAt(tokens, at + 1) === '(') report(token, tokens.slice(at));
      } else if (token.kind === 'word' && token.text === 'dependencies') {
        const element = passedElement(tokens.slice(at), script);
        // A loop that is written out has been read.
        if (element && !around.some((it) => unrollLoop(it, script)))
          script.problems.push({ span: element.span, message: unread });
      }
    }
    function report(token: Word, rest: readonly Token[]): void {
      const isRule = rules.has(token.text);
      if (isRule && (found > 0 || rest.some((it) => isKnown(it)))) return;
      script.problems.push({ span: token.span, message: unread });
    }
  }

  /** Whether an artifact begins at a token: one of a map has its name there. */
  function isKnown(token: Token): boolean {
    return token.kind === 'string' && isRead(token);
  }

  function isRead(token: Token): boolean {
    for (let at = token.start; at <= token.start + 3; at++) if (read.has(at)) return true;
    return false;
  }

  function add(token: ScriptString): void {
    const [artifact] = readArtifacts([token], script);
    if (artifact?.kind !== 'coordinates') return;
    addArtifact(artifact, { scope: 'runtime', group: 'code' }, false, undefined, script);
    read.add(token.start + 1);
  }
}

/**
 * The element of a list, or the parameter of a function, that is added to the dependencies outside of their block.
 * @param tokens from `dependencies` on
 *
 *     all.each { dependencies.add('implementation', it) }
 *                                                   ^^
 */
function passedElement(tokens: readonly Token[], script: Script): Word | undefined {
  if (punctuationAt(tokens, 1) !== '.' || !adding.has(wordAt(tokens, 2) ?? '')) return undefined;
  const inner = punctuationAt(tokens, 3) === '(' ? bracketContents(tokens, 3) : tokens.slice(3);
  const [word, ...more] = splitTokens(inner, ',').at(-1) ?? [];
  if (word?.kind !== 'word' || more.length > 0) return undefined;
  const isDefined = script.definitions.some((it) => it.id === `property:${word.text}`);
  return isDefined || namedIn(script, word.text) ? undefined : word;
}

const adding: ReadonlySet<string> = new Set(['add', 'create']);

const unread = 'what this code decides about dependencies is not read';

/** Words around artifacts. Other texts that look like one may be a host with a name. */
const subjects: ReadonlySet<string> = new Set([
  ...['dependencies', 'DependencyHandler', 'configurations', 'useTarget', 'useModule', 'invokeMethod'],
]);
const openings: ReadonlySet<string> = new Set([
  ...['DependencyHandler', 'configurations', 'resolutionStrategy', 'dependencySubstitution', 'eachDependency'],
]);

/** `with(dependencies) { … }`, `fun DependencyHandler.acme() { … }`; a block of dependencies itself has been read. */
function opensDependencies(statement: Statement): boolean {
  const { path } = statement;
  return hasWord(statement, openings) || (!path.includes('dependencies') && hasWord(statement, subjects));
}

/** Calls that decide over dependencies, and whatever runs another text as a script. */
const deciding: ReadonlySet<string> = new Set([
  ...['useTarget', 'useVersion', 'invokeMethod', 'evaluate'],
  ...['GroovyShell', 'GroovyScriptEngine', 'ScriptEngineManager'],
]);
/** Those that are understood where an artifact is read behind them. */
const rules: ReadonlySet<string> = new Set(['useTarget', 'invokeMethod', 'evaluate']);

/** Calls whose artifacts no build takes. */
const mentions: ReadonlySet<string> = new Set([
  ...['capability', 'requireCapability', 'requireCapabilities', 'substitute', 'println', 'print', 'because'],
  ...['exclude', 'reject', 'equals', 'contains', 'startsWith', 'matches', 'error', 'description', 'artifact'],
]);

const artifactPattern = /^[A-Za-z][\w.-]*:[A-Za-z][\w.-]*:\d+(?:\.[\w+-]+)+(?::[\w.-]+)?(?:@\w+)?$/;
/** In characters, with quotes. */
const MAX_ARTIFACT_LENGTH = 300;

function isArtifact({ start, end }: ScriptString, { text }: Script): boolean {
  return (
    end - start <= MAX_ARTIFACT_LENGTH && artifactPattern.test(text.slice(start, end).replace(/^["']+|["']+$/g, ''))
  );
}

/** Whether a text is the argument of a call, and not the value of a variable or of a map. */
function isPassed(tokens: readonly Token[], at: number): boolean {
  let depth = 0;
  let isInCall = false;
  for (let before = at - 1; before >= 0; before--) {
    const token = tokens[before];
    if (token?.kind === 'word' && mentions.has(token.text)) return false;
    const mark = punctuationAt(tokens, before);
    if (mark === ')' || mark === ']') depth++;
    else if (mark === '(' || mark === '[') {
      if (depth > 0) depth--;
      else if (mark === '(') isInCall = true;
    } else if (mark === '=' && depth === 0 && !isComparison(tokens, before) && !(isInCall && isNamed(tokens, before)))
      return false;
  }
  return at > 0;
}

function isComparison(tokens: readonly Token[], at: number): boolean {
  return [at - 1, at + 1].some((it) => /^[=!<>]$/.test(punctuationAt(tokens, it) ?? ''));
}

/** `f(name = "…")` */
function isNamed(tokens: readonly Token[], at: number): boolean {
  const mark = punctuationAt(tokens, at - 2);
  return mark === '(' || mark === ',';
}

/**
 *     evaluate(file('other.gradle'))      evaluate(new File('other.gradle'))
 *                    ^^^^^^^^^^^^
 */
function evaluatedFile(tokens: readonly Token[], at: number): FileRef | undefined {
  const file = tokens.findIndex((_, index) => index > at && /^(?:file|File)$/.test(wordAt(tokens, index) ?? ''));
  const string = tokens[file + 2];
  if (file < 0 || punctuationAt(tokens, file + 1) !== '(' || string?.kind !== 'string') return undefined;
  const [piece, ...more] = string.pieces;
  const path = piece?.kind === 'text' && more.length === 0 ? piece.text.replaceAll('\\', '/') : '${}';
  return { kind: 'include', path, format: 'build.gradle', span: string.span, required: true };
}
