import { compileWildcard } from '../../../formats/text/wildcard.ts';
import { parseToml } from '../../../formats/toml/parse.ts';
import { entriesOf, scalarAt, type TomlValue, textsAt, tomlAt } from '../../../formats/toml/tree.ts';
import type { AccessInputs, AccessSource } from '../../../model/registries/access.ts';
import type { Login } from '../../shared/netrc.ts';
import { MAX_PATTERNS } from '../../shared/registry-address.ts';
import { type AskedIndex, isTrue, type PythonClient, tablesAt, textAt } from './client.ts';

interface PdmSource extends PdmPatterns {
  readonly name: string;
  readonly url: string | undefined;
  readonly source: AccessSource;
  readonly login: Login | undefined;
  readonly isPageOfLinks: boolean;
}

/**
 * PDM joins the sources of the project with those of its settings. A source has the user and the password of the one
 * with its name in the settings.
 *
 *     [[tool.pdm.source]]            [pypi]                   of config.toml
 *     name = "acme"                  url = "https://…"
 *     url = "https://…"              [pypi.acme]
 *     include_packages = ["acme-*"]  username = "ci"
 */
export const pdm: PythonClient = {
  strongest: 'login',
  variables: /\$\{[^}]*\}|%[A-Za-z_]\w*%/,
  read(inputs) {
    const project = inputs.sources.find((it) => it.name === 'pyproject.toml');
    const table = project && tomlAt(parseToml(project.text).root, 'tool', 'pdm');
    const written = project
      ? tablesAt(table, 'source').map((it) => sourceIn(it, textAt(it, 'name') ?? '', project))
      : [];
    const files = inputs.sources.filter((it) => it.name === 'pdm.toml' || it.name === '.pdm.toml');
    const stored = files.flatMap((source) => storedIn(tomlAt(parseToml(source.text).root, 'pypi'), source));
    const usual = usualSource(inputs, files);
    const isStoredIgnored =
      isTrue(inputs.variable('PDM_IGNORE_STORED_INDEX')) ||
      files.some((it) => scalarAt(parseToml(it.text).root, 'pypi', 'ignore_stored_index') === 'true');
    const names = new Set(written.map((it) => it.name));
    const sources = [
      ...(isStoredIgnored || names.has('pypi') ? [] : usual),
      ...written,
      ...(isStoredIgnored ? [] : stored.filter((it, at) => !names.has(it.name) && isFirst(stored, at))),
    ].filter((it) => it.url !== undefined && !it.isPageOfLinks);
    const known = [...stored, ...usual];
    const join = scalarAt(table, 'resolution', 'respect-source-order') === 'true' ? 'first' : 'all';
    const expand = (text: string): string => text.replace(/\$\{(\w+)\}/g, (all, name) => inputs.variable(name) ?? all);
    const select = pdmSelection(sources);
    return (name) => {
      const indexes = select(name).map((it) => indexOf(it, known, expand));
      return sources.length === 0 ? undefined : { indexes, join };
    };
  },
};

function isFirst(list: readonly PdmSource[], at: number): boolean {
  return list.findIndex((it) => it.name === list[at]?.name) === at;
}

function sourceIn(table: TomlValue, name: string, source: AccessSource): PdmSource {
  return {
    name,
    url: textAt(table, 'url'),
    source,
    login: loginOf(textAt(table, 'username'), textAt(table, 'password'), source),
    isPageOfLinks: textAt(table, 'type') === 'find_links',
    ...pdmPatternsIn(table),
  };
}

/** `[pypi.acme] url = "https://…"`. */
function storedIn(pypi: TomlValue | undefined, source: AccessSource): PdmSource[] {
  return entriesOf(pypi)
    .filter(({ value }) => value?.kind === 'table')
    .flatMap(({ key, value }) => (value ? [sourceIn(value, key.text, source)] : []));
}

/** The source that PDM has if the project names none. Each part of it may come from another file. */
function usualSource({ sources, variable }: AccessInputs, files: readonly AccessSource[]): PdmSource[] {
  const tables = files.map((source) => ({ source, pypi: tomlAt(parseToml(source.text).root, 'pypi') }));
  const of = (key: string, name: string): readonly [text: string, source: AccessSource] | undefined => {
    const text = variable(name);
    if (text) return [text, sources.find((it) => it.name === name) ?? { name, label: name, text, owner: 'machine' }];
    const table = tables.find(({ pypi }) => textAt(pypi, key));
    return table && [textAt(table.pypi, key) ?? '', table.source];
  };
  const [url, source] = of('url', 'PDM_PYPI_URL') ?? [];
  if (source === undefined) return [];
  const [user, ofUser] = of('username', 'PDM_PYPI_USERNAME') ?? [];
  const [password, ofPassword] = of('password', 'PDM_PYPI_PASSWORD') ?? [];
  const ofLogin = [ofPassword, ofUser].find((it) => it?.owner === 'machine') ?? ofPassword ?? source;
  const login = loginOf(user, password, ofLogin);
  return [{ name: 'pypi', url, source, login, isPageOfLinks: false, includes: [], excludes: [] }];
}

/** What settings have for the name of a source, the source itself may lack. */
function indexOf(it: PdmSource, known: readonly PdmSource[], expand: (text: string) => string): AskedIndex {
  const addressOf = ({ url = '', source }: PdmSource): string => (source.owner === 'machine' ? expand(url) : url);
  const ofName = known.filter((one) => one.name === it.name);
  const login = [it, ...ofName].map((one) => one.login).find((one) => one !== undefined);
  const add = { setting: it.name === 'pypi' ? '[pypi] url' : `[pypi.${it.name}] url`, file: 'pdm/config.toml' };
  const addresses = ofName.filter((one) => one.source.owner === 'machine').map(addressOf);
  const keptFor = { name: it.name, addresses, add };
  return { url: addressOf(it), source: it.source, ...(login && { login: { ...login, keptFor } }) };
}

function loginOf(user: string | undefined, password: string | undefined, source: AccessSource): Login | undefined {
  return user === undefined || password === undefined ? undefined : { user, password, source };
}

/** The names that PDM looks for in a source, or does not. */
export interface PdmPatterns {
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

export function pdmPatternsIn(table: TomlValue): PdmPatterns {
  return { includes: textsAt(table, 'include_packages'), excludes: textsAt(table, 'exclude_packages') };
}

/** The sources that include a canonical name, else all that do not exclude it. PDM normalizes patterns like names. */
export function pdmSelection<T extends PdmPatterns>(sources: readonly T[]): (name: string) => readonly T[] {
  const count = sources.reduce((sum, it) => sum + it.includes.length + it.excludes.length, 0);
  const matching = (patterns: readonly string[]): ((name: string) => boolean) => {
    const all = count > MAX_PATTERNS ? [] : patterns.map(compilePattern);
    return (name) => all.some((matches) => matches(name));
  };
  const compiled = sources.map((source) => ({
    source,
    includes: matching(source.includes),
    excludes: matching(source.excludes),
  }));
  return (name) => {
    const including = compiled.filter((it) => it.includes(name));
    return (including.length > 0 ? including : compiled.filter((it) => !it.excludes(name))).map((it) => it.source);
  };
}

/** `Acme_*` → `acme-*` */
function compilePattern(pattern: string): (name: string) => boolean {
  return compileWildcard(pattern.replace(/[^A-Za-z0-9?*-]+/g, '-').toLowerCase());
}
