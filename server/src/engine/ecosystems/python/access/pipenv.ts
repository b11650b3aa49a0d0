import { parseToml } from '../../../formats/toml/parse.ts';
import { entriesOf } from '../../../formats/toml/tree.ts';
import { canonicalName } from '../../../model/keys.ts';
import type { AskedIndex, PythonClient } from './client.ts';
import { tablesAt, textAt } from './client.ts';

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
    for (const it of tablesAt(root, 'source')) {
      const url = textAt(it, 'url');
      if (url !== undefined && source !== undefined) named.set(textAt(it, 'name') ?? url, { url, source });
    }
    const [first] = named.values();
    const usual: AskedIndex | undefined = first ?? (mirror && { url: mirror.text, source: mirror });
    const assigned = new Map<string, string>();
    for (const { value: packages } of entriesOf(root)) {
      for (const { key, value } of entriesOf(packages)) {
        const index = textAt(value, 'index');
        if (index !== undefined) assigned.set(canonicalName('PYPI', key.text), index);
      }
    }
    return (name) => {
      const own = assigned.get(name);
      const index = own === undefined ? usual : named.get(own);
      return index && { indexes: [index], join: 'first' };
    };
  },
};
