import { type Definition, type Dependency, type FileRef, idsIn } from '../../../model/manifest.ts';
import { isPlaceholder, versionsFile } from './placeholders.ts';

/** A file that Gradle reads without a reference, the nearest of its name in the directory or above. */
interface ImpliedFile extends Pick<FileRef, 'path' | 'format' | 'upward' | 'every' | 'beside'> {
  /** Prefixes of the ids that it may define. */
  readonly defines: readonly string[];
}

const catalog = ['version:', 'library:', 'module:', 'plugin:', 'plugin-module:'];

const properties = {
  path: 'gradle.properties',
  format: 'gradle.properties',
  defines: ['property:', 'library:', 'module:'],
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
      defines: ['property:', 'managed:', 'library:', 'module:'],
    },
    { path: `settings.gradle${end}`, format: 'build.gradle', upward: 'self', defines: ['managed:', ...catalog] },
  ]),
  { ...properties, upward: 'parent', every: true },
  { path: 'versions.properties', format: 'gradle.properties', upward: 'self', defines: ['managed:'] },
];

function asReference({ defines: _, ...it }: ImpliedFile): FileRef {
  return { kind: 'parent', ...it };
}

/** Those that may define a catalog. */
export const catalogFiles: readonly FileRef[] = impliedTable
  .filter(({ defines }) => defines.includes('version:'))
  .map(asReference);

/** The implied files that may define what this script refers to and does not define itself. */
export function impliedFiles({
  dependencies,
  definitions,
}: {
  readonly dependencies: readonly Dependency[];
  readonly definitions: readonly Definition[];
}): FileRef[] {
  // A default value counts only where none of these files defines another one.
  const own = new Set(definitions.filter((it) => !it.isRarelyActive).map((it) => it.id));
  const open = new Set<string>();
  for (const { requirement, nameParts } of dependencies) {
    for (const it of nameParts ?? []) if (typeof it !== 'string') open.add(it.id);
    for (const id of idsIn(requirement)) open.add(id);
  }
  for (const { value } of definitions) for (const id of idsIn(value)) open.add(id);
  const missing = [...open].filter((it) => !own.has(it));
  const files = impliedTable
    .filter(({ defines }) => missing.some((id) => defines.some((prefix) => id.startsWith(prefix))))
    .map(asReference);
  const isPlaced = dependencies.some((it) => isPlaceholder(it.requirement));
  return [...files, ...(isPlaced ? [versionsFile] : []), ...objectFiles(missing)];
}

/** The source folders of builds whose code all scripts may refer to. */
const buildSourceFolders = ['buildSrc', 'build-logic'].flatMap((it) =>
  ['kotlin', 'java'].map((of) => `${it}/src/main/${of}`),
);
/** Common names of files with several objects. Source: the guides of Android and of Gradle. */
const usualFileNames: readonly string[] = ['Dependencies', 'Deps', 'Libs', 'Versions'];
/** Objects of one script that are looked for, each in several places. */
const MAX_OBJECTS = 10;

/** The files that may define a Kotlin object that a script refers to: `Libs.retrofit`, `${Versions.okhttp}`. */
function objectFiles(missing: readonly string[]): FileRef[] {
  const objects = missing.flatMap((id) => /^(?:property|library|module):([A-Z]\w{0,100})[.-]/.exec(id)?.[1] ?? []);
  if (objects.length === 0) return [];
  const names = [...new Set([...new Set(objects)].slice(0, MAX_OBJECTS).concat(usualFileNames))];
  return buildSourceFolders.flatMap((directory) =>
    names.map((it): FileRef => {
      const path = `${directory}/${it}.kt`;
      return { kind: 'parent', path, format: 'build.gradle', upward: 'self' };
    }),
  );
}
