import { parseXml } from '../../formats/xml/parse.ts';
import { childOf, childrenOf, type XmlElement } from '../../formats/xml/tree.ts';
import type { Access, AccessInputs, AccessSource, AskedRegistry, Refusal } from '../../model/registries/access.ts';
import type { RegistryReader } from '../../model/registries/registry-reader.ts';
import {
  askedRegistry,
  type ClientCredential,
  credentialIn,
  type KeptFor,
  type NamedBy,
  type Setting,
  sameAddress,
  settingOf,
} from '../shared/client-registry.ts';
import { MAX_REGISTRIES } from '../shared/registry-address.ts';
import { isActivatedOnRequest, textOf } from './pom-artifacts.ts';
import { hasReferences, interpolationOf } from './pom-values.ts';
import { activitiesOf, isActiveByDefault, startOf } from './profiles.ts';
import { settingsIn } from './registries.ts';

/** A repository or mirror, with what it takes part in. */
interface Repository {
  readonly id: string;
  /** As written; empty for the default address of `central`. */
  readonly url: string;
  readonly source: AccessSource;
  readonly releases: boolean;
  readonly snapshots: boolean;
}

interface Mirror extends Repository {
  readonly of: readonly string[];
  readonly isBlocked: boolean;
}

interface Server {
  readonly element: XmlElement;
  readonly source: AccessSource;
}

/** All settings files together, and all POMs. */
interface Configuration {
  readonly inputs: AccessInputs;
  readonly mirrors: readonly Mirror[];
  readonly repositories: readonly Repository[];
  readonly pluginRepositories: readonly Repository[];
  /** Strongest first. */
  readonly servers: ReadonlyMap<string, readonly Server[]>;
  readonly interpolate: (text: string) => string;
  /** Names of properties that settings of the machine define. */
  readonly machineProperties: ReadonlySet<string>;
  /** Every mirror and repository of the machine's settings, also of profiles that are not active. */
  readonly ofMachine: readonly Repository[];
  readonly namedBy: NamedBy;
}

/** The id of the repository that every build has by default. */
const central = 'central';
/** The mirror that Maven itself has since 3.8.1, unless settings have one with this id. */
const blocker = 'maven-default-http-blocker';

/**
 * Maven asks all repositories for the versions of a package: those of the settings' profiles, then those of the POM and
 * its parents, each replaced by the mirror that matches it. A credential belongs to the id of a repository or mirror.
 *
 *     <server> <id>acme</id> <username>…</username> <password>${env.ACME_PASSWORD}</password> </server>
 *
 * Not told: profiles that a command line activates, and passwords that are encrypted (`{…}`).
 */
export const mavenAccess: RegistryReader['accessTo'] = (inputs) => {
  const configuration = configurationOf(inputs);
  const libraries = accessOf(configuration, configuration.repositories);
  const plugins = accessOf(configuration, configuration.pluginRepositories);
  return ({ name, role }) =>
    (role ?? (pluginName.test(name) ? 'plugin' : 'library')) === 'plugin' ? plugins : libraries;
};

/** Names of plugins follow Maven's convention, where nothing else tells what a package is. */
const pluginName = /:(?:maven-.+-plugin|.+-maven-plugin)$/;

