import { parseToml } from '../../../formats/toml/parse.ts';
import { entriesOf, type TomlValue } from '../../../formats/toml/tree.ts';
import { type AskedIndex, assignmentsIn, indexesAt, type PythonClient } from './client.ts';

/**
 * Pipenv asks its first source; another one only for the packages that name it.
 *
 *     [[source]]                     [packages]
 *     name = "acme"                  acme-core = { version = "*", index = "acme" }
 *     url = "https://…"
 */
export const pipenv: PythonClient = {
  strongest: 'address',
  // As the shell writes them.
  variables: /\$(?:\{[^}]*\}|[A-Za-z_]\w*)|%[A-Za-z_]\w*%/,
  read({ sources }) {
    const source = sources.find((it) => it.name === 'Pipfile');
    const mirror = sources.find((it) => it.name === 'PIPENV_PYPI_MIRROR');
    const root = source && parseToml(source.text).root;
    const named = new Map<string, AskedIndex>();
    for (const { name, url } of indexesAt(root, 'source')) {
      if (source !== undefined) named.set((name || url).toLowerCase(), { url, source });
    }
    const [first] = named.values();
    const usual: AskedIndex | undefined = first ?? (mirror && { url: mirror.text, source: mirror });
    const assigned = assignmentsIn(packagesIn(root), 'index');
    return (name) => {
      const own = assigned.get(name)?.at(-1);
      const index = own === undefined ? usual : named.get(own);
      return index && { indexes: [index], join: 'first' };
    };
  },
};

/** The tables of packages, in any category. */
export function packagesIn(root: TomlValue | undefined): readonly (TomlValue | undefined)[] {
  return entriesOf(root).map(({ value }) => value);
}
