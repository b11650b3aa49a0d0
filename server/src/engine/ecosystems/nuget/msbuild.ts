import { truncate } from '../../base/text.ts';
import { parseXml } from '../../formats/xml/parse.ts';
import type { XmlElement } from '../../formats/xml/tree.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Dependency, FileLink, FileRef, Manifest, ManifestFormat } from '../../model/manifest.ts';
import { targetFrameworks } from './msbuild-conditions.ts';
import {
  buildProps,
  buildTargets,
  centralPackagesFile,
  composedImport,
  globalJsonFile,
  type Implied,
  impliedBy,
  impliedFiles,
  importOf,
  msbuildFormatOf,
  type OwnDirectory,
} from './msbuild-imports.ts';
import { type Found, isPackageItem, readItem, type Within } from './msbuild-items.ts';
import { msbuildRenaming, usesInProject } from './msbuild-names.ts';
import { propertyId, requirementOf, sdkId } from './msbuild-values.ts';
import { attributeValue, bothConditions, conditionOf, contentOf, entriesOf, type Value } from './msbuild-xml.ts';

/*
 * MSBuild files, which are one language under several names. The files that MSBuild implies differ: a project is
 * read between `Directory.Build.props` and `Directory.Build.targets`, and its central versions are in
 * `Directory.Packages.props`, each the nearest in the project's directory or above.
 *
 * A later file of that sequence has the last word on a property, so the references list imports in reverse.
 * `Directory.Build.props` comes before the central versions, which may refer to a less near one of that name.
 */

/** Project files: `.csproj`, `.fsproj`, `.vbproj`, `.vcxproj`, `.proj` and their like, but for Xcode's. */
export const msbuildProject: ManifestFormat = {
  id: 'csproj',
  system: 'NUGET',
  files: /\.(?!pbx|xcode)[a-z]*proj$/i,
  environments: targetFrameworks,
  uses: usesInProject,
  renaming: msbuildRenaming,
  usedFiles: impliedFiles([buildProps, buildTargets]),
  parse: (text) => read(text, { isProject: true }, [buildProps, centralPackagesFile, buildTargets, globalJsonFile]),
};

/** Central package management. */
export const centralPackages: ManifestFormat = {
  id: 'Directory.Packages.props',
  system: 'NUGET',
  files: /(^|\/)Directory\.Packages\.props$/i,
  uses: usesInProject,
  renaming: msbuildRenaming,
  usedFiles: impliedFiles([buildProps]),
  parse: (text) => read(text, { isProject: false, fileName: 'Directory.Packages.props' }, [buildProps, globalJsonFile]),
};

/** The common settings of every project below a directory. */
export const directoryBuild: ManifestFormat = {
  id: 'Directory.Build.props',
  system: 'NUGET',
  files: /(^|\/)Directory\.Build\.props$/i,
  uses: usesInProject,
  renaming: msbuildRenaming,
  parse: (text) =>
    read(text, { isProject: false, fileName: 'Directory.Build.props' }, [centralPackagesFile, globalJsonFile]),
};

/** Every other file that projects import, the one of a user beside each included. */
export const msbuildImport: ManifestFormat = {
  id: 'msbuild',
  system: 'NUGET',
  files: /\.(?:props|targets|projitems|[a-z]*proj\.user)$/i,
  uses: usesInProject,
  renaming: msbuildRenaming,
  usedFiles: impliedFiles([buildProps]),
  parse: (text) => read(text, { isProject: false }, [buildProps, centralPackagesFile, globalJsonFile]),
};

/**
 * Properties that name files which MSBuild, NuGet or an SDK imports, in lower case. Sources: Microsoft.Common.props and
 * .targets, NuGet.props.
 */
const namesFile =
  /^(?:centralpackagesfile|directorybuild(?:props|targets)path|directorypackagespropspath|custom(?:before|after)microsoft\w{1,50}|(?:before|after)\w{1,50}targets|(?:before|after)microsoftnetsdk(?:props|targets))$/;

/** Elements that hold others, and whose conditions hold for these. */
const containers: ReadonlySet<string> = new Set([
  'itemgroup',
  'propertygroup',
  'importgroup',
  'choose',
  'when',
  'otherwise',
]);

