import { parseToml } from '../../formats/toml/parse.ts';
import { entriesOf, stringAt, type TomlValue, textsAt, tomlAt } from '../../formats/toml/tree.ts';
import type { Manifest } from '../../model/manifest.ts';

/**
 * The replacements of published crates in Cargo's configuration, `.cargo/config.toml`, for all directories below.
 *
 *     include = ["more.toml"]            whatever that one puts there
 *     paths = ["../log"]                 whichever crate lies there
 *     [patch.crates-io]
 *     rand = { path = "../rand" }        this one
 */
export function readCargoConfig(text: string): Pick<Manifest, 'modules' | 'makes'> {
  const { root } = parseToml(text);
  // Paths are relative to the directory that holds `.cargo`.
  const patches = entriesOf(tomlAt(root, 'patch')).flatMap(({ value }) => entriesOf(value));
  const patched = patches.flatMap(({ value }) => stringAt(value, 'path')?.text ?? []);
  const folders = [...textsAt(root, 'paths'), ...patched].map(
    (it) => `${/^(?:\/|[A-Za-z]:)/.test(it) ? '' : '../'}${it}/Cargo.toml`,
  );
  const modules = [...includedIn(root), ...folders];
  const makes = patches
    .filter(({ value }) => stringAt(value, 'path') ?? stringAt(value, 'git'))
    .map(({ key, value }) => stringAt(value, 'package')?.text ?? key.text);
  return { ...(modules.length > 0 && { modules }), ...(makes.length > 0 && { makes }) };
}

/**
 * The files that it continues, relative to the directory of its own.
 *
 *     include = "more.toml"     include = ["more.toml", { path = "most.toml", optional = true }]     [[include]]
 */
export function includedIn(root: TomlValue): string[] {
  const value = tomlAt(root, 'include');
  const all = value?.kind === 'array' ? value.items : [value];
  return all.flatMap((it) => (it?.kind === 'string' ? it.text : (stringAt(it, 'path')?.text ?? [])));
}
