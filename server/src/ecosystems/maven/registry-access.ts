import { parseXml } from '../../formats/xml/parse.ts';
import { childOf, childrenOf, type XmlElement } from '../../formats/xml/tree.ts';
import type {
  Access,
  AccessInputs,
  AccessReader,
  AccessSource,
  AskedRegistry,
  Refusal,
} from '../../model/registries/access.ts';
import { Credential } from '../../model/registries/credential.ts';
import { MAX_REGISTRIES } from '../shared/registry-address.ts';
import { withRules } from '../shared/registry-rules.ts';
import { isActivatedOnRequest, textOf } from './pom-artifacts.ts';
import { hasReferences, interpolationOf } from './pom-values.ts';
import { settingsFilesIn } from './registries.ts';

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
 * Not told: profiles that properties on the command line activate, and passwords that are encrypted (`{…}`).
 */
export const mavenAccess: AccessReader = {
  read(inputs) {
    const configuration = configurationOf(inputs);
    const libraries = accessOf(configuration, configuration.repositories);
    const plugins = accessOf(configuration, configuration.pluginRepositories);
    return ({ name }) => (pluginName.test(name) ? plugins : libraries);
  },
};

/** Plugins have repositories of their own. Their names follow Maven's convention. */
const pluginName = /:(?:maven-.+-plugin|.+-maven-plugin)$/;

function configurationOf(inputs: AccessInputs): Configuration {
  const settings = settingsIn(inputs.sources).map((source) => ({ source, root: parseXml(source.text).root }));
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
  const inPoms = poms.flatMap(({ source, root }) => {
    const candidates = itemsIn(root, 'profiles', 'profile').filter(
      (it) => active.has(trimmed(it, 'id')) || !isActivatedOnRequest(it),
    );
    // Those that are active by default are not if another profile of the POM is.
    const others = candidates.filter((it) => active.has(trimmed(it, 'id')) || !isActiveByDefault(it));
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
  return {
    inputs,
    mirrors: [...mirrors.values()],
    repositories: listed('repositories', 'repository'),
    pluginRepositories: listed('pluginRepositories', 'pluginRepository'),
    servers,
    interpolate,
    machineProperties: new Set(machineProperties),
  };
}

/**
 * The settings in the order of their strength. A file that an option names as the user's takes the place of
 * `~/.m2/settings.xml`; the project's own `.mvn/settings.xml`, which Maven 4 reads, comes after the user's.
 */
function settingsIn(sources: readonly AccessSource[]): AccessSource[] {
  const options = sources.filter((it) => settingsFilesIn(it).length > 0);
  const isReplaced = options.some((it) => userSettings.test(it.text));
  const files = sources.filter((it) => it.name === 'settings.xml');
  const isProjects = (it: AccessSource): boolean =>
    it.owner === 'workspace' && /(?:^|\/)\.mvn\/settings\.xml$/.test(it.label);
  const isUsers = (it: AccessSource): boolean =>
    it.owner === 'machine' && /[\\/]\.m2[\\/]settings\.xml$/.test(it.label);
  return [
    ...files.filter((it) => it.owner === 'workspace' && !isProjects(it)),
    ...files.filter((it) => it.owner === 'machine' && !(isReplaced && isUsers(it))),
    ...files.filter(isProjects),
  ];
}

const userSettings = /(?:^|\s)(?:-s|--settings|-D(?:maven\.user\.settings|org\.apache\.maven\.user-settings)=)/;

function itemsIn(holder: XmlElement | undefined, list: string, item: string): XmlElement[] {
  return childrenOf(holder, list).flatMap((it) => childrenOf(it, item));
}

function propertiesOf(holder: XmlElement): readonly XmlElement[] {
  return childrenOf(holder, 'properties').flatMap((it) => it.children);
}

function isActiveByDefault(profile: XmlElement): boolean {
  const activation = childOf(profile, 'activation');
  return activation !== undefined && textOf(activation, 'activeByDefault') === 'true';
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
  const isMachines = source.owner === 'machine' || namedByMachine(configuration).has(bare(address.text));
  const asked = withRules({
    protocol: 'maven',
    address: address.text,
    from: source.label,
    namedBy: isMachines ? 'machine' : 'workspace',
    isTrusted: configuration.inputs.isTrusted,
    credential: blocked ? undefined : credentialFor({ ...used, url: address.text }, configuration),
    sendsUser: true,
    refusal: address.refusal ?? blocked,
  });
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
  { inputs, interpolate, machineProperties }: Configuration,
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
  return text.replace(/\$\{env\.([^${}]{1,200})\}/g, (whole, name: string) => variable(name) ?? whole);
}

/**
 * The credential of a repository. That of the machine goes to a repository of the workspace with its id, as Maven sends it,
 * unless the machine's own settings use the id for another host.
 */
function credentialFor(used: Repository, configuration: Configuration): Credential | Refusal | undefined {
  const { servers, mirrors, repositories, pluginRepositories, inputs } = configuration;
  const all = servers.get(used.id) ?? [];
  const server = used.source.owner === 'machine' ? (all.find((it) => it.source.owner === 'machine') ?? all[0]) : all[0];
  if (!server) return undefined;
  const from = server.source.label;
  const another: Refusal = { rule: 'credential-of-another', from, detail: used.id };
  if (server.source.owner === 'workspace' && used.source.owner === 'machine') return another;
  if (server.source.owner === 'machine' && used.source.owner === 'workspace') {
    const own = [...mirrors, ...repositories, ...pluginRepositories].filter(
      (it) => it.id === used.id && it.source.owner === 'machine' && it.url !== '',
    );
    if (own.some((it) => hostOf(withVariables(it.url, inputs)) !== hostOf(used.url))) return another;
  }
  return credentialOf(server, inputs);
}

/** The addresses that the machine's settings name themselves. */
function namedByMachine({ mirrors, repositories, pluginRepositories, inputs }: Configuration): ReadonlySet<string> {
  const named = [...mirrors, ...repositories, ...pluginRepositories].filter((it) => it.source.owner === 'machine');
  return new Set(named.filter((it) => it.url !== '').map((it) => bare(withVariables(it.url, inputs))));
}

function bare(address: string): string {
  return address.replace(/\/+$/, '');
}

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

function credentialOf({ element, source }: Server, inputs: AccessInputs): Credential | Refusal | undefined {
  const from = source.label;
  const values = new Map<string, string>();
  const header = authorizationOf(element);
  if (header === 'another') return { rule: 'unreadable-credential', from, detail: 'httpHeaders' };
  const texts = header ? { header } : { user: trimmed(element, 'username'), password: trimmed(element, 'password') };
  for (const [key, written] of Object.entries(texts)) {
    const text = source.owner === 'machine' ? withVariables(written, inputs) : written;
    const [whole, name = ''] = reference.exec(text) ?? [];
    if (whole) {
      const rule = source.owner === 'workspace' ? 'variable-in-workspace' : 'unreadable-credential';
      return { rule, from, detail: name.replace(/^env\./, '') };
    }
    values.set(key, text);
  }
  const [user = '', password = ''] = [values.get('user'), values.get('password')];
  if (header) return new Credential({ kind: 'raw', value: values.get('header') ?? '' }, from);
  if (user === '' && password === '') return undefined;
  if (encrypted.test(password)) return { rule: 'unreadable-credential', from, detail: trimmed(element, 'id') };
  return new Credential({ kind: 'basic', user, password }, from);
}

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
