import type { FileRef, Manifest } from '../../../model/manifest.ts';
import { isAliasId, normalizeAlias } from './alias-id.ts';

/** Source files of a build, from its directory. */
const sources = /\/src\/main\/(?:kotlin|java|groovy)\/(?:.*\/)?[^/]+\.(?:kt|java|groovy)$/;
/** Nested packages. Real ones have up to eight. */
const MAX_PACKAGE_DEPTH = 12;

/** The code of builds that all scripts may refer to, in the directories above. */
export function sourceFiles(names: readonly string[]): FileRef[] {
  if (names.length === 0) return [];
  return ['buildSrc', 'build-logic'].flatMap((it) => sourcesOf(it, names)).map((it) => ({ ...it, upward: 'self' }));
}

/**
 * The code of a build in a directory.
 * @param names absent where they are those that other files of the chain look for
 */
export function sourcesOf(directory: string, names?: readonly string[]): FileRef[] {
  const below = { matches: sources, ...(names && { names }) };
  const common = { kind: 'workspace', format: 'build.gradle' } as const;
  return [
    // Packages may have the names of folders with built files.
    { ...common, path: `${directory}/src/main`, below: { ...below, depth: MAX_PACKAGE_DEPTH } },
    { ...common, path: directory, below },
  ];
}

/** Whether a file defines one of some names, or a member of one. */
export function definesAny({ definitions }: Manifest, names: readonly string[]): boolean {
  const wanted = names.map(normalizeAlias);
  return definitions.some(({ id }) => {
    const name = normalizeAlias(id.slice(id.indexOf(':') + 1));
    return !isAliasId(id) && wanted.some((it) => name === it || name.startsWith(`${it}-`));
  });
}