/** `Choose` in `When` in `Choose` … Real files have two or three levels; deeper ones are not read. */
const MAX_DEPTH = 64;

function read(source: string, own: OwnDirectory, implicit: readonly Implied[]): Manifest {
  const { root, problems } = parseXml(source);
  const found: Found = { dependencies: [], definitions: [], problems: [...problems] };
  const imports: FileRef[] = [];
  const names = new Map<string, string>();
  const links: FileLink[] = [];
  /** The values of properties that may be part of a path. */
  const paths = new Map<string, string>();
  if (root?.name.toLowerCase() === 'project') {
    readSdkAttribute(root);
    walk(root, {}, 0);
  }
  const named = imports.flatMap((it) => it.composed?.ids ?? []);
  const implied = impliedBy(implicit, found.dependencies, found.definitions, named);
  // NuGet takes the name of the assembly where no other is given.
  const identity = names.get('packageid') ?? names.get('assemblyname');
  return {
    ...found,
    references: [...imports.reverse(), ...implied],
    ...(links.length > 0 && { links, modules: links.flatMap(({ paths = [] }) => paths) }),
    ...(own.isProject && identity !== undefined && { identity: canonicalName('NUGET', identity) }),
  };

  function walk(parent: XmlElement, within: Within, depth: number): void {
    if (depth > MAX_DEPTH) return;
    for (const element of parent.children) readElement(element, parent, within, depth);
  }

  function conditionIn(element: XmlElement, parent: XmlElement): string | undefined {
    return element.name.toLowerCase() === 'otherwise' ? noneOf(parent) : conditionOf(element);
  }

  function readElement(element: XmlElement, parent: XmlElement, within: Within, depth: number): void {
    const name = element.name.toLowerCase();
    const inPropertyGroup = parent.name.toLowerCase() === 'propertygroup';
    // An element without content of its own is a property there, whatever its name. One with more was put there by a missing end tag.
    if (inPropertyGroup && element.children.length === 0 && !attributeValue(source, element, 'include')) {
      if (within.target === undefined) readProperty(element, within);
      return;
    }
    const condition = bothConditions(within.condition, conditionIn(element, parent));
    const inner = { ...within, ...(condition && { condition }) };
    if (containers.has(name)) walk(element, inner, depth + 1);
    else if (name === 'target') {
      const target = truncate(attributeValue(source, element, 'name')?.text ?? '');
      walk(element, { ...inner, target }, depth + 1);
    } else if (name === 'import') readImport(element, inner);
    else if (name === 'sdk') {
      readSdk(attributeValue(source, element, 'name'), attributeValue(source, element, 'version'), inner);
    } else if (name === 'projectreference') readProjects(element);
    else if (isPackageItem(name)) readItem(source, element, inner, found);
  }

  /** `<ProjectReference Include="../b/b.csproj" />` */
  function readProjects(element: XmlElement): void {
    const include = attributeValue(source, element, 'include');
    for (const it of include ? entriesOf(source, include) : []) {
      const path = importOf(it, own)?.path;
      if (path !== undefined) links.push({ span: it.span, paths: [path] });
    }
  }

  function readProperty(element: XmlElement, within: Within): void {
    const content = contentOf(element);
    const condition = bothConditions(within.condition, content.condition);
    const name = element.name.toLowerCase();
    const reference = namesFile.test(name) ? importOf(content, own) : undefined;
    if (reference) imports.push(reference);
    if (/^[\w.-]+$/.test(content.text)) names.set(name, content.text);
    if (/^[\w.\\/-]+$/.test(content.text)) paths.set(name, content.text);
    found.definitions.push({
      id: propertyId(element.name),
      span: element.nameSpan,
      value: requirementOf(content),
      ...(element.blank && { blank: element.blank }),
      ...(condition && { condition }),
      ...(condition && isUnset(condition, name) && { isFallback: true as const }),
    });
  }

  function readImport(element: XmlElement, within: Within): void {
    const sdk = attributeValue(source, element, 'sdk');
    if (sdk) readSdk(sdk, attributeValue(source, element, 'version'), within);
    const project = sdk ? undefined : attributeValue(source, element, 'project');
    const text = project?.text.replace(/\$\((\w{1,100})\)/g, (whole, name) => paths.get(name.toLowerCase()) ?? whole);
    const reference = project && importOf({ ...project, text: text ?? '' }, own);
    // Where the rest is known, it is the files of the repository.
    if (project && !reference && /^[^$@%]*[*?][^$@%]*$/.test(text ?? ''))
      found.problems.push({ span: project.span, message: 'imports with wildcards are not read' });
    const isConditional =
      within.condition !== undefined || conditionOf(element) !== undefined || within.target !== undefined;
    if (reference) imports.push(isConditional || reference.upward ? reference : { ...reference, required: true });
    const composed = project && !reference && composedImport(project, own, !isConditional);
    if (composed) imports.push(composed);
  }

  /** `Sdk="A/1.0; Microsoft.NET.Sdk"`. */
  function readSdkAttribute(project: XmlElement): void {
    const sdk = attributeValue(source, project, 'sdk');
    if (!sdk) return;
    for (const entry of entriesOf(source, sdk)) {
      const slash = entry.text.indexOf('/');
      if (slash < 0) readSdk(entry, undefined, {});
      else readSdk(part(entry, 0, slash), part(entry, slash + 1, entry.text.length), {});
    }
  }

  function readSdk(name: Value | undefined, version: Value | undefined, within: Within): void {
    if (!name) return;
    found.dependencies.push(...sdkDependency(name, version, within.condition));
    const imported = importedBySdk(name);
    if (imported) imports.push(imported);
  }
}

