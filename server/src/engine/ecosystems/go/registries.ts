import { parseJson } from '../../formats/json/parse.ts';
import { valueAt } from '../../formats/json/tree.ts';
import { compileWildcard } from '../../formats/text/wildcard.ts';
import type { AccessInputs, AccessSource, AskedRegistry } from '../../model/registries/access.ts';
import type { RegistryReader } from '../../model/registries/registry-reader.ts';
import type { Registry, RegistrySource } from '../../model/registry.ts';
import { askedRegistry, type ClientCredential, credentialIn, type Setting } from '../shared/client-registry.ts';
import { readNetrc } from '../shared/netrc.ts';
import { ownRegistries, readIni, registryAt } from '../shared/registry-address.ts';

/** Variables with patterns of private modules. */
const privacyVariables: readonly string[] = ['GOPRIVATE', 'GONOPROXY', 'GONOSUMDB'];

/** Where the extension of VS Code for Go has variables for its tools: `"go.toolsEnvVars": { "GOPRIVATE": "…" }`. */
const editorSettings = '.vscode/settings.json';

/**
 * Patterns select the private modules; GOPROXY names the proxies for the others, one after the other. `go env -w` writes the
 * same variables into a file, which the environment comes before.
 *
 *     GOPROXY=https://a.example,https://b.example|direct      b, if a does not have the module
 *     GOPRIVATE=*.corp.example,example.com/team               no proxy for these, unless GONOPROXY is set
 */
export const goRegistries: RegistryReader = {
  above: [editorSettings],
  ownersOf(sources) {
    const said = saidBy(sources);
    // The environment that an editor passes to its tools counts beside the rest: a terminal does not have it.
    const [inEditor, elsewhere] = [true, false].map((isEditor) =>
      ownersIn(said.filter(({ source }) => (source.name === 'settings.json') === isEditor)),
    );
    return (asked) => [...(inEditor?.(asked.name) ?? []), ...(elsewhere?.(asked.name) ?? []), ...ownRegistries(asked)];
  },
  accessTo(inputs) {
    const said = saidBy(inputs.sources.filter((it) => it.name !== 'env' || it === usedFile(inputs)));
    const [machine, workspace] = (['machine', 'workspace'] as const).map((owner) =>
      said.filter(({ source }) => source.owner === owner),
    );
    const proxy = strongest(machine, 'GOPROXY') ?? strongest(workspace, 'GOPROXY');
    const directly = [machine, workspace].flatMap((it) =>
      patternsIn((strongest(it, 'GONOPROXY') ?? strongest(it, 'GOPRIVATE'))?.text ?? ''),
    );
    const registries = proxy
      ? askedProxies(proxy, strongest(machine, 'GOPROXY'), strongest(machine, 'GOAUTH'), inputs)
      : [];
    return ({ name }) => {
      if (directly.some((matches) => matches(name))) return { registries: [], join: 'first' };
      return proxy && { registries, join: 'first' };
    };
  },
};

/** A variable that a source sets. */
interface Assignment {
  readonly key: string;
  readonly value: string;
  readonly source: AccessSource;
}

function saidBy(sources: readonly AccessSource[]): readonly Assignment[] {
  return sources.flatMap((source) => assignmentsIn(source).map((it) => ({ ...it, source })));
}

/** The strongest value of a variable. An empty one counts as not set. */
function strongest(said: readonly Assignment[] | undefined, key: string): Setting | undefined {
  const found = said?.find((it) => it.key === key && it.value.trim() !== '');
  return found && { text: found.value, source: found.source };
}

function ownersIn(said: readonly Assignment[]): (name: string) => readonly Registry[] {
  const by = (variable: string, { source }: Setting): string =>
    source.label === variable ? variable : `${variable} in ${source.label}`;
  const patterns = privacyVariables.flatMap((variable) => {
    const found = strongest(said, variable);
    const registry = found && { from: by(variable, found) };
    return registry ? patternsIn(found.text).map((matches) => ({ matches, registry })) : [];
  });
  const proxy = strongest(said, 'GOPROXY');
  const proxies = proxy ? ownersAmong(proxiesIn(proxy.text), by('GOPROXY', proxy)) : [];
  return (name) => [...patterns.filter((it) => it.matches(name)).map((it) => it.registry), ...proxies];
}

/** One that is a folder, and a list that names none, may stand for any. */
function ownersAmong(proxies: readonly Proxy[], from: string): readonly Registry[] {
  return proxies.length === 0 ? [{ from }] : proxies.map(({ text }) => registryAt(text, from) ?? { from });
}

interface Proxy {
  readonly text: string;
  readonly isOptional?: true;
}

const isFolder = /^(?:file:|[\\/]|[a-z]:[\\/])/i;

/** Proxies of one list. Real ones have two or three. */
const MAX_PROXIES = 100;

/**
 * The proxies that Go asks; none where it fetches every module directly, or none at all. Source: the Go modules reference,
 * "Environment variables", `go help goproxy`, and `proxyList` of cmd/go: nothing behind `direct` or `off` is asked.
 */
