import { parseToml } from '../../../formats/toml/parse.ts';
import { entriesOf, stringAt, type TomlValue, tomlAt } from '../../../formats/toml/tree.ts';
import type { AccessInputs, AccessSource } from '../../../model/registries/access.ts';
import {
  type ClientCredential,
  type ClientRegistry,
  credentialIn,
  type Setting,
  settingOf,
} from '../../shared/client-registry.ts';
import { credentialByPath, type Dialect, npmDialect, npmLayers, registryIn, scopeOf, settingFrom } from './npmrc.ts';

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
  const usual = ofEnvironment(sources) ?? ofTable(files, (install) => tomlAt(install, 'registry'), environment);
  return (name) => {
    const scope = scopeOf(name);
    if (scope !== '') {
      const own = ofTable(
        files,
        (install) => tomlAt(install, 'scopes', scope.slice(1)) ?? tomlAt(install, 'scopes', scope),
        environment,
      );
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
  return { address, credential: { parts: { kind: 'bearer', token: token.text }, settings, isForAny: true } };
}

/** A credential of an `.npmrc` counts for registries of a `bunfig.toml`, too. */
function withNpmrc(registry: ClientRegistry, name: string, at: (key: string) => Setting | undefined): ClientRegistry {
  if (registry.credential) return registry;
  const credential = bunDialect.credentialOf(registry.address, name, at);
  return { ...registry, ...(credential && { credential }) };
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
  const token = at('token');
  if (token) return { parts: { kind: 'bearer', token: token.text }, settings: [token] };
  const [user, password] = [at('username'), at('password')];
  if (user === undefined || password === undefined) return undefined;
  return { parts: { kind: 'basic', user: user.text, password: password.text }, settings: [user, password] };
}

function addressIn(value: TomlValue | undefined): string | undefined {
  return value?.kind === 'string' ? value.text : stringAt(value, 'url')?.text;
}