/** The condition of `Otherwise`: `!('$(Legacy)' == 'true')`. */
function noneOf(choose: XmlElement): string {
  const conditions = choose.children.flatMap((it) => conditionOf(it) ?? []);
  return truncate(conditions.map((it) => `!(${it})`).join(' and '));
}

/** Whether a condition is that a property has no value yet: `'$(JsonVersion)' == ''`. */
function isUnset(condition: string, property: string): boolean {
  const [, name] = /^'?\$\(([\w-]+)\)'? ?== ?''$/.exec(condition) ?? [];
  return name?.toLowerCase() === property;
}

function part({ text, span, literal }: Value, from: number, to: number): Value {
  const piece = text.slice(from, to);
  const at = { start: span.start + from, end: span.start + to };
  return { text: piece, span: at, ...(literal && { literal: { ...literal, span: at, text: piece } }) };
}

/** The SDKs that the .NET SDK itself and Visual Studio bring along: they are no packages. */
const withTools = /^(?:Microsoft\.NET\.Sdk(?:\.|$)|Microsoft\.Docker\.Sdk$)/i;

/**
 * The files of the repository that an SDK imports, by its name in lower case: the nearest file upward. Sources:
 * Microsoft.Build.CentralPackageVersions, `CentralPackagesFile`; Arcade, `RepositoryEngineeringDir`.
 */
const filesOf: ReadonlyMap<string, string> = new Map([
  ['microsoft.build.centralpackageversions', 'Packages.props'],
  ['microsoft.dotnet.arcade.sdk', 'eng/Versions.props'],
]);

/** The file of the repository that an SDK imports. */
export function importedBySdk({ text, span }: Value): FileRef | undefined {
  const path = filesOf.get(text.toLowerCase());
  return path === undefined
    ? undefined
    : { kind: 'include', path, format: msbuildFormatOf(path), span, upward: 'self' };
}

/**
 * The package that a project SDK comes in: none for one that comes with the tools. Without a version, global.json has it.
 *
 *     <Project Sdk="Microsoft.Build.Traversal/4.1.0">
 */
export function sdkDependency(name: Value, version: Value | undefined, condition: string | undefined): Dependency[] {
  if (!/^[\w.-]{1,100}$/.test(name.text)) return [];
  if (!version && withTools.test(name.text)) return [];
  const to = { id: sdkId(name.text), label: 'global.json' };
  return [
    {
      key: { system: 'NUGET', name: canonicalName('NUGET', name.text) },
      name: name.text,
      nameSpan: name.span,
      requirement: version ? requirementOf(version) : { kind: 'reference', to, span: name.span },
      scope: 'build',
      group: 'Sdk',
      ...(condition && { condition }),
    },
  ];
}
