import type { Definition, Dependency } from '../../model/manifest.ts';
import type { Problem } from '../../model/span.ts';
import type { GoLine, GoWord } from './syntax.ts';

/** `replace old => new v1.2.3`, of a go.mod or go.work. */
export interface Replacement {
  /** The module that is replaced, and its version where not all are. */
  readonly path: GoWord;
  readonly version?: GoWord;
  /** The replacement: a module and its version, or a folder. */
  readonly words: readonly GoWord[];
}

/** Undefined where nothing is replaced, or nothing takes its place yet. */
export function readReplacement({ words }: GoLine, problems: Problem[]): Replacement | undefined {
  const arrow = words.findIndex((it) => it.text === '=>');
  const [path, version] = arrow < 0 ? words : words.slice(0, arrow);
  if (!path) return undefined;
  const target = arrow < 0 ? [] : words.slice(arrow + 1);
  const [place] = target;
  if (!place) {
    problems.push({ span: path.span, message: 'the replacement is missing' });
    return undefined;
  }
  if (target.length === 1 && !isFolder(place.text))
    problems.push({ span: place.span, message: 'a version is missing' });
  return { path, ...(version && { version }), words: target };
}

/** Finds the replacement of a version of a module: a replacement of just that version goes before one of all. */
export function replacementOf(
  replacements: readonly (Replacement | undefined)[],
): (path: string, version: string) => Replacement | undefined {
  const index = new Map<string, Replacement>();
  for (const it of replacements) if (it) index.set(`${it.path.text} ${it.version?.text ?? ''}`, it);
  return (path, version) => index.get(`${path} ${version}`) ?? index.get(`${path} `);
}

/** The id of a replacement that go.work, or a member, defines for the workspace: of a module, or of one version of it. */
export function idOfReplacement(by: 'workspace' | 'member', path: string, version: string | undefined): string {
  return `${by}:${path}${version === undefined ? '' : ` ${version}`}`;
}

/** For the modules of a workspace, whose dependencies are looked up as their replacements. */
export function replacementDefinitions(
  by: 'workspace' | 'member',
  replacement: Replacement,
  frozen: (words: string) => string,
): Definition[] {
  const { path, version, words } = replacement;
  return replacementDependency(replacement).map(({ key, nameSpan, requirement }) => ({
    id: idOfReplacement(by, path.text, version?.text),
    span: nameSpan,
    value: requirement,
    key,
    frozen: frozen(words.map((it) => it.text).join(' ')),
  }));
}

/**
 *     replace golang.org/x/net v1.2.3 => example.com/fork/net v1.4.5     replace golang.org/x/net => ../net
 *                                        ^^^^^^^^^^^^^^^^^^^^ ^^^^^^             ^^^^^^^^^^^^^^^^    ^^^^^^ path
 */
export function replacementDependency({ path, version, words }: Replacement): Dependency[] {
  const [place, literal] = words;
  if (!place || place.text === '') return [];
  if (isFromFolder({ words })) {
    const requirement = { kind: 'source', source: 'path', span: place.span } as const;
    return [dependency(path, requirement, version && `${path.text} ${version.text}`)];
  }
  const requirement: Dependency['requirement'] = literal ? { kind: 'literal', at: literal } : { kind: 'none' };
  return [dependency(place, requirement, version ? `${path.text} ${version.text}` : path.text)];
}

function dependency(name: GoWord, requirement: Dependency['requirement'], condition?: string): Dependency {
  return {
    key: { system: 'GO', name: name.text },
    name: name.text,
    nameSpan: name.span,
    requirement,
    scope: 'runtime',
    group: 'replace',
    ...(condition !== undefined && { condition }),
  };
}

/** Whether a folder takes its place, not another module. */
export function isFromFolder({ words: [place, version] }: Pick<Replacement, 'words'>): boolean {
  return place !== undefined && version === undefined && isFolder(place.text);
}

/** Source: golang.org/x/mod/modfile, IsDirectoryPath. */
function isFolder(path: string): boolean {
  return /^(?:\.{1,2}(?:[\\/]|$)|[\\/]|[A-Za-z]:)/.test(path);
}
