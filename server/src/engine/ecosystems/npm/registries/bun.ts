import { parseToml } from '../../../formats/toml/parse.ts';
import { entriesOf, stringAt, type TomlValue, tomlAt } from '../../../formats/toml/tree.ts';
import type { AccessInputs } from '../../../model/registries/access.ts';
import {
  type ClientCredential,
  type ClientRegistry,
  credentialIn,
  isClosed,
  type Setting,
  sameAddress,
} from '../../shared/client-registry.ts';
import {
  credentialByPath,
  type Dialect,
  isOf,
  type NpmLayer,
  npmDialect,
  npmSyntaxes,
  registryIn,
  type SettingAt,
  type Syntaxes,
  scopeOf,
  settingFrom,
  single,
  withAt,
} from './npmrc.ts';

export const bunSyntaxes: Syntaxes = {
  BUN_CONFIG_REGISTRY: single('registry'),
  BUN_CONFIG_TOKEN: single('token'),
  '.bunfig.toml': readBunfig,
  'bunfig.toml': readBunfig,
};

/** In a `bunfig.toml` a value is a variable as a whole: `"$NAME"`. */
const variables = /^\$(?<name>[A-Za-z_]\w*)$/g;

const bunDialect: Dialect = {
  variables: npmDialect.variables,
  credentialOf: (address, name, at) => credentialByPath(address, name, at) ?? credentialIn(address, 'decoded'),
};

/** The environment comes before `bunfig.toml`, and that before `.npmrc`. */
export function bunLayers(all: readonly NpmLayer[]): readonly NpmLayer[] {
  return [...all.filter(isOf(bunSyntaxes)), ...all.filter(isOf(npmSyntaxes))];
}

/**
 *     [install]
 *     registry = "https://…"
 *     [install.scopes]
 *     acme = { url = "https://…", token = "$TOKEN" }      or with username and password, beside the address or in it
 *
 * `registry`, `@acme:registry`, `@acme:token`.
 */
function readBunfig(text: string): ReadonlyMap<string, string> {
  const install = tomlAt(parseToml(text).root, 'install');
  const found = new Map<string, string>();
  const take = (value: TomlValue | undefined, prefix: string): void => {
    for (const field of ['url', 'token', 'username', 'password']) {
      const written = stringAt(value, field)?.text;
      if (written !== undefined) found.set(`${prefix}${field === 'url' ? 'registry' : field}`, written);
    }
    if (value?.kind === 'string') found.set(`${prefix}registry`, value.text);
  };
  take(tomlAt(install, 'registry'), '');
  for (const { key, value } of entriesOf(tomlAt(install, 'scopes'))) take(value, `${withAt(key.text)}:`);
  return found;
}

/** The registry that bun asks for a package. */
export function bunRegistryIn(
  layers: readonly NpmLayer[],
  environment: AccessInputs['variable'],
): (name: string) => ClientRegistry | undefined {
  const npmrcs = layers.filter(isOf(npmSyntaxes));
  const at = settingFrom(npmrcs, bunDialect.variables, environment);
  const ofNpmrc = registryIn(npmrcs, bunDialect, environment);
  const tables = layers
    .filter((it) => /bunfig\.toml$/.test(it.source.name))
    .map((it) => ({ owner: it.source.owner, at: settingFrom([it], variables, environment) }));
  const usual = ofEnvironment(layers) ?? named('');

  /** Where the workspace has a variable, the person's own counts. */
  function named(prefix: string): ClientRegistry | undefined {
    const all = tables.flatMap(({ owner, at: inTable }) => {
      const address = inTable(`${prefix}registry`);
      return address ? [{ owner, address, credential: credentialBeside(inTable, prefix) }] : [];
    });
    const [found] = all;
    if (!found || !isClosed(found.credential)) return found;
    const own = all.find((it) => it.owner === 'machine');
    return own?.credential && sameAddress(own.address.text, found.address.text) ? own : found;
  }

  return (name) => {
    const scope = scopeOf(name);
    if (scope !== '') {
      const own = named(`${scope}:`);
      if (own) return withNpmrc(own, name, at);
      if (at(`${scope}:registry`)) return ofNpmrc(name);
    }
    return usual ? withNpmrc(usual, name, at) : ofNpmrc(name);
  };
}

function ofEnvironment(layers: readonly NpmLayer[]): ClientRegistry | undefined {
  const find = (name: string): Setting | undefined => {
    const source = layers.find((it) => it.source.name === name)?.source;
    return source && { text: source.text.trim(), source };
  };
  const address = find('BUN_CONFIG_REGISTRY') ?? find('NPM_CONFIG_REGISTRY');
  const token = find('BUN_CONFIG_TOKEN');
  if (address === undefined || token === undefined) return address && { address };
  // It goes nowhere but to the address beside it, which is of the machine, too.
  return { address, credential: { parts: { kind: 'bearer', token: token.text }, settings: [token] } };
}

/** A credential of an `.npmrc` counts for registries of a `bunfig.toml`, too. */
function withNpmrc(registry: ClientRegistry, name: string, at: SettingAt): ClientRegistry {
  const { address, credential } = registry;
  if (credential === undefined) return { address, credential: bunDialect.credentialOf(address, name, at) };
  if (!isClosed(credential)) return registry;
  return { address, credential: credentialByPath(address, name, (key) => at(key, 'machine')) ?? credential };
}

function credentialBeside(at: SettingAt, prefix: string): ClientCredential | undefined {
  const place = { setting: '[install.scopes] … token', file: '~/.bunfig.toml' };
  const token = at(`${prefix}token`);
  if (token) return { parts: { kind: 'bearer', token: token.text }, settings: [token], place };
  const [user, password] = [at(`${prefix}username`), at(`${prefix}password`)];
  if (user === undefined || password === undefined) return undefined;
  return { parts: { kind: 'basic', user: user.text, password: password.text }, settings: [user, password], place };
}
