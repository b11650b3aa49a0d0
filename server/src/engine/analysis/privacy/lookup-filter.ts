import * as l10n from '@vscode/l10n';
import type { Unreadable } from '../../base/unreadable.ts';
import type { LinkedDependency, Resolution } from '../../model/evaluated-dependency.ts';
import type { Insight, VersionFacts } from '../../model/facts.ts';
import type { VersionKey } from '../../model/keys.ts';
import type { Insights, Wanted } from '../../model/ports.ts';
import { registryIdOf } from '../../model/registries/asked-registries.ts';
import type { BuiltInRegistries } from '../../model/registries/built-in.ts';
import { isInnerHost } from '../../model/registries/inner-host.ts';
import { refusalText } from '../../model/registries/refusal-text.ts';
import { knownHost, type Registry } from '../../model/registry.ts';
import type { System } from '../../model/system.ts';

/** Decides which dependencies may be looked up, and where. */
export interface LookupFilter {
  /** The resolution of a dependency that must not be looked up; undefined if it may be. */
  readonly reasonNotToLookUp: (linked: LinkedDependency) => Resolution | undefined;
  /** The same, but a dependency of private registries that may be asked has their key. */
  readonly admit: (linked: LinkedDependency) => Admission;
  /** The facts needed for the decision. */
  readonly wanted: readonly Wanted[];
}

/** What the filter decides about a dependency. */
export type Admission =
  /** `linked.key.registry` is set if private registries are asked, and not the public service. */
  | { readonly kind: 'asked'; readonly linked: LinkedDependency }
  | { readonly kind: 'withheld'; readonly resolution: Resolution };

/**
 * A well-known version of each system, whose lookup reveals nothing. The registries that the service reports for it are
 * the public ones, so a configuration that names the public registry changes nothing, and no list of hosts becomes
 * outdated. The service reports none for Go.
 */
const probeVersions: Readonly<Partial<Record<System, VersionKey>>> = {
  NPM: { system: 'NPM', name: 'lodash', version: '4.17.21' },
  CARGO: { system: 'CARGO', name: 'serde', version: '1.0.0' },
  MAVEN: { system: 'MAVEN', name: 'junit:junit', version: '4.13.2' },
  PYPI: { system: 'PYPI', name: 'requests', version: '2.31.0' },
  NUGET: { system: 'NUGET', name: 'newtonsoft.json', version: '13.0.3' },
};

/**
 * A registry is public where the person declares it, the service reports it, or a package manager has it built in.
 * @param publicRegistries hosts that the person declares public
 * @param builtIn absent where no package manager can be read
 * @param isIncomplete whether a dependency's name may be incomplete
 */
