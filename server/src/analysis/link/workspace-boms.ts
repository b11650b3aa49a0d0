import { directoryOf, parentOf, resolveUri, upwardFrom } from '../../base/uri.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';
import { Definitions } from './definitions.ts';

/** How files of projects are read that the document's own chain does not lead to. */
export interface ProjectReader {
  /** Undefined where there is none. */
  readonly readManifest: (uri: string) => Promise<ParsedManifest | undefined>;
  /** A file and those of the workspace that it inherits from. */
  readonly readChain: (file: ParsedManifest) => Promise<readonly ParsedManifest[]>;
}

/** Files that are looked at. Source: workspaces with more modules build their BOMs among the first. */
const MAX_PROJECTS = 200;

/**
 * The BOMs of managed versions that some files import, and that are built in the same workspace, each with the files
 * that it continues. They are looked for only where the group is one of the project's own, and until all are found. A
 * BOM in another version than the one that is asked for is not the one that is meant.
 */
export async function workspaceBoms(
  files: readonly ParsedManifest[],
  reading: ProjectReader,
): Promise<readonly (readonly ParsedManifest[])[]> {
  const wanted = importedBomVersions(files);
  const seen = new Set<string | undefined>([...files.map((it) => it.manifest.identity), ...wanted.keys()]);
  const known = new Map<string, ParsedManifest>();
  const boms: (readonly ParsedManifest[])[] = [];

  async function collectBoms(): Promise<void> {
    for (const [name, version] of wanted) {
      const project = known.get(name);
      if (project === undefined) continue;
      wanted.delete(name);
      const bom = await reading.readChain(project);
      if (versionOf(bom) !== version) continue;
      boms.push(bom);
      for (const [other, its] of importedBomVersions(bom)) if (!seen.has(other)) wanted.set(other, its);
      for (const other of wanted.keys()) seen.add(other);
    }
  }

  if (wanted.size === 0) return [];
  for await (const project of projectsAround(files, reading)) {
    if (project.manifest.identity !== undefined) known.set(project.manifest.identity, project);
    await collectBoms();
    if (wanted.size === 0) break;
  }
  return boms;
}

/** Names and versions of the imported BOMs that may belong to the same project. */
function importedBomVersions(files: readonly ParsedManifest[]): Map<string, string> {
  const definitions = new Definitions(files);
  const identities = new Set(files.flatMap((it) => it.manifest.identity ?? []));
  const groups = new Set([...identities].map(groupOf));
  const imported = new Map<string, string>();
  for (const { key, nameParts, inherits, requirement } of files.flatMap((it) => it.manifest.dependencies)) {
    if (inherits?.as !== 'bom') continue;
    // What a parent imports is of the child's group, where it says that it is of the project's.
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

function versionOf(files: readonly ParsedManifest[]): string | undefined {
  const found = new Definitions(files).join([{ id: 'property:project.version', label: 'version' }]);
  return found.kind === 'text' ? found.text : undefined;
}

/**
 * The modules of some files, and of the project files in the directories above, with the modules of these in turn: what
 * names a module need not be its parent.
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
