import * as l10n from '@vscode/l10n';
import { LruMap } from '../base/lru-map.ts';
import { versioning } from '../ecosystems/versioning.ts';
import { listOf, type PackageFacts, rowsOf, type VersionFacts, type VersionSummary } from '../model/facts.ts';
import { type PackageKey, packageId, type VersionKey } from '../model/keys.ts';
import type { Requirements } from '../model/lookups.ts';
import type { Clock } from '../model/ports.ts';
import type { Access, AskedRegistry, RegistryProtocol } from '../model/registries/access.ts';
import { hostOfRegistry, refusalText } from '../model/registries/refusal-text.ts';
import type { Artifact, ListedPackage, RegistryAnswer, RegistryClient } from '../model/registries/registry-client.ts';
import type { System } from '../model/system.ts';
import type { Transport } from './transport.ts';

export interface RegistryLookupParts {
  readonly clients: Readonly<Partial<Record<RegistryProtocol, RegistryClient>>>;
  readonly transport: Transport;
  readonly clock: Clock;
  /** Whether two spellings are the same version: `1.0` and `1.0.0` of NuGet. */
  readonly isSameVersion: (system: System, a: string, b: string) => boolean;
  /** How long a list is fresh, in ms. */
  readonly lifetime: () => number;
  /** Versions of all lists that are kept, each of which takes some hundred bytes. Private packages have some hundreds. */
  readonly mostVersions?: number;
}

/** The lists of a package in the registries that have it, in the order of its client. */
export interface Listing {
  readonly found: readonly { readonly registry: AskedRegistry; readonly listed: ListedPackage }[];
  readonly facts: PackageFacts;
  /** When the registries answered, in ms since the epoch. */
  readonly at: number;
}

export type Failure = { readonly kind: 'failed'; readonly reason: string; readonly isDenied?: true };
export type Outcome<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'absent' }
  | Failure
  | { readonly kind: 'aborted' };

/** A list that several versions wait for. */
interface SharedListing {
  readonly outcome: Promise<Outcome<Listing>>;
  readonly abort: AbortController;
  users: number;
}

/** What registries say of packages and versions, one list for all questions about a package. Nothing rejects. */
export interface RegistryLookups {
  /** @param access its registries; undefined where they have changed meanwhile */
  list(access: Access | undefined, key: PackageKey, signal: AbortSignal): Promise<Outcome<Listing>>;
  version(access: Access | undefined, key: VersionKey, signal: AbortSignal): Promise<Outcome<VersionFacts>>;
  /** Absent where clients of the system do not say. */
  requirements(access: Access, key: VersionKey, signal: AbortSignal): Promise<Outcome<Requirements>>;
  /** The files of a version whose list was read before. */
  artifacts(key: VersionKey): readonly Artifact[];
  /** Drops all lists. */
  forget(): void;
}

