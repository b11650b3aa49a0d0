import { parseXml } from '../../formats/xml/parse.ts';
import type { XmlElement } from '../../formats/xml/tree.ts';
import type { Access, AccessInputs, AccessSource, AskedRegistry, Refusal } from '../../model/registries/access.ts';
import type { RegistryReader } from '../../model/registries/registry-reader.ts';
import {
  askedRegistry,
  bareAddress,
  type ClientCredential,
  type KeptFor,
  type NamedBy,
  type Setting,
  sameAddress,
  settingOf,
} from '../shared/client-registry.ts';
import { MAX_PATTERNS, MAX_REGISTRIES } from '../shared/registry-address.ts';
import { addressesInApp, addressesInProject } from './restore-sources.ts';

/** A package source under its key. */
interface Feed {
  readonly key: string;
  /** As written: an address or a folder. */
  readonly value: string;
  readonly protocolVersion: string;
  readonly source: AccessSource;
}

/** What `packageSourceCredentials` has for a key. */
interface Login {
  readonly user: string;
  readonly password: string;
  readonly isEncrypted: boolean;
  readonly types: string;
  readonly source: AccessSource;
}

/** The settings of all files together, by key in lower case. */
interface Configuration {
  readonly inputs: AccessInputs;
  readonly feeds: Map<string, Feed>;
  readonly disabled: Map<string, boolean>;
  readonly mapping: Map<string, readonly string[]>;
  readonly logins: Map<string, Login>;
  /** Whether a file says anything about sources. */
  readonly hasSources: boolean;
  /** Those of the machine's files alone: a file of the workspace may give a key to another address. */
  readonly machineFeeds: Map<string, Feed>;
  readonly machineLogins: Map<string, Login>;
  readonly namedBy: NamedBy;
}

/**
 * NuGet asks all sources for the versions of a package, or those to which the longest pattern maps it. Files count from
 * the farthest to the nearest; a credential belongs to the key of a source.
 *
 *     <packageSources>            <add key="acme" value="https://…/index.json" />
 *     <packageSourceCredentials>  <acme> <add key="Username" value="…" /> <add key="ClearTextPassword" value="%TOKEN%" />
 *
 * `NuGetPackageSourceCredentials_acme=Username=…;Password=…` comes before. A `Password` is encrypted by Windows. Feeds of
 * version 2 and packages that come from folders alone are reported as not asked.
 */
export const nugetAccess: RegistryReader['accessTo'] = (inputs) => {
  const configuration = configurationOf(inputs);
  const { feeds, disabled, mapping, hasSources } = configuration;
  const active = [...feeds.values()].filter((it) => disabled.get(it.key.toLowerCase()) !== true);
  const byKey = new Map<string, AskedRegistry>();
  for (const it of active.slice(0, MAX_REGISTRIES)) byKey.set(it.key.toLowerCase(), askedFor(it, configuration));
  const ofProjects = projectFeeds(configuration, [...byKey.values()]);
  return ({ name }) => {
    const keys = mapping.size === 0 ? undefined : mappedTo(name, mapping);
    const mapped = keys === undefined ? [...byKey.values()] : keys.flatMap((it) => byKey.get(it) ?? []);
    // Its files clear or disable all sources.
    const none: Access | undefined = hasSources ? { registries: [], join: 'all' } : undefined;
    return accessOf([...mapped, ...ofProjects]) ?? none;
  };
};

function configurationOf(inputs: AccessInputs): Configuration {
  const files = inputs.sources.filter((it) => /^nuget\.config$/i.test(it.name)).reverse();
  const everything = combine(files);
  const machine = combine(files.filter((it) => it.owner === 'machine'));
  // A pattern costs time for each name.
  const patterns = [...everything.mapping.values()].reduce((sum, it) => sum + it.length, 0);
  if (patterns > MAX_PATTERNS) everything.feeds.clear();
  const addressesIn = (feeds: Map<string, Feed>): string[] => [...feeds.values()].map((it) => addressOf(it, inputs));
  const ofMachine = addressesIn(machine.feeds);
  const ofWorkspace = addressesIn(combine(files.filter((it) => it.owner === 'workspace')).feeds);
  return {
    ...everything,
    inputs,
    machineFeeds: machine.feeds,
    machineLogins: machine.logins,
    namedBy: ({ owner }) => (owner === 'machine' ? ofMachine : ofWorkspace),
  };
}

