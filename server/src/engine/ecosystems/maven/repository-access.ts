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
import { isActivatedOnRequest } from './pom-artifacts.ts';
import { hasReferences, interpolationOf } from './pom-values.ts';
import { activitiesOf, isActiveByDefault, type Start, startOf } from './profiles.ts';
import {
  activeProfilesIn,
  builtIn,
  central,
  filesIn,
  itemsIn,
  type Mirror,
  mirrorFor,
  mirrorsIn,
  profilesIn,
  type Repository,
  repositoryLists,
  repositoryOf,
  settingsIn,
  trimmed,
  type XmlFile,
} from './repositories.ts';

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
  const settings = settingsIn(inputs.sources).used;
  const named = mirrorsIn(settings);
  const mirrors = named.some((it) => it.id === blocker) ? named : [...named, defaultBlocker];
  const active = activeProfilesIn(settings);
  const inSettings = activeInSettings(settings, new Set(active));
  const inPoms = activeInPoms(filesIn(inputs.sources, 'pom.xml'), startOf(inputs.sources, active));
  const properties = new Map<string, string>();
  for (const { holder } of inPoms) {
    for (const it of propertiesOf(holder)) if (!properties.has(it.name)) properties.set(it.name, it.text);
  }
  const { interpolate } = interpolationOf(properties, new Map());
  const [repositories = [], pluginRepositories = []] = repositoryLists.map(([, list, item]) =>
    withCentral(repositoriesIn([...inSettings, ...inPoms], list, item)),
  );
  const used = [...mirrors, ...repositories, ...pluginRepositories];
  const ofMachine = [...namedIn(settings), ...used].filter((it) => it.source.owner === 'machine');
  const configuration = {
    inputs,
    mirrors,
    repositories,
    pluginRepositories,
    servers: serversIn(settings),
    interpolate,
    machineProperties: new Set(inSettings.flatMap(({ holder }) => propertiesOf(holder).map((it) => it.name))),
    ofMachine,
  };
  const addressesOf = (all: readonly Repository[]): string[] =>
    all.flatMap((it) => (it.url === '' ? [] : addressOf(it, configuration).text));
  const addresses = {
    machine: addressesOf(ofMachine),
    workspace: addressesOf(used.filter((it) => it.source.owner === 'workspace')),
  };
  return { ...configuration, namedBy: ({ owner }) => addresses[owner] };
}

/** A profile or a POM, which may have repositories and properties. */
interface Holder {
  readonly holder: XmlElement;
  readonly source: AccessSource;
}

/** The profiles of settings that are active. Each puts its repositories in front of those before it. */
function activeInSettings(settings: readonly XmlFile[], active: ReadonlySet<string>): readonly Holder[] {
  const profiles = new Map<string, Holder>();
  for (const file of settings) {
    for (const holder of profilesIn(file)) {
      const id = trimmed(holder, 'id');
      if (!profiles.has(id)) profiles.set(id, { holder, source: file.source });
    }
  }
  return [...profiles]
    .filter(([id, { holder }]) => active.has(id) || !isActivatedOnRequest(holder))
    .map(([, it]) => it)
    .reverse();
}

function activeInPoms(poms: readonly XmlFile[], start: Start): readonly Holder[] {
  return poms.flatMap((file) => {
    const activities = activitiesOf(profilesIn(file), start);
    const likely = activities.filter((it) => it.activity === 'on' || !isActivatedOnRequest(it.profile));
    const candidates = likely.flatMap((it) => (it.activity === 'off' ? [] : it.profile));
    // Those that are active by default are not if another profile of the POM is.
    const others = candidates.filter((it) => start.on.has(trimmed(it, 'id')) || !isActiveByDefault(it));
    const chosen = (others.length > 0 ? others : candidates).reverse();
    const { source, root } = file;
    return [...chosen, ...(root ? [root] : [])].map((holder) => ({ holder, source }));
  });
}

function serversIn(settings: readonly XmlFile[]): ReadonlyMap<string, readonly Server[]> {
  const servers = new Map<string, Server[]>();
  for (const { source, root } of settings) {
    for (const element of itemsIn(root, 'servers', 'server')) {
      const id = trimmed(element, 'id');
      servers.set(id, [...(servers.get(id) ?? []), { element, source }]);
    }
  }
  return servers;
}

/** Every mirror and repository that settings name. */
function namedIn(settings: readonly XmlFile[]): readonly Repository[] {
  return settings.flatMap((file) => {
    const holders = profilesIn(file).map((holder) => ({ holder, source: file.source }));
    const mirrors = itemsIn(file.root, 'mirrors', 'mirror').map((it) => repositoryOf(it, file.source));
    return [...mirrors, ...repositoryLists.flatMap(([, list, item]) => repositoriesIn(holders, list, item))];
  });
}

function repositoriesIn(holders: readonly Holder[], list: string, item: string): readonly Repository[] {
  return holders.flatMap(({ holder, source }) => itemsIn(holder, list, item).map((it) => repositoryOf(it, source)));
}

function propertiesOf(holder: XmlElement): readonly XmlElement[] {
  return childrenOf(holder, 'properties').flatMap((it) => it.children);
}

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
