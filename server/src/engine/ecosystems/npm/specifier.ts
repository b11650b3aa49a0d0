import * as l10n from '@vscode/l10n';
import type { Requirement, Source } from '../../model/manifest.ts';
import type { Literal, Span } from '../../model/span.ts';
import { npm } from './versions.ts';

/** A value in a JSON or YAML file. Offsets count from the start of its decoded text. */
export interface SpecifierText {
  readonly text: string;
  readonly literal: (from: number, to: number) => Literal;
  readonly span: (from: number, to: number) => Span;
}

/** The value of a dependency in a manifest of npm, yarn or pnpm. */
export interface Specifier {
  /** The package that is meant, for an alias another than the one named. */
  readonly name: string;
  readonly requirement: Requirement;
  readonly frozen?: string;
}

const plain = /^(?:[~^]|>=)?\d+(?:\.\d+){0,2}$/;

/** Whether a value can only be a range, as nearly all are. */
export function isPlainRange(text: string): boolean {
  return plain.test(text);
}

/**
 * Reads the value of a dependency in the syntax of npm, yarn, pnpm and bun.
 *
 *     ^1.2.3    latest    npm:other@^1.2.3    workspace:^    catalog:    patch:it@npm%3A1.2.3#…    user/repo#v1
 *     literal   literal         ^^^^^^ literal, of `other`   reference        ^^^^^ frozen         git
 */
export function readSpecifier(name: string, value: SpecifierText): Specifier {
  if (isPlainRange(value.text))
    return { name, requirement: { kind: 'literal', at: value.literal(0, value.text.length) } };
  const text = value.text.trim();
  const start = value.text.length - value.text.trimStart().length;
  const end = start + text.length;
  const literal = (from: number, to = end): Requirement => ({ kind: 'literal', at: value.literal(from, to) });

  const protocol = /^[a-z][a-z+.-]*:/i.exec(text)?.[0].toLowerCase();
  switch (protocol) {
    case 'npm:':
      return readAlias(name, text.slice(4), (from) => literal(start + 4 + from));
    case 'catalog:': {
      const catalog = text.slice(8).trim() || 'default';
      const label = catalog === 'default' ? 'catalog:' : text;
      return {
        name,
        requirement: {
          kind: 'reference',
          to: { id: `catalog:${catalog}/${name}`, label },
          span: value.span(start, end),
        },
      };
    }
    case 'patch:': {
      const located = locate(name, text);
      const { range } = located;
      if (located.source !== 'registry')
        return { name, requirement: { kind: 'source', source: located.source, span: value.span(start, end) } };
      // Of a range that is encoded there is no span.
      const from = text.indexOf(range, text.indexOf('@', 'patch:@'.length));
      if (range === '' || from < 0 || npm.read(range).kind === 'invalid') break;
      return {
        name: located.name,
        requirement: literal(start + from, start + from + range.length),
        frozen: l10n.t('there is a patch for this exact version'),
      };
    }
  }
  const source = sourceOf(text, protocol);
  return { name, requirement: source ? { kind: 'source', source, span: value.span(start, end) } : literal(start) };
}

/**
 * `npm:other@^1.2` names another package, `npm:^1.2` is the same one in yarn's spelling. `npm:@foo/@bar/@1.2` names
 * none, and is no range of this one.
 */
function readAlias(name: string, target: string, literal: (from: number) => Requirement): Specifier {
  const at = target.indexOf('@', 1);
  const asked = target.slice(0, at);
  if (at > 0 && isPackageName(asked)) return { name: asked, requirement: literal(at + 1) };
  const reading = npm.read(target).kind;
  if (reading !== 'tag' && (reading !== 'invalid' || !isPackageName(target))) return { name, requirement: literal(0) };
  return { name: target, requirement: { kind: 'none' } };
}

function isPackageName(text: string): boolean {
  return /^(?:@[^\s/@]+\/)?[\w.~-]+$/.test(text);
}

const sources: ReadonlyMap<string, Source> = new Map([
  ['workspace:', 'workspace'],
  ['file:', 'path'],
  ['link:', 'path'],
  ['portal:', 'path'],
  ['patch:', 'path'],
  ['exec:', 'path'],
  ['git:', 'git'],
  ['git+ssh:', 'git'],
  ['git+https:', 'git'],
  ['git+http:', 'git'],
  ['git+file:', 'git'],
  ['ssh:', 'git'],
  ['github:', 'git'],
  ['gitlab:', 'git'],
  ['bitbucket:', 'git'],
  ['gist:', 'git'],
  ['sourcehut:', 'git'],
  ['https:', 'url'],
]);

/** Patches of patches that are followed. */
export const MAX_PATCHES = 5;

