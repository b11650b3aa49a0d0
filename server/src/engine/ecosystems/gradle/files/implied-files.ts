import { type Definition, type Dependency, type FileRef, idsIn } from '../../../model/manifest.ts';
import { isPlaceholder, versionsFile } from './placeholders.ts';
import { sourceFiles } from './source-files.ts';

/** A file that Gradle reads without a reference, the nearest of its name in the directory or above. */
interface ImpliedFile extends Pick<FileRef, 'path' | 'format' | 'upward' | 'every' | 'beside'> {
  /** Prefixes of the ids that it may define. */
  readonly defines: readonly string[];
}

/** What only the code of a build defines. */
const SOURCES = 'sources:';

const catalog = ['version:', 'call:', 'library:', 'module:', 'plugin:', 'plugin-module:'];

const properties = {
  path: 'gradle.properties',
  format: 'gradle.properties',
  defines: ['property:', 'call:', 'library:', 'module:'],
} as const;
const settings = ['settings.gradle', 'settings.gradle.kts'];

/**
 * A project's own files override those of the projects around it. The properties of the root are those of every project, and
 * of another parent what its script sets comes before its properties. Source: Gradle 4.4.
 */
const impliedTable: readonly ImpliedFile[] = [
  properties,
  { ...properties, upward: 'self', beside: settings },
  { path: 'gradle/libs.versions.toml', format: 'libs.versions.toml', upward: 'self', defines: catalog },
  ...['', '.kts'].flatMap((end): ImpliedFile[] => [
    {
      path: `build.gradle${end}`,
      format: 'build.gradle',
      upward: 'parent',
      every: true,
      defines: ['property:', 'call:', 'managed:', 'library:', 'module:'],
    },
    {
      path: `settings.gradle${end}`,
      format: 'build.gradle',
      upward: 'self',
      defines: ['managed:', SOURCES, ...catalog],
    },
  ]),
  { ...properties, upward: 'parent', every: true },
  { path: 'versions.properties', format: 'gradle.properties', upward: 'self', defines: ['managed:'] },
];

function asReference({ defines: _, ...it }: ImpliedFile): FileRef {
  return { kind: 'parent', ...it };
}

/** Those that may define a catalog, a variable or a property. */
export const usedFiles: readonly FileRef[] = impliedTable
  .filter(({ defines }) => defines.includes('version:') || defines.includes('property:'))
  .map(asReference);

/** What a script, or a catalog, refers to and does not define itself. */
export function missingIds({
  dependencies,
  definitions,
}: {
  readonly dependencies: readonly Dependency[];
  readonly definitions: readonly Definition[];
}): readonly string[] {
  // A default value counts only where none of these files defines another one.
  const own = new Set(definitions.filter((it) => !it.isRarelyActive).map((it) => it.id));
  const open = new Set<string>();
  for (const { requirement, nameParts } of dependencies) {
    for (const it of nameParts ?? []) if (typeof it !== 'string') open.add(it.id);
    for (const id of idsIn(requirement)) open.add(id);
  }
  for (const { value } of definitions) for (const id of idsIn(value)) open.add(id);
  return [...open].filter((it) => !own.has(it));
}

/**
 * The implied files that may define what is missing.
 * @param names that code of the build may define
 */
export function impliedFiles(
  missing: readonly string[],
  dependencies: readonly Dependency[],
  names: readonly string[] = [],
): FileRef[] {
  // Settings say where the code of a build is.
  const ids = names.length > 0 ? [...missing, SOURCES] : missing;
  const files = impliedTable
    .filter(({ defines }) => ids.some((id) => defines.some((prefix) => id.startsWith(prefix))))
    .map(asReference);
  const isPlaced = dependencies.some((it) => isPlaceholder(it.requirement));
  return [...propertiesFiles(missing), ...files, ...(isPlaced ? [versionsFile] : []), ...sourceFiles(names)];
}

/** Files of versions that one script refers to. */
const MAX_VERSION_FILES = 3;

/** The properties that the code of a build reads from a file, under its name: `versions.junit` of `versions.properties`. */
function propertiesFiles(missing: readonly string[]): FileRef[] {
  const names = missing.flatMap((id) => /^property:(\w{0,50}[vV]ersions?)\.\w+$/.exec(id)?.[1] ?? []);
  return [...new Set(names)].slice(0, MAX_VERSION_FILES).flatMap((within) =>
    ['', 'gradle/'].map((it): FileRef => {
      const path = `${it}${within}.properties`;
      return { kind: 'parent', path, format: 'gradle.properties', upward: 'self', within };
    }),
  );
}