export function createLookupFilter(
  insights: Insights,
  publicRegistries: readonly string[],
  builtIn?: BuiltInRegistries,
  isIncomplete: (linked: LinkedDependency) => boolean = () => false,
): LookupFilter {
  const listed = new Set(publicRegistries.map(hostOf));
  const answers = new Map<System, Insight<ReadonlySet<string>>>();
  const requested = new Set<System>();
  const wanted: Wanted[] = [];
  /** The packages that a lockfile takes from one registry have the same list. */
  const reasons = new Map<readonly Registry[], { readonly reason: Resolution | undefined }>();

  /** The hosts that the service reports, as far as they are known. */
  function reportedHosts(system: System): Insight<ReadonlySet<string>> {
    const key = probeVersions[system];
    const hosts = answers.get(system) ?? (key ? hostsOf(insights.version(key)) : { state: 'unknown', at: 0 });
    answers.set(system, hosts);
    return hosts;
  }

  function requestHosts(system: System): void {
    const key = probeVersions[system];
    if (key && !requested.has(system)) wanted.push({ kind: 'version', key });
    requested.add(system);
  }

  function reasonNotToLookUp(linked: LinkedDependency): Resolution | undefined {
    const { requirement, constraint, contested } = linked;
    if (contested !== undefined) return withheld({ contested });
    // A local source is a better reason.
    if (requirement.kind === 'source' && !constraint) return undefined;
    const hidden = reasonPrivate(linked) ?? (isIncomplete(linked) ? beingTyped() : undefined);
    // Its version, once known, may exclude some registries.
    if (requirement.kind === 'pending' && hidden?.kind === 'none' && hidden.withheld) return { kind: 'pending' };
    // Completion would request the versions of a dependency without one.
    if (requirement.kind !== 'unresolved' || constraint || hidden?.kind !== 'none') return hidden;
    const { reason } = requirement;
    // Nothing is asked about it either way: that its version is unknown is what keeps it from being checked.
    return hidden.withheld?.hasSnapshotsAlone ? { kind: 'none', reason } : { ...hidden, reason };
  }

  function reasonPrivate({ key: { system }, registries }: LinkedDependency): Resolution | undefined {
    if (registries === undefined || registries.length === 0) return undefined;
    const before = reasons.get(registries);
    if (before) return before.reason;
    const reason = reasonOfRegistries(system, registries);
    // The files of package managers may be read by the next time.
    if (reason?.kind !== 'pending') reasons.set(registries, { reason });
    return reason;
  }

  function reasonOfRegistries(system: System, registries: readonly Registry[]): Resolution | undefined {
    const unlisted = registries.filter(({ host }) => host === undefined || !listed.has(host));
    if (unlisted.length === 0) return undefined;
    const nameless = unlisted.find(({ host }) => host === undefined);
    if (nameless) return withheld(nameless);
    const hosts = reportedHosts(system);
    const reported = hosts.state === 'ready' ? hosts.value : noHosts;
    const unsaid = unlisted.filter(({ host = '' }) => !reported.has(host));
    if (unsaid.length < unlisted.length) requestHosts(system);
    if (unsaid.length === 0) return undefined;
    const inherent = builtIn ? builtIn.hosts(system) : noHosts;
    // A file of this machine is nearer than the service.
    if (inherent === undefined) return { kind: 'pending' };
    const closed = unsaid.filter(({ host = '' }) => !inherent.has(host));
    const registry = closed.find((it) => !it.hasSnapshotsAlone) ?? closed[0];
    if (registry === undefined) return undefined;
    requestHosts(system);
    if (hosts.state === 'pending') return { kind: 'pending' };
    if (hosts.state === 'failed') return { kind: 'failed', reason: hosts.reason };
    const others = new Set(closed.flatMap((it) => (it.host === registry.host ? [] : (knownHost(it) ?? []))));
    const isPublicUnsaid = ![...reported].some((host) => !isReserved(host));
    return withheld(others.size > 0 ? { ...registry, otherHosts: [...others] } : registry, isPublicUnsaid);
  }

  /** The private registries of a withheld dependency; or why they are not asked. */
  function privately(linked: LinkedDependency, reason: Resolution): Admission {
    const { registries = [], access } = linked;
    const withheldBy = (it: Resolution): Admission => ({ kind: 'withheld', resolution: it });
    if (access === undefined || reason.kind !== 'none' || reason.withheld === undefined) return withheldBy(reason);
    if (reason.withheld.contested !== undefined) return withheldBy(reason);
    const closed = registries.find((it) => it.isFormer || it.declared || it.unreadable);
    if (closed) return withheldBy(withheld(closed));
    const { system } = linked.key;
    const hosts = reportedHosts(system);
    const known = [listed, builtIn?.hosts(system), hosts.state === 'ready' ? hosts.value : undefined];
    const asked = access.registries.filter(({ address }) => !known.some((it) => it?.has(hostOf(address))));
    const [first] = asked;
    if (first === undefined) return withheldBy(reason);
    const refusals = asked.flatMap((it) => it.refusal ?? []);
    const [refusal] = refusals;
    // The registries behind a refused one are not asked, either: it may have the package.
    if (refusal && (first.refusal || access.join === 'all')) {
      const text = refusalText(refusal);
      return withheldBy({ ...reason, reason: text, withheld: { ...reason.withheld, refusal: text } });
    }
    if (isIncomplete(linked)) return withheldBy(beingTyped());
    const isBeside = asked.length < access.registries.length || registries.some((it) => it.isAdditional);
    const registry = registryIdOf({ registries: asked, join: access.join, ...(isBeside && { besidePublic: true }) });
    return { kind: 'asked', linked: withRegistry(linked, registry) };
  }

  function admit(linked: LinkedDependency): Admission {
    const reason = reasonNotToLookUp(linked);
    return reason === undefined ? { kind: 'asked', linked } : privately(linked, reason);
  }

  return { reasonNotToLookUp, admit, wanted };
}

const noHosts: ReadonlySet<string> = new Set();

/** By the dependency without it: each evaluation asks for the same one again. */
const routed = new WeakMap<LinkedDependency, LinkedDependency>();

