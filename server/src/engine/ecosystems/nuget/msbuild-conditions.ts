import type { Environment } from '../../model/manifest.ts';

/*
 * Conditions of MSBuild, as far as the target framework decides them. All else is open: it depends on the machine, on
 * switches, or on what targets compute.
 *
 *     '$(TargetFramework)' == 'net48' and '$(OS)' != 'Windows_NT'     with net8.0: false, with net48: open
 *
 * Source: “MSBuild conditions”.
 */

/** True, false, or open. */
type Truth = boolean | undefined;

/** In characters. What is cut or longer is not read. */
const MAX_CONDITION_LENGTH = 1000;
/** Parentheses in parentheses. */
const MAX_DEPTH = 32;

/** `$(A)`, `$(A.StartsWith('x'))`, `$([MSBuild]::F('$(A)', 'x'))` */
const expression = /\$\((?:[^()]|\([^()]*(?:\([^()]*\)[^()]*)*\))*\)/;
/** A text in quotes, an expression, an operator or a word. */
const token = new RegExp(
  `'(?:${expression.source}|[^'$]|\\$(?!\\())*'|${expression.source}|[()]|[=!<>]=|[!<>]|[^\\s()!=<>]+`,
  'g',
);

/** Whether a condition holds for a target framework. */
export function conditionHolds(condition: string, framework: string): Truth {
  if (condition.length > MAX_CONDITION_LENGTH) return undefined;
  const tokens = condition.match(token) ?? [];
  const reader = new Reader(tokens, valuesFor(framework));
  const found = reader.either(0);
  return reader.isAtEnd ? found : undefined;
}

/**
 * The frameworks of a lockfile that a condition means. Their names add the version of a platform: `net8.0-windows7.0`.
 * Where it is open, those that it names.
 */
export function meantBy<T>(condition: string, all: readonly T[], nameOf: (it: T) => string): readonly T[] {
  if (condition === '') return all;
  const lower = condition.toLowerCase();
  const truths = all.map((it) => {
    const name = frameworkName(nameOf(it)).toLowerCase();
    const isNamed = lower.includes(`'${name}'`);
    return { it, isNamed, holds: conditionHolds(condition, isNamed ? name : name.replace(/(-[a-z]+)[\d.]+$/, '$1')) };
  });
  const sure = truths.filter((it) => it.holds);
  const open = truths.filter((it) => it.holds === undefined);
  const named = open.filter((it) => it.isNamed);
  const [meant = truths] = [sure, named, open].filter((it) => it.length > 0);
  return meant.map(({ it }) => it);
}

/** The target frameworks of a project: each decides about some conditions. None where they are not written as they are. */
export function targetFrameworks(textsOf: (id: string) => readonly string[] | undefined): readonly Environment[] {
  return frameworksIn(textsOf).map((framework) => (condition) => conditionHolds(condition, framework));
}

/** Their names. */
export function frameworksIn(textsOf: (id: string) => readonly string[] | undefined): readonly string[] {
  const one = textsOf('property:targetframework');
  const several = textsOf('property:targetframeworks');
  if (one === undefined || several === undefined) return [];
  const written = [...one, ...several].flatMap((it) => it.split(';'));
  const names = [...new Set(written.map((it) => it.trim()).filter((it) => it !== ''))];
  if (names.length > MAX_FRAMEWORKS || names.some((it) => !/^[\w.,=-]+$/.test(it))) return [];
  return names;
}

/** A project has a handful. */
const MAX_FRAMEWORKS = 100;

/** What is known of a framework, by the texts that ask for it, in lower case. */
function valuesFor(framework: string): ReadonlyMap<string, string> {
  const family = familyOf(framework);
  return new Map([
    ['$(targetframework)', framework],
    ...(family === undefined
      ? []
      : ([
          ['$(targetframeworkidentifier)', family],
          ["$([msbuild]::gettargetframeworkidentifier('$(targetframework)'))", family],
          ['$([msbuild]::gettargetframeworkidentifier($(targetframework)))', family],
        ] as const)),
  ]);
}

/** `.NETFramework` for `net48`. Source: NuGet's table of target frameworks. */
function familyOf(framework: string): string | undefined {
  const name = frameworkName(framework);
  if (/^net[1-4]\d{1,2}$/.test(name)) return '.NETFramework';
  if (/^netstandard\d/.test(name)) return '.NETStandard';
  return /^(?:netcoreapp\d|net\d+\.\d)/.test(name) ? '.NETCoreApp' : undefined;
}

