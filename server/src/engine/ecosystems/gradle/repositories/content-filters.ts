import { compileWildcard } from '../../../formats/text/wildcard.ts';
import type { RoutedPackage } from '../../../model/registry.ts';
import { callName, punctuationAt, type Statement, splitTokens } from '../statements.ts';
import type { ScriptString, Token } from '../tokens.ts';

/** Whether a filter matches a package; `perhaps` where only a build knows. */
export type Match = 'surely' | 'perhaps' | 'no';

export type Filter = (asked: Pick<RoutedPackage, 'name' | 'version'>) => Match;

/** What a repository is asked for, as far as its script declares it. */
export interface Content {
  /** All names if it is empty. */
  readonly includes: readonly Filter[];
  readonly excludes: readonly Filter[];
  readonly takes?: 'releases' | 'snapshots';
}

const perhaps: Filter = () => 'perhaps';

/** Statements that bind a repository to configurations: it counts for each of them. */
const inert: ReadonlySet<string> = new Set(['onlyForConfigurations', 'notForConfigurations', 'onlyForAttribute']);

/**
 * The filters in `content`, `mavenContent` and the `filter` of `exclusiveContent`, which are the same. One that is not
 * understood includes any name, and excludes none. Source: Gradle, “Filtering repository content”.
 *
 *     content { includeGroup("com.acme"); excludeModule("com.acme", "open") }
 *     mavenContent { snapshotsOnly(); includeGroupByRegex("com\\.acme\\..*") }
 */
export function readContent(blocks: readonly Statement[], text: string): Content {
  const includes: Filter[] = [];
  const excludes: Filter[] = [];
  const limits = new Set<string>();
  for (const statement of blocks) {
    if (statement.blocks.length === 0) includes.push(perhaps);
    for (const it of statement.blocks.flat()) {
      const name = callName(it);
      const [, verb, kind = ''] = /^(include|exclude)([A-Z]\w*)$/.exec(name) ?? [];
      const filter = verb === undefined ? undefined : readFilter(kind, it, text);
      if (name === 'releasesOnly' || name === 'snapshotsOnly') limits.add(name);
      else if (verb === 'exclude') excludes.push(...(filter ? [filter] : []));
      else if (!inert.has(name)) includes.push(filter ?? perhaps);
    }
  }
  const [limit, another] = limits;
  return {
    includes,
    excludes,
    ...(limit !== undefined &&
      another === undefined && { takes: limit === 'releasesOnly' ? ('releases' as const) : ('snapshots' as const) }),
  };
}

/** Whether a repository is asked for a version: for all of a range, and for what may be a snapshot. Source: Gradle's filters. */
export function takesVersion(takes: Content['takes'], version: string | undefined): boolean {
  if (takes === undefined || version === undefined) return true;
  if (takes === 'releases') return !version.endsWith('-SNAPSHOT');
  return /snapshot$/i.test(version) || /-\d{8}\.\d{6}-\d+$/.test(version);
}

/** Undefined for one that is not understood. */
function readFilter(kind: string, statement: Statement, text: string): Filter | undefined {
  const [, base = '', byRegex] = /^(Group|GroupAndSubgroups|Module|Version)(ByRegex)?$/.exec(kind) ?? [];
  const given = argumentsOf(statement);
  const expected = argumentCounts.get(base);
  if (given === undefined || given.length !== expected) return undefined;
  const tests = given.map((it, at): ((part: string) => boolean) | undefined => {
    // What Gradle takes for a version may be a range.
    if (at === 2) return () => false;
    if (byRegex) return patternOf(it, text);
    const value = literalOf(it);
    if (value === undefined) return undefined;
    return base === 'GroupAndSubgroups'
      ? (part) => part === value || part.startsWith(`${value}.`)
      : (part) => part === value;
  });
  const [ofGroup, ofModule] = tests;
  if (ofGroup === undefined || tests.includes(undefined)) return undefined;
  const version = given[2] && !byRegex ? literalOf(given[2]) : undefined;
  return ({ name, version: asked }) => {
    const [group = '', module = ''] = name.split(':');
    if (!ofGroup(group) || (ofModule && !ofModule(module))) return 'no';
    return given.length < 3 || (version !== undefined && version === asked) ? 'surely' : 'perhaps';
  };
}

const argumentCounts: ReadonlyMap<string, number> = new Map([
  ['Group', 1],
  ['GroupAndSubgroups', 1],
  ['Module', 2],
  ['Version', 3],
]);