function configurationOf(inputs: AccessInputs): Configuration {
  const settings = settingsIn(inputs.sources).used.map((source) => ({ source, root: parseXml(source.text).root }));
  const poms = inputs.sources
    .filter((it) => it.name === 'pom.xml')
    .map((source) => ({ source, root: parseXml(source.text).root }));

  const servers = new Map<string, Server[]>();
  const mirrors = new Map<string, Mirror>();
  const profiles = new Map<string, { readonly profile: XmlElement; readonly source: AccessSource }>();
  const active = new Set<string>();
  for (const { source, root } of settings) {
    for (const element of itemsIn(root, 'servers', 'server')) {
      const id = trimmed(element, 'id');
      servers.set(id, [...(servers.get(id) ?? []), { element, source }]);
    }
    for (const it of itemsIn(root, 'mirrors', 'mirror')) {
      const mirror = mirrorOf(it, source);
      if (!mirrors.has(mirror.id)) mirrors.set(mirror.id, mirror);
    }
    for (const profile of itemsIn(root, 'profiles', 'profile')) {
      const id = trimmed(profile, 'id');
      if (!profiles.has(id)) profiles.set(id, { profile, source });
    }
    for (const it of itemsIn(root, 'activeProfiles', 'activeProfile')) active.add(it.text.trim());
  }
  if (!mirrors.has(blocker)) mirrors.set(blocker, defaultBlocker);

  // Each active profile puts its repositories in front of those before it.
  const inSettings = [...profiles]
    .filter(([id, { profile }]) => active.has(id) || !isActivatedOnRequest(profile))
    .map(([, it]) => ({ holder: it.profile, source: it.source }))
    .reverse();
  const start = startOf(inputs.sources, [...active]);
  const inPoms = poms.flatMap(({ source, root }) => {
    const activities = activitiesOf(itemsIn(root, 'profiles', 'profile'), start);
    const likely = activities.filter((it) => it.activity === 'on' || !isActivatedOnRequest(it.profile));
    const candidates = likely.flatMap((it) => (it.activity === 'off' ? [] : it.profile));
    // Those that are active by default are not if another profile of the POM is.
    const others = candidates.filter((it) => start.on.has(trimmed(it, 'id')) || !isActiveByDefault(it));
    const chosen = (others.length > 0 ? others : candidates).reverse();
    return [...chosen, ...(root ? [root] : [])].map((holder) => ({ holder, source }));
  });
  const holders = [...inSettings, ...inPoms];

  const properties = new Map<string, string>();
  for (const { holder } of inPoms) {
    for (const it of propertiesOf(holder)) if (!properties.has(it.name)) properties.set(it.name, it.text);
  }
  const machineProperties = inSettings.flatMap(({ holder }) => propertiesOf(holder).map((it) => it.name));
  const { interpolate } = interpolationOf(properties, new Map());
  const listed = (list: string, item: string): Repository[] =>
    withCentral(
      holders.flatMap(({ holder, source }) => itemsIn(holder, list, item).map((it) => repositoryOf(it, source))),
    );
  const repositories = listed('repositories', 'repository');
  const pluginRepositories = listed('pluginRepositories', 'pluginRepository');
  const used = [...mirrors.values(), ...repositories, ...pluginRepositories];
  const inSettingsFiles = settings.flatMap(({ source, root }) => namedIn(root, source));
  const ofMachine = [...inSettingsFiles, ...used].filter((it) => it.source.owner === 'machine');
  const configuration = {
    inputs,
    mirrors: [...mirrors.values()],
    repositories,
    pluginRepositories,
    servers,
    interpolate,
    machineProperties: new Set(machineProperties),
    ofMachine,
  };
  const addressesOf = (all: readonly Repository[]): string[] =>
    all.flatMap((it) => (it.url === '' ? [] : addressOf(it, configuration).text));
  const named = {
    machine: addressesOf(ofMachine),
    workspace: addressesOf(used.filter((it) => it.source.owner === 'workspace')),
  };
  return { ...configuration, namedBy: ({ owner }) => named[owner] };
}

/** Every mirror and repository that settings name. */
function namedIn(root: XmlElement | undefined, source: AccessSource): Repository[] {
  const profiles = itemsIn(root, 'profiles', 'profile').flatMap((it) => [
    ...itemsIn(it, 'repositories', 'repository'),
    ...itemsIn(it, 'pluginRepositories', 'pluginRepository'),
  ]);
  return [...itemsIn(root, 'mirrors', 'mirror'), ...profiles].map((it) => repositoryOf(it, source));
}

function itemsIn(holder: XmlElement | undefined, list: string, item: string): XmlElement[] {
  return childrenOf(holder, list).flatMap((it) => childrenOf(it, item));
}

function propertiesOf(holder: XmlElement): readonly XmlElement[] {
  return childrenOf(holder, 'properties').flatMap((it) => it.children);
}

function repositoryOf(it: XmlElement, source: AccessSource): Repository {
  const takes = (kind: string): boolean => {
    const policy = childOf(it, kind);
    return policy === undefined || trimmed(policy, 'enabled') !== 'false';
  };
  return {
    id: trimmed(it, 'id'),
    url: trimmed(it, 'url'),
    source,
    releases: takes('releases'),
    snapshots: takes('snapshots'),
  };
}

