import { parseJson } from '../../formats/json/parse.ts';
import { valueAt } from '../../formats/json/tree.ts';
import { compileWildcard } from '../../formats/text/wildcard.ts';
import type { RegistryReader } from '../../model/registries/registry-reader.ts';
import type { Registry, RegistrySource, Routing } from '../../model/registry.ts';
import { ownRegistries, readIni, registryAt } from '../shared/registry-address.ts';

/** Variables with patterns of private modules. */
const privacyVariables: readonly string[] = ['GOPRIVATE', 'GONOPROXY', 'GONOSUMDB'];

/** Where the extension of VS Code for Go has variables for its tools: `"go.toolsEnvVars": { "GOPRIVATE": "…" }`. */
const editorSettings = '.vscode/settings.json';

/**
 * Patterns select the private modules; GOPROXY names the proxies for the others. `go env -w` writes the same
 * variables into a file, which the environment comes before.
 *
 *     GOPRIVATE=*.corp.example,example.com/team     GOPROXY=https://proxy.example|direct     GOPROXY=direct
 */
export const goRegistries: Omit<RegistryReader, 'accessTo'> = {
  above: [editorSettings],
  ownersOf(sources) {
    // The environment that an editor passes to its tools counts beside the rest: a terminal does not have it.
    const [inEditor, elsewhere] = [true, false].map((isEditor) =>
      readTogether(sources.filter((it) => (it.name === 'settings.json') === isEditor)),
    );
    return (asked) => [...(inEditor?.(asked) ?? []), ...(elsewhere?.(asked) ?? []), ...ownRegistries(asked)];
  },
};

/** The strongest word of each variable counts. */
function readTogether(sources: readonly RegistrySource[]): Routing {
  const said = new Map<string, { readonly value: string; readonly from: string }>();
  for (const source of sources) {
    for (const { key, value } of assignmentsIn(source)) {
      if (!said.has(key)) said.set(key, { value, from: source.label });
    }
  }
  const patterns = privacyVariables.flatMap((variable) => {
    const { value = '', from = '' } = said.get(variable) ?? {};
    const by = from === variable ? variable : `${variable} in ${from}`;
    return value
      .split(',')
      .filter((it) => it.trim() !== '')
      .map((it) => ({ matches: prefixPattern(it.trim()), registry: { from: by } satisfies Registry }));
  });
  const { value: proxy = '', from = '' } = said.get('GOPROXY') ?? {};
  const by = from === 'GOPROXY' ? from : `GOPROXY in ${from}`;
  const named = proxiesIn(proxy).map((it): Registry => registryAt(it, by) ?? { from: by });
  const proxies = named.length === 0 && proxy.trim() !== '' ? [{ from: by }] : named;
  return ({ name }) => [...patterns.filter((it) => it.matches(name)).map((it) => it.registry), ...proxies];
}

/**
 * The proxies that Go asks; none where it fetches every module directly, or none at all. Source: the Go modules reference,
 * "Environment variables", and `proxyList` of cmd/go: nothing behind `direct` or `off` is asked.
 */
function proxiesIn(list: string): readonly string[] {
  const all = list.split(/[,|]/).flatMap((it) => it.trim() || []);
  const end = all.findIndex((it) => it === 'direct' || it === 'off');
  return end < 0 ? all : all.slice(0, end);
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

/** Patterns of Go match as many leading parts of a path as they have themselves. Source: `go help goprivate`, `path.Match`. */
export function prefixPattern(pattern: string): (path: string) => boolean {
  // A value that only the editor can resolve may be any pattern.
  if (pattern.includes('${')) return () => true;
  const parts = pattern.replace(/\/+$/, '').split('/').map(compileWildcard);
  return (path) => {
    const given = path.split('/');
    return given.length >= parts.length && parts.every((it, at) => it(given[at] ?? ''));
  };
}