/** The arguments of a call, if all are texts. */
function argumentsOf({ tokens, path }: Statement): readonly ScriptString[] | undefined {
  const behind = tokens.slice(path.length * 2 - 1);
  const isCall = punctuationAt(behind, 0) === '(' && punctuationAt(behind, behind.length - 1) === ')';
  const parts = splitTokens(isCall ? behind.slice(1, -1) : behind, ',');
  const texts = parts.map(([first, more]: readonly Token[]) => (first?.kind === 'string' && !more ? first : undefined));
  return texts.some((it) => it === undefined) ? undefined : texts.flatMap((it) => it ?? []);
}

function literalOf({ pieces }: ScriptString): string | undefined {
  const [only, another] = pieces;
  return only?.kind === 'text' && another === undefined ? only.text : undefined;
}

/** In characters. */
const MAX_PATTERN_LENGTH = 200;
/** Texts without alternatives that a pattern stands for. Real ones have one or two. */
const MAX_ALTERNATIVES = 50;

/**
 * A regular expression of plain characters, `.`, `.*`, `.+` and alternatives; undefined for any other. Those of a file are not
 * run: some take for ever.
 */
function patternOf(string: ScriptString, script: string): ((part: string) => boolean) | undefined {
  const regex = unescaped(string, script);
  if (regex === undefined || regex.length > MAX_PATTERN_LENGTH) return undefined;
  let at = 0;
  const wildcards = regex === '' ? undefined : alternatives(0);
  if (wildcards === undefined || at < regex.length) return undefined;
  const all = wildcards.map(compileWildcard);
  return (part) => all.some((it) => it(part));

  function alternatives(depth: number): readonly string[] | undefined {
    const found: string[] = [];
    if (depth > 3) return undefined;
    do {
      const sequence = sequenceAt(depth);
      if (sequence === undefined) return undefined;
      found.push(...sequence);
    } while (regex?.[at] === '|' && ++at > 0);
    return found.length > MAX_ALTERNATIVES ? undefined : found;
  }

  function sequenceAt(depth: number): readonly string[] | undefined {
    let found: readonly string[] = [''];
    while (regex !== undefined && at < regex.length && regex[at] !== '|' && regex[at] !== ')') {
      const atom = atomAt(regex, depth);
      if (atom === undefined) return undefined;
      const next = regex[at];
      let these = atom;
      if (next === '?') these = ['', ...atom];
      else if (next === '*' || next === '+') {
        if (atom[0] !== '?' || atom.length > 1) return undefined;
        these = [next === '*' ? '*' : '?*'];
      }
      if (next === '?' || next === '*' || next === '+') at++;
      found = found.flatMap((before) => these.map((it) => before + it));
      if (found.length > MAX_ALTERNATIVES) return undefined;
    }
    return found;
  }

  /** The wildcards of a character, a group or an anchor. */
  function atomAt(regex: string, depth: number): readonly string[] | undefined {
    const rest = regex.slice(at);
    const [, plain] = /^(?:([\w@:-])|\\[.-])/.exec(rest) ?? [];
    if (plain !== undefined) return step(1, plain);
    if (/^\\[.-]/.test(rest)) return step(2, rest[1]);
    if (rest.startsWith('.')) return step(1, '?');
    // The whole text has to match anyway.
    if (rest.startsWith('^') && at === 0) return step(1, '');
    if (/^\$(?:$|[|)])/.test(rest)) return step(1, '');
    const [open] = /^\((?:\?:)?(?!\?)/.exec(rest) ?? [];
    if (open === undefined) return undefined;
    at += open.length;
    const inner = alternatives(depth + 1);
    if (inner === undefined || regex[at] !== ')') return undefined;
    at++;
    return inner;
  }

  function step(length: number, wildcard = ''): readonly string[] {
    at += length;
    return [wildcard];
  }
}

/** The text of a string with escaped backslashes; undefined with other escapes, or what may be a reference. */
function unescaped({ span: { start, end }, pieces }: ScriptString, script: string): string | undefined {
  if (pieces.some((it) => it.kind === 'expression')) return undefined;
  const raw = script.slice(start, end);
  if (raw.includes('${')) return undefined;
  // Between slashes, and in Kotlin between three quotes, a backslash is one.
  if (script[start - 1] === '/' || script.slice(start - 3, start) === '"""')
    return raw.includes('\\\\') ? undefined : raw;
  return /^(?:[^\\]|\\\\)*$/.test(raw) ? raw.replaceAll('\\\\', '\\') : undefined;
}
