import { directoryOf } from '../../base/uri.ts';
import { versionCatalog } from '../../ecosystems/gradle/version-catalog.ts';
import type { Definition, Dependency, FileRef, Inherits, Requirement } from '../../model/manifest.ts';
import type { ManifestChain, ParsedManifest } from '../../model/manifest-chain.ts';
import { openIds, pluginProjects } from './class-path.ts';
import { Definitions } from './definitions.ts';
import { createLinker } from './linker.ts';
import type { ProjectReader } from './workspace-boms.ts';

/** Reads the projects around a document, and finds files. */
export interface BuildReader extends ProjectReader {
  readonly readReferenced: (uri: string, ref: FileRef) => Promise<ParsedManifest | undefined>;
  readonly find: (directory: string, matches: RegExp, most: number, depth: number) => Promise<readonly string[]>;
  /** Called where there is more than is read. */
  readonly onTooMany: () => void;
}

/** Plugins that apply each other. Real builds have some dozen. */
const MAX_PLUGINS = 50;
/** Files of a build's own code. Real builds have up to two hundred. */
const MAX_CODE_FILES = 500;
/** Nested packages, which may have the names of folders with built files. Real ones have up to eight. */
const MAX_PACKAGE_DEPTH = 12;

const codeFile = /\/src\/main\/(?:kotlin|java|groovy)\/.*\.(?:kt|java|groovy)$/;
const isPlatform = /^[^:]+:(?:.*-)?(?:bom(?:-.*)?|dependencies)$/;

/**
 * What manages the versions of dependencies without one, beside the files of a script: the plugins of its build that it
 * applies, as far as they are scripts. What the code of plugins imports, and what platforms the catalog has, may take part.
 */
export async function managedByPlugins(chain: ManifestChain, reading: BuildReader): Promise<ParsedManifest[]> {
  if (!openIds(chain).hasLibraries) return [];
  const found: ParsedManifest[] = [];
  const projects: string[] = [];
  if (chain.files[0]?.format !== versionCatalog)
    for await (const it of pluginProjects(chain, reading)) projects.push(directoryOf(it.uri));
  const directories = [...new Set(projects)];
  for (const script of await appliedScripts(chain, directories, reading))
    found.push(...(await managedIn(script, directories, reading)));
  const platforms = new Map<string, readonly ParsedManifest[]>();
  for (const directory of directories) {
    const all = await reading.find(`${directory}src/main/`, codeFile, MAX_CODE_FILES + 1, MAX_PACKAGE_DEPTH);
    if (all.length > MAX_CODE_FILES) reading.onTooMany();
    for (const uri of all.slice(0, MAX_CODE_FILES)) {
      const file = await reading.readManifest(uri);
      if (file?.manifest.dependencies.some((it) => it.inherits))
        found.push(...bomsIn(file, await reading.readChain(file), { isPossible: true }));
      for (const it of file ? await platformsOf(file, reading) : [])
        if (!platforms.has(it.uri))
          platforms.set(it.uri, await managedIn(it, directories, reading, { isPossible: true }));
    }
  }
  found.push(...agreeing([...platforms.values()]));
  for (const it of chain.files) if (it.format === versionCatalog) found.push(...bomsIn(it, [it], { isPossible: true }));
  return found;
}

/** The scripts of the plugins that a script applies, and of those that they apply. */
async function appliedScripts(
  { files }: ManifestChain,
  directories: readonly string[],
  reading: BuildReader,
): Promise<readonly ParsedManifest[]> {
  const [document] = files;
  const definitions = new Definitions(files);
  const found: ParsedManifest[] = [];
  const open = document ? [...appliedBy(document, definitions)] : [];
  for (const id of open) {
    if (found.length >= MAX_PLUGINS) break;
    for (const name of new Set([id, id.replaceAll('.', '/')])) {
      for (const directory of directories) {
        for (const path of [`kotlin/${name}.gradle.kts`, `groovy/${name}.gradle`]) {
          const script = await reading.readManifest(`${directory}src/main/${path}`);
          if (script === undefined) continue;
          found.push(script);
          for (const it of appliedBy(script, definitions)) if (!open.includes(it)) open.push(it);
        }
      }
    }
  }
  return found;
}

/** The ids of the plugins that a script applies, in its chain. */
export function pluginsOf(script: ParsedManifest, { files }: ManifestChain): ReadonlySet<string> {
  return appliedBy(script, new Definitions(files));
}

