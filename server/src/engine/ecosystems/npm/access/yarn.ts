import { textInBase64 } from '../../../base/bytes.ts';
import { parseYaml } from '../../../formats/yaml/parse.ts';
import { entryAt, resolved, type YamlValue, entriesOf as yamlEntries } from '../../../formats/yaml/tree.ts';
import type { AccessInputs, AccessSource } from '../../../model/registries/access.ts';
import {
  bareAddress,
  type ClientCredential,
  type ClientRegistry,
  isClosed,
  type Setting,
  settingOf,
} from '../../shared/client-registry.ts';
import { scopeOf } from './npmrc.ts';

/** A `.yarnrc.yml`, or a variable of the environment as if it stood at the top of one. */
interface YarnFile {
  readonly source: AccessSource;
  readonly root: YamlValue | undefined;
  readonly variable?: string;
}

/** source: Configuration.ts of @yarnpkg/core */
const variables = /\$\{(?<name>\w+):?(?:-(?<fallback>[^}]*))?\}/g;

const variableSettings: Readonly<Record<string, string>> = {
  YARN_NPM_REGISTRY_SERVER: 'npmRegistryServer',
  YARN_NPM_AUTH_TOKEN: 'npmAuthToken',
  YARN_NPM_AUTH_IDENT: 'npmAuthIdent',
  YARN_NPM_ALWAYS_AUTH: 'npmAlwaysAuth',
};

export function yarnFiles(sources: readonly AccessSource[]): readonly YarnFile[] {
  return sources.flatMap((source) => {
    const variable = variableSettings[source.name];
    if (variable !== undefined) return [{ source, root: undefined, variable }];
    return source.name === '.yarnrc.yml' ? [{ source, root: parseYaml(source.text).root }] : [];
  });
}

/** The addresses of registries that a file names. */
export function yarnAddresses({ source, root, variable }: YarnFile): string[] {
  if (variable !== undefined) return variable === 'npmRegistryServer' ? [source.text] : [];
  const scopes = yamlEntries(entryAt(root, 'npmScopes')).map(({ value }) => entryAt(value, 'npmRegistryServer'));
  return [entryAt(root, 'npmRegistryServer'), ...scopes].flatMap((it) => textOf(it) ?? []);
}

/**
 * The registry that yarn asks for a package:
 *
 *     npmRegistryServer: https://…            npmScopes:                        npmRegistries:
 *     npmAlwaysAuth: true                       acme:                             https://…:
 *     npmAuthToken: …                             npmRegistryServer: https://…      npmAuthIdent: user:password
 *                                                 npmAuthToken: …
 *
 * A credential of the scope comes before one of the registry, and that before one for all. It goes with scoped packages,
 * and with all where `npmAlwaysAuth` stands beside it.
 */
export function yarnRegistry(
  name: string,
  files: readonly YarnFile[],
  environment: AccessInputs['variable'],
): ClientRegistry | undefined {
  const at = (...path: readonly string[]) => settingAt(files, path, environment);
  const scope = scopeOf(name).slice(1);
  const isScope = scope !== '' && files.some((it) => entryAt(entryAt(it.root, 'npmScopes'), scope));
  // A scope without a server of its own is asked of yarn's usual registry.
  const address = isScope ? at('npmScopes', scope, 'npmRegistryServer') : at('npmRegistryServer');
  if (address === undefined) return undefined;
  const found = credentialFor(address, scope, files, environment);
  if (!isClosed(found)) return { address, credential: found };
  // Where the workspace has a variable, the person's own counts.
  return { address, credential: credentialFor(address, scope, ofMachine(files), environment) ?? found };
}

function ofMachine(files: readonly YarnFile[]): readonly YarnFile[] {
  return files.filter(({ source }) => source.owner === 'machine');
}

function credentialFor(
  address: Setting,
  scope: string,
  files: readonly YarnFile[],
  environment: AccessInputs['variable'],
): ClientCredential | undefined {
  const at = (...path: readonly string[]) => settingAt(files, path, environment);
  const place = {
    setting: `npmRegistries: { "${bareAddress(address.text)}": { npmAuthToken: … } }`,
    file: '~/.yarnrc.yml',
  };
  const ofScope = scope === '' ? undefined : credentialAt((field) => at('npmScopes', scope, field));
  if (ofScope) {
    const own = settingAt(ofMachine(files), ['npmScopes', scope, 'npmRegistryServer'], environment);
    const add = { setting: `npmScopes: { ${scope}: { npmRegistryServer: … } }`, file: '~/.yarnrc.yml' };
    return { ...ofScope, place, keptFor: { name: scope, addresses: own ? [own.text] : [], add } };
  }
  const registry = address.text.replace(/\/$/, '');
  const wanted = [registry, registry.replace(/^[a-z]+:/, '')];
  const keys = files.flatMap(({ root }) =>
    yamlEntries(entryAt(root, 'npmRegistries')).flatMap(({ key }) =>
      wanted.includes(key.text.replace(/\/$/, '')) ? key.text : [],
    ),
  );
  const [key] = wanted.flatMap((it) => keys.find((found) => found.replace(/\/$/, '') === it) ?? []);
  const field = (name: string) => (key === undefined ? at(name) : at('npmRegistries', key, name));
  if (scope === '' && field('npmAlwaysAuth')?.text !== 'true') return undefined;
  const found = credentialAt(field);
  if (found === undefined || key !== undefined) return found && { ...found, place };
  const add = { setting: 'npmRegistryServer: …', file: '~/.yarnrc.yml' };
  return { ...found, place, keptFor: { name: 'npmAuthToken', add } };
}

function credentialAt(
  field: (name: string) => Setting | undefined,
): Extract<ClientCredential, { parts: unknown }> | undefined {
  const token = field('npmAuthToken');
  if (token) return { parts: { kind: 'bearer', token: token.text }, settings: [token] };
  const ident = field('npmAuthIdent');
  if (ident === undefined) return undefined;
  const value = ident.text.includes(':') ? textInBase64(ident.text) : ident.text;
  return { parts: { kind: 'raw', value: `Basic ${value}` }, settings: [ident] };
}

/** The strongest value at a path; files are merged entry by entry. */
function settingAt(
  files: readonly YarnFile[],
  path: readonly string[],
  environment: AccessInputs['variable'],
): Setting | undefined {
  for (const { source, root, variable } of files) {
    const text =
      variable === undefined
        ? textOf(path.reduce<YamlValue | undefined>(entryAt, root))
        : path.length === 1 && path[0] === variable
          ? source.text
          : undefined;
    if (text !== undefined && text !== '') return settingOf(text, source, variables, environment);
  }
  return undefined;
}

function textOf(value: YamlValue | undefined): string | undefined {
  const scalar = resolved(value);
  return scalar?.kind === 'scalar' ? scalar.text : undefined;
}