function proxiesIn(list: string): readonly Proxy[] {
  const found: Proxy[] = [];
  for (const [, written = '', separator] of list.matchAll(/([^,|]*)([,|]|$)/g)) {
    const text = written.trim();
    if (text === 'direct' || text === 'off' || found.length >= MAX_PROXIES) break;
    if (text === '') continue;
    const address = text.includes(':/') || isFolder.test(text) ? text : `https://${text}`;
    found.push({ text: address, ...(separator === '|' && { isOptional: true }) });
  }
  return found;
}

/** The variables that a source sets. */
export function assignmentsIn({
  name,
  text,
}: RegistrySource): readonly { readonly key: string; readonly value: string }[] {
  switch (name) {
    case 'env':
      return readIni(text);
    case 'go.env':
      // As it is shipped, its own comment explains the proxy that it names: the usual one. Who builds Go may name another.
      return readIni(text).filter(
        ({ key, value }) => key !== 'GOPROXY' || !text.includes(`# See ${value.split(/[,|]/, 1)[0]} for`),
      );
    case 'settings.json': {
      const variables = valueAt(parseJson(text).root, 'go.toolsEnvVars');
      const properties = variables?.kind === 'object' ? variables.properties : [];
      return properties.flatMap((it) =>
        it.value?.kind === 'string' ? [{ key: it.name.text, value: it.value.text }] : [],
      );
    }
    default:
      return [{ key: name, value: text }];
  }
}

function patternsIn(text: string): ((path: string) => boolean)[] {
  return text
    .split(',')
    .filter((it) => it.trim() !== '')
    .map((it) => prefixPattern(it.trim()));
}

/** Patterns of Go match as many leading parts of a path as they have themselves. Source: `go help goprivate`, `path.Match`. */
function prefixPattern(pattern: string): (path: string) => boolean {
  // A value that only the editor can resolve may be any pattern.
  if (pattern.includes('${')) return () => true;
  const parts = pattern.replace(/\/+$/, '').split('/').map(compileWildcard);
  return (path) => {
    const given = path.split('/');
    return given.length >= parts.length && parts.every((it, at) => it(given[at] ?? ''));
  };
}

/** The file of `go env -w` that is in force: of several places only the first. */
function usedFile({ sources, variable }: AccessInputs): AccessSource | undefined {
  return variable('GOENV') === 'off' ? undefined : sources.find((it) => it.name === 'env');
}

/** Folders are no registries. */
function askedProxies(
  { text: list, source }: Setting,
  ofMachine: Setting | undefined,
  goAuth: Setting | undefined,
  inputs: AccessInputs,
): readonly AskedRegistry[] {
  const named = proxiesIn(ofMachine?.text ?? '').map((it) => it.text);
  const credentialOf = credentialsOf(inputs, goAuth);
  return proxiesIn(list).flatMap(({ text, isOptional }): AskedRegistry[] => {
    if (isFolder.test(text)) return [];
    const variable = source.owner === 'workspace' ? /\$\{[^}]*\}/.exec(text)?.[0] : undefined;
    const address: Setting = { text, source, ...(variable !== undefined && { variable }) };
    const credential = credentialOf(address);
    const asked = askedRegistry('go-proxy', { address, ...(credential && { credential }) }, inputs, (it) =>
      it === source ? [text] : it.owner === 'machine' ? named : [],
    );
    return [isOptional ? { ...asked, isOptional } : asked];
  });
}

/** What is sent to a proxy: over https that of GOAUTH, which is `netrc` if it is not set, else that in the address. */
function credentialsOf({ sources }: AccessInputs, goAuth: Setting | undefined) {
  const commands = (goAuth?.text ?? 'netrc').split(';').map((it) => it.trim());
  const netrc = commands.includes('netrc') ? readNetrc(sources, { hasDefault: false }) : () => undefined;
  const program = commands.find((it) => it !== 'netrc' && it !== 'off' && it !== '');
  return (address: Setting): ClientCredential | undefined => {
    const url = URL.canParse(address.text) ? new URL(address.text) : undefined;
    const own = credentialIn(address);
    if (url?.protocol !== 'https:') return own;
    for (const place of placesOf(url)) {
      const login = netrc(place);
      if (login === undefined || login.user === '' || login.password === '') continue;
      const { user, password, source } = login;
      return { parts: { kind: 'basic', user, password }, settings: [{ text: '', source }] };
    }
    if (own || program === undefined || goAuth === undefined) return own;
    return { unreadable: goAuth, detail: program.split(/\s/, 1)[0] ?? '' };
  };
}

/** `acme.example:8443/team/go`, `acme.example:8443/team`, `acme.example:8443`. */
function placesOf({ host, pathname }: URL): string[] {
  const parts = pathname.split('/').filter((it) => it !== '');
  return Array.from({ length: parts.length + 1 }, (_, at) => [host, ...parts.slice(0, parts.length - at)].join('/'));
}