function appliedBy(
  { manifest: { applied = [], dependencies } }: ParsedManifest,
  definitions: Definitions,
): ReadonlySet<string> {
  const ids = new Set(applied);
  for (const { group, nameParts } of dependencies) {
    const name = group === 'plugins' && nameParts ? definitions.join(nameParts) : undefined;
    if (name?.kind === 'text') ids.add(name.text.slice(0, name.text.indexOf(':')));
  }
  return ids;
}

/** The platform projects that the code of a build binds to its projects. */
async function platformsOf(code: ParsedManifest, reading: BuildReader): Promise<readonly ParsedManifest[]> {
  const references = code.manifest.references.filter((it) => it.kind === 'workspace' && it.below === undefined);
  return (await Promise.all(references.map((it) => reading.readReferenced(code.uri, it)))).flatMap((it) => it ?? []);
}

/** What several platforms that may take part manage, as far as they do not differ. */
function agreeing(platforms: readonly (readonly ParsedManifest[])[]): readonly ParsedManifest[] {
  const versions = new Map<string, string>();
  const differing = new Set<string>();
  for (const files of platforms) {
    const own = new Map<string, string>();
    for (const { id, value } of files.flatMap((it) => it.manifest.definitions))
      if (!own.has(id)) own.set(id, textOf(value));
    for (const [id, version] of own) {
      if ((versions.get(id) ?? version) !== version) differing.add(id);
      versions.set(id, version);
    }
  }
  return platforms.flat().map((file) => {
    const some = file.manifest.definitions.filter((it) => !differing.has(it.id));
    const definitions = some.map((it): Definition => ({ ...it, isRarelyActive: true }));
    return { ...file, manifest: { ...file.manifest, definitions } };
  });
}

function textOf(value: Requirement): string {
  return value.kind === 'literal' ? value.at.text : value.kind === 'template' ? value.parts.join('') : '';
}

/** What a script manages for the projects that apply it: itself, and in platform projects of the build. */
async function managedIn(
  script: ParsedManifest,
  directories: readonly string[],
  reading: BuildReader,
  how: Pick<Inherits, 'isPossible'> = {},
): Promise<readonly ParsedManifest[]> {
  const files = await reading.readChain(script);
  // The scripts of the project that makes the plugin are for that project.
  const own = files.filter((it) => !directories.includes(directoryOf(it.uri)));
  const definitions = new Definitions(files);
  return own.flatMap((file) => {
    const managed = file.manifest.definitions.filter((it) => it.id.startsWith('managed:'));
    const all = managed.flatMap((it) => resolved(it, definitions));
    return [...(all.length > 0 ? [only(file, { definitions: all })] : []), ...bomsIn(file, files, how)];
  });
}

/** A definition as it is in the chain of its file. */
function resolved(definition: Definition, definitions: Definitions): Definition[] {
  const { value, span } = definition;
  if (value.kind === 'literal') return [definition];
  const text = definitions.textOf(value);
  return text?.kind === 'text' ? [{ ...definition, value: { kind: 'template', parts: [text.text], span } }] : [];
}

/** The platforms of a file, as they are in its chain. */
function bomsIn(
  file: ParsedManifest,
  files: readonly ParsedManifest[],
  how: Pick<Inherits, 'isPossible'>,
): ParsedManifest[] {
  const isCatalog = file.format === versionCatalog;
  const some = file.manifest.dependencies.filter((it) =>
    isCatalog ? isPlatform.test(it.key.name) : it.inherits?.as === 'bom',
  );
  if (some.length === 0) return [];
  const link = createLinker({
    files: [file, ...files.filter((it) => it !== file)],
    constraints: [],
    included: [],
    missing: [],
  });
  return some.flatMap(link).flatMap(({ dependency, key, requirement, span, uri }) => {
    if (requirement.kind !== 'text') return [];
    const { place } = requirement;
    const written: Requirement = place
      ? { kind: 'literal', at: place.at }
      : { kind: 'template', parts: [requirement.text], span };
    const { nameParts: _, ...own } = dependency;
    const bom: Dependency = {
      ...own,
      key,
      name: key.name,
      requirement: written,
      inherits: { as: 'bom', ...dependency.inherits, ...how },
    };
    return [only({ ...file, uri: place?.uri ?? uri }, { dependencies: [bom] })];
  });
}

function only(
  file: ParsedManifest,
  some: Partial<Pick<ParsedManifest['manifest'], 'definitions' | 'dependencies'>>,
): ParsedManifest {
  return { ...file, manifest: { dependencies: [], definitions: [], references: [], problems: [], ...some } };
}
