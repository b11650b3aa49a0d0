import { textInBase64 } from '../../../base/bytes.ts';
import { parseYaml } from '../../../formats/yaml/parse.ts';
import { entryAt, resolved, type YamlValue, entriesOf as yamlEntries } from '../../../formats/yaml/tree.ts';
import type { AccessInputs, Owner } from '../../../model/registries/access.ts';
import {
  bareAddress,
  type ClientCredential,
  type ClientRegistry,
  isClosed,
  type ReadCredential,
  type Setting,
} from '../../shared/client-registry.ts';
import { type NpmLayer, type SettingAt, type Syntaxes, scopeOf, settingFrom, single, withAt } from './npmrc.ts';

/** A `.yarnrc.yml`, or a variable of the environment as if it stood at the top of one. */
export const yarnSyntaxes: Syntaxes = {
  YARN_NPM_REGISTRY_SERVER: single('registry'),
  YARN_NPM_AUTH_TOKEN: single('npmAuthToken'),
  YARN_NPM_AUTH_IDENT: single('npmAuthIdent'),
  YARN_NPM_ALWAYS_AUTH: single('npmAlwaysAuth'),
  '.yarnrc.yml': readYarnrc,
};

/** source: Configuration.ts of @yarnpkg/core */
const variables = /\$\{(?<name>\w+):?(?:-(?<fallback>[^}]*))?\}/g;

/**
 *     npmRegistryServer: https://…            npmScopes:                        npmRegistries:
 *     npmAlwaysAuth: true                       acme:                             https://…:
 *     npmAuthToken: …                             npmRegistryServer: https://…      npmAuthIdent: user:password
 *                                                 npmAuthToken: …
 *
 * `registry`, `npmAuthToken`, `@acme:registry`, `@acme:npmAuthToken`, `https://…:npmAuthIdent`; and `@acme:` and `https://…:`,
 * since an entry counts without any settings, too.
 */
function readYarnrc(text: string): ReadonlyMap<string, string> {
  const { root } = parseYaml(text);
  const found = new Map<string, string>();
  const take = (holder: YamlValue | undefined, prefix: string): void => {
    if (prefix !== '') found.set(prefix, 'true');
    for (const field of ['npmRegistryServer', 'npmAuthToken', 'npmAuthIdent', 'npmAlwaysAuth']) {
      const value = resolved(entryAt(holder, field));
      const key = `${prefix}${field === 'npmRegistryServer' ? 'registry' : field}`;
      if (value?.kind === 'scalar' && value.text !== '') found.set(key, value.text);
    }
  };
  take(root, '');
  for (const { key, value } of yamlEntries(entryAt(root, 'npmScopes'))) take(value, `${withAt(key.text)}:`);
  for (const { key, value } of yamlEntries(entryAt(root, 'npmRegistries'))) take(value, `${bare(key.text)}:`);
  return found;
}

/**
 * The registry that yarn asks for a package. A credential of the scope comes before one of the registry, and that before
 * one for all. It goes with scoped packages, and with all where `npmAlwaysAuth` stands beside it.
 */
export function yarnRegistryIn(
  layers: readonly NpmLayer[],
  environment: AccessInputs['variable'],
): (name: string) => ClientRegistry | undefined {
  const at = settingFrom(layers, variables, environment);
  return (name) => {
    const scope = scopeOf(name);
    // A scope without a server of its own is asked of yarn's usual registry.
    const isScope = scope !== '' && at(`${scope}:`) !== undefined;
    const address = isScope ? at(`${scope}:registry`) : at('registry');
    if (address === undefined) return undefined;
    const found = credentialFor(address, scope, at);
    // Where the workspace has a variable, the person's own counts.
    const isOwn = isClosed(found);
    return { address, credential: (isOwn ? credentialFor(address, scope, at, 'machine') : undefined) ?? found };
  };
}

/** @param owner absent if settings of the machine and of the workspace count */
function credentialFor(address: Setting, scope: string, at: SettingAt, owner?: Owner): ClientCredential | undefined {
  const place = {
    setting: `npmRegistries: { "${bareAddress(address.text)}": { npmAuthToken: … } }`,
    file: '~/.yarnrc.yml',
  };
  const ofScope = scope === '' ? undefined : credentialAt((field) => at(`${scope}:${field}`, owner));
  if (ofScope) {
    const name = scope.slice(1);
    const own = at(`${scope}:registry`, 'machine');
    const add = { setting: `npmScopes: { ${name}: { npmRegistryServer: … } }`, file: '~/.yarnrc.yml' };
    return { ...ofScope, place, keptFor: { name, addresses: own ? [own.text] : [], add } };
  }
  const registry = bare(address.text);
  const key = [registry, registry.replace(/^[a-z]+:/, '')].find((it) => at(`${it}:`, owner) !== undefined);
  const field = (name: string): Setting | undefined => at(key === undefined ? name : `${key}:${name}`, owner);
  if (scope === '' && field('npmAlwaysAuth')?.text !== 'true') return undefined;
  const found = credentialAt(field);
  if (found === undefined || key !== undefined) return found && { ...found, place };
  const add = { setting: 'npmRegistryServer: …', file: '~/.yarnrc.yml' };
  return { ...found, place, keptFor: { name: 'npmAuthToken', add } };
}

function credentialAt(field: (name: string) => Setting | undefined): ReadCredential | undefined {
  const token = field('npmAuthToken');
  if (token) return { parts: { kind: 'bearer', token: token.text }, settings: [token] };
  const ident = field('npmAuthIdent');
  if (ident === undefined) return undefined;
  const value = ident.text.includes(':') ? textInBase64(ident.text) : ident.text;
  return { parts: { kind: 'raw', value: `Basic ${value}` }, settings: [ident] };
}

/** Without a final slash. */
function bare(address: string): string {
  return address.replace(/\/$/, '');
}
