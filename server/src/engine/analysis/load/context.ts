import { directoryOf, nameOf, upwardFrom } from '../../base/uri.ts';
import { cooldownFiles } from '../../ecosystems/cooldowns.ts';
import { lockfileFormats } from '../../ecosystems/lockfile-formats.ts';
import { compiledFormats } from '../../ecosystems/python/compiled.ts';
import { directOfSettings, preReleasesOfSettings } from '../../ecosystems/python/pre-releases.ts';
import { registryReaders } from '../../ecosystems/registries.ts';
import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import { packageId } from '../../model/keys.ts';
import type { ManifestFormat } from '../../model/manifest.ts';
import type { ClaimsByName, ClosedLockfile, OpenDocument, ParsedManifest } from '../../model/manifest-chain.ts';
import type { Files } from '../../model/ports.ts';
import { projectFileName } from '../../model/project.ts';
import type { CooldownRule } from '../../model/registries/cooldown.ts';
import type { System } from '../../model/system.ts';
import type { ProjectFile } from '../../policy/project-file.ts';
import type { LoadedFiles } from '../link/linked-document.ts';
import { linkDependencies } from '../link/linker.ts';
import { type FormerRoutes, type RegistryHistory, withOrigin } from '../privacy/registry-history.ts';
import { readCooldowns } from './cooldowns.ts';
import { startReading } from './file-chain.ts';
import type { ManifestReader } from './file-reader.ts';
import { routeWithLockfiles } from './lockfile-registries.ts';
import { lockfilesOf } from './lockfiles-of.ts';
import { manifestsBeside } from './manifests-beside.ts';
import { projectOf } from './project-files.ts';
import { type Asking, readRegistries } from './registries.ts';

/** A document and the files read for it. Valid until a text changes. */
export interface DocumentContext extends LoadedFiles {
  readonly document: OpenDocument;
  readonly format: ManifestFormat;
  readonly touched: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, string>;
  readonly project?: ProjectFile;
  readonly closedLockfiles: readonly ClosedLockfile[];
  /** Of an opened lockfile: the manifests beside it that it serves. */
  readonly manifests?: readonly ParsedManifest[];
  /** What the settings of tools say of young versions. */
  readonly cooldowns: readonly CooldownRule[];
  /** The files of the present and the former chain, whose workspaces determine the members. */
  readonly membershipFiles: readonly ParsedManifest[];
  /**
   * The packages that the workspace builds, by `packageId`. Slow in workspaces with thousands of projects, hence a
   * promise.
   */
  readonly members: Promise<ClaimsByName>;
}

/**
 * Reads a document and its chain; undefined if it is not a known manifest.
 * @param isOpen whether a file is open itself
 * @param history former registry configuration; absent if files never change
 * @param asks how private registries are asked; absent while they are not
 */
