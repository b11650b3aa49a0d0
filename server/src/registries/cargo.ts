import type { Registry, RegistryReader } from '../model/registry.ts';
import { parseToml } from '../text/toml.ts';
import { entriesOf, type TomlValue, tomlAt } from '../text/toml-tree.ts';
import { registryAt } from './address.ts';

/** `CARGO_REGISTRIES_MY_COMPANY_INDEX` */
const indexVariable = /^CARGO_REGISTRIES_(\w+)_INDEX$/;

/** What a lockfile writes for the public index, whatever stands in for it: the path of its repository. */
const publicIndex = /\/crates\.io-index\/?$/;

/** Sources that stand in for sources that stand in for others go round in a circle beyond this. */
const deepest = 8;

/**
 *     [source.crates-io]                     everything that names no registry comes from `mirror`
 *     replace-with = "mirror"
 *     [source.mirror]
 *     registry = "sparse+https://…"
 *     [registries.acme]                      what a dependency means by `registry = "acme"`
 *     index = "sparse+https://…"
 */
export const cargoRegistries: RegistryReader = {
  above: ['.cargo/config.toml', '.cargo/config'],
  read(sources) {
    const files = sources
      .filter((it) => /^config(?:\.toml)?$/.test(it.name))
      .map(({ label, text }) => ({ label, root: parseToml(text).root }));
    const variables = sources.flatMap(({ name, label, text }) => {
      const [, registry] = indexVariable.exec(name) ?? [];
      return registry === undefined ? [] : [{ registry, label, text }];
    });

    function named(name: string): Registry {
      const variable = variables.find((it) => it.registry === name.toUpperCase().replaceAll('-', '_'));
      if (variable) return registryAt(variable.text, variable.label) ?? { from: variable.label };
      for (const { label, root } of files) {
        const index = textAt(root, 'registries', name, 'index');
        if (index !== undefined) return registryAt(index, label) ?? { from: label };
      }
      return {};
    }

    function replacing(source: string, depth = 0): Registry | undefined {
      const file = files.find(({ root }) => textAt(root, 'source', source, 'replace-with') !== undefined);
      const next = file && textAt(file.root, 'source', source, 'replace-with');
      if (next !== undefined && depth < deepest) return replacing(next, depth + 1);
      if (depth === 0) return undefined;
      for (const { label, root } of files) {
        const address = textAt(root, 'source', source, 'registry');
        if (address !== undefined) return registryAt(address, label);
        const index = textAt(root, 'registries', source, 'index');
        if (index !== undefined) return registryAt(index, label);
      }
      // A folder of vendored crates is no registry.
      return undefined;
    }

    const usual = replacing('crates-io');
    return ({ registry }) => {
      if (registry === undefined || registry === 'crates-io' || publicIndex.test(registry)) return usual ? [usual] : [];
      if (!/[:/]/.test(registry)) return [named(registry)];
      return [registryAt(registry) ?? {}];
    };
  },
};

function textAt(root: TomlValue, table: string, name: string, field: string): string | undefined {
  const entry = entriesOf(tomlAt(root, table)).findLast((it) => it.key.text === name);
  const value = tomlAt(entry?.value, field);
  return value?.kind === 'string' ? value.text : undefined;
}
