import { parseToml } from '../../formats/toml/parse.ts';
import { stringAt, type TomlValue, tomlAt, entriesOf as tomlEntries } from '../../formats/toml/tree.ts';
import { parseYaml } from '../../formats/yaml/parse.ts';
import { entryAt, resolved, type YamlValue, entriesOf as yamlEntries } from '../../formats/yaml/tree.ts';
import type { Registry, RegistryReader, RegistrySource } from '../../model/registry.ts';
import { ownRegistries, readIni, registryAt } from '../shared/registry-address.ts';

/** The settings of one source: the registry of each scope (`@acme`), and under `''` that of everything else. */
type Said = ReadonlyMap<string, string>;

/** Each tool reads files of its own. Which one a person uses is not known, so the word of each counts. */
const tools: readonly Readonly<Record<string, (text: string) => Said>>[] = [
  { NPM_CONFIG_REGISTRY: readVariable, '.npmrc': readNpmrc },
  { YARN_REGISTRY: readVariable, '.yarnrc': readYarn1 },
  { YARN_NPM_REGISTRY_SERVER: readVariable, '.yarnrc.yml': readYarn },
  { PNPM_CONFIG_REGISTRY: readVariable, 'pnpm-workspace.yaml': readPnpm },
  { BUN_CONFIG_REGISTRY: readVariable, '.bunfig.toml': readBun, 'bunfig.toml': readBun },
];

/** A scope's own registry comes before that of everything; of several the nearest counts. */
export const npmRegistries: RegistryReader = {
  above: ['.npmrc', '.yarnrc', '.yarnrc.yml', 'pnpm-workspace.yaml', 'bunfig.toml'],
  filesNamedByVariable: ({ name, text }) => (name === 'YARN_RC_FILENAME' ? [{ name: '.yarnrc.yml', label: text }] : []),
  filesNamedBy: ({ name, text }) => (name === '.npmrc' ? furtherIn(text) : []),
  read(sources) {
    const all = tools.map((tool) =>
      sources.flatMap((source) => {
        const read = tool[source.name];
        return read ? [{ source, said: read(source.text) }] : [];
      }),
    );
    const chains = all.filter((it) => it.length > 0);
    const known = new Map<string, readonly Registry[]>();
    function ofScope(scope: string): readonly Registry[] {
      const before = known.get(scope);
      if (before) return before;
      const found = chains.flatMap((it) => (scope === '' ? undefined : nearest(it, scope)) ?? nearest(it, '') ?? []);
      known.set(scope, found);
      return found;
    }
    return (asked) => {
      const own = ownRegistries(asked);
      if (chains.length === 0) return own;
      const { name } = asked;
      const routed = ofScope(name.startsWith('@') ? name.slice(0, Math.max(0, name.indexOf('/'))) : '');
      return own.length === 0 ? routed : [...routed, ...own];
    };
  },
};

function nearest(
  chain: readonly { readonly source: RegistrySource; readonly said: Said }[],
  scope: string,
): Registry | undefined {
  const found = chain.find((it) => it.said.has(scope));
  return found && registryAt(found.said.get(scope) ?? '', found.source.label);
}

function readVariable(text: string): Said {
  return new Map([['', text]]);
}

/** `registry=https://…`, `@acme:registry=https://…` */
function readNpmrc(text: string): Said {
  const said = new Map<string, string>();
  for (const { section, key, value } of readIni(text)) {
    const scope = scopeOf(key);
    if (section === '' && scope !== undefined && value !== '') said.set(scope, value);
  }
  return said;
}

/** Settings of a project may name the file of further settings, instead of a person's own: `userconfig=ci.npmrc`. */
function furtherIn(text: string): { name: string; label: string }[] {
  return readIni(text)
    .filter(({ section, key }) => section === '' && /^(?:(?:user|global)config|npmrc-auth-file)$/.test(key))
    .map(({ value }) => ({ name: '.npmrc', label: value }));
}

/** `registry "https://…"`, `"@acme:registry" "https://…"` */
function readYarn1(text: string): Said {
  const said = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, quoted, bare = '', value = ''] = /^\s*(?:"([^"]*)"|([^\s":]+)):?\s+"?([^\s"]+)/.exec(line) ?? [];
    const scope = scopeOf(quoted ?? bare);
    if (scope !== undefined && value !== '') said.set(scope, value);
  }
  return said;
}

/** `registry` → `''`, `@acme:registry` → `@acme` */
function scopeOf(key: string): string | undefined {
  if (key === 'registry') return '';
  const scope = /^@[^:\s]+(?=:registry$)/.exec(key)?.[0] ?? /^@\$\{.*\}(?=:registry$)/.exec(key)?.[0];
  // One that a variable has may be any.
  return scope?.includes('${') ? '' : scope;
}

/** `npmRegistryServer: …` and `npmScopes: { acme: { npmRegistryServer: … } }` */
function readYarn(text: string): Said {
  const { root } = parseYaml(text);
  const scopes = yamlEntries(entryAt(root, 'npmScopes')).map(
    ({ key, value }) => [withAt(key.text), yamlText(entryAt(value, 'npmRegistryServer'))] as const,
  );
  return definedAddresses([['', yamlText(entryAt(root, 'npmRegistryServer'))], ...scopes]);
}

/** `registries: { default: …, '@acme': … }`, from pnpm 12 on `{ 'https://…': { scopes: ['@acme'] } }`; or `registry: …` */
function readPnpm(text: string): Said {
  const { root } = parseYaml(text);
  const named = yamlEntries(entryAt(root, 'registries')).flatMap(({ key, value }) => {
    const address = yamlText(value);
    if (address !== undefined) return [[key.text === 'default' ? '' : withAt(key.text), address] as const];
    const scopes = resolved(entryAt(value, 'scopes'));
    // `@` is for packages without a scope.
    return (scopes?.kind === 'sequence' ? scopes.items : []).flatMap((it) => {
      const scope = yamlText(it);
      return scope === undefined ? [] : [[scope === '@' ? '' : withAt(scope), key.text] as const];
    });
  });
  return definedAddresses([['', yamlText(entryAt(root, 'registry'))], ...named]);
}

/** `[install] registry = "…"` and `[install.scopes] acme = "…"`; either may be a table with a `url`. */
function readBun(text: string): Said {
  const install = tomlAt(parseToml(text).root, 'install');
  const scopes = tomlEntries(tomlAt(install, 'scopes')).map(
    ({ key, value }) => [withAt(key.text), tomlText(value)] as const,
  );
  return definedAddresses([['', tomlText(tomlAt(install, 'registry'))], ...scopes]);
}

function definedAddresses(pairs: readonly (readonly [string, string | undefined])[]): Said {
  return new Map(pairs.flatMap(([scope, address]) => (address ? [[scope, address] as const] : [])));
}

function withAt(name: string): string {
  return name.startsWith('@') ? name : `@${name}`;
}

function yamlText(value: YamlValue | undefined): string | undefined {
  const scalar = resolved(value);
  return scalar?.kind === 'scalar' ? scalar.text : undefined;
}

function tomlText(value: TomlValue | undefined): string | undefined {
  return value?.kind === 'string' ? value.text : stringAt(value, 'url')?.text;
}
