import { directoryOf, nameOf, pathOf, sameUri } from '../../base/uri.ts';
import { formatOf } from '../../ecosystems/manifest-formats.ts';
import { registryReaders } from '../../ecosystems/registries.ts';
import { distinctRegistries, MAX_SETTINGS_LENGTH } from '../../ecosystems/shared/registry-address.ts';
import { versioning } from '../../ecosystems/versioning.ts';
import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import type { Files } from '../../model/ports.ts';
import type { AccessSource, MachineCredentials } from '../../model/registries/access.ts';
import type { RegistryReader } from '../../model/registries/registry-reader.ts';
import {
  type MachineRegistries,
  machineAddress,
  type Registry,
  type RegistrySource,
  type RoutedPackage,
  type Routing,
} from '../../model/registry.ts';
import type { System } from '../../model/system.ts';
import { matchesPackage } from '../../policy/package-patterns.ts';
import { type Origin, type Route, serializeMachineFiles } from '../privacy/registry-history.ts';
import type { ChainFile, LocatedSource } from './chain-files.ts';
import type { FileChainReader } from './file-chain.ts';
import { privatePackagesIn, projectFiles } from './project-files.ts';
import { settingsAbove, settingsNamedBy } from './settings-files.ts';

const NOWHERE: Origin = { registries: [] };

/** The registry configuration of a document. */
export interface Registries {
  readonly route: Route;
  /** The texts of the files that were read, by address. The machine's files count as one for each system. */
  readonly texts: ReadonlyMap<string, string>;
  /** The settings of each system that were read, in which more than registries is set. */
  readonly sources: ReadonlyMap<System, readonly (RegistrySource & { readonly uri?: string })[]>;
}

/** How private registries are asked. Absent while they are not. */
export interface Asking {
  /** Whether the person trusts the workspace. */
  readonly isTrusted: boolean;
  /** The names of the lockfiles beside the manifest. */
  readonly lockfiles: readonly string[];
}

/**
 * Reads the registry configuration of the machine and the workspace. A workspace can make more packages private than
 * the machine does, never fewer: the machine's configuration applies by itself, and so does the combination of both. What
 * the machine names and the workspace contains belongs to the combination, and counts without the rest as well. A file that cannot be read may name a registry for any package.
 */
export async function readRegistries(
  uri: string,
  systems: ReadonlySet<System>,
  reading: FileChainReader,
  files: Files,
  asking?: Asking,
): Promise<Registries> {
  const texts = new Map<string, string>();
  const declared = await projectFiles(reading, uri);
  for (const it of [...reading.chainFiles.values(), ...declared]) if (!it.unreadable) texts.set(it.uri, it.text);
  const bySystem = new Map<System, SettingsOfSystem>();
  for (const system of systems) {
    const reader = registryReaders[system];
    const machine = (await files.machine?.(system)) ?? { variables: [], files: [] };
    const address = machineAddress(system);
    texts.set(address, serializeMachineFiles(machine.files));
    reading.touched.add(address);
    const workspace = await readAround(uri, reader, machine, reading);
    for (const it of workspace.found) if (!it.unreadable) texts.set(it.uri, it.text);
    const credentials = asking ? await files.credentials?.(system) : undefined;
    const access = asking && credentials && accessTo(reader, workspace, machine, { ...credentials, asking });
    bySystem.set(system, { ...ownersOf(reader, workspace, machine), ...(access && { access }) });
  }
  const router = new Router(declared, reading, bySystem);
  const sources = new Map([...bySystem].map(([system, it]) => [system, it.sources]));
  return { route: (linked) => router.route(linked), texts, sources };
}

interface Around extends AccessSource, LocatedSource {}

/** Settings files of a workspace that apply to a document. */
interface Workspace {
  readonly inChain: readonly Around[];
  readonly found: readonly Around[];
}

/** What the settings of a system say. */
interface SettingsOfSystem {
  readonly routings: readonly Routing[];
  readonly access?: ReturnType<RegistryReader['accessTo']>;
  readonly located: readonly LocatedSource[];
  readonly sources: readonly (RegistrySource & { readonly uri?: string })[];
}