function withRegistry(linked: LinkedDependency, registry: string): LinkedDependency {
  const before = routed.get(linked);
  if (before?.key.registry === registry) return before;
  const made = { ...linked, key: { ...linked.key, registry } };
  routed.set(linked, made);
  return made;
}

/**
 * The hosts of the registries that the service reports. A host that also holds the sources does not count: an index may
 * be a repository, and other repositories on the same host are private. Nor does this machine: what a proxy on it serves,
 * only the person knows.
 */
function hostsOf(insight: Insight<VersionFacts>): Insight<ReadonlySet<string>> {
  if (insight.state !== 'ready') return insight;
  const { registries, projects, links } = insight.value;
  const sources = links.filter((it) => it.label === 'SOURCE_REPO').map((it) => hostOf(it.url.replace(/^git\+/, '')));
  const codeHosts = new Set([...sources, ...projects.map((it) => it.id.split('/', 1)[0])]);
  const hosts = registries.map(hostOf).filter((it) => !codeHosts.has(it) && !isInnerHost(it));
  return { ...insight, value: new Set(hosts) };
}

/** @param address an address or a host */
function hostOf(address: string): string {
  const trimmed = address.trim().toLowerCase();
  return trimmed.includes('://') && URL.canParse(trimmed) ? new URL(trimmed).hostname : trimmed;
}

/** Hosts reserved for documentation and tests: a service that reports only these does not reveal its registry. */
const reserved = /(?:^|\.)(?:example|test|invalid|localhost|example\.(?:com|net|org))$|^127\.|^\[?::1\]?$/;
// Source: RFC 6761, section 6, and RFC 2606, section 3.

function isReserved(host: string): boolean {
  return reserved.test(host);
}

function withheld(registry: Registry, isPublicUnsaid = false): Resolution {
  return {
    kind: 'none',
    reason: reasonOf(registry),
    withheld: registry,
    ...(isPublicUnsaid && { isPublicHostUnknown: true }),
  };
}

function beingTyped(): Resolution {
  return { kind: 'none', reason: l10n.t('the name is still being typed'), isBeingTyped: true };
}

/** A clause that follows the name of a file. */
function unreadableText({ why, code = '' }: Unreadable): string {
  switch (why) {
    case 'denied':
      return l10n.t('permission denied');
    case 'outside':
      return l10n.t('it is a link to a place outside the open folder');
    case 'untracked':
      return l10n.t('it is outside the open folder and not tracked by git');
    case 'dangling':
      return l10n.t('its link leads nowhere');
    case 'no file':
      return l10n.t('it is not a regular file');
    case 'no lockfile':
      return l10n.t('it is not a lockfile');
    case 'too large':
      return l10n.t('it is too large');
    case 'too long':
      return l10n.t('it is too long');
    case 'too many':
      return l10n.t('there are too many files');
    case 'browser':
      return '';
    case 'failed':
      return l10n.t('error {0}', code);
  }
}

/** A clause that follows "Not looked up:". */
function reasonOf(registry: Registry): string {
  const { from, isAdditional, unreadable, isFormer, declared, contested } = registry;
  const host = knownHost(registry);
  if (contested !== undefined) return contested;
  if (isFormer && declared) return l10n.t('it was private until just now; it is looked up some seconds after saving');
  if (declared === 'perhaps')
    return l10n.t('{0} may declare it private, but its list “private” has an error', from ?? '');
  if (declared) return l10n.t('{0} declares it private', from ?? '');
  if (isFormer) return l10n.t('its registry has just changed; it is looked up some seconds after saving');
  if (unreadable?.why === 'browser') return l10n.t('a browser cannot read the registry settings of your computer');
  if (from !== undefined && unreadable?.why === 'failed')
    return unreadable.code === undefined
      ? l10n.t('{0} could not be read', from)
      : l10n.t('{0} could not be read (error {1})', from, unreadable.code);
  if (from !== undefined && unreadable) {
    return l10n.t('{0} may configure its registry, but cannot be read: {1}', from, unreadableText(unreadable));
  }
  if (host === undefined) {
    return from === undefined
      ? l10n.t('this file takes it from a private registry')
      : l10n.t('{0} takes it from a private registry', from);
  }
  if (from === undefined) return l10n.t('this file takes it from the registry {0}', host);
  return isAdditional
    ? l10n.t('it may come from the registry {0} in {1}', host, from)
    : l10n.t('{1} takes it from the registry {0}', host, from);
}
