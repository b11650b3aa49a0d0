import { isRecord } from '../../base/text.ts';
import { readPlainJson } from '../../formats/json/plain.ts';
import type { Access, AccessInputs, AccessSource, AskedRegistry, Refusal } from '../../model/registries/access.ts';
import type { RegistryReader } from '../../model/registries/registry-reader.ts';
import type { Registry, RegistrySource } from '../../model/registry.ts';
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
import {
  distinctRegistries,
  MAX_PATTERNS,
  MAX_REGISTRIES,
  ownRegistries,
  registryAt,
  registryBeside,
} from '../shared/registry-address.ts';
import {
  activeFeeds,
  type Feed,
  type Login,
  mappedTo,
  type NugetConfig,
  patternCount,
  readNugetConfig,
} from './nuget-config.ts';
import { addressesInApp, addressesInProject } from './restore-sources.ts';

/** How a file of C# is known that is an app of its own. */
const oneFile = 'app.cs';

const project = /\.(?:\w+proj|props|targets)$/i;

/**
 * NuGet asks all sources for the versions of a package, or those to which the longest pattern maps it. A credential belongs to
 * the key of a source. `NuGetPackageSourceCredentials_acme=Username=…;Password=…` comes before those of files, where a
 * `Password` is encrypted by Windows. Feeds of version 2 and packages that come from folders alone are reported as not asked.
 */
export const nugetRegistries: RegistryReader = {
  above: [
    'nuget.config',
    'NuGet.config',
    'NuGet.Config',
    // On a case-sensitive file system NuGet finds only these; a team may have both kinds of machines.
    'Nuget.Config',
    'NUGET.CONFIG',
    // Beside a solution.
    '.nuget/nuget.config',
    '.nuget/NuGet.config',
    '.nuget/NuGet.Config',
    'Directory.Build.props',
    'Directory.Build.targets',
    'Directory.Packages.props',
  ],
  filesNamedBy: (source) => (project.test(source.name) ? [...configFiles(source.text), ...imports(source)] : []),
  chainFormats: new Map([
    ...['csproj', 'msbuild', 'Directory.Build.props', 'Directory.Packages.props'].map((it) => [it, 'a.props'] as const),
    ['project.assets.json', 'project.assets.json'] as const,
    ['file-based-app', oneFile] as const,
  ]),
  ownersOf(sources) {
    const config = readNugetConfig(sources);
    const registries = new Map([...config.feeds].map(([key, it]) => [key, ownerOf(it)]));
    const isTooMuch = patternCount(config) > MAX_PATTERNS;
    // Whichever comes first, with several sources a package may come from any of them.
    const all = distinctRegistries(activeFeeds(config).flatMap((it) => registries.get(it.key.toLowerCase()) ?? []));
    const everything = all.length > 1 ? all.map((it) => ({ ...it, isAdditional: true as const })) : all;
    const beside = distinctRegistries(sources.flatMap(ownersBeside));
    return (asked) => {
      const keys = isTooMuch ? [] : mappedTo(asked.name, config);
      // Packages that are mapped to a folder, or to a source defined elsewhere, are as private as those of a registry.
      const mapped = keys.flatMap((it) => registries.get(it) ?? fromOf(config.mapping.get(it)?.source));
      return [...(keys.length > 0 ? mapped : everything), ...beside, ...ownRegistries(asked)];
    };
  },
  accessTo(inputs) {
    const configuration = configurationOf(inputs);
    const { config } = configuration;
    const byKey = new Map<string, AskedRegistry>();
    // A pattern costs time for each name.
    const active = patternCount(config) > MAX_PATTERNS ? [] : activeFeeds(config);
    for (const it of active.slice(0, MAX_REGISTRIES)) byKey.set(it.key.toLowerCase(), askedFor(it, configuration));
    const ofProjects = projectFeeds(configuration, [...byKey.values()]);
    return ({ name }) => {
      const keys = config.mapping.size === 0 ? undefined : mappedTo(name, config);
      const mapped = keys === undefined ? [...byKey.values()] : keys.flatMap((it) => byKey.get(it) ?? []);
      // Its files clear or disable all sources.
      const none: Access | undefined = config.hasSources ? { registries: [], join: 'all' } : undefined;
      return accessOf([...mapped, ...ofProjects]) ?? none;
    };
  },
};

function fromOf(source: AccessSource | undefined): Registry {
  return source ? { from: source.label } : {};
}