/** @param files the farthest first: a nearer one replaces and clears */
function combine(
  files: readonly AccessSource[],
): Pick<Configuration, 'feeds' | 'disabled' | 'mapping' | 'logins' | 'hasSources'> {
  const feeds = new Map<string, Feed>();
  const disabled = new Map<string, boolean>();
  const mapping = new Map<string, readonly string[]>();
  const logins = new Map<string, Login>();
  let hasSources = false;
  for (const source of files) {
    for (const section of parseXml(source.text).root?.children ?? []) {
      switch (section.name.toLowerCase()) {
        case 'packagesources':
          hasSources ||= section.children.length > 0;
          entries(section, feeds, (it) => ({
            key: attribute(it, 'key').trim(),
            value: attribute(it, 'value').trim(),
            protocolVersion: attribute(it, 'protocolversion').trim(),
            source,
          }));
          break;
        case 'disabledpackagesources':
          entries(section, disabled, (it) => /^true$/i.test(attribute(it, 'value').trim()));
          break;
        case 'packagesourcemapping':
          entries(section, mapping, (it) =>
            it.children.map((child) => attribute(child, 'pattern').trim().toLowerCase()).filter(Boolean),
          );
          break;
        case 'packagesourcecredentials':
          for (const it of section.children) {
            if (it.name.toLowerCase() === 'clear') logins.clear();
            else logins.set(decodedName(it.name).toLowerCase(), loginOf(it, source));
          }
          break;
      }
    }
  }
  return { feeds, disabled, mapping, logins, hasSources };
}

/** `<add>` and `<packageSource>` put something under a key, `<remove>` takes it away, `<clear>` takes everything. */
function entries<T>(section: XmlElement, into: Map<string, T>, read: (it: XmlElement) => T): void {
  for (const it of section.children) {
    const key = attribute(it, 'key').trim().toLowerCase();
    const name = it.name.toLowerCase();
    if (name === 'clear') into.clear();
    else if (name === 'remove') into.delete(key);
    else if (key !== '') into.set(key, read(it));
  }
}

