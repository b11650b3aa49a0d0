import { groupBy } from '../../base/collections.ts';
import { directoryOf, pathBetween } from '../../base/uri.ts';
import {
  type Definition,
  type Dependency,
  type FileRef,
  type FindDefinition,
  idsIn,
  type Part,
} from '../../model/manifest.ts';
import { partsOf } from './msbuild-values.ts';
import type { Value } from './msbuild-xml.ts';

/** A file that MSBuild or NuGet reads by itself, the nearest of its name in the directory or above. */
export interface Implied {
  readonly path: string;
  /** The definitions that it may hold: `central:` versions, a `property:`, the versions of an `sdk:`. */
  readonly defines: readonly string[];
}

export const centralPackagesFile: Implied = {
  path: 'Directory.Packages.props',
  defines: ['central:', 'property:'],
};
export const buildProps: Implied = { path: 'Directory.Build.props', defines: ['central:', 'property:'] };
export const buildTargets: Implied = { path: 'Directory.Build.targets', defines: ['central:', 'property:'] };
/** What NuGet leaves in the folder `obj` of a project, which MSBuild imports. */
export const besideResults = /\.[a-z]*proj\.[^/]+\.(?:props|targets)$/i;

export const globalJsonFile: Implied = { path: 'global.json', defines: ['sdk:'] };

/**
 * The implied files that are needed: those that may define the values which the file itself leaves open. A project that
 * states all its versions needs no other file, and none is searched.
 * @param named the properties in the paths of imports
 */
export function impliedBy(
  files: readonly Implied[],
  dependencies: readonly Dependency[],
  definitions: readonly Definition[],
  named: readonly string[],
): FileRef[] {
  const open = [...openIds(dependencies, definitions), ...named];
  return impliedFiles(
    files.filter(({ defines }) => open.some((id) => defines.some((prefix) => id.startsWith(prefix)))),
  );
}

export function impliedFiles(files: readonly Implied[]): FileRef[] {
  return files.map(({ path }) => ({ kind: 'parent', path, format: formatOf(path), upward: 'self' }));
}

function formatOf(path: string): string {
  return path === 'global.json' ? path : msbuildFormatOf(path);
}

/** The ids that dependencies and their definitions refer to, and that are defined here at most under a condition. */
function openIds(dependencies: readonly Dependency[], definitions: readonly Definition[]): Set<string> {
  const values = groupBy(definitions, (it) => it.id);
  const seen = new Set<string>();
  const open = new Set<string>();
  const next = dependencies.flatMap(({ requirement, nameParts }) => [
    ...idsIn(requirement),
    ...idsIn({ kind: 'template', parts: nameParts ?? [], span: { start: 0, end: 0 } }),
  ]);
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const own = values.get(id) ?? [];
    if (own.every((it) => it.condition !== undefined)) open.add(id);
    for (const it of own) next.push(...idsIn(it.value));
  }
  return open;
}

/** The id of the format that reads a file, by its name. */
export function msbuildFormatOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (name === 'directory.packages.props') return 'Directory.Packages.props';
  if (name === 'directory.build.props') return 'Directory.Build.props';
  return name.endsWith('proj') ? 'csproj' : 'msbuild';
}

/** How a path may begin that is relative to its own file. */
export interface OwnDirectory {
  /** The file's own name, the value of `$(MSBuildThisFile)`; absent where the format is not of one name. */
  readonly fileName?: string;
  /** In a project file, its directory is the project's too. */
  readonly isProject: boolean;
}

/**
 * The file that an import names; undefined where only a build can resolve it.
 *
 *     ..\common.props                                                     ../common.props
 *     $(MSBuildThisFileDirectory)eng/Versions.props                       eng/Versions.props
 *     $([MSBuild]::GetPathOfFileAbove('X.props', '$(MSBuildThisFileDirectory)../'))   X.props, upward from the parent
 */
export function importOf(value: Value, own: OwnDirectory): FileRef | undefined {
  const { span } = value;
  if (value.text.length > MAX_PATH_LENGTH) return undefined;
  const text = own.fileName === undefined ? value.text : value.text.replace(/\$\(MSBuildThisFile\)/gi, own.fileName);
  const above = fileAbove(text);
  if (above) {
    const { file, upward } = above;
    return { kind: 'include', path: file, format: msbuildFormatOf(file), span, upward };
  }
  const path = relative(text, own.isProject);
  return path === undefined ? undefined : { kind: 'include', path, format: msbuildFormatOf(path), span };
}