async function readAround(
  uri: string,
  reader: RegistryReader,
  { variables }: MachineRegistries,
  reading: FileChainReader,
): Promise<Workspace> {
  const parts = [...reading.chainFiles.values()].filter((it) => reader.chainFormats?.has(it.format));
  // A chain file with the name of its format is read as such; any other one also as registry configuration.
  const readAsChainFiles = new Set(parts.filter(hasNameOfFormat).map((it) => sameUri(it.uri)));
  const above = await settingsAbove(reading, uri, reader, {
    length: MAX_SETTINGS_LENGTH,
    exclude: readAsChainFiles,
    extraFiles: variables.flatMap((it) => reader.filesNamedByVariable?.(it) ?? []),
  });
  const all = [...parts, ...above];
  const around = (it: LocatedSource): Around => ({
    ...it,
    ...(reader.isOfOtherBuild?.(it.uri, uri, all) && { isOfOtherBuild: true }),
    owner: 'workspace',
    directory: directoryOf(it.uri),
  });
  const { filesNamedBy } = reader;
  const inChain = parts.map((it) => around(sourceOf(it, reader)));
  const found = above.map(around);
  for (const [at, part] of parts.entries()) {
    const source = inChain[at];
    const named = source
      ? await settingsNamedBy(reading, part, source, { filesNamedBy, length: MAX_SETTINGS_LENGTH })
      : [];
    found.unshift(...named.map((it): Around => ({ ...it, owner: 'workspace', directory: directoryOf(it.uri) })));
  }
  return { inChain, found };
}

function ownersOf(reader: RegistryReader, { inChain, found }: Workspace, machine: MachineRegistries): SettingsOfSystem {
  const located = [...inChain, ...found];
  const [variables, files] = [machine.variables.map(namedByMachine), machine.files.map(namedByMachine)];
  const fixed = [...variables, ...files];
  const own = fixed.filter((it) => it.foundIn === undefined);
  const unread = [...located, ...fixed].flatMap(unreadable);
  const routings = [
    reader.ownersOf(own),
    ...(own.length < fixed.length ? [reader.ownersOf(fixed)] : []),
    ...(located.length > 0 ? [reader.ownersOf([...variables, ...located, ...files])] : []),
    ...(unread.length > 0 ? [() => unread] : []),
  ];
  return { routings, located, sources: [...located, ...fixed] };
}

function accessTo(
  reader: RegistryReader,
  { inChain, found }: Workspace,
  machine: MachineRegistries,
  { asking, ...credentials }: MachineCredentials & { readonly asking: Asking },
): ReturnType<RegistryReader['accessTo']> {
  const sources = [
    ...[...machine.variables, ...credentials.variables].map(namedByMachine),
    ...inChain,
    ...[...found].sort((a, b) => depthOf(b) - depthOf(a)),
    ...[...machine.files, ...credentials.files].map(namedByMachine),
  ];
  return reader.accessTo({ sources, variable: credentials.variable, ...asking });
}

interface Declaration {
  readonly pattern: string;
  readonly registry: Registry;
}

/** Finds the registries of the dependencies of one document. */
class Router {
  readonly #declarations: readonly Declaration[];
  readonly #unread: readonly Registry[];
  readonly #bySystem: ReadonlyMap<System, SettingsOfSystem>;
  readonly #located: readonly LocatedSource[];
  readonly #placed = new WeakMap<Registry, Registry>();
  readonly #places = new Map<string, Registry['place']>();
  #last: { readonly found: readonly Registry[]; readonly distinct: readonly Registry[] } | undefined;

  constructor(
    declared: readonly LocatedSource[],
    reading: FileChainReader,
    bySystem: ReadonlyMap<System, SettingsOfSystem>,
  ) {
    this.#declarations = declared.flatMap((it) => declarationsIn(it, reading));
    this.#unread = declared.flatMap(unreadable);
    this.#bySystem = bySystem;
    this.#located = [...bySystem.values()].flatMap((it) => it.located);
  }

