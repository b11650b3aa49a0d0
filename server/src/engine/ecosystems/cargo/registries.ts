import { parseToml } from '../../formats/toml/parse.ts';
import { entriesOf, stringAt, type TomlValue, tomlAt } from '../../formats/toml/tree.ts';
import type { Registry, RegistryReader } from '../../model/registry.ts';
import { MAX_REGISTRIES, MAX_SETTINGS_LENGTH, registryAt } from '../shared/registry-address.ts';
import { includedIn } from './cargo-config.ts';
import { defaultIndex } from './patches.ts';

/** Sources that lie on the disk. */
const vendorFields: readonly string[] = ['directory', 'local-registry'];

/** `CARGO_REGISTRIES_MY_COMPANY_INDEX` */
const indexVariable = /^CARGO_REGISTRIES_(\w+)_INDEX$/;

const isConfig = /^config(?:\.toml)?$/;

/** A longer chain of replaced sources is a cycle. */
const MAX_REPLACEMENTS = 8;

/**
 *     [source.crates-io]                     everything that names no registry comes from `mirror`
 *     replace-with = "mirror"
 *     [source.mirror]
 *     registry = "sparse+https://…"
 *     [registries.acme]                      the registry of a dependency with `registry = "acme"`
 *     index = "sparse+https://…"
 *
 * Members inherit the requirements of the workspace, so a registry is found by the name of the package.
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
  read(sources) {
    const files = sources
      .filter((it) => isConfig.test(it.name))
      .map(({ label, text }) => ({ label, root: parseToml(text).root }));
    const variables = sources.flatMap(({ name, label, text }) => {
      const [, registry] = indexVariable.exec(name) ?? [];
      return registry === undefined ? [] : [{ registry, label, text }];
    });

    // Of several with one name the nearest counts: it is put last.
    const indexes = new Map(
      [...files].reverse().flatMap(({ label, root }) =>
        entriesOf(tomlAt(root, 'registries')).flatMap(({ key, value }) => {
          const index = stringAt(value, 'index');
          const registry = index && (registryAt(index.text, label) ?? { from: label });
          return registry ? [[key.text, registry] as const] : [];
        }),
      ),
    );

    function registryNamed(name: string): Registry {
      const variable = variables.find((it) => it.registry === name.toUpperCase().replaceAll('-', '_'));
      if (variable) return registryAt(variable.text, variable.label) ?? { from: variable.label };
      return indexes.get(name) ?? {};
    }

    function replacing(source: string, depth = 0): Registry | undefined {
      const file = files.find(({ root }) => sourceText(root, source, 'replace-with') !== undefined);
      const next = file && sourceText(file.root, source, 'replace-with');
      if (next !== undefined && depth < MAX_REPLACEMENTS) return replacing(next, depth + 1);
      for (const { label, root } of files) {
        const address = sourceText(root, source, 'registry');
        if (address !== undefined) return registryAt(address, label);
      }
      if (depth === 0) return undefined;
      // A folder of vendored crates is no registry. An undefined source, and a repository, counts as a private one.
      if (files.some(({ root }) => vendorFields.some((it) => sourceText(root, source, it) !== undefined)))
        return undefined;
      const by = files.find(({ root }) => sourceText(root, 'crates-io', 'replace-with') !== undefined);
      return indexes.get(source) ?? { ...(by && { from: by.label }) };
    }

    const usual = replacing('crates-io');
    const chosen = sources
      .filter((it) => it.name === 'Cargo.toml')
      .flatMap(({ text }) => namedRegistries(parseToml(text).root));
    const byName = new Map<string, Set<string>>();
    for (const { name, registry } of chosen) {
      const known = byName.get(name);
      if (known === undefined) byName.set(name, new Set([registry]));
      else if (known.size < MAX_REGISTRIES) known.add(registry);
    }

    function fromRegistry(registry: string): Registry[] {
      if (registry === 'crates-io' || defaultIndex.test(registry)) return usual ? [usual] : [];
      return [/[:/]/.test(registry) ? (registryAt(registry) ?? {}) : registryNamed(registry)];
    }

    const chosenFor = new Map([...byName].map(([name, all]) => [name, [...all].flatMap(fromRegistry)]));
    return ({ name, registries }) => {
      const own = chosenFor.get(name);
      if (own === undefined && registries === undefined) return usual ? [usual] : [];
      return [...(own ?? []), ...(registries ?? []).flatMap(fromRegistry)];
    };
  },
};

function sourceText(root: TomlValue, name: string, field: string): string | undefined {
  const entry = entriesOf(tomlAt(root, 'source')).findLast((it) => it.key.text === name);
  return stringAt(entry?.value, field)?.text;
}

/** The dependencies that name a registry, in any table of a manifest, and the patches that do. */
export function namedRegistries(root: TomlValue): { readonly name: string; readonly registry: string }[] {
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