export function createRegistryLookups(parts: RegistryLookupParts): RegistryLookups {
  const { clients, transport, clock, isSameVersion, lifetime, mostVersions = 500_000 } = parts;
  const listings = new LruMap<string, Listing>(mostVersions, (it) => 1 + it.facts.versions.names.length);
  const listing = new Map<string, SharedListing>();

  /** The list of a package, asked for once for all that wait for it. */
  async function list(access: Access | undefined, key: PackageKey, signal: AbortSignal): Promise<Outcome<Listing>> {
    const id = packageId(key);
    const known = listings.get(id);
    if (known && known.at <= clock.now() && clock.now() < known.at + lifetime()) return { kind: 'found', value: known };
    const before = listing.get(id);
    const shared = before ?? startListing(id, access, key);
    shared.users++;
    const leave = (): void => {
      if (--shared.users > 0) return;
      shared.abort.abort();
      if (listing.get(id) === shared) listing.delete(id);
    };
    const aborted = new Promise<Outcome<Listing>>((resolve) => {
      if (signal.aborted) resolve({ kind: 'aborted' });
      signal.addEventListener('abort', () => resolve({ kind: 'aborted' }), { once: true });
    });
    return Promise.race([shared.outcome, aborted]).finally(leave);
  }

  function startListing(id: string, access: Access | undefined, key: PackageKey): SharedListing {
    const abort = new AbortController();
    const outcome = askAll(access, key, abort.signal).then((it) => {
      if (it.kind === 'found') listings.set(id, it.value);
      return it;
    });
    const shared: SharedListing = { outcome, abort, users: 0 };
    listing.set(id, shared);
    const end = (): void => {
      if (listing.get(id) === shared) listing.delete(id);
    };
    outcome.then(end, end);
    return shared;
  }

  async function askAll(access: Access | undefined, key: PackageKey, signal: AbortSignal): Promise<Outcome<Listing>> {
    if (access === undefined) return { kind: 'failed', reason: l10n.t('its registries have changed') };
    const found = await askInOrder(access, key.name, signal);
    if (!Array.isArray(found)) return found;
    if (found.length === 0) return { kind: 'absent' };
    return { kind: 'found', value: { found, facts: joinedFacts(key, found), at: clock.now() } };
  }

  /** The lists of the registries that have the package. One that cannot be asked may have it, so it fails all. */
  async function askInOrder(
    { registries, join }: Access,
    name: string,
    signal: AbortSignal,
  ): Promise<Listing['found'][number][] | Failure | { readonly kind: 'aborted' }> {
    const found: Listing['found'][number][] = [];
    const all = join === 'all' ? registries.map((it) => askForList(it, name, signal)) : [];
    let passedOver: Failure | undefined;
    for (const [at, registry] of registries.entries()) {
      const answer = await (all[at] ?? askForList(registry, name, signal));
      if (answer.kind === 'absent') continue;
      if (answer.kind === 'aborted') return answer;
      if (answer.kind !== 'found') {
        const failure = failureOf(answer, registry);
        if (answer.kind === 'refused' || !registry.isOptional) return failure;
        passedOver ??= failure;
        continue;
      }
      found.push({ registry, listed: answer.value });
      if (join === 'first') break;
    }
    return found.length === 0 && passedOver ? passedOver : found;
  }

  async function askForList(
    registry: AskedRegistry,
    name: string,
    signal: AbortSignal,
  ): Promise<RegistryAnswer<ListedPackage>> {
    if (registry.refusal) return { kind: 'refused', refusal: registry.refusal };
    const client = clients[registry.protocol];
    if (client === undefined) return { kind: 'failed', reason: l10n.t('registries of this kind cannot be asked') };
    return client.list({ registry, name, send: transport.sendTo(registry, signal) });
  }

  async function version(
    access: Access | undefined,
    key: VersionKey,
    signal: AbortSignal,
  ): Promise<Outcome<VersionFacts>> {
    const outcome = await list(access, { system: key.system, name: key.name, ...ofRegistry(key) }, signal);
    if (outcome.kind !== 'found') return outcome;
    for (const { registry, listed } of outcome.value.found) {
      const spelled = spelledIn(listed, key) ?? (listed.mayHave?.(key.version) ? key.version : undefined);
      if (spelled === undefined) continue;
      const facts = listed.version(spelled);
      const more = clients[registry.protocol]?.version;
      const own = facts && inList(facts, outcome.value, key);
      if (more === undefined) {
        if (own) return { kind: 'found', value: own };
        continue;
      }
      const send = transport.sendTo(registry, signal);
      const answer = await more({ registry, name: key.name, send, listed }, spelled);
      switch (answer.kind) {
        case 'found':
          return { kind: 'found', value: inList(answer.value, outcome.value, key) };
        case 'absent':
          if (own) return { kind: 'found', value: own };
          continue;
        case 'aborted':
          return answer;
        default:
          return failureOf(answer, registry);
      }
    }
    return { kind: 'absent' };
  }

  /** The spelling of a version in a list. */
  function spelledIn({ facts, version }: ListedPackage, key: VersionKey): string | undefined {
    if (version(key.version) !== undefined) return key.version;
    return facts.versions.names.find((it) => isSameVersion(key.system, it, key.version));
  }

  /** From each registry in the order of the client; of those that have the package, where that is known. */
  async function requirements(
    { registries }: Access,
    key: VersionKey,
    signal: AbortSignal,
  ): Promise<Outcome<Requirements>> {
    const known = listings.get(packageId(key));
    const having = (address: string) => known?.found.find((it) => it.registry.address === address);
    for (const registry of known ? registries.filter((it) => having(it.address)) : registries) {
      if (registry.refusal) return failureOf({ kind: 'refused', refusal: registry.refusal }, registry);
      const ask = clients[registry.protocol]?.requirements;
      const send = transport.sendTo(registry, signal);
      const { listed } = having(registry.address) ?? {};
      const answer = await ask?.({ registry, name: key.name, send, ...(listed && { listed }) }, key.version);
      if (answer === undefined || answer.kind === 'absent') continue;
      if (answer.kind === 'found' || answer.kind === 'aborted') return answer;
      return failureOf(answer, registry);
    }
    return { kind: 'absent' };
  }

  function artifacts(key: VersionKey): readonly Artifact[] {
    for (const { listed } of listings.get(packageId(key))?.found ?? []) {
      const spelled = spelledIn(listed, key);
      if (spelled !== undefined) return listed.artifacts?.(spelled) ?? [];
    }
    return [];
  }

  return { list, version, requirements, artifacts, forget: () => listings.clear() };
}