  route(linked: LinkedDependency): Origin {
    const { key } = linked;
    const routed = routedPackage(linked);
    const found: Registry[] = [];
    for (const { pattern, registry } of this.#declarations) if (matchesPackage(pattern, key)) found.push(registry);
    const settings = this.#bySystem.get(key.system);
    for (const routing of settings?.routings ?? []) for (const it of routing(routed)) found.push(this.#withPlace(it));
    if (settings) for (const it of this.#unread) found.push(it);
    if (found.length === 0) return NOWHERE;
    const access = settings?.access?.(routed);
    return { registries: this.#distinct(found), ...(access && { access }) };
  }

  /** Nearly all dependencies have the same registries: one list for all of them is compared by identity. */
  #distinct(found: readonly Registry[]): readonly Registry[] {
    if (this.#last?.found.length !== found.length || this.#last.found.some((it, at) => it !== found[at]))
      this.#last = { found, distinct: distinctRegistries(found) };
    return this.#last.distinct;
  }

  #withPlace(it: Registry): Registry {
    if (it.from === undefined) return it;
    const before = this.#placed.get(it);
    if (before) return before;
    const id = `${it.from} ${it.host} ${it.at}`;
    if (!this.#places.has(id)) this.#places.set(id, placeOf(it, this.#located));
    const place = this.#places.get(id);
    const now = place === undefined ? it : { ...it, place };
    this.#placed.set(it, now);
    return now;
  }
}

/** By what registries differ for it. */
function routedPackage({ key, dependency, requirement, roleInBuild }: LinkedDependency): RoutedPackage {
  const { registries, condition } = dependency;
  const role = dependency.role ?? roleInBuild;
  // Only repositories of Maven may have versions of one kind alone.
  const isRead = key.system === 'MAVEN' && requirement.kind === 'text';
  const reading = isRead ? versioning.MAVEN.read(requirement.text) : undefined;
  // Of a range, `[1.0]` included, Maven asks every repository for the list of versions.
  return {
    name: key.name,
    ...(registries !== undefined && { registries }),
    ...(role !== undefined && { role }),
    ...(key.system === 'MAVEN' && condition !== undefined && { isInProfile: true as const }),
    ...(reading?.kind === 'pin' && !reading.exact && { version: reading.version }),
  };
}

/** Where a file lies decides whose it is, not who names it. */
function namedByMachine(source: RegistrySource): AccessSource {
  return { ...source, owner: source.foundIn ? 'workspace' : 'machine' };
}

/** Nearer files have longer directories. */
function depthOf({ directory = '' }: AccessSource): number {
  return directory.length;
}

function hasNameOfFormat({ uri, format }: ChainFile): boolean {
  return formatOf(pathOf(uri))?.id === format;
}

function sourceOf({ uri, format, ...read }: ChainFile, { chainFormats }: RegistryReader): LocatedSource {
  const label = nameOf(uri);
  return { name: chainFormats?.get(format) ?? label, label, uri, ...read };
}

/** The patterns of a project file, each with the registry that stands for it. */
function declarationsIn(source: LocatedSource, reading: FileChainReader): readonly Declaration[] {
  if (source.unreadable) return [];
  return privatePackagesIn(reading, source).map(({ pattern, span, isUnclear }) => ({
    pattern,
    registry: {
      from: source.label,
      declared: isUnclear ? 'perhaps' : 'surely',
      place: { uri: source.uri, line: lineAt(source.text, span.start) },
    },
  }));
}

/** Where its reader tells, else the first line of a settings file that contains the host; its first line where none does. */
function placeOf({ host, from, at: offset }: Registry, sources: readonly LocatedSource[]): Registry['place'] {
  const named = sources.filter((it) => it.label === from);
  const contains = (text: string): boolean => host !== undefined && text.toLowerCase().includes(host);
  // Several files may have the same label.
  const told =
    offset === undefined ? undefined : named.find((it) => contains(it.text.slice(offset, offset + MAX_ADDRESS)));
  const source = told ?? named.find((it) => contains(it.text)) ?? named[0];
  if (source === undefined) return undefined;
  const at = offset ?? (host === undefined ? -1 : source.text.toLowerCase().indexOf(host));
  return { uri: source.uri, line: lineAt(source.text, at) };
}

/** In characters. */
const MAX_ADDRESS = 300;

/** The line, from 0. */
function lineAt(text: string, offset: number): number {
  return text.slice(0, Math.max(0, offset)).split('\n').length - 1;
}

function unreadable({ label, unreadable }: RegistrySource): Registry[] {
  return unreadable ? [{ from: label, unreadable }] : [];
}
