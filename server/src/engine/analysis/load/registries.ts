import { directoryOf, nameOf, pathOf, sameUri } from '../../base/uri.ts';
import { formatOf } from '../../ecosystems/manifest-formats.ts';
import { registryAccess } from '../../ecosystems/registry-access.ts';
import { registryReaders } from '../../ecosystems/registry-readers.ts';
import { distinctRegistries, MAX_SETTINGS_LENGTH } from '../../ecosystems/shared/registry-address.ts';
import { versioning } from '../../ecosystems/versioning.ts';
import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import type { Files } from '../../model/ports.ts';
import type { AccessReader, AccessSource } from '../../model/registries/access.ts';
import {
  machineAddress,
  type Registry,
  type RegistryReader,
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

const accessReaders: Readonly<Partial<Record<System, AccessReader>>> = registryAccess;

const NO_ROUTINGS: readonly Routing[] = [];
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
  for (const it of reading.chainFiles.values()) if (!it.unreadable) texts.set(it.uri, it.text);
  const declared = await projectFiles(reading, uri);
  for (const it of declared) if (!it.unreadable) texts.set(it.uri, it.text);
  const unreadDeclarations = declared.flatMap(unreadable);
  const declarations = declared.flatMap((it) => declarationsIn(it, reading));
  const routings = new Map<System, readonly Routing[]>();
  const accesses = new Map<System, ReturnType<AccessReader['read']>>();
  const places: LocatedSource[] = [];
  const sources = new Map<System, (RegistrySource & { readonly uri?: string })[]>();
  for (const system of systems) {
    const reader = registryReaders[system];
    const machine = (await files.machine?.(system)) ?? { variables: [], files: [] };
    const address = machineAddress(system);
    texts.set(address, serializeMachineFiles(machine.files));
    reading.touched.add(address);
    const parts = [...reading.chainFiles.values()].filter((it) => reader.chainFormats?.has(it.format));
    // A chain file with the name of its format is read as such; any other one also as registry configuration.
    const readAsChainFiles = new Set(parts.filter(hasNameOfFormat).map((it) => sameUri(it.uri)));
    const extraFiles = machine.variables.flatMap((it) => reader.filesNamedByVariable?.(it) ?? []);
    const above = await settingsAbove(reading, uri, reader, {
      length: MAX_SETTINGS_LENGTH,
      exclude: readAsChainFiles,
      extraFiles,
    });
    const all = [...parts, ...above];
    const byBuild = <T>(source: T, at: string): T =>
      reader.isOfOtherBuild?.(at, uri, all) ? { ...source, isOfOtherBuild: true as const } : source;
    const { filesNamedBy } = reader;
    const inChain = parts.map((it) => byBuild(sourceOf(it, reader), it.uri));
    const found = above.map((it) => byBuild(it, it.uri));
    for (const [at, source] of inChain.entries()) {
      const part = parts[at];
      if (part)
        found.unshift(...(await settingsNamedBy(reading, part, source, { filesNamedBy, length: MAX_SETTINGS_LENGTH })));
    }
    for (const it of found) if (!it.unreadable) texts.set(it.uri, it.text);
    places.push(...inChain.map((it, at) => ({ ...it, uri: parts[at]?.uri ?? '' })), ...found);
    const nearby = [...inChain, ...found];
    const fixed = [...machine.variables, ...machine.files];
    sources.set(system, [...inChain.map((it, at) => ({ ...it, uri: parts[at]?.uri ?? '' })), ...found, ...fixed]);
    const own = fixed.filter((it) => it.foundIn === undefined);
    const unread = [...unreadDeclarations, ...[...nearby, ...fixed].flatMap(unreadable)];
    const together = nearby.length === 0 ? [] : [reader.read([...machine.variables, ...nearby, ...machine.files])];
    const readAccess: AccessReader | undefined = accessReaders[system];
    if (asking && readAccess && files.credentials) {
      const credentials = await files.credentials(system);
      const above = await settingsAbove(
        reading,
        uri,
        { above: readAccess.above ?? [] },
        { length: MAX_SETTINGS_LENGTH, exclude: new Set([...readAsChainFiles, ...found.map((it) => sameUri(it.uri))]) },
      );
      const settings = inChain.map((it, at): AccessSource => ({ ...it, ...ofWorkspace(parts[at]?.uri ?? '') }));
      const others = [...found, ...above].map((it): AccessSource => ({ ...it, ...ofWorkspace(it.uri) }));
      for (const it of above) if (!it.unreadable) texts.set(it.uri, it.text);
      accesses.set(
        system,
        readAccess.read({
          sources: [
            ...[...machine.variables, ...credentials.variables].map(namedByMachine),
            ...settings,
            ...others.sort((a, b) => depthOf(b) - depthOf(a)),
            ...[...machine.files, ...credentials.files].map(namedByMachine),
          ],
          variable: credentials.variable,
          ...asking,
        }),
      );
    }
    routings.set(system, [
      reader.read(own),
      ...(own.length < fixed.length ? [reader.read(fixed)] : []),
      ...together,
      ...(unread.length > 0 ? [() => unread] : []),
    ]);
  }
  function route(linked: LinkedDependency): Origin {
    const { key } = linked;
    const routed = routedPackage(linked);
    const found: Registry[] = [];
    for (const { pattern, registry } of declarations) if (matchesPackage(pattern, key)) found.push(registry);
    for (const routing of routings.get(key.system) ?? NO_ROUTINGS) {
      for (const it of routing(routed)) found.push(placed(it));
    }
    if (found.length === 0) return NOWHERE;
    const access = accesses.get(key.system)?.(routed);
    return { registries: distinct(found), ...(access && { access }) };
  }
  let last: { readonly found: readonly Registry[]; readonly distinct: readonly Registry[] } | undefined;
  /** Nearly all dependencies have the same registries: one list for all of them is compared by identity. */
  function distinct(found: readonly Registry[]): readonly Registry[] {
    if (last?.found.length !== found.length || last.found.some((it, at) => it !== found[at]))
      last = { found, distinct: distinctRegistries(found) };
    return last.distinct;
  }
  const placedBefore = new WeakMap<Registry, Registry>();
  const known = new Map<string, Registry['place']>();
  function placed(it: Registry): Registry {
    if (it.from === undefined) return it;
    const before = placedBefore.get(it);
    if (before) return before;
    const id = `${it.from} ${it.host} ${it.at}`;
    if (!known.has(id)) known.set(id, placeOf(it, places));
    const place = known.get(id);
    const now = place === undefined ? it : { ...it, place };
    placedBefore.set(it, now);
    return now;
  }
  return { route, texts, sources };
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

function ofWorkspace(uri: string): Pick<AccessSource, 'owner' | 'directory'> {
  return { owner: 'workspace', directory: directoryOf(uri) };
}

/** Nearer files have longer directories. */
function depthOf({ directory = '' }: AccessSource): number {
  return directory.length;
}

function hasNameOfFormat({ uri, format }: ChainFile): boolean {
  return formatOf(pathOf(uri))?.id === format;
}

function sourceOf({ uri, format, ...read }: ChainFile, { chainFormats }: RegistryReader): RegistrySource {
  const label = nameOf(uri);
  return { name: chainFormats?.get(format) ?? label, label, ...read };
}

/** The patterns of a project file, each with the registry that stands for it. */
function declarationsIn(
  source: LocatedSource,
  reading: FileChainReader,
): readonly { readonly pattern: string; readonly registry: Registry }[] {
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