/** The package behind a name and a range. */
interface Located {
  readonly name: string;
  /** In the syntax of npm, if the package is from a registry. */
  readonly range: string;
  readonly source: Source | 'registry';
}

/**
 * The package that a name and a range mean, and where it comes from. Of a patch the package inside counts, whose range may
 * be encoded:
 *
 *     npm:lodash@^3    patch:lodash@npm%3A^4.17.21#…    patch:other@1.0.0#…    patch:own@workspace%3Apackages/own#…
 *     lodash ^3        lodash ^4.17.21                  other 1.0.0            of the workspace
 */
export function locate(name: string, range: string): Located {
  let [found, rest] = [name, range];
  for (let depth = 0; rest.startsWith('patch:'); depth++) {
    const [, inner, reference] = /^patch:((?:@[^@/]+\/)?[^@/]+)@([^#]*)/.exec(rest) ?? [];
    if (inner === undefined || reference === undefined || depth === MAX_PATCHES)
      return { name: found, range: rest, source: 'path' };
    [found, rest] = [inner, decoded(reference)];
  }
  const [, alias = found, bare = rest] = /^npm:(?:((?:@[^@/]+\/)?[^@/]+)@)?(.*)$/s.exec(rest) ?? [];
  return { name: alias, range: bare, source: lockedSource(rest) };
}

/** Percent-decoded; the text itself where a percent sign is a stray one. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Where a package in a lockfile comes from; `registry` for a range or a tag. */
export function lockedSource(range: string): Source | 'registry' {
  if (range.startsWith('npm:') || !/^(?:[a-z][a-z+.-]*:|[\w.-]+@|[\w.-]+\/|[.~]?\.?\/)/i.test(range)) return 'registry';
  return sourceOf(range, /^[a-z][a-z+.-]*:/i.exec(range)?.[0].toLowerCase()) ?? 'url';
}

/** The beginning of a protocol (`fi`) counts as one: a half-typed path is not looked up. */
function sourceOf(text: string, protocol: string | undefined): Source | undefined {
  // A drive letter looks like a protocol.
  if (/^(?:\.{1,2}(?:[\\/]|$)|~?[\\/]|[a-z]:[\\/])/i.test(text)) return 'path';
  if (protocol === 'http:' || protocol === 'https:') return isRepository(text) ? 'git' : 'url';
  if (protocol !== undefined) return sources.get(protocol) ?? 'url';
  for (const [begun, source] of sources) if (text !== '' && begun.startsWith(text)) return source;
  if (/^[\w.-]+@[\w.-]+:/.test(text) || /^[\w-][\w.-]*\/[\w.-]+(?:#|$)/.test(text)) return 'git';
  return /\.(?:tgz|tar|tar\.gz)$/i.test(text) ? 'path' : undefined;
}

/** Source: npm-package-arg and hosted-git-info, which take bare addresses of these hosts for repositories. */
function isRepository(address: string): boolean {
  const [path = ''] = address.split('#', 1);
  return (
    path.endsWith('.git') ||
    /^https?:\/\/(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org)\/[^/]+\/[^/]+\/?$/.test(path)
  );
}

/** Which package an override is for, read from its name. Offsets count from the start of the name. */
export interface Selector {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The whole selector, where it does not hold for each and every `name`. */
  readonly condition?: string;
}

/** npm: `lodash`, `lodash@^4`. */
export function npmSelector(text: string, from = 0): Selector {
  const at = text.indexOf('@', from + 1);
  const to = at < 0 ? text.length : at;
  return { name: text.slice(from, to), from, to, ...(to - from < text.length && { condition: text }) };
}

/** pnpm: `lodash`, `lodash@^4`, `webpack@1>lodash@>=3`. An arrow behind `@` or a space belongs to a range. */
export function pnpmSelector(text: string): Selector {
  let from = 0;
  for (const arrow of text.matchAll(/(?<![\s|@])>/g)) from = arrow.index + 1;
  return npmSelector(text, from);
}

/** yarn: `lodash`, `webpack/lodash`, `@babel/core@npm:7.0.0/lodash@npm:^4`. Undefined where it ends in a slash. */
export function yarnSelector(text: string): Selector | undefined {
  const segment = /(?:@[^/@]+\/)?[^/@]+(?:@(?:npm:)?(?:@[^/@]+\/)?[^/]*)?(?:\/|$)/y;
  let last = 0;
  while (segment.lastIndex < text.length) {
    last = segment.lastIndex;
    if (!segment.test(text)) return undefined;
  }
  if (text.endsWith('/')) return undefined;
  const { condition, ...plain } = npmSelector(text, last);
  // Behind two stars it holds for every package, as it does alone.
  return condition === undefined || condition === `**/${plain.name}` ? plain : { ...plain, condition };
}
