import type { Registry, RegistryReader } from '../model/registry.ts';
import { wildcard } from '../text/wildcard.ts';
import { ownRegistries, registryAt } from './address.ts';
import { readAssignments } from './ini.ts';

/** Variables with patterns of the modules that nobody else shall hear of. */
const privacyVariables: readonly string[] = ['GOPRIVATE', 'GONOPROXY', 'GONOSUMDB'];

/**
 * Patterns say which modules are private; GOPROXY names the proxies for the others. `go env -w` writes the same
 * variables into a file, which the environment comes before.
 *
 *     GOPRIVATE=*.corp.example,example.com/team     GOPROXY=https://proxy.example|direct
 */
export const goRegistries: RegistryReader = {
  above: [],
  read(sources) {
    const said = new Map<string, { readonly value: string; readonly from: string }>();
    for (const { name, label, text } of sources) {
      const pairs = name === 'env' ? readAssignments(text) : [{ key: name, value: text }];
      for (const { key, value } of pairs) if (!said.has(key)) said.set(key, { value, from: label });
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
    const proxies = proxy
      .split(/[,|]/)
      .filter((it) => !/^\s*(?:direct|off)?\s*$/.test(it))
      .map((it) => registryAt(it, from === 'GOPROXY' ? from : `GOPROXY in ${from}`))
      .filter((it) => it !== undefined);
    return (asked) => {
      const forIt = patterns.filter((it) => it.matches(asked.name)).map((it) => it.registry);
      return [...forIt, ...proxies, ...ownRegistries(asked)];
    };
  },
};

/** Patterns of Go match as many leading parts of a path as they have themselves. Source: `go help goprivate`, `path.Match`. */
function prefixPattern(pattern: string): (path: string) => boolean {
  const parts = pattern.replace(/\/+$/, '').split('/').map(wildcard);
  return (path) => {
    const given = path.split('/');
    return given.length >= parts.length && parts.every((it, at) => it(given[at] ?? ''));
  };
}
