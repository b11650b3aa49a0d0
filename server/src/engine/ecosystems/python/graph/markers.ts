import { LruMap } from '../../../base/lru-map.ts';
import type { Environment } from '../../../model/manifest.ts';
import { pypi } from '../versions.ts';

/*
 * Environment markers, as far as Python's version and the platform decide them. All else is open: extras, the machine, the
 * implementation.
 *
 *     python_version < '3.9' and sys_platform == 'win32'
 *     python ^3.9                                            as Poetry restricts a dependency
 *
 * Source: PEP 508, “Environment Markers”.
 */

/** True, false, or open. */
type Truth = boolean | undefined;

interface Interpreter {
  readonly python_version: string;
  readonly python_full_version: string;
  readonly sys_platform: string;
  readonly platform_system: string;
  readonly os_name: string;
}

/** In characters. What is cut or longer is not read. */
const MAX_MARKER_LENGTH = 2000;
/** Parentheses in parentheses. */
const MAX_DEPTH = 32;
/** Python 3.20 is some years away. */
const LAST_MINOR = 20;

const platforms = [
  { sys_platform: 'linux', platform_system: 'Linux', os_name: 'posix' },
  { sys_platform: 'win32', platform_system: 'Windows', os_name: 'nt' },
  { sys_platform: 'darwin', platform_system: 'Darwin', os_name: 'posix' },
] as const;

let known: readonly Interpreter[] | undefined;

/** The interpreters for which a marker is tried: the first and a late release of each version. */
function interpreters(): readonly Interpreter[] {
  if (known) return known;
  const versions = ['2.7', ...Array.from({ length: LAST_MINOR + 1 }, (_, minor) => `3.${minor}`)];
  known = versions.flatMap((version) =>
    [0, 99].flatMap((patch) =>
      platforms.map((it) => ({ ...it, python_version: version, python_full_version: `${version}.${patch}` })),
    ),
  );
  return known;
}

/** What a Python project is installed for, as conditions tell it apart. */
export function interpreterEnvironments(): readonly Environment[] {
  return interpreters().map((at) => (condition) => testOf(condition)(at));
}

/** Few are asked about, each for all interpreters. */
const tests = new LruMap<string, Test>(100, () => 1);

function testOf(marker: string): Test {
  const before = tests.get(marker);
  if (before) return before;
  const test = marker.length <= MAX_MARKER_LENGTH ? parse(marker) : open;
  tests.set(marker, test);
  return test;
}

/** Whether there is an interpreter for which all of some markers may hold. What is not understood may hold anywhere. */
export function mayHoldTogether(markers: readonly string[]): boolean {
  const all = markers.filter((it) => it !== '').map(testOf);
  return all.length === 0 || interpreters().some((at) => all.every((holds) => holds(at) !== false));
}

type Test = (at: Interpreter) => Truth;

const open: Test = () => undefined;
const token = /'[^']*'|"[^"]*"|[()]|[<>=!~]+|[^\s()<>=!~'"]+/g;

function parse(marker: string): Test {
  // `python ^3.9` and `platform linux` are no markers, but what Poetry's keys say.
  const plain = marker
    .replace(/(?<![\w.])python ([^'"()]*?)(?= and |$)/g, "python_full_version ~ '$1'")
    .replace(/(?<![\w.])platform ([\w-]+)/g, "sys_platform == '$1'");
  const tokens = plain.match(token) ?? [];
  let at = 0;
  const found = either(0);
  return at === tokens.length ? found : open;

  function take(word: string): boolean {
    if (tokens[at] !== word) return false;
    at++;
    return true;
  }

  function either(depth: number): Test {
    const all = [both(depth)];
    while (take('or')) all.push(both(depth));
    return all.length === 1 ? (all[0] ?? open) : (it) => anyOf(all.map((test) => test(it)));
  }

  function both(depth: number): Test {
    const all = [one(depth)];
    while (take('and')) all.push(one(depth));
    return all.length === 1 ? (all[0] ?? open) : (it) => negated(anyOf(all.map((test) => negated(test(it)))));
  }

  function one(depth: number): Test {
    if (depth <= MAX_DEPTH && take('(')) {
      const inner = either(depth + 1);
      return take(')') ? inner : open;
    }
    const [left = '', word = '', second = ''] = tokens.slice(at, at + 3);
    const isNegated = word === 'not' && second === 'in';
    const right = tokens[at + (isNegated ? 3 : 2)] ?? '';
    at += isNegated ? 4 : 3;
    const test = comparison(left, isNegated ? 'in' : word, right);
    return isNegated ? (it) => negated(test(it)) : test;
  }
}

function anyOf(truths: readonly Truth[]): Truth {
  return truths.includes(true) ? true : truths.includes(undefined) ? undefined : false;
}

function negated(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth;
}

/** The same comparison from the other side. */
const mirrored: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

function comparison(left: string, operator: string, right: string): Test {
  const isLiteral = /^['"]/.test(left);
  if (isLiteral && operator !== 'in') return comparison(right, mirrored[operator] ?? operator, left);
  if (isLiteral || !/^['"]/.test(right)) return open;
  const value = right.slice(1, -1);
  switch (left) {
    case 'python_version':
    case 'python_full_version': {
      if (operator === 'in') return (it) => value.split(/[\s,|]+/).includes(it[left]);
      const range = operator === '~' ? value : `${operator}${value}`;
      return pypi.read(range).kind === 'invalid' ? open : (it) => pypi.satisfies(it[left], range);
    }
    case 'sys_platform':
    case 'platform_system':
    case 'os_name':
      if (operator === 'in') return (it) => value.includes(it[left]);
      // An operating system that is not among those that are tried.
      if (operator === '==' && !platforms.some((it) => it[left] === value)) return open;
      if (operator === '==') return (it) => it[left] === value;
      return operator === '!=' ? (it) => it[left] !== value : open;
    default:
      return open;
  }
}
