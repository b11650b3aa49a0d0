import { parseToml } from '../../../formats/toml/parse.ts';
import { entriesOf, type TomlValue, tomlAt } from '../../../formats/toml/tree.ts';
import type { AccessInputs } from '../../../model/registries/access.ts';
import {
  type AskedIndex,
  assignmentsIn,
  indexesAt,
  loginOfVariables,
  type PythonClient,
  priorityOf,
  textAt,
} from './client.ts';

/**
 * Poetry joins its primary sources and asks the supplemental ones, one after the other, where those do not have a
 * package. A source that a dependency names is its only one.
 *
 *     [[tool.poetry.source]]         POETRY_HTTP_BASIC_ACME_USERNAME=ci
 *     name = "acme"                  [http-basic.acme] of auth.toml
 *     url = "https://…"
 *     priority = "supplemental"
 */
export const poetry: PythonClient = {
  strongest: 'address',
  read(inputs) {
    const source = inputs.sources.find((it) => it.name === 'pyproject.toml');
    const table = source && tomlAt(parseToml(source.text).root, 'tool', 'poetry');
    const indexes = indexesAt(table, 'source').flatMap((it) => {
      if (source === undefined) return [];
      const index: AskedIndex = { url: it.url, source, ...loginOf(it.name, inputs) };
      return [{ name: it.name.toLowerCase(), priority: priorityOf(it) || 'primary', index }];
    });
    const of = (...priorities: readonly string[]): AskedIndex[] =>
      indexes.filter((it) => priorities.includes(it.priority)).map((it) => it.index);
    // Earlier versions of Poetry have a default source, and secondary ones, which are asked with the primary ones.
    const primary = of('default', 'primary', 'secondary');
    const everything = [...primary, ...of('supplemental')];
    const assigned = assignmentsIn(dependenciesIn(table), 'source');
    return (name) => {
      const own = assigned.get(name);
      if (own !== undefined && own.length > 0) {
        const found = indexes.filter((it) => own.includes(it.name)).map((it) => it.index);
        return found.length === 0 ? undefined : { indexes: found, join: 'all' };
      }
      if (everything.length === 0) return undefined;
      return { indexes: everything, join: primary.length > 1 ? 'all' : 'first' };
    };
  },
};

function loginOf(name: string, inputs: AccessInputs): Pick<AskedIndex, 'login'> {
  if (name === '') return {};
  const add = { setting: `[repositories.${name}] url`, file: 'pypoetry/config.toml' };
  const keptFor = { name, addresses: addressesOf(name, inputs), add };
  const variable = `POETRY_HTTP_BASIC_${variablePart(name)}`;
  const login = loginOfVariables(inputs, `${variable}_USERNAME`, `${variable}_PASSWORD`, keptFor);
  if (login) return { login };
  for (const source of inputs.sources.filter((it) => it.name === 'auth.toml' && it.owner === 'machine')) {
    const kept = tomlAt(parseToml(source.text).root, 'http-basic', name);
    const [user, password] = [textAt(kept, 'username'), textAt(kept, 'password')];
    if (password !== undefined) return { login: { user: user ?? '', password, source, keptFor } };
    // The password is in the keyring.
    if (user !== undefined) return { login: 'unreadable' };
  }
  return {};
}

/** The addresses that the machine's settings give to a name, for whatever purpose. */
function addressesOf(name: string, { sources, variable }: AccessInputs): string[] {
  const ofVariable = variable(`POETRY_REPOSITORIES_${variablePart(name)}_URL`);
  const files = sources.filter((it) => it.name === 'poetry.toml' && it.owner === 'machine');
  const ofFiles = files.map((it) => textAt(parseToml(it.text).root, 'repositories', name, 'url'));
  return [ofVariable, ...ofFiles].filter((it) => it !== undefined);
}

function variablePart(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}

/** The tables of dependencies, of all groups. */
export function dependenciesIn(table: TomlValue | undefined): readonly (TomlValue | undefined)[] {
  const groups = entriesOf(tomlAt(table, 'group')).map(({ value }) => tomlAt(value, 'dependencies'));
  return [tomlAt(table, 'dependencies'), tomlAt(table, 'dev-dependencies'), ...groups];
}
