import { parseToml } from '../../formats/toml/parse.ts';
import { entriesOf, stringAt, type TomlValue, textsAt, tomlAt } from '../../formats/toml/tree.ts';
import type { Access, AccessInputs, AccessSource, AskedRegistry } from '../../model/registries/access.ts';
import type { RegistryReader } from '../../model/registries/registry-reader.ts';
import type { Registry } from '../../model/registry.ts';
import {
  askedRegistry,
  type ClientCredential,
  type NamedBy,
  type Setting,
  sameAddress,
} from '../shared/client-registry.ts';
import { distinctRegistries, MAX_SETTINGS_LENGTH, registryAt } from '../shared/registry-address.ts';
import { includedIn } from './cargo-config.ts';
import { defaultIndex } from './patches.ts';

const isConfig = /^config(?:\.toml)?$/;

/** A longer chain of replaced sources is a cycle. */
const MAX_REPLACEMENTS = 8;

/**
 *     [registries.acme]                                     the registry of a dependency with `registry = "acme"`
 *     index = "sparse+https://cargo.acme.example/index/"
 *     credential-provider = "cargo:token"                   or global-credential-providers = ["cargo:token"]
 *     token = "…"                                           in ~/.cargo/credentials.toml, or CARGO_REGISTRIES_ACME_TOKEN
 *     [source.crates-io]
 *     replace-with = "acme"                                 everything else comes from there, too
 *
 * A token belongs to the name of a registry. Members inherit the requirements of the workspace, so a registry is found by
 * the name of the package.
 */
export const cargoRegistries: RegistryReader = {
  above: ['.cargo/config.toml', '.cargo/config'],
  filesNamedBy: ({ name, label, text }) =>
    isConfig.test(name)
      ? includedIn(parseToml(text.slice(0, MAX_SETTINGS_LENGTH)).root).map((it) => ({
          name,
          label: label.replace(/[^/]*$/, () => it),
        }))
      : [],
  chainFormats: new Map([['Cargo.toml', 'Cargo.toml']]),
  ownersOf(sources) {
    const settings = new CargoSettings(sources);
    const usual = ownersInPlace(settings);
    const known = new Map<string, readonly Registry[]>();
    const named = (registry: string): readonly Registry[] => {
      const found = known.get(registry) ?? (isUsual(registry) ? usual : ownersNamed(registry, settings));
      known.set(registry, found);
      return found;
    };
    return ({ name, registries }) => {
      const own = settings.chosen.get(name) ?? [];
      if (own.length === 0 && registries === undefined) return usual;
      const all = [...own.map((it) => it.registry), ...(registries ?? [])];
      return distinctRegistries([...new Set(all)].flatMap(named));
    };
  },
  accessTo(inputs) {
    const settings = new CargoSettings(inputs.sources);
    const asked = (index: Setting): AskedRegistry => askedFor(index, settings, inputs);
    const usual = settings.replacing('crates-io');
    const ofUsual = typeof usual === 'object' ? [usual] : [];
    const named = (registry: string, from: AccessSource): readonly Setting[] => {
      if (isUsual(registry)) return ofUsual;
      const index = isAddress(registry) ? undefined : settings.indexOf(registry);
      return [settings.atLast(index ?? { text: registry, source: from })];
    };
    return ({ name, registries }): Access | undefined => {
      const own = settings.chosen.get(name) ?? [];
      const indexes =
        registries === undefined && own.length === 0
          ? ofUsual
          : [
              ...(registries ?? []).flatMap((it) => named(it, lock)),
              ...own.flatMap((it) => named(it.registry, it.source)),
            ];
      const distinct = indexes.filter(
        (it, at) => indexes.findIndex((other) => isSameIndex(other.text, it.text)) === at,
      );
      // In the place of its usual registry, Cargo has a folder or nothing at all.
      if (distinct.length === 0) return usual === undefined ? undefined : { registries: [], join: 'first' };
      // Of a name that two registries are named for, each dependency has one of them.
      return { registries: distinct.map(asked), join: distinct.length > 1 ? 'all' : 'first' };
    };
  },
};

const lock: AccessSource = { name: 'Cargo.lock', label: 'Cargo.lock', text: '', owner: 'workspace' };

function isUsual(registry: string): boolean {
  return registry === 'crates-io' || defaultIndex.test(registry);
}

function isAddress(registry: string): boolean {
  return /[:/]/.test(registry);
}

/** In the place of the usual one. */
function ownersInPlace(settings: CargoSettings): readonly Registry[] {
  const found = settings.replacing('crates-io');
  // A folder of vendored crates is no registry. An undefined source, and a repository, counts as a private one.
  if (found === undefined || found === 'folder') return [];
  return found === 'unclear' ? [fromOf(settings.at('source', 'crates-io', 'replace-with'))] : ownersAt(found);
}