export async function loadContext(
  document: OpenDocument,
  reader: ManifestReader,
  files: Files,
  isOpen: (uri: string) => boolean,
  history?: RegistryHistory,
  asks?: Pick<Asking, 'isTrusted'>,
): Promise<DocumentContext | undefined> {
  const format = reader.formatOfDocument(document.uri, document.language);
  if (format === undefined || format.begins?.test(document.text) === false) return undefined;
  const reading = startReading(reader);
  reading.prefetch(expectedFiles(document.uri, format));
  // Starts the read; its implementation caches the result.
  if (format.system !== 'any') files.machine?.(format.system);
  const read = await reading.chain(document.uri, format, document.text);
  const ahead = loadMembers(read.files, reader);
  const { lockfiles, closedLockfiles, client } = await lockfilesOf(reading, read);
  const chain = client === undefined ? read : { ...read, client };
  const project = await projectOf(reading, document.uri);
  const { touched, texts } = reading;
  const manifests =
    format.record === 'lockfile' ? await manifestsBeside(document.uri, format.id, reader, files, reading) : undefined;
  const included = chain.included.filter((it) => !isOpen(it.uri));
  const systems = new Set<System>();
  for (const { manifest } of [...chain.files, ...included]) {
    for (const { key } of manifest.dependencies) systems.add(key.system);
  }
  const asking = asks && { ...asks, lockfiles: lockfiles.map((it) => it.format.id) };
  const configuration = await readRegistries(document.uri, systems, reading, files, asking);
  const { route: configured, texts: said } = configuration;
  const cooldowns = await readCooldowns(document.uri, systems, reading, configuration.sources, lockfiles);
  const now = routeWithLockfiles(configured, lockfiles, closedLockfiles);
  // A tool that writes a lockfile anew empties it for a moment.
  history?.recordFiles(
    new Map([...said, ...lockfiles.map((it) => [it.directory + it.format.id, it.text] as const)]),
    touched,
  );
  const before =
    history && (await loadFormerRoutes(document, format, systems, touched, { reader, files, history, asking }));
  const preReleases = systems.has('PYPI')
    ? preReleasesOfSettings(
        format.id,
        lockfiles.map((it) => it.format.id),
        configuration.sources.get('PYPI') ?? [],
      )
    : undefined;
  const direct = systems.has('PYPI') ? directOfSettings(format.id, configuration.sources.get('PYPI') ?? []) : undefined;
  const route = before ? history.mergeRoutes(document.uri, now, before) : now;
  // A formerly included file may have listed projects.
  const membershipFiles = before ? [...chain.files, ...before.files] : chain.files;
  const members = before ? loadMembers(membershipFiles, reader) : ahead;
  const loaded = {
    document,
    format,
    touched,
    texts,
    chain: preReleases || direct ? { ...chain, ...(preReleases && { preReleases }), ...(direct && { direct }) } : chain,
    lockfiles,
    closedLockfiles,
    included,
    route: (it: LinkedDependency) => withOrigin(it, route(it)),
    cooldowns,
    membershipFiles,
    members,
    ...(manifests && { manifests }),
  };
  return { ...loaded, ...(project && { project }) };
}

/** The routes of a document before it or its files changed; undefined if none changed recently. */
async function loadFormerRoutes(
  { uri, text }: OpenDocument,
  format: ManifestFormat,
  systems: ReadonlySet<System>,
  touched: ReadonlySet<string>,
  {
    reader,
    files,
    history,
    asking,
  }: {
    readonly reader: ManifestReader;
    readonly files: Files;
    readonly history: RegistryHistory;
    readonly asking: Asking | undefined;
  },
): Promise<FormerRoutes | undefined> {
  if (!history.affects(touched)) return undefined;
  return history.formerRoutes(`${uri} ${[...systems].join(' ')}`, async () => {
    const earlier = history.formerFiles(files);
    const reading = startReading(reader, earlier);
    const chain = await reading.chain(uri, format, history.formerText(uri, text));
    const { lockfiles, closedLockfiles } = await lockfilesOf(reading, chain);
    const { route: configured } = await readRegistries(uri, systems, reading, earlier, asking);
    const route = routeWithLockfiles(configured, lockfiles, closedLockfiles);
    const included = chain.included.map((it) => ({ ...chain, files: [it, ...chain.files.filter((f) => f !== it)] }));
    const linked = [chain, ...included].flatMap((it) => linkDependencies(it));
    const elsewhere = linked
      .filter(({ requirement: it }) => it.kind === 'source' && it.source !== 'removed')
      .map(({ key }) => packageId(key));
    return { route, localSources: new Set(elsewhere), files: chain.files };
  });
}

/** The same context with the members searched again. */
export function withMembers(context: DocumentContext, reader: ManifestReader): DocumentContext {
  return { ...context, members: loadMembers(context.membershipFiles, reader) };
}

function loadMembers(files: readonly ParsedManifest[], { members }: ManifestReader): Promise<ClaimsByName> {
  const around = members.membersFor(files);
  // Callers that need the members handle the error.
  around.catch(() => undefined);
  return around;
}

/** The files probed for each manifest of a format, beside it and above. */
function expectedFiles(uri: string, { id, system }: ManifestFormat): string[] {
  const own = directoryOf(uri);
  const compiled = system === 'PYPI' ? compiledFormats(nameOf(uri), id) : [];
  const serving = [...lockfileFormats.filter((it) => it.serves.includes(id)), ...compiled];
  const lockfiles = [...new Set(serving.map((it) => own + it.id))];
  const ofSystem = system === 'any' ? [] : [...registryReaders[system].above, ...cooldownFiles(system)];
  const names = [...new Set([projectFileName, ...ofSystem])];
  return [...lockfiles, ...[...upwardFrom(own)].flatMap((directory) => names.map((it) => directory + it))];
}
