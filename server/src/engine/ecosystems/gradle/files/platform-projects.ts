import type { FileRef } from '../../../model/manifest.ts';
import { bracketContents, punctuationAt, wordAt } from '../statements.ts';
import type { Token } from '../tokens.ts';

/**
 * The scripts of the projects of this build whose constraints a statement takes over.
 *
 *     implementation platform(project(':framework-platform'))      framework-platform/build.gradle
 *     api(enforcedPlatform(project(path = ":a:b")))                a/b/build.gradle.kts
 *     api(platform(projects.frameworkPlatform))                    framework-platform/build.gradle
 *     management(platform(dependencies.project(path: ":a")))       a/build.gradle
 *     d.platform(d.project(Collections.singletonMap("path", ":a"))) in the code of a build
 *
 * A build may name its scripts as their projects, which settings say; where a project lies, they rarely do.
 */
export function readPlatformProjects(tokens: readonly Token[]): FileRef[] {
  return tokens.flatMap((_, at) => {
    const call = wordAt(tokens, at);
    if ((call !== 'platform' && call !== 'enforcedPlatform') || punctuationAt(tokens, at + 1) !== '(') return [];
    const directory = projectIn(bracketContents(tokens, at + 1))
      ?.replace(/^:/, '')
      .replaceAll(':', '/');
    if (directory === undefined || !/^[\w./-]+$/.test(directory) || directory.includes('..')) return [];
    const name = directory.slice(directory.lastIndexOf('/') + 1);
    return ['build.gradle', 'build.gradle.kts', `${name}.gradle`, `${name}.gradle.kts`].map(
      (it): FileRef => ({ kind: 'workspace', path: `${directory}/${it}`, format: 'build.gradle', upward: 'self' }),
    );
  });
}

/** The path of a project: in `project(':a')`, `project(path: ':a')`, `project(path = ":a")`, or of an accessor. */
function projectIn(tokens: readonly Token[]): string | undefined {
  if (wordAt(tokens, 0) === 'projects') return accessorOf(tokens);
  const at = tokens.findIndex(
    (_, index) => wordAt(tokens, index) === 'project' && punctuationAt(tokens, index + 1) === '(',
  );
  const texts = (at < 0 ? [] : bracketContents(tokens, at + 1)).flatMap((it) => {
    const [piece, ...more] = it.kind === 'string' ? it.pieces : [];
    return piece?.kind === 'text' && more.length === 0 ? [piece.text] : [];
  });
  return texts.find((it) => it.startsWith(':')) ?? (texts.length === 1 ? texts[0] : undefined);
}

/** Gradle's type-safe accessors: `projects.frameworkPlatform` is `:framework-platform`. */
function accessorOf(tokens: readonly Token[]): string {
  let path = '';
  for (let next = 1; punctuationAt(tokens, next) === '.'; next += 2)
    path += `:${(wordAt(tokens, next + 1) ?? '').replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`)}`;
  return path;
}