/** The registry of a name, and the one that takes its place. */
function ownersNamed(registry: string, settings: CargoSettings): readonly Registry[] {
  const own = { text: registry, source: { ...lock, label: '' } };
  const index = isAddress(registry) ? own : settings.indexOf(registry);
  return index ? [...ownersAt(index), ...ownersAt(settings.atLast(index))] : [{}];
}

function ownersAt(index: Setting): readonly Registry[] {
  const from = fromOf(index);
  return [registryAt(index.text, from.from) ?? from];
}

function fromOf(setting: Setting | undefined): Registry {
  return setting?.source.label ? { from: setting.source.label } : {};
}

/** A `config.toml`, or the `credentials.toml` of Cargo's home. */
interface CargoFile {
  readonly source: AccessSource;
  readonly root: TomlValue;
}

/** What the settings of Cargo and the manifests say together. */
class CargoSettings {
  readonly #sources: readonly AccessSource[];
  readonly configs: readonly CargoFile[];
  /** Where tokens may stand: what a login writes comes before other settings. A workspace has no such file. */
  readonly holders: readonly CargoFile[];
  /** The dependencies that name a registry. */
  readonly chosen: ReadonlyMap<string, readonly { readonly registry: string; readonly source: AccessSource }[]>;

  constructor(sources: readonly AccessSource[]) {
    this.#sources = sources;
    const filesOf = (isOne: (source: AccessSource) => boolean): CargoFile[] =>
      sources.filter(isOne).map((source) => ({ source, root: parseToml(source.text).root }));
    this.configs = filesOf((it) => isConfig.test(it.name));
    const logins = filesOf((it) => /^credentials(?:\.toml)?$/.test(it.name) && it.owner === 'machine');
    this.holders = [...logins, ...this.configs];
    const chosen = new Map<string, { registry: string; source: AccessSource }[]>();
    for (const { source, root } of filesOf((it) => it.name === 'Cargo.toml')) {
      for (const { name, registry } of namedRegistries(root)) {
        const known = chosen.get(name);
        if (known === undefined) chosen.set(name, [{ registry, source }]);
        else if (!known.some((it) => it.registry === registry)) known.push({ registry, source });
      }
    }
    this.chosen = chosen;
  }

  variable(name: string): Setting | undefined {
    const source = this.#sources.find((it) => it.name === name);
    return source && { text: source.text.trim(), source };
  }

  at(...path: readonly string[]): Setting | undefined {
    return settingIn(this.configs, path);
  }

  indexOf(registry: string): Setting | undefined {
    return this.variable(`${variableOf(registry)}_INDEX`) ?? this.at('registries', registry, 'index');
  }

  /** The indexes that the machine itself gives to a name. */
  ofMachine(registry: string): readonly string[] {
    const files = this.configs.filter(({ source }) => source.owner === 'machine');
    const own = this.variable(`${variableOf(registry)}_INDEX`) ?? settingIn(files, ['registries', registry, 'index']);
    return own ? [withoutScheme(own.text)] : [];
  }

  /** What takes the place of a source; undefined if nothing does. `unclear`: a repository, or what nothing defines. */
  replacing(source: string, depth = 0): Setting | 'folder' | 'unclear' | undefined {
    const next = this.at('source', source, 'replace-with');
    if (next && depth < MAX_REPLACEMENTS) return this.replacing(next.text, depth + 1);
    const own = this.at('source', source, 'registry');
    if (own || depth === 0) return own;
    if (this.at('source', source, 'directory') ?? this.at('source', source, 'local-registry')) return 'folder';
    return this.indexOf(source) ?? 'unclear';
  }

  /** The source of an address may be replaced, too. */
  atLast(index: Setting): Setting {
    for (const { root } of this.configs) {
      for (const { key, value } of entriesOf(tomlAt(root, 'source'))) {
        const own = stringAt(value, 'registry')?.text;
        if (own === undefined || !isSameIndex(own, index.text)) continue;
        const found = this.replacing(key.text);
        return typeof found === 'object' ? found : index;
      }
    }
    return index;
  }

  /** The names of the registries with an index. Credentials belong to names. */
  namesOf(index: Setting): readonly string[] {
    const all = new Set(
      this.configs.flatMap(({ root }) => entriesOf(tomlAt(root, 'registries')).map((it) => it.key.text)),
    );
    for (const { name } of this.#sources) {
      const written = /^CARGO_REGISTRIES_(\w+)_INDEX$/.exec(name)?.[1];
      if (written && ![...all].some((it) => variableOf(it) === `CARGO_REGISTRIES_${written}`)) all.add(written);
    }
    return [...all].filter((it) => isSameIndex(this.indexOf(it)?.text ?? '', index.text));
  }

