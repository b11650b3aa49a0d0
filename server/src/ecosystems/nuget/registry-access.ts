import { parseXml } from '../../formats/xml/parse.ts';
import type { XmlElement } from '../../formats/xml/tree.ts';
import type {
  Access,
  AccessInputs,
  AccessReader,
  AccessSource,
  AskedRegistry,
  Owner,
  Refusal,
} from '../../model/registries/access.ts';
import { Credential } from '../../model/registries/credential.ts';
import { bareAddress } from '../shared/client-registry.ts';
import { MAX_PATTERNS, MAX_REGISTRIES } from '../shared/registry-address.ts';
import { withRules } from '../shared/registry-rules.ts';
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
  /** Those of the machine's files alone: a file of the workspace may give a key to another address. */
  readonly machineFeeds: Map<string, Feed>;
  readonly machineLogins: Map<string, Login>;
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
export const nugetAccess: AccessReader = {
  read(inputs) {
    const configuration = configurationOf(inputs);
    const { feeds, disabled, mapping } = configuration;
    const active = [...feeds.values()].filter((it) => disabled.get(it.key.toLowerCase()) !== true);
    const byKey = new Map<string, AskedRegistry>();
    for (const it of active.slice(0, MAX_REGISTRIES)) byKey.set(it.key.toLowerCase(), askedFor(it, configuration));
    const ofProjects = projectFeeds(configuration, [...byKey.values()]);
    return ({ name }) => {
      const keys = mapping.size === 0 ? undefined : mappedTo(name, mapping);
      const mapped = keys === undefined ? [...byKey.values()] : keys.flatMap((it) => byKey.get(it) ?? []);
      return accessOf([...mapped, ...ofProjects]);
    };
  },
};

function configurationOf(inputs: AccessInputs): Configuration {
  const files = inputs.sources.filter((it) => /^nuget\.config$/i.test(it.name)).reverse();
  const everything = combine(files);
  const machine = combine(files.filter((it) => it.owner === 'machine'));
  // A pattern costs time for each name.
  const patterns = [...everything.mapping.values()].reduce((sum, it) => sum + it.length, 0);
  if (patterns > MAX_PATTERNS) everything.feeds.clear();
  return { ...everything, inputs, machineFeeds: machine.feeds, machineLogins: machine.logins };
}

/** @param files the farthest first: a nearer one replaces and clears */
function combine(files: readonly AccessSource[]): Pick<Configuration, 'feeds' | 'disabled' | 'mapping' | 'logins'> {
  const feeds = new Map<string, Feed>();
  const disabled = new Map<string, boolean>();
  const mapping = new Map<string, readonly string[]>();
  const logins = new Map<string, Login>();
  for (const source of files) {
    for (const section of parseXml(source.text).root?.children ?? []) {
      switch (section.name.toLowerCase()) {
        case 'packagesources':
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
  return { feeds, disabled, mapping, logins };
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

function askedFor({ key, value, protocolVersion, source }: Feed, configuration: Configuration): AskedRegistry {
  const { inputs, machineFeeds } = configuration;
  const from = source.label;
  const { text, refusal } = expanded(value, source, inputs, 'unusable-address');
  const isWeb = bareAddress(text) !== undefined;
  const isOld = isWeb && (protocolVersion === '' ? !/\.json\/?(?:[?#].*)?$/i.test(text) : Number(protocolVersion) < 3);
  const namedBy = ownerOf(text, source.owner, machineFeeds, inputs);
  return withRules({
    protocol: 'nuget',
    address: text,
    from,
    namedBy,
    isTrusted: inputs.isTrusted,
    credential: isWeb ? credentialFor(key, text, source.owner, configuration) : undefined,
    refusal: refusal ?? (isOld ? { rule: 'unusable-address', from, detail: 'NuGet v2' } : undefined),
  });
}

/** A source that the machine names, too, is the machine's. */
function ownerOf(address: string, owner: Owner, machineFeeds: Map<string, Feed>, inputs: AccessInputs): Owner {
  const bare = bareAddress(address);
  const isMachines = [...machineFeeds.values()].some((it) => bareAddress(addressOf(it, inputs)) === bare);
  return bare !== undefined && isMachines ? 'machine' : owner;
}

function addressOf({ value, source }: Feed, inputs: AccessInputs): string {
  return expanded(value, source, inputs, 'unusable-address').text;
}

/**
 * The credential of a source. That of the machine goes to a source of the workspace with its key, as NuGet sends it, unless
 * the machine's own settings use the key for another host.
 */
function credentialFor(
  key: string,
  address: string,
  owner: Owner,
  { inputs, logins, machineLogins, machineFeeds }: Configuration,
): Credential | Refusal | undefined {
  const id = key.toLowerCase();
  const ofMachine = fromEnvironment(key, inputs) ?? machineLogins.get(id);
  const nearest = logins.get(id);
  const login = owner === 'machine' ? (ofMachine ?? nearest) : (fromEnvironment(key, inputs) ?? nearest);
  if (!login) return undefined;
  const from = login.source.label;
  const another: Refusal = { rule: 'credential-of-another', from, detail: key };
  if (login.source.owner === 'workspace') {
    if (owner === 'machine') return another;
  } else if (owner === 'workspace') {
    const own = machineFeeds.get(id);
    if (own && originOf(addressOf(own, inputs)) !== originOf(address)) return another;
  }
  return credentialOf(login, key, inputs);
}

function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
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
  inputs: AccessInputs,
): Credential | Refusal | undefined {
  const from = source.label;
  if (isEncrypted) return { rule: 'unreadable-credential', from, detail: key };
  const isBasic = types.trim() === '' || types.split(',').some((it) => /^basic$/i.test(it.trim()));
  if (!isBasic) return { rule: 'unreadable-credential', from, detail: types };
  const [name, secret] = [user, password].map((it) =>
    // A variable is not expanded once more.
    source.name.toLowerCase() === 'nuget.config' ? expanded(it, source, inputs, 'unreadable-credential') : { text: it },
  );
  const refusal = name?.refusal ?? secret?.refusal;
  if (refusal) return refusal;
  if (!name?.text && !secret?.text) return undefined;
  return new Credential({ kind: 'basic', user: name?.text ?? '', password: secret?.text ?? '' }, from);
}

/** Replaces `%NAME%` in a file of the machine. One without a value stays, and an escape in an address is no variable. */
function expanded(
  text: string,
  { owner, label: from }: AccessSource,
  { variable }: AccessInputs,
  rule: Refusal['rule'],
): { readonly text: string; readonly refusal?: Refusal } {
  let refusal: Refusal | undefined;
  const replaced = text.replace(/%([a-z_][\w().-]{0,200})%/gi, (whole, name: string) => {
    const value = owner === 'machine' ? variable(name) : undefined;
    if (value !== undefined) return value;
    refusal ??= { rule: owner === 'workspace' ? 'variable-in-workspace' : rule, from, detail: name };
    return whole;
  });
  return { text: replaced, ...(refusal && { refusal }) };
}

/** Sources that projects name beside those of the configuration, with the credential of the same address there. */
function projectFeeds({ inputs }: Configuration, known: readonly AskedRegistry[]): readonly AskedRegistry[] {
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
        withRules({
          protocol: 'nuget',
          address,
          from,
          namedBy: source.owner,
          isTrusted: inputs.isTrusted,
          refusal: isUnclear ? { rule: 'unusable-address', from, detail: address.slice(0, 200) } : undefined,
        })
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