function mirrorOf(it: XmlElement, source: AccessSource): Mirror {
  const of = trimmed(it, 'mirrorOf').split(',');
  return {
    ...repositoryOf(it, source),
    of: of.map((one) => one.trim()),
    isBlocked: trimmed(it, 'blocked') === 'true',
  };
}

const builtIn: AccessSource = { name: 'settings.xml', label: 'Maven', text: '', owner: 'machine' };
const defaultBlocker: Mirror = {
  id: blocker,
  url: '',
  source: builtIn,
  releases: true,
  snapshots: true,
  of: ['external:http:*'],
  isBlocked: true,
};

/** The first of each id, and the repository that every build has. */
function withCentral(repositories: readonly Repository[]): Repository[] {
  const found = new Map<string, Repository>();
  for (const it of repositories) if (!found.has(it.id)) found.set(it.id, it);
  if (!found.has(central)) {
    found.set(central, { id: central, url: '', source: builtIn, releases: true, snapshots: false });
  }
  return [...found.values()].slice(0, MAX_REGISTRIES);
}

function accessOf(configuration: Configuration, repositories: readonly Repository[]): Access | undefined {
  const found = new Map<string, AskedRegistry>();
  for (const repository of repositories) {
    const asked = askedFor(repository, configuration);
    if (!asked) continue;
    const id = `${asked.address} ${asked.credential?.mark}`;
    const before = found.get(id);
    found.set(id, before ? joined(before, asked) : asked);
  }
  return found.size === 0 ? undefined : { registries: [...found.values()], join: 'all' };
}

/** Two repositories that one mirror replaces. */
function joined(one: AskedRegistry, other: AskedRegistry): AskedRegistry {
  const { takes, ...rest } = one;
  return takes === other.takes ? one : rest;
}

function askedFor(repository: Repository, configuration: Configuration): AskedRegistry | undefined {
  const { releases, snapshots } = repository;
  if (!releases && !snapshots) return undefined;
  const { refusal, text } = addressOf(repository, configuration);
  const mirror = mirrorFor({ ...repository, url: text }, configuration.mirrors);
  const used = mirror ?? repository;
  if (used.url === '' && !mirror?.isBlocked) return undefined;
  const { source } = mirror?.isBlocked ? repository : used;
  const address = mirror && !mirror.isBlocked ? addressOf(mirror, configuration) : { refusal, text };
  const blocked: Refusal | undefined = mirror?.isBlocked
    ? { rule: 'unusable-address', from: mirror.source.label, detail: mirror.id }
    : undefined;
  const { inputs, namedBy } = configuration;
  const setting: Setting = { text: address.text, source };
  const credential = credentialFor(used.id, setting, configuration) ?? credentialIn(setting, 'encoded');
  const asked = askedRegistry(
    'maven',
    { address: setting, credential: blocked ? undefined : credential, refusal: address.refusal ?? blocked },
    inputs,
    namedBy,
  );
  return { ...asked, ...(releases !== snapshots && { takes: releases ? 'releases' : 'snapshots' }) };
}

/** A mirror of exactly this repository comes before those with patterns. Source: Maven's DefaultMirrorSelector. */
function mirrorFor(repository: Repository, mirrors: readonly Mirror[]): Mirror | undefined {
  const exact = mirrors.find((it) => it.of.length === 1 && it.of[0] === repository.id);
  return exact ?? mirrors.find((it) => matches(it, repository));
}

function matches({ of }: Mirror, { id, url }: Repository): boolean {
  const isLocal = /^(?:file:|[a-z+:]+:\/\/(?:[^/@]*@)?(?:localhost|127\.0\.0\.1)(?=[:/]|$))/i.test(url);
  const isHttp = /^(?:http|dav|dav:http|dav\+http):/i.test(url);
  let found = false;
  for (const it of of) {
    if (it === `!${id}`) return false;
    if (it === id) return true;
    if (it === '*' || (it === 'external:*' && !isLocal) || (it === 'external:http:*' && !isLocal && isHttp)) {
      found = true;
    }
  }
  return found;
}

