import { directoryOf, parentOf, resolveUri, upwardFrom } from '../../base/uri.ts';
import type { BuildOptions, ManifestChain, ParsedManifest } from '../../model/manifest-chain.ts';
import { Definitions } from './definitions.ts';

/** Reads project files outside the document's own chain. */
export interface ProjectReader {
  /** Undefined if the file does not exist. */
  readonly readManifest: (uri: string) => Promise<ParsedManifest | undefined>;
  /** A file and its parents in the workspace. */
  readonly readChain: (file: ParsedManifest) => Promise<readonly ParsedManifest[]>;
}

/** Project files read. Source: workspaces with more modules build their BOMs among the first. */
const MAX_PROJECTS = 200;

/**
 * The imported BOMs that the same workspace builds, each with its chain. Searched only if the group is one of the
 * project's own, and until all are found. A BOM in another version than the required one does not count.
 */
export async function workspaceBoms(
  { files, options }: Pick<ManifestChain, 'files' | 'options'>,
  reading: ProjectReader,
): Promise<readonly (readonly ParsedManifest[])[]> {
  const wanted = importedBomVersions(files, options);
  const seen = new Set<string | undefined>([...files.map((it) => it.manifest.identity), ...wanted.keys()]);
  const known = new Map<string, ParsedManifest>();
  const boms: (readonly ParsedManifest[])[] = [];

  async function collectBoms(): Promise<void> {
    for (const [name, version] of wanted) {
      const project = known.get(name);
      if (project === undefined) continue;
      wanted.delete(name);
      const bom = await reading.readChain(project);
      if (versionOf(bom, options) !== version) continue;
      boms.push(bom);
      for (const [other, its] of importedBomVersions(bom, options)) if (!seen.has(other)) wanted.set(other, its);
      for (const other of wanted.keys()) seen.add(other);
    }
  }

  async function inferredIdentity(project: ParsedManifest): Promise<string | undefined> {
    const { inferred } = project.manifest;
    if (inferred === undefined) return undefined;
    const group = Definitions.under(options, await reading.readChain(project)).join([
      { id: 'property:project.groupId', label: 'groupId' },
    ]);
    return group.kind === 'text' ? `${group.text}:${inferred.artifact}` : undefined;
  }

  if (wanted.size === 0) return [];
  for await (const project of projectsAround(files, reading)) {
    const identity = project.manifest.identity ?? (await inferredIdentity(project));
    if (identity !== undefined) known.set(identity, project);
    await collectBoms();
    if (wanted.size === 0) break;
  }
  return boms;
}

/** Names and versions of imported BOMs that may belong to the same project. */
function importedBomVersions(files: readonly ParsedManifest[], options: BuildOptions | undefined): Map<string, string> {
  const imports = files.flatMap((it) => it.manifest.dependencies.filter(({ inherits }) => inherits?.as === 'bom'));
  if (imports.length === 0) return new Map();
  const definitions = Definitions.under(options, files);
  const identities = new Set(files.flatMap((it) => it.manifest.identity ?? []));
  const groups = new Set([...identities].map(groupOf));
  const imported = new Map<string, string>();
  for (const { key, nameParts, requirement } of imports) {
    // A parent's import with the project's group has the child's group.
    const meant = definitions.join(nameParts ?? [key.name]);
    const version = definitions.textOf(requirement);
    if (meant.kind !== 'text' || version?.kind !== 'text') continue;
    const name = meant.text;
    if (groups.has(groupOf(name)) && !identities.has(name)) imported.set(name, version.text);
  }
  return imported;
}

function groupOf(name: string): string {
  return name.slice(0, name.indexOf(':'));
}

function versionOf(files: readonly ParsedManifest[], options: BuildOptions | undefined): string | undefined {
  const found = Definitions.under(options, files).join([{ id: 'property:project.version', label: 'version' }]);
  return found.kind === 'text' ? found.text : undefined;
}

/**
 * The modules of some files and of the project files in the directories above, recursively: the project that lists a
 * module need not be its parent.
 */
async function* projectsAround(
  files: readonly ParsedManifest[],
  reading: ProjectReader,
): AsyncGenerator<ParsedManifest> {
  const seen = new Set(files.map((it) => it.uri));
  const queue = [...files];

  async function* modulesIn(): AsyncGenerator<ParsedManifest> {
    for (let parent = queue.shift(); parent; parent = queue.shift()) {
      for (const path of parent.manifest.modules ?? []) yield* read(resolveUri(directoryOf(parent.uri), path));
    }
  }

  async function* read(uri: string): AsyncGenerator<ParsedManifest> {
    if (seen.has(uri) || seen.size >= MAX_PROJECTS) return;
    seen.add(uri);
    const project = await reading.readManifest(uri);
    if (project === undefined) return;
    queue.push(project);
    yield project;
  }

  yield* modulesIn();
  for (const directory of upwardFrom(parentOf(directoryOf(files[0]?.uri ?? '')))) {
    yield* read(`${directory}pom.xml`);
    yield* modulesIn();
  }
}
