import { parseYaml } from '../../../formats/yaml/parse.ts';
import { entryAt, resolved, type YamlValue, entriesOf as yamlEntries } from '../../../formats/yaml/tree.ts';
import type { AccessSource } from '../../../model/registries/access.ts';
import { bareAddress, credentialIn } from '../../shared/client-registry.ts';
import { credentialByPath, type Dialect, type NpmLayer, type Syntaxes, single, withAt } from './npmrc.ts';

export const pnpmSyntaxes: Syntaxes = { PNPM_CONFIG_REGISTRY: single('registry'), 'pnpm-workspace.yaml': readYaml };

/** pnpm: `${NAME}` and `${NAME-fallback}`; a user in the address before any other. */
export const pnpmDialect: Dialect = {
  variables: /(?<!\\)(?<escapes>\\*)\$\{(?<name>[^${}:-]+)(?::?-(?<fallback>[^}]*))?\}/g,
  credentialOf(address, name, at) {
    const helper = URL.canParse(address.text) ? at(`//${new URL(address.text).host}/:tokenHelper`) : undefined;
    if (helper) return { unreadable: helper, detail: 'tokenHelper' };
    return credentialIn(address, 'decoded') ?? credentialByPath(address, name, at);
  },
};

/**
 * The settings of pnpm 12, the strongest first: the environment, `pnpm-workspace.yaml`, the `.npmrc` beside it, others of
 * the workspace; then of the machine pnpm's own files before those of npm. Variables that begin with `npm_config_` do not
 * count, and neither does the file `rc` of earlier versions.
 */
export function pnpmLayers(all: readonly NpmLayer[]): readonly NpmLayer[] {
  const yaml = all.filter((it) => it.source.name === 'pnpm-workspace.yaml');
  const rc = all
    .filter(({ source: { name, label } }) => {
      return name === '.npmrc' && !/^npm_config_/i.test(label) && !/[\\/]pnpm[\\/]rc$/.test(label);
    })
    .map(({ source, settings }): NpmLayer => ({ source, settings: pinned(settings) }));
  const root = yaml.find((it) => it.source.owner === 'workspace')?.source.directory;
  const isVariable = (it: NpmLayer): boolean => /^pnpm_config_/i.test(it.source.label);
  const isOwn = (it: NpmLayer): boolean => /[\\/]pnpm[\\/][^\\/]+$/.test(it.source.label);
  const [ofWorkspace, ofMachine] = [rc.filter(isOwnedBy('workspace')), rc.filter(isOwnedBy('machine'))];
  return [
    ...all.filter((it) => it.source.name === 'PNPM_CONFIG_REGISTRY'),
    ...ofMachine.filter(isVariable),
    ...yaml.filter(isOwnedBy('workspace')),
    ...ofWorkspace.filter((it) => it.source.directory === root),
    ...ofWorkspace.filter((it) => it.source.directory !== root),
    ...yaml.filter(isOwnedBy('machine')),
    ...ofMachine.filter((it) => !isVariable(it) && isOwn(it)),
    ...ofMachine.filter((it) => !isVariable(it) && !isOwn(it)),
  ];
}

function isOwnedBy(owner: AccessSource['owner']): (layer: NpmLayer) => boolean {
  return ({ source }) => source.owner === owner;
}

/** pnpm pins a credential without an address to the registry that the same file names. */
function pinned(settings: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const registry = bareAddress(settings.get('registry') ?? '');
  if (registry === undefined) return settings;
  const found = new Map(settings);
  for (const key of ['_authToken', '_auth', 'username', '_password']) {
    const value = settings.get(key);
    const pinnedKey = `${registry.replace(/^https?:/, '')}/:${key}`;
    if (value !== undefined && !found.has(pinnedKey)) found.set(pinnedKey, value);
  }
  return found;
}

/**
 *     registry: https://…              registries:                    registries:
 *                                        default: https://…             https://…:
 *                                        '@acme': https://…               scopes: ['@acme', '@']
 *
 * `@` is for packages without a scope.
 */
function readYaml(text: string): ReadonlyMap<string, string> {
  const { root } = parseYaml(text);
  const found = new Map<string, string>();
  for (const { key, value } of yamlEntries(entryAt(root, 'registries'))) {
    const address = textOf(value);
    if (address !== undefined) found.set(keyOf(key.text), address);
    const scopes = resolved(entryAt(value, 'scopes'));
    for (const it of scopes?.kind === 'sequence' ? scopes.items : []) {
      const scope = textOf(it);
      if (scope !== undefined) found.set(keyOf(scope), key.text);
    }
  }
  const registry = textOf(entryAt(root, 'registry'));
  if (registry !== undefined) found.set('registry', registry);
  return found;
}

function keyOf(scope: string): string {
  if (scope === 'default' || scope === '@') return 'registry';
  return `${withAt(scope)}:registry`;
}

function textOf(value: YamlValue | undefined): string | undefined {
  const scalar = resolved(value);
  return scalar?.kind === 'scalar' ? scalar.text : undefined;
}