/** The address with its references replaced, as far as the file may have them replaced. */
function addressOf(
  { url, source }: Repository,
  { inputs, interpolate, machineProperties }: Pick<Configuration, 'inputs' | 'interpolate' | 'machineProperties'>,
): { readonly text: string; readonly refusal?: Refusal } {
  const from = source.label;
  const own = source.name === 'pom.xml' ? interpolate(url) : url;
  const text = source.owner === 'machine' ? withVariables(own, inputs) : own;
  if (!hasReferences(text)) return { text };
  const [, name = ''] = reference.exec(text) ?? [];
  const isVariable = source.owner === 'workspace' && (name.startsWith('env.') || machineProperties.has(name));
  return { text, refusal: { rule: isVariable ? 'variable-in-workspace' : 'unusable-address', from, detail: name } };
}

const reference = /\$\{([^${}]{1,200})\}/;

/** Variables without a value stay. */
function withVariables(text: string, { variable }: AccessInputs): string {
  return text.replace(variables, (whole, name: string) => variable(name) ?? whole);
}

/** The credential that belongs to an id: of an address that the machine names, too, that of the machine. */
function credentialFor(id: string, address: Setting, configuration: Configuration): ClientCredential | undefined {
  const { servers, namedBy, ofMachine, inputs } = configuration;
  const isMachines = address.source.owner === 'machine' || namedBy(builtIn).some((it) => sameAddress(it, address.text));
  const all = servers.get(id) ?? [];
  const server = (isMachines ? all.find((it) => it.source.owner === 'machine') : undefined) ?? all[0];
  const addresses = ofMachine.filter((it) => it.id === id).map((it) => addressOf(it, configuration).text);
  const add = { setting: `<repository> <id>${id}</id> <url>…</url>`, file: '~/.m2/settings.xml' };
  return server && credentialOf(server, { name: id, addresses, add }, inputs);
}

function credentialOf(
  { element, source }: Server,
  keptFor: KeptFor,
  { variable }: AccessInputs,
): ClientCredential | undefined {
  const header = authorizationOf(element);
  const written: Setting = { text: '', source };
  if (header === 'another') return { unreadable: written, detail: 'httpHeaders' };
  const place = { setting: `<server> <id>${keptFor.name}</id>`, file: '~/.m2/settings.xml' };
  const read = (text: string): Setting => {
    const setting = settingOf(text, source, variables, variable);
    const other = setting.variable ?? reference.exec(setting.text)?.[1];
    return other === undefined ? setting : { ...setting, variable: other };
  };
  if (header) {
    const setting = read(header);
    return { parts: { kind: 'raw', value: setting.text }, settings: [setting], keptFor, place };
  }
  const [user, password] = [read(trimmed(element, 'username')), read(trimmed(element, 'password'))];
  if (user.text === '' && password.text === '') return undefined;
  if (password.variable === undefined && encrypted.test(password.text)) {
    return { unreadable: written, detail: keptFor.name };
  }
  return {
    parts: { kind: 'basic', user: user.text, password: password.text },
    settings: [user, password],
    keptFor,
    place,
  };
}

const variables = /\$\{env\.(?<name>[^${}]{1,200})\}/g;

/** Source: Maven's password encryption; what surrounds the braces is a comment. */
const encrypted = /(?:^|[^\\])\{.*[^\\]\}/s;

/**
 * The header that a server is configured to send in place of a user and password.
 *
 *     <httpHeaders> <property> <name>Authorization</name> <value>Bearer …</value> </property> </httpHeaders>
 *
 * A credential in a header with another name cannot be sent.
 */
function authorizationOf(server: XmlElement): string | 'another' | undefined {
  const headers = childOf(childOf(server, 'configuration'), 'httpHeaders')?.children ?? [];
  let found: string | undefined;
  for (const it of headers) {
    const isProperty = it.name === 'property';
    const name = isProperty ? trimmed(it, 'name') : it.name;
    if (/^authorization$/i.test(name)) found = isProperty ? trimmed(it, 'value') : it.text.trim();
    else if (/token|auth|key|secret|cookie/i.test(name)) return 'another';
  }
  return found;
}

function trimmed(it: XmlElement, name: string): string {
  return textOf(it, name).trim();
}
