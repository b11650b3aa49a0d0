import type { RegistrySource } from '../../../model/registry.ts';
import { punctuationAt, readStatements, type Statement, wordAt } from '../statements.ts';
import { type Token, tokenize } from '../tokens.ts';

/** Whether a build passes over a statement, because a property is set nowhere. */
export type IsPassedOver = (statement: Statement) => boolean;

/**
 * What a script declares only where a property is set that no file and no variable sets. A property that is given when a build
 * is started counts as not set: without it, the build finds everything elsewhere.
 *
 *     val mirror = providers.gradleProperty("acme.mirror").orNull
 *     if (mirror != null) maven(mirror)
 *     mirror?.let { url -> maven(url) }
 */
export function guardsIn(source: RegistrySource, sources: readonly RegistrySource[]): IsPassedOver {
  if (!mayBeUnset.test(source.text)) return () => false;
  let names: ReadonlySet<string> | undefined;
  return ({ tokens }) => {
    const guard = guardOf(tokens);
    if (guard === undefined) return false;
    names ??= unsetIn(source.text, sources);
    return names.has(guard);
  };
}

const mayBeUnset = /\b(?:gradleProperty|findProperty)\b|\bby\s+(?:settings|project)\b/;

/** The variable that must have a value: `if (mirror != null) …`, `mirror?.let { … }`. */
function guardOf(tokens: readonly Token[]): string | undefined {
  if (tokens.some((it) => it.kind === 'word' && it.text === 'else')) return undefined;
  if (punctuationAt(tokens, 1) === '?' && punctuationAt(tokens, 2) === '.') return wordAt(tokens, 0);
  if (wordAt(tokens, 0) !== 'if') return undefined;
  const condition = tokens.slice(1, 1 + MAX_CONDITION).map((it) => (it.kind === 'string' ? '""' : it.text));
  return hasValue.exec(condition.join(' '))?.slice(1).find(Boolean);
}

/** In tokens. */
const MAX_CONDITION = 14;
/** `(mirror)`, `(mirror != null)`, `(!mirror.isNullOrEmpty())`, `(mirror?.isNotBlank() == true)`, `(flag?.toBoolean() == true)` */
const hasValue = new RegExp(
  [
    String.raw`^\( (\w+) (?:! = null )?\)`,
    String.raw`^\( ! (\w+) \. (?:isNullOrEmpty|isNullOrBlank) \( \) \)`,
    String.raw`^\( (\w+) \? \. (?:isNotEmpty|isNotBlank|toBoolean|toBooleanStrict) \( \) = = true \)`,
  ].join('|'),
);

/** The variables of a script without a value. */
function unsetIn(text: string, sources: readonly RegistrySource[]): ReadonlySet<string> {
  const unset = new Set<string>();
  const set = new Set<string>();
  const walk = (statements: readonly Statement[], depth: number): void => {
    if (depth > MAX_DEPTH) return;
    for (const statement of statements) {
      const name = variableOf(statement.tokens);
      if (name !== undefined) (isUnset(name, statement, text, sources) ? unset : set).add(name);
      for (const it of statement.blocks) walk(it, depth + 1);
    }
  };
  walk(readStatements(tokenize(text).tokens), 0);
  return new Set([...unset].filter((it) => !set.has(it)));
}

/** Only a broken script nests deeper. */
const MAX_DEPTH = 50;

/** The variable that a statement sets: `val a = …`, `val a: String? by settings`, `def String a = …`, `if (x) a = …`. */
function variableOf(tokens: readonly Token[]): string | undefined {
  const at = tokens.findIndex((it, index) => {
    if (wordAt(tokens, index - 1) === undefined || it.kind === 'string') return false;
    return it.text === ':' || it.text === 'by' || (it.text === '=' && punctuationAt(tokens, index + 1) !== '=');
  });
  return wordAt(tokens, at - 1);
}

function endOf({ tokens, blocks }: Statement): number {
  const inner = blocks.at(-1)?.at(-1);
  return Math.max(tokens.at(-1)?.end ?? 0, inner === undefined ? 0 : endOf(inner));
}

function isUnset(variable: string, statement: Statement, text: string, sources: readonly RegistrySource[]): boolean {
  const written = text.slice(statement.tokens[0]?.start, endOf(statement));
  if (defaulted.test(written)) return false;
  const calls = [...written.matchAll(call)];
  const [, byProvider, byProject] = calls[0] ?? [];
  const isText = /\bString\b/.test(written);
  // An extension of a project is a property, too, and no text.
  const name =
    byProvider ?? (isText ? byProject : undefined) ?? (isText && delegated.test(written) ? variable : undefined);
  if (name === undefined || calls.length > 1) return false;
  const escaped = name.replaceAll('.', '\\.');
  const set = new RegExp(`^[ \\t\\f]*(?:systemProp\\.)?(?:org\\.gradle\\.project\\.)?${escaped}(?:[\\s:=]|$)`, 'm');
  const assigned = new RegExp(`\\b${escaped}["'\\])]*\\s*=(?!=)|\\bset\\(\\s*["']${escaped}["']|-P${escaped}\\b`);
  return !sources.some((it) =>
    it.name === 'gradle.properties'
      ? set.test(it.text)
      : it.label.toLowerCase() === `org_gradle_project_${name.toLowerCase()}` ||
        (byProvider === undefined &&
          name !== variable &&
          /\.gradle(?:\.kts)?$/.test(it.name) &&
          assigned.test(it.text)),
  );
}

const defaulted = /\?:|\b(?:orElse|getOrElse|environmentVariable|getenv|systemProperty|getProperty|getOrDefault)\b/;
const call = /\bgradleProperty\(\s*["']([\w.-]{1,200})["']\s*\)|\bfindProperty\(\s*["']([\w.-]{1,200})["']\s*\)/g;
const delegated = /\?\s*by\s+(?:settings|project)\b/;
