import type { FileRef } from '../../../model/manifest.ts';
import { punctuationAt, wordAt } from '../statements.ts';
import type { Token } from '../tokens.ts';

/**
 * The scripts of the projects of this build whose constraints a statement takes over.
 *
 *     implementation platform(project(':framework-platform'))      framework-platform/build.gradle
 *     api(enforcedPlatform(project(path = ":a:b")))                a/b/build.gradle.kts
 *     api(platform(projects.frameworkPlatform))                    framework-platform/build.gradle
 *     management(platform(dependencies.project(path: ":a")))       a/build.gradle
 *
 * A build may name its scripts as their projects, which settings say; where a project lies, they rarely do.
 */
export function readPlatformProjects(tokens: readonly Token[]): FileRef[] {
  return tokens.flatMap((_, at) => {
    const call = wordAt(tokens, at);
    if ((call !== 'platform' && call !== 'enforcedPlatform') || punctuationAt(tokens, at + 1) !== '(') return [];
    const isQualified = wordAt(tokens, at + 2) === 'dependencies' && punctuationAt(tokens, at + 3) === '.';
    const inner = at + (isQualified ? 4 : 2);
    const path = wordAt(tokens, inner) === 'project' ? pathOf(tokens, inner + 1) : accessorOf(tokens, inner);
    const directory = path?.replace(/^:/, '').replaceAll(':', '/');
    if (directory === undefined || !/^[\w./-]+$/.test(directory) || directory.includes('..')) return [];
    const name = directory.slice(directory.lastIndexOf('/') + 1);
    return ['build.gradle', 'build.gradle.kts', `${name}.gradle`, `${name}.gradle.kts`].map(
      (it): FileRef => ({ kind: 'workspace', path: `${directory}/${it}`, format: 'build.gradle', upward: 'self' }),
    );
  });
}

/** The path in `(':a')`, `(path: ':a')` or `(path = ":a")`. */
function pathOf(tokens: readonly Token[], at: number): string | undefined {
  if (punctuationAt(tokens, at) !== '(') return undefined;
  const first = tokens[at + 1];
  const token = first?.kind === 'word' && first.text === 'path' ? tokens[at + 3] : first;
  const [piece, ...more] = token?.kind === 'string' ? token.pieces : [];
  return piece?.kind === 'text' && more.length === 0 ? piece.text : undefined;
}

/** Gradle's type-safe accessors: `projects.frameworkPlatform` is `:framework-platform`. */
function accessorOf(tokens: readonly Token[], at: number): string | undefined {
  if (wordAt(tokens, at) !== 'projects') return undefined;
  let path = '';
  for (let next = at + 1; punctuationAt(tokens, next) === '.'; next += 2)
    path += `:${(wordAt(tokens, next + 1) ?? '').replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`)}`;
  return path;
}