const THIS_FILE_DIRECTORY = 'property:msbuildthisfiledirectory';
const PROJECT_DIRECTORY = 'property:msbuildprojectdirectory';
/** Of the tools that are installed: no file can define those. */
const reserved = /^property:msbuild(?!(?:thisfile|project)directory$)/;

/** Properties in the value of a property … Real files have two or three levels. */
const MAX_PROPERTIES = 5;

/**
 * An import by properties that other files define, or that are set to a directory.
 *
 *     $(RepositoryRoot)eng/Versions.props     <RepositoryRoot>$(MSBuildThisFileDirectory)</RepositoryRoot>
 */
export function composedImport(value: Value, own: OwnDirectory, required: boolean): FileRef | undefined {
  const { span } = value;
  const ids = idsIn({ kind: 'template', parts: partsOf(value.text), span });
  if (ids.length === 0 || !ids.every((it) => it.startsWith('property:') && !reserved.test(it))) return undefined;
  // Who reads a common file alone does not know the folders of the projects.
  const ofProject = !own.isProject && ids.includes(PROJECT_DIRECTORY);
  function resolve(find: FindDefinition, from: string, document: string): FileRef | undefined {
    if (ofProject && document === from) return undefined;
    const text = joined(partsOf(value.text), from, 0);
    const found = text === undefined ? undefined : importOf({ ...value, text }, own);
    return found && { ...found, ...(required && { required }) };

    function joined(parts: readonly Part[], uri: string, depth: number): string | undefined {
      const texts = parts.map((it) => (typeof it === 'string' ? it : textOf(it.id, uri, depth)));
      return texts.includes(undefined) ? undefined : texts.join('');
    }

    function textOf(id: string, uri: string, depth: number): string | undefined {
      const place = id === PROJECT_DIRECTORY ? document : id === THIS_FILE_DIRECTORY ? uri : undefined;
      if (place !== undefined) {
        const path = pathBetween(directoryOf(from), directoryOf(place));
        return path === '' ? '' : `${path}/`;
      }
      const found = depth < MAX_PROPERTIES ? find(id) : undefined;
      if (found?.value.kind === 'literal') return found.value.at.text;
      if (found?.value.kind === 'reference') return textOf(found.value.to.id, found.uri, depth + 1);
      return found?.value.kind === 'template' ? joined(found.value.parts, found.uri, depth + 1) : undefined;
    }
  }
  return {
    kind: 'include',
    path: value.text.slice(0, MAX_PATH_LENGTH),
    format: 'msbuild',
    span,
    ...(ofProject && required && { required }),
    composed: { ids, resolve },
  };
}

/** In characters. Source: PATH_MAX of Linux. */
const MAX_PATH_LENGTH = 4096;

/** The arguments may have calls and properties in them, but no deeper: `$(MSBuildThisFileDirectory)..`. */
const call =
  /^\$\(\[MSBuild\]::(GetPathOfFileAbove|GetDirectoryNameOfFileAbove)\(([^()]*(?:\(\w*\)[^()]*)*)\)\)(.*)$/is;

/** The file that is looked for in the directories above, and where that begins. */
function fileAbove(text: string): { readonly file: string; readonly upward: 'self' | 'parent' } | undefined {
  const match = call.exec(text);
  if (!match) return undefined;
  const [, name = '', list = '', rest = ''] = match;
  const args = list.split(',').map((it) => it.trim().replace(/^['"`]|['"`]$/g, ''));
  const isPath = name.toLowerCase() === 'getpathoffileabove';
  const [file = '', from = ''] = isPath ? args : args.toReversed();
  // The directory of a file is mostly computed to import that very file.
  if (rest !== '' && (isPath || rest.replace(/^[\\/]/, '') !== file)) return undefined;
  if (!isPath && rest === '') return undefined;
  if (file === '' || /[$@%*?\\/]/.test(file)) return undefined;
  return { file, upward: /\.\.[\\/]?$/.test(from) ? 'parent' : 'self' };
}

function relative(text: string, isProject: boolean): string | undefined {
  const own = isProject
    ? /^\$\(MSBuild(?:ThisFile|Project)Directory\)[\\/]?/i
    : /^\$\(MSBuildThisFileDirectory\)[\\/]?/i;
  const path = text
    .replace(own, '')
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '');
  // References, wildcards, lists, drives and absolute paths are none of ours.
  return path === '' || path.startsWith('/') || /[$@%*?;:]/.test(path) ? undefined : path;
}
