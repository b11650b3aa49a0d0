import { parseToml } from '../../../formats/toml/parse.ts';
import { entriesOf, stringAt, type TomlValue, tomlAt } from '../../../formats/toml/tree.ts';
import type { AccessInputs, AccessSource } from '../../../model/registries/access.ts';
import {
  type ClientCredential,
  type ClientRegistry,
  credentialIn,
  isClosed,
  type Setting,
  sameAddress,
  settingOf,
} from '../../shared/client-registry.ts';
import {
  credentialByPath,
  type Dialect,
  npmDialect,
  npmLayers,
  registryIn,
  type SettingAt,
  scopeOf,
  settingFrom,
} from './npmrc.ts';

/** A `bunfig.toml` with its part for registries. */
interface Bunfig {
  readonly source: AccessSource;
  readonly install: TomlValue | undefined;
}

/** In a `bunfig.toml` a value is a variable as a whole: `"$NAME"`. */
const variables = /^\$(?<name>[A-Za-z_]\w*)$/g;

const bunDialect: Dialect = {
  variables: npmDialect.variables,
  credentialOf: (address, name, at) => credentialByPath(address, name, at) ?? credentialIn(address, 'decoded'),
};

export function bunfigs(sources: readonly AccessSource[]): readonly Bunfig[] {
  return sources
    .filter((it) => it.name === 'bunfig.toml' || it.name === '.bunfig.toml')
    .map((source) => ({ source, install: tomlAt(parseToml(source.text).root, 'install') }));
}

/** The addresses of registries that a file names. */
export function bunAddresses({ install }: Bunfig): string[] {
  const scopes = entriesOf(tomlAt(install, 'scopes')).map(({ value }) => value);
  return [tomlAt(install, 'registry'), ...scopes].flatMap((it) => addressIn(it) ?? []);
}

/**
 * The registry that bun asks for a package. The environment comes before `bunfig.toml`, and that before `.npmrc`:
 *
 *     [install]
 *     registry = "https://…"
 *     [install.scopes]
 *     acme = { url = "https://…", token = "$TOKEN" }      or with username and password, beside the address or in it
 */
export function bunRegistry(
  sources: readonly AccessSource[],
  files: readonly Bunfig[],
  environment: AccessInputs['variable'],
): (name: string) => ClientRegistry | undefined {
  const layers = npmLayers(sources);
  const at = settingFrom(layers, bunDialect, environment);
  const ofNpmrc = registryIn(layers, bunDialect, environment);
  const ofMachine = files.filter(({ source }) => source.owner === 'machine');
  const usual = ofEnvironment(sources) ?? named((install) => tomlAt(install, 'registry'));

  /** Where the workspace has a variable, the person's own counts. */
  function named(find: (install: TomlValue | undefined) => TomlValue | undefined): ClientRegistry | undefined {
    const found = ofTable(files, find, environment);
    if (!found || !isClosed(found.credential)) return found;
    const own = ofTable(ofMachine, find, environment);
    return own?.credential && sameAddress(own.address.text, found.address.text) ? own : found;
  }

  return (name) => {
    const scope = scopeOf(name);
    if (scope !== '') {
      const own = named((install) => tomlAt(install, 'scopes', scope.slice(1)) ?? tomlAt(install, 'scopes', scope));
      if (own) return withNpmrc(own, name, at);
      if (at(`${scope}:registry`)) return ofNpmrc(name);
    }
    return usual ? withNpmrc(usual, name, at) : ofNpmrc(name);
  };
}

function ofEnvironment(sources: readonly AccessSource[]): ClientRegistry | undefined {
  const source = ['BUN_CONFIG_REGISTRY', 'NPM_CONFIG_REGISTRY']
    .map((name) => sources.find((it) => it.name === name))
    .find((it) => it !== undefined);
  if (source === undefined) return undefined;
  const address: Setting = { text: source.text.trim(), source };
  const token = sources.find((it) => it.name === 'BUN_CONFIG_TOKEN');
  if (token === undefined) return { address };
  const settings: readonly Setting[] = [{ text: token.text, source: token }];
  // It goes nowhere but to the address beside it, which is of the machine, too.
  return { address, credential: { parts: { kind: 'bearer', token: token.text }, settings } };
}

/** A credential of an `.npmrc` counts for registries of a `bunfig.toml`, too. */
function withNpmrc(registry: ClientRegistry, name: string, at: SettingAt): ClientRegistry {
  const { address, credential } = registry;
  if (credential === undefined) return { address, credential: bunDialect.credentialOf(address, name, at) };
  if (!isClosed(credential)) return registry;
  return { address, credential: credentialByPath(address, name, (key) => at(key, 'machine')) ?? credential };
}

function ofTable(
  files: readonly Bunfig[],
  find: (install: TomlValue | undefined) => TomlValue | undefined,
  environment: AccessInputs['variable'],
): ClientRegistry | undefined {
  for (const { source, install } of files) {
    const value = find(install);
    const text = addressIn(value);
    if (text === undefined) continue;
    const settingAt = (field: string): Setting | undefined => {
      const written = stringAt(value, field)?.text;
      return written === undefined ? undefined : settingOf(written, source, variables, environment);
    };
    const address = settingOf(text, source, variables, environment);
    const credential = credentialOf(settingAt);
    return { address, ...(credential && { credential }) };
  }
  return undefined;
}

function credentialOf(at: (field: string) => Setting | undefined): ClientCredential | undefined {
  const place = { setting: '[install.scopes] … token', file: '~/.bunfig.toml' };
  const token = at('token');
  if (token) return { parts: { kind: 'bearer', token: token.text }, settings: [token], place };
  const [user, password] = [at('username'), at('password')];
  if (user === undefined || password === undefined) return undefined;
  return { parts: { kind: 'basic', user: user.text, password: password.text }, settings: [user, password], place };
}

function addressIn(value: TomlValue | undefined): string | undefined {
  return value?.kind === 'string' ? value.text : stringAt(value, 'url')?.text;
}
