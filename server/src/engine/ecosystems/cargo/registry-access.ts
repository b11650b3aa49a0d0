import { parseToml } from '../../formats/toml/parse.ts';
import { entriesOf, stringAt, type TomlValue, textsAt, tomlAt } from '../../formats/toml/tree.ts';
import type { Access, AccessInputs, AccessReader, AccessSource, AskedRegistry } from '../../model/registries/access.ts';
import {
  askedRegistry,
  type ClientCredential,
  type NamedBy,
  type Setting,
  sameAddress,
} from '../shared/client-registry.ts';
import { defaultIndex } from './patches.ts';
import { namedRegistries } from './registries.ts';

/** A `config.toml`, or the `credentials.toml` of Cargo's home. */
interface CargoFile {
  readonly source: AccessSource;
  readonly root: TomlValue;
}

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
 * A token belongs to the name of a registry.
 */
export const cargoAccess: AccessReader = {
  read(inputs) {
    const files = inputs.sources
      .filter((it) => /^(?:config|credentials)(?:\.toml)?$/.test(it.name))
      .map((source): CargoFile => ({ source, root: parseToml(source.text).root }));
    const configs = files.filter(({ source }) => source.name.startsWith('config'));
    // What a login writes comes before other settings. A workspace has no such file.
    const holders = [
      ...files.filter(({ source }) => source.name.startsWith('credentials') && source.owner === 'machine'),
      ...configs,
    ];
    const namedBy: NamedBy = (source) =>
      /^CARGO_REGISTRIES_.*_INDEX$/.test(source.name)
        ? [withoutScheme(source.text)]
        : configs.filter((it) => it.source === source).flatMap(addressesIn);

    function variable(name: string): Setting | undefined {
      const source = inputs.sources.find((it) => it.name === name);
      return source && { text: source.text.trim(), source };
    }

    function setting(among: readonly CargoFile[], ...path: readonly string[]): Setting | undefined {
      for (const { source, root } of among) {
        const text = stringAt(root, ...path)?.text;
        if (text !== undefined) return { text, source };
      }
      return undefined;
    }

    function indexOf(registry: string): Setting | undefined {
      return variable(`${variableOf(registry)}_INDEX`) ?? setting(configs, 'registries', registry, 'index');
    }

    /** The indexes that the machine itself gives to a name. */
    function ofMachine(name: string): string[] {
      const own =
        variable(`${variableOf(name)}_INDEX`) ??
        setting(
          configs.filter(({ source }) => source.owner === 'machine'),
          'registries',
          name,
          'index',
        );
      return own ? [withoutScheme(own.text)] : [];
    }

    /** The index that takes the place of another one; undefined where a folder or a repository does. */
    function replaced(source: string, depth = 0): Setting | undefined {
      const next = setting(configs, 'source', source, 'replace-with');
      if (next && depth < MAX_REPLACEMENTS) return replaced(next.text, depth + 1);
      return setting(configs, 'source', source, 'registry') ?? (depth === 0 ? undefined : indexOf(source));
    }

    /** The source of an address may be replaced, too. */
    function atLast(index: Setting): Setting {
      for (const { root } of configs) {
        for (const { key, value } of entriesOf(tomlAt(root, 'source'))) {
          const own = stringAt(value, 'registry')?.text;
          if (own !== undefined && isSameIndex(own, index.text)) return replaced(key.text) ?? index;
        }
      }
      return index;
    }

    function named(registry: string, from: AccessSource): Setting | undefined {
      if (registry === 'crates-io' || defaultIndex.test(registry)) return replaced('crates-io');
      if (/[:/]/.test(registry)) return atLast({ text: registry, source: from });
      const index = indexOf(registry);
      return index ? atLast(index) : { text: registry, source: from };
    }

    /** The names of the registries with an index. Credentials belong to names. */
    function namesOf(index: Setting): string[] {
      const all = new Set(
        configs.flatMap(({ root }) => entriesOf(tomlAt(root, 'registries')).map((it) => it.key.text)),
      );
      for (const { name } of inputs.sources) {
        const written = /^CARGO_REGISTRIES_(\w+)_INDEX$/.exec(name)?.[1];
        if (written && ![...all].some((it) => variableOf(it) === `CARGO_REGISTRIES_${written}`)) all.add(written);
      }
      return [...all].filter((it) => isSameIndex(indexOf(it)?.text ?? '', index.text));
    }

    function credentialOf(index: Setting): ClientCredential | undefined {
      let ofAnother: ClientCredential | undefined;
      for (const name of namesOf(index)) {
        const provider = providerOf(name);
        // Without one, Cargo refuses to read from a registry that wants a token.
        if (provider === undefined) continue;
        if (!provider.text.split(' ').includes('cargo:token')) {
          return { unreadable: provider, detail: provider.text.split(' ')[0] ?? '' };
        }
        const token = variable(`${variableOf(name)}_TOKEN`) ?? setting(holders, 'registries', name, 'token');
        if (token === undefined) continue;
        const addresses = ofMachine(name);
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

    /** Programs that keep credentials: of the registry, else of all, separated by spaces. Cargo's own is `cargo:token`. */
    function providerOf(name: string): Setting | undefined {
      const own =
        variable(`${variableOf(name)}_CREDENTIAL_PROVIDER`) ??
        listOrText(configs, 'registries', name, 'credential-provider');
      const ofAll = variable('CARGO_REGISTRY_GLOBAL_CREDENTIAL_PROVIDERS');
      return own ?? ofAll ?? listOrText(configs, 'registry', 'global-credential-providers');
    }

    function asked(index: Setting): AskedRegistry {
      const address: Setting = { ...index, text: withoutScheme(index.text) };
      if (!/^sparse\+/.test(index.text)) return unusable(address, inputs, namedBy);
      const credential = credentialOf(index);
      return askedRegistry('sparse-index', { address, ...(credential && { credential }) }, inputs, namedBy);
    }

    const manifests = inputs.sources.filter((it) => it.name === 'Cargo.toml');
    const chosen = manifests.flatMap((source) =>
      namedRegistries(parseToml(source.text).root).map((it) => ({ ...it, source })),
    );
    // In the place of its usual registry, Cargo has a folder or nothing at all.
    const isVendored = setting(configs, 'source', 'crates-io', 'replace-with') !== undefined;
    return ({ name, registries }): Access | undefined => {
      const lock: AccessSource = { name: 'Cargo.lock', label: 'Cargo.lock', text: '', owner: 'workspace' };
      const own = chosen.filter((it) => it.name === name);
      const indexes = [
        ...(registries ?? []).map((it) => named(it, lock)),
        ...own.map((it) => named(it.registry, it.source)),
        ...(registries === undefined && own.length === 0 ? [replaced('crates-io')] : []),
      ].filter((it) => it !== undefined);
      const distinct = indexes.filter(
        (it, at) => indexes.findIndex((other) => isSameIndex(other.text, it.text)) === at,
      );
      // Of a name that two registries are named for, each dependency has one of them.
      return distinct.length === 0
        ? isVendored
          ? { registries: [], join: 'first' }
          : undefined
        : { registries: distinct.map(asked), join: distinct.length > 1 ? 'all' : 'first' };
    };
  },
};

/** A repository with an index, a name that nothing defines. */
function unusable(address: Setting, inputs: AccessInputs, namedBy: NamedBy): AskedRegistry {
  const { credential: _, ...registry } = askedRegistry('sparse-index', { address }, inputs, namedBy);
  return { ...registry, refusal: { rule: 'unusable-address', from: address.source.label, detail: registry.address } };
}

function listOrText(files: readonly CargoFile[], ...path: readonly string[]): Setting | undefined {
  for (const { source, root } of files) {
    const text = stringAt(root, ...path)?.text ?? textsAt(root, ...path).join(' ');
    if (text !== '') return { text, source };
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