/** Undefined for a folder. */
function ownerOf({ value, source }: Feed): Registry | undefined {
  // Anything without a scheme is a folder, unless it begins with a variable or an entity, which may hold an address.
  const mayBeAddress = /^(?:%[^%]*%|&[\w#]+;)/.test(value) && !knownFolder.test(value);
  const isFolder = !/^[a-z]+:\/\//i.test(value) && !mayBeAddress;
  return isFolder ? undefined : registryAt(value, source.label);
}

/** Variables that every machine has. */
const knownFolder = /^%(?:USERPROFILE|HOME|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES|TEMP|TMP)%/i;

/** The configuration that a project names in the place of all others: `<RestoreConfigFile>build/ci.config</RestoreConfigFile>`. */
function configFiles(text: string): { name: string; label: string }[] {
  return [...text.matchAll(/<RestoreConfigFile\b[^>]{0,500}>([^<]{1,4000})</gi)].flatMap(([, value = '']) => {
    const path = value.trim().replace(ownDirectory, '').replaceAll('\\', '/');
    return path === '' || /[$%*?]/.test(path) ? [] : [{ name: 'nuget.config', label: path }];
  });
}

/** The files that all projects of a folder import: `<Import Project="build/feeds.props" />`, relative to the importing file. */
function imports({ label, text }: RegistrySource): { name: string; label: string }[] {
  return [...text.matchAll(/<Import\b[^<>]{0,500}?\sProject\s*=\s*["']([^"'<>]{1,4000})["']/gi)].flatMap(
    ([, value = '']) => {
      const path = value.trim().replace(ownDirectory, '').replaceAll('\\', '/');
      // Files of an SDK, and those that only a build can find.
      if (path === '' || path.startsWith('/') || /[$%*?:]/.test(path)) return [];
      return [{ name: 'a.props', label: label.replace(/[^/]*$/, () => path) }];
    },
  );
}

/** The addresses that a project, or an app without one, names beside the configuration. */
function addressesBeside({ name, text }: RegistrySource): readonly string[] {
  if (project.test(name)) return addressesInProject(text);
  return name.endsWith('.cs') ? addressesInApp(text) : [];
}

function ownersBeside(source: RegistrySource): readonly Registry[] {
  const { name, label, text } = source;
  if (name === 'project.assets.json') return restoredFrom(source);
  // An address that begins with a property may be any.
  const named = addressesBeside(source).flatMap((it) =>
    it.startsWith('$(') ? [{ from: label, isAdditional: true as const }] : addressed(it, label),
  );
  // A configuration that only a build can find may name any.
  const isUnclear =
    project.test(name) && /<RestoreConfigFile\b[^>]{0,500}>[^<]/i.test(text) && configFiles(text).length === 0;
  return isUnclear ? [...named, { from: label }] : named;
}

const ownDirectory = /^\$\(MSBuild(?:ThisFile|Project)Directory\)[\\/]?/i;

/** The sources of the last restore: `{ "project": { "restore": { "sources": { "https://…": {} } } } }`. */
function restoredFrom({ text, label }: RegistrySource): Registry[] {
  const at = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);
  const named = at(at(at(readPlainJson(text), 'project'), 'restore'), 'sources');
  return Object.keys(isRecord(named) ? named : {}).flatMap((it) => addressed(it, label));
}

/** The registry of an address; none where it is a folder. */
function addressed(value: string, label: string): readonly Registry[] {
  const registry = /^\s*[a-z]+:\/\//i.test(value) ? registryBeside(value, label) : undefined;
  return registry ? [registry] : [];
}

/** The settings, and those of the machine's files alone: a file of the workspace may give a key to another address. */
interface Configuration {
  readonly inputs: AccessInputs;
  readonly config: NugetConfig;
  readonly ofMachine: NugetConfig;
  readonly namedBy: NamedBy;
}

function configurationOf(inputs: AccessInputs): Configuration {
  const of = (owner: AccessSource['owner']) => readNugetConfig(inputs.sources.filter((it) => it.owner === owner));
  const ofMachine = of('machine');
  const named = { machine: addressesIn(ofMachine, inputs), workspace: addressesIn(of('workspace'), inputs) };
  return { inputs, config: readNugetConfig(inputs.sources), ofMachine, namedBy: ({ owner }) => named[owner] };
}

function addressesIn({ feeds }: NugetConfig, inputs: AccessInputs): readonly string[] {
  return [...feeds.values()].map((it) => addressOf(it, inputs));
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
  { inputs, config, ofMachine }: Configuration,
): ClientCredential | undefined {
  const id = key.toLowerCase();
  const isMachines = owner === 'machine' || addressesIn(ofMachine, inputs).some((it) => sameAddress(it, address));
  const nearest = config.logins.get(id);
  const login = fromEnvironment(key, inputs) ?? (isMachines ? (ofMachine.logins.get(id) ?? nearest) : nearest);
  if (!login) return undefined;
  const own = ofMachine.feeds.get(id);
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
    const addresses = addressesBeside(source);
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