/** Each version once, of the first registry that has it. */
function joinedFacts(key: PackageKey, found: Listing['found']): PackageFacts {
  const [first, ...others] = found.map((it) => it.listed.facts);
  const known = new Map<string, VersionSummary>();
  for (const it of found.flatMap(({ listed }) => rowsOf(listed.facts.versions)))
    if (!known.has(it.version)) known.set(it.version, it);
  const isSample = [first, ...others].some((it) => it?.isSample);
  const defaults = [...known.values()].filter((it) => it.isDefault).map((it) => it.version);
  const usual = defaults.sort(versioning[key.system].compare).at(-1);
  return {
    key: { system: key.system, name: first?.key.name ?? key.name, ...ofRegistry(key) },
    purl: first?.purl ?? '',
    // Each list has a default version of its own.
    versions: listOf(
      [...known.values()].map((it) => (it.isDefault && it.version !== usual ? { ...it, isDefault: false } : it)),
    ),
    ...(isSample && { isSample: true }),
  };
}

/** The facts of a version as the joined list has it. */
function inList(facts: VersionFacts, { facts: { versions } }: Listing, key: PackageKey): VersionFacts {
  const isDefault = versions.defaults.some((place) => versions.names[place] === facts.version);
  return { ...facts, isDefault, key: { ...facts.key, ...ofRegistry(key) } };
}

function ofRegistry({ registry }: PackageKey): Pick<PackageKey, 'registry'> {
  return registry === undefined ? {} : { registry };
}

/** The words for an answer without facts. */
function failureOf(
  answer: Extract<RegistryAnswer<unknown>, { readonly kind: 'denied' | 'failed' | 'refused' }>,
  registry: AskedRegistry,
): Failure {
  const host = hostOfRegistry(registry);
  switch (answer.kind) {
    case 'failed':
      return { kind: 'failed', reason: l10n.t('{0}: {1}', host, answer.reason) };
    case 'refused':
      return { kind: 'failed', reason: refusalText(answer.refusal), isDenied: true };
    case 'denied': {
      const { credential } = registry;
      return { kind: 'failed', reason: deniedText(host, credential?.from, answer.isForbidden), isDenied: true };
    }
  }
}

function deniedText(host: string, from: string | undefined, isForbidden: true | undefined): string {
  if (from === undefined) return l10n.t('{0} requires a credential, and none was found for it', host);
  return isForbidden
    ? l10n.t('{0} does not permit this with the credential in {1} (HTTP 403)', host, from)
    : l10n.t('{0} does not accept the credential in {1}', host, from);
}