/** What a function says of a framework, in lower case; undefined for others. */
function askedOf(framework: string, call: string): Truth {
  const [, method, part = ''] =
    /^\$\(targetframework\.(startswith|endswith|contains)\(['"`]([^'"`]*)['"`]\)\)$/.exec(call) ?? [];
  if (method === 'startswith') return framework.startsWith(part);
  if (method === 'endswith') return framework.endsWith(part);
  if (method === 'contains') return framework.includes(part);
  const [, least] =
    /^\$\(\[msbuild\]::istargetframeworkcompatible\('\$\(targetframework\)', ?'([^']*)'\)\)$/.exec(call) ?? [];
  return least === undefined ? undefined : isCompatible(framework, least);
}

/** Of the same family, at least that version; undefined for what only a table of all platforms tells. */
function isCompatible(framework: string, least: string): Truth {
  const [own, other] = [familyOf(framework), familyOf(least)];
  if (own === undefined || other === undefined || other === '.NETStandard' || least.includes('-')) return undefined;
  return own === other && versionOf(framework) >= versionOf(least);
}

/** 4.72 for `net472`, 8 for `net8.0` */
function versionOf(framework: string): number {
  const [, digits = '', minor = ''] = /^net(?:coreapp)?(\d+)(?:\.(\d+))?/.exec(framework.toLowerCase()) ?? [];
  return minor === '' ? Number(`${digits.slice(0, 1)}.${digits.slice(1)}`) : Number(`${digits}.${minor}`);
}

class Reader {
  readonly #tokens: readonly string[];
  readonly #values: ReadonlyMap<string, string>;
  #at = 0;

  constructor(tokens: readonly string[], values: ReadonlyMap<string, string>) {
    this.#tokens = tokens;
    this.#values = values;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  either(depth: number): Truth {
    let found = this.#both(depth);
    while (this.#take('or')) {
      const other = this.#both(depth);
      found = found === true || other === true ? true : found === false && other === false ? false : undefined;
    }
    return found;
  }

  #both(depth: number): Truth {
    let found = this.#one(depth);
    while (this.#take('and')) {
      const other = this.#one(depth);
      found = found === false || other === false ? false : found === true && other === true ? true : undefined;
    }
    return found;
  }

  #one(depth: number): Truth {
    if (depth > MAX_DEPTH) return undefined;
    if (this.#take('!')) {
      const found = this.#one(depth + 1);
      return found === undefined ? undefined : !found;
    }
    if (this.#take('(')) {
      const found = this.either(depth + 1);
      // Without its end all of it is open.
      return this.#take(')') ? found : undefined;
    }
    return this.#comparison();
  }

  #comparison(): Truth {
    const left = this.#next();
    const operator = this.#tokens[this.#at] ?? '';
    if (operator === '(') return this.#call();
    if (!/^(?:[=!]=|[<>]=?)$/.test(operator)) return this.#truth(left);
    this.#at++;
    const right = this.#next();
    const [a, b] = [this.#text(left), this.#text(right)];
    if (a === undefined || b === undefined) return undefined;
    if (operator === '==') return a === b;
    return operator === '!=' ? a !== b : undefined;
  }

  /** `Exists('x')`: only a build knows. */
  #call(): undefined {
    let depth = 0;
    do {
      const token = this.#next();
      if (token === '(') depth++;
      else if (token === ')') depth--;
    } while (depth > 0 && !this.isAtEnd);
  }

  #truth(token: string): Truth {
    const text = this.#text(token);
    return text === 'true' ? true : text === 'false' ? false : undefined;
  }

  /** Upper and lower case are the same; undefined where it has values that are not known. */
  #text(written: string): string | undefined {
    const lower = written.toLowerCase().replace(/^'(.*)'$/s, '$1');
    const known = this.#values.get(lower)?.toLowerCase();
    if (known !== undefined) return known;
    const framework = this.#values.get('$(targetframework)')?.toLowerCase() ?? '';
    const asked = askedOf(framework, lower);
    if (asked !== undefined) return String(asked);
    const text = lower.replaceAll('$(targetframework)', framework);
    return /[$@%]\(|'/.test(text) ? undefined : text;
  }

  #next(): string {
    return this.#tokens[this.#at++] ?? '';
  }

  #take(word: string): boolean {
    if (this.#tokens[this.#at]?.toLowerCase() !== word) return false;
    this.#at++;
    return true;
  }
}

/** A framework as a project file spells it: `.NETFramework,Version=v4.7.2` is `net472`, `net8.0/win-x64` is `net8.0`. */
export function frameworkName(written: string): string {
  const [name = ''] = written.split('/', 1);
  const [, family = '', version = ''] = /^\.(NET\w+),Version=v([\d.]+)$/.exec(name) ?? [];
  switch (family) {
    case 'NETFramework':
      return `net${version.replaceAll('.', '')}`;
    case 'NETCoreApp':
      return `${Number.parseInt(version, 10) >= 5 ? 'net' : 'netcoreapp'}${version}`;
    case 'NETStandard':
      return `netstandard${version}`;
    default:
      return name.toLowerCase();
  }
}
