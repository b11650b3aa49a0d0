import { compileWildcard } from '../../../formats/text/wildcard.ts';
import { parseToml } from '../../../formats/toml/parse.ts';
import { entriesOf, scalarAt, type TomlValue, textsAt, tomlAt } from '../../../formats/toml/tree.ts';
import type { AccessInputs, AccessSource } from '../../../model/registries/access.ts';
import { sameHost } from '../../shared/client-registry.ts';
import type { Login } from '../../shared/netrc.ts';
import { MAX_PATTERNS } from '../../shared/registry-address.ts';
import { type AskedIndex, isTrue, type PythonClient, tablesAt, textAt } from './client.ts';

interface PdmSource {
  readonly name: string;
  readonly url: string | undefined;
  readonly source: AccessSource;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly isPageOfLinks: boolean;
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
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
    const select = selection(sources);
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
    user: textAt(table, 'username'),
    password: textAt(table, 'password'),
    isPageOfLinks: textAt(table, 'type') === 'find_links',
    includes: textsAt(table, 'include_packages'),
    excludes: textsAt(table, 'exclude_packages'),
  };
}

/** `[pypi.acme] url = "https://…"`. */
function storedIn(pypi: TomlValue | undefined, source: AccessSource): PdmSource[] {
  return entriesOf(pypi)
    .filter(({ value }) => value?.kind === 'table')
    .flatMap(({ key, value }) => (value ? [sourceIn(value, key.text, source)] : []));
}

/** The source that PDM has if the project names none. */
function usualSource({ sources, variable }: AccessInputs, files: readonly AccessSource[]): PdmSource[] {
  const table = files.map((source) => ({ source, pypi: tomlAt(parseToml(source.text).root, 'pypi') }));
  const of = (key: string): string | undefined => table.map(({ pypi }) => textAt(pypi, key)).find((it) => it);
  const named = sources.find((it) => it.name === 'PDM_PYPI_URL');
  const source = named ?? table.find(({ pypi }) => textAt(pypi, 'url'))?.source;
  if (source === undefined) return [];
  return [
    {
      name: 'pypi',
      url: named?.text ?? of('url'),
      source,
      user: variable('PDM_PYPI_USERNAME') ?? of('username'),
      password: variable('PDM_PYPI_PASSWORD') ?? of('password'),
      isPageOfLinks: false,
      includes: [],
      excludes: [],
    },
  ];
}

function indexOf(it: PdmSource, known: readonly PdmSource[], expand: (text: string) => string): AskedIndex {
  const url = it.source.owner === 'machine' ? expand(it.url ?? '') : (it.url ?? '');
  const login =
    loginOf(it) ??
    known
      .filter((one) => isFor(one, it))
      .map(loginOf)
      .find((one) => one !== undefined);
  return { url, source: it.source, ...(login && { login }) };
}

/** Whether the settings of the machine are for a source: a project may not send them to an address of its own choice. */
function isFor(stored: PdmSource, { name, url = '', source }: PdmSource): boolean {
  if (stored.name !== name) return false;
  return source.owner === 'machine' || stored.url === undefined || sameHost(stored.url, url);
}

function loginOf({ user, password, source }: PdmSource): Login | undefined {
  return user === undefined || password === undefined ? undefined : { user, password, source };
}

/** The sources that include a name, else all that do not exclude it. Patterns are normalized like names. */
function selection(sources: readonly PdmSource[]): (name: string) => readonly PdmSource[] {
  const count = sources.reduce((sum, it) => sum + it.includes.length + it.excludes.length, 0);
  const isTooMuch = count > MAX_PATTERNS;
  const compiled = sources.map((source) => ({
    source,
    includes: isTooMuch ? none : matching(source.includes),
    excludes: isTooMuch ? none : matching(source.excludes),
  }));
  return (name) => {
    const including = compiled.filter((it) => it.includes(name));
    return (including.length > 0 ? including : compiled.filter((it) => !it.excludes(name))).map((it) => it.source);
  };
}

const none = (): boolean => false;

function matching(patterns: readonly string[]): (name: string) => boolean {
  const all = patterns.map((it) => compileWildcard(it.replace(/[^A-Za-z0-9?*-]+/g, '-').toLowerCase()));
  return (name) => all.some((matches) => matches(name));
}