/** The name of an element has the characters of a key that XML does not permit as `_x0020_`. */
function decodedName(name: string): string {
  return name.replace(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function loginOf(element: XmlElement, source: AccessSource): Login {
  const value = (key: string): string | undefined => {
    const it = element.children.find((one) => attribute(one, 'key').toLowerCase() === key);
    return it && attribute(it, 'value');
  };
  const clear = value('cleartextpassword');
  return {
    user: value('username') ?? '',
    password: clear ?? value('password') ?? '',
    isEncrypted: clear === undefined && value('password') !== undefined,
    types: value('validauthenticationtypes') ?? '',
    source,
  };
}

/** The keys that have the longest pattern for a name. Without one, NuGet asks no source. */
function mappedTo(name: string, mapping: Configuration['mapping']): readonly string[] {
  const id = name.toLowerCase();
  let best = 0;
  let found: string[] = [];
  for (const [key, patterns] of mapping) {
    const rank = patterns.reduce((highest, it) => Math.max(highest, rankOf(it, id)), 0);
    if (rank === 0 || rank < best) continue;
    if (rank > best) found = [];
    best = rank;
    found.push(key);
  }
  return found;
}

/** Exact names before prefixes, long prefixes before short ones; 0 where a pattern does not fit. */
function rankOf(pattern: string, id: string): number {
  if (!pattern.endsWith('*')) return pattern === id ? Number.MAX_SAFE_INTEGER : 0;
  return id.startsWith(pattern.slice(0, -1)) ? pattern.length : 0;
}

function askedFor(feed: Feed, configuration: Configuration): AskedRegistry {
  const { key, value, protocolVersion, source } = feed;
  const { inputs, namedBy } = configuration;
  const from = source.label;
  const { text, refusal } = expanded(value, source, inputs, 'unusable-address');
  const isWeb = bareAddress(text) !== undefined;
  const isOld = isWeb && (protocolVersion === '' ? !/\.json\/?(?:[?#].*)?$/i.test(text) : Number(protocolVersion) < 3);
  return askedRegistry(
    'nuget',
    {
      address: { text, source },
      credential: isWeb ? credentialFor(key, text, source, configuration) : undefined,
      refusal: refusal ?? (isOld ? { rule: 'unusable-address', from, detail: 'NuGet v2' } : undefined),
    },
    inputs,
    namedBy,
  );
}

/** The credential that belongs to the key of a source: of one that the machine names, too, that of the machine. */
function credentialFor(
  key: string,
  address: string,
  { owner }: AccessSource,
  { inputs, logins, machineLogins, machineFeeds }: Configuration,
): ClientCredential | undefined {
  const id = key.toLowerCase();
  const isMachines =
    owner === 'machine' || [...machineFeeds.values()].some((it) => sameAddress(addressOf(it, inputs), address));
  const nearest = logins.get(id);
  const login = fromEnvironment(key, inputs) ?? (isMachines ? (machineLogins.get(id) ?? nearest) : nearest);
  if (!login) return undefined;
  const own = machineFeeds.get(id);
  const add = { setting: `<packageSources> <add key="${key}" value="…" />`, file: 'NuGet.Config' };
  const keptFor = { name: key, addresses: own ? [addressOf(own, inputs)] : [], add };
  return credentialOf(login, key, keptFor, inputs);
}

function addressOf({ value, source }: Feed, inputs: AccessInputs): string {
  return expanded(value, source, inputs, 'unusable-address').text;
}

/** Source: NuGet's PackageSourceProvider. */
const inVariable = /^Username=(.*?);\s*Password=(.*?)(?:;\s*ValidAuthenticationTypes=(.*?))?\s*$/i;

function fromEnvironment(key: string, { sources }: AccessInputs): Login | undefined {
  const name = `nugetpackagesourcecredentials_${key}`.toLowerCase();
  const source = sources.find((it) => it.owner === 'machine' && it.label.toLowerCase() === name);
  const [, user, password, types = ''] = inVariable.exec(source?.text.trim() ?? '') ?? [];
  if (!source || user === undefined || password === undefined) return undefined;
  return { user, password, isEncrypted: false, types, source };
}

function credentialOf(
  { user, password, isEncrypted, types, source }: Login,
  key: string,
  keptFor: KeptFor,
  inputs: AccessInputs,
): ClientCredential | undefined {
  const written: Setting = { text: '', source };
  if (isEncrypted) return { unreadable: written, detail: key };
  const isBasic = types.trim() === '' || types.split(',').some((it) => /^basic$/i.test(it.trim()));
  if (!isBasic) return { unreadable: written, detail: types };
  // A variable is not expanded once more.
  const isFile = source.name.toLowerCase() === 'nuget.config';
  const [name, secret] = [user, password].map((text) =>
    isFile ? settingOf(text, source, variables, inputs.variable) : { text, source },
  );
  if (!name || !secret || (name.text === '' && secret.text === '')) return undefined;
  const file = `<packageSourceCredentials> <${key}>`;
  return {
    parts: { kind: 'basic', user: name.text, password: secret.text },
    settings: [name, secret],
    keptFor,
    place: { setting: file, file: 'NuGet.Config' },
  };
}

const variables = /%(?<name>[a-z_][\w().-]{0,200})%/gi;

/** Replaces `%NAME%` in a file of the machine. One without a value stays, and an escape in an address is no variable. */
function expanded(
  text: string,
  { owner, label: from }: AccessSource,
  { variable }: AccessInputs,
  rule: Refusal['rule'],
): { readonly text: string; readonly refusal?: Refusal } {
  let refusal: Refusal | undefined;
  const replaced = text.replace(variables, (whole, name: string) => {
    const value = owner === 'machine' ? variable(name) : undefined;
    if (value !== undefined) return value;
    refusal ??= { rule: owner === 'workspace' ? 'variable-in-workspace' : rule, from, detail: name };
    return whole;
  });
  return { text: replaced, ...(refusal && { refusal }) };
}

/** Sources that projects name beside those of the configuration, with the credential of the same address there. */
function projectFeeds({ inputs, namedBy }: Configuration, known: readonly AskedRegistry[]): readonly AskedRegistry[] {
  const found = inputs.sources.flatMap((source) => {
    const { name, text } = source;
    const isProject = /\.(?:\w+proj|props|targets)$/i.test(name);
    const addresses = isProject ? addressesInProject(text) : name.endsWith('.cs') ? addressesInApp(text) : [];
    return addresses.map((address): AskedRegistry => {
      const same = known.find((it) => it.address === bareAddress(address));
      const from = source.label;
      const isUnclear = address.includes('$(');
      return (
        same ??
        askedRegistry(
          'nuget',
          {
            address: { text: address, source },
            refusal: isUnclear ? { rule: 'unusable-address', from, detail: address.slice(0, 200) } : undefined,
          },
          inputs,
          namedBy,
        )
      );
    });
  });
  return found.slice(0, MAX_REGISTRIES);
}

function accessOf(registries: readonly AskedRegistry[]): Access | undefined {
  const distinct = new Map<string, AskedRegistry>();
  // A folder beside a feed is passed over: its packages are those of this machine. A folder alone is reported.
  const feeds = registries.filter((it) => it.refusal?.rule !== 'unusable-address' || isAddress.test(it.address));
  // Of two sources at one address, the one that a credential belongs to.
  for (const it of feeds.length > 0 ? feeds : registries) {
    const before = distinct.get(it.address);
    if (!before || (it.credential && !before.credential)) distinct.set(it.address, it);
  }
  return distinct.size === 0 ? undefined : { registries: [...distinct.values()], join: 'all' };
}

/** Also one that only a build knows: `%FEED%`, `$(Feed)`. */
const isAddress = /^(?:[a-z][a-z+.-]+:\/\/|%|\$\()/i;

function attribute(it: XmlElement, name: string): string {
  return it.attributes.find((one) => one.name.toLowerCase() === name)?.value ?? '';
}