  /** Programs that keep credentials: of the registry, else of all, separated by spaces. Cargo's own is `cargo:token`. */
  providerOf(name: string): Setting | undefined {
    return (
      this.variable(`${variableOf(name)}_CREDENTIAL_PROVIDER`) ??
      settingIn(this.configs, ['registries', name, 'credential-provider'], listOrText) ??
      this.variable('CARGO_REGISTRY_GLOBAL_CREDENTIAL_PROVIDERS') ??
      settingIn(this.configs, ['registry', 'global-credential-providers'], listOrText)
    );
  }
}

function askedFor(index: Setting, settings: CargoSettings, inputs: AccessInputs): AskedRegistry {
  const address: Setting = { ...index, text: withoutScheme(index.text) };
  const namedBy: NamedBy = (source) =>
    /^CARGO_REGISTRIES_.*_INDEX$/.test(source.name)
      ? [withoutScheme(source.text)]
      : settings.configs.filter((it) => it.source === source).flatMap(addressesIn);
  const isSparse = /^sparse\+/.test(index.text);
  const credential = isSparse ? credentialOf(index, settings) : undefined;
  const asked = askedRegistry('sparse-index', { address, ...(credential && { credential }) }, inputs, namedBy);
  if (isSparse) return asked;
  // A repository with an index, a name that nothing defines.
  return { ...asked, refusal: { rule: 'unusable-address', from: address.source.label, detail: asked.address } };
}

function credentialOf(index: Setting, settings: CargoSettings): ClientCredential | undefined {
  let ofAnother: ClientCredential | undefined;
  for (const name of settings.namesOf(index)) {
    const provider = settings.providerOf(name);
    // Without one, Cargo refuses to read from a registry that wants a token.
    if (provider === undefined) continue;
    if (!provider.text.split(' ').includes('cargo:token')) {
      return { unreadable: provider, detail: provider.text.split(' ')[0] ?? '' };
    }
    const token =
      settings.variable(`${variableOf(name)}_TOKEN`) ?? settingIn(settings.holders, ['registries', name, 'token']);
    if (token === undefined) continue;
    const addresses = settings.ofMachine(name);
    const add = { setting: `[registries.${name}] index`, file: '~/.cargo/config.toml' };
    const found: ClientCredential = {
      parts: { kind: 'raw', value: token.text },
      settings: [token],
      keptFor: { name, addresses, add },
    };
    const isOwn = addresses.some((it) => sameAddress(it, withoutScheme(index.text)));
    if (token.source.owner === 'workspace' || isOwn) return found;
    ofAnother ??= found;
  }
  return ofAnother;
}

/** The dependencies that name a registry, in any table of a manifest, and the patches that do. */
function namedRegistries(root: TomlValue): { readonly name: string; readonly registry: string }[] {
  const targets = entriesOf(tomlAt(root, 'target')).flatMap(({ value }) => entriesOf(value));
  const workspace = entriesOf(tomlAt(root, 'workspace'));
  const tables = [...entriesOf(root), ...targets, ...workspace].filter(({ key }) =>
    /^(?:(?:dev|build)[-_])?dependencies$/.test(key.text),
  );
  return [...tables, ...entriesOf(tomlAt(root, 'patch'))]
    .flatMap(({ value }) => entriesOf(value))
    .flatMap(({ key, value }) =>
      ['registry', 'registry-index'].flatMap((field) => {
        const registry = stringAt(value, field);
        return registry ? [{ name: stringAt(value, 'package')?.text ?? key.text, registry: registry.text }] : [];
      }),
    );
}

type ReadValue = (root: TomlValue, path: readonly string[]) => string | undefined;

const textOf: ReadValue = (root, path) => stringAt(root, ...path)?.text;
const listOrText: ReadValue = (root, path) => textOf(root, path) ?? (textsAt(root, ...path).join(' ') || undefined);

/** The strongest value at a path. */
function settingIn(files: readonly CargoFile[], path: readonly string[], read = textOf): Setting | undefined {
  for (const { source, root } of files) {
    const text = read(root, path);
    if (text !== undefined) return { text, source };
  }
  return undefined;
}

function addressesIn({ root }: CargoFile): string[] {
  const of = (table: string, field: string): string[] =>
    entriesOf(tomlAt(root, table)).flatMap(({ value }) => stringAt(value, field)?.text ?? []);
  return [...of('registries', 'index'), ...of('source', 'registry')].map(withoutScheme);
}

/** `my-company` → `CARGO_REGISTRIES_MY_COMPANY` */
function variableOf(registry: string): string {
  return `CARGO_REGISTRIES_${registry.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}

/** `sparse+https://…` → `https://…` */
function withoutScheme(index: string): string {
  return index.replace(/^(?:sparse|registry|git)\+/, '');
}

function isSameIndex(a: string, b: string): boolean {
  return a === b || sameAddress(withoutScheme(a), withoutScheme(b));
}
