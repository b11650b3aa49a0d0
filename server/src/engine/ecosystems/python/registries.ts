import { isRecord } from '../../base/text.ts';
import { readPlainJson } from '../../formats/json/plain.ts';
import { parseToml } from '../../formats/toml/parse.ts';
import { entriesOf, type TomlValue, tomlAt } from '../../formats/toml/tree.ts';
import { canonicalName } from '../../model/keys.ts';
import { isInnerHost } from '../../model/registries/inner-host.ts';
import type { RegistryReader } from '../../model/registries/registry-reader.ts';
import type { Registry, RegistrySource } from '../../model/registry.ts';
import {
  distinctRegistries,
  MAX_REGISTRIES,
  ownRegistries,
  readIni,
  registryAt,
  registryBeside,
} from '../shared/registry-address.ts';
import { pypiAccess } from './registries/asked.ts';
import {
  type Indexes,
  readPdm,
  readPipfile,
  readPipTools,
  readPixi,
  readPyproject,
  readUv,
} from './registries/indexes.ts';
import { optionLines, optionsIn } from './registries/requirement-options.ts';

/** Variables of pip, uv, PDM and Pipenv, each with one address or several, which replace the default index or add to it. */
const variables: ReadonlyMap<string, 'instead' | 'beside'> = new Map([
  ['PIP_INDEX_URL', 'instead'],
  ['PIP_PYPI_URL', 'instead'],
  ['PIP_EXTRA_INDEX_URL', 'beside'],
  ['UV_DEFAULT_INDEX', 'instead'],
  ['UV_INDEX_URL', 'instead'],
  ['UV_INDEX', 'beside'],
  ['UV_EXTRA_INDEX_URL', 'beside'],
  ['PDM_PYPI_URL', 'instead'],
  ['PIPENV_PYPI_MIRROR', 'instead'],
  ['PIP_FIND_LINKS', 'beside'],
  ['UV_FIND_LINKS', 'beside'],
]);

/** Variables that disable all indexes: packages come from an unknown registry then. */
const noIndexVariables: ReadonlySet<string> = new Set(['PIP_NO_INDEX', 'UV_NO_INDEX']);

/** The usual folders of a project's virtual environment. pip reads its settings there. */
const virtualEnvironments: readonly string[] = ['.venv', 'venv'];

/**
 * Each tool has settings of its own, and pip looks for each name in all indexes. So all indexes count for all names, except
 * those that a project uses only for the names it assigns to them.
 */
export const pypiRegistries: RegistryReader = {
  above: [
    'uv.toml',
    'pyproject.toml',
    'hatch.toml',
    'pixi.toml',
    '.pixi/config.toml',
    '.pip-tools.toml',
    'Pipfile',
    // An included file is a manifest of its own, which does not name the file that includes it.
    'requirements.txt',
    'requirements.in',
    'pdm.toml',
    '.pdm.toml',
    ...virtualEnvironments.flatMap((it) => [`${it}/pip.conf`, `${it}/pip.ini`]),
  ],
  filesNamedBy: ({ name, text }) => (/\.(?:txt|in|requirements)$/.test(name) ? compiledSources(text) : []),
  chainFormats: new Map(
    ['pyproject.toml', 'Pipfile', 'Pipfile.lock', 'requirements.txt'].map((it) => [it, it] as const),
  ),
  ownersOf(sources) {
    const all = sources.map((source) => {
      const found = readIndexes(source);
      return { ...found, from: source.label, everything: distinctRegistries(found.everything) };
    });
    // Including the indexes of the workspace's root and of the user's settings.
    const named = new Map<string, readonly Registry[]>();
    for (const [index, it] of all.flatMap((one) => [...(one.named ?? [])]))
      named.set(index, distinctRegistries([...(named.get(index) ?? []), ...it]));
    return (asked) => {
      const { name } = asked;
      const routed = all.flatMap(({ from, everything, assigned, undefinedIndexes, matching }) => {
        // An index without a definition may be any registry.
        const others = undefinedIndexes?.get(name)?.flatMap((it) => named.get(it) ?? [{ from }]);
        const own = assigned.get(name);
        return own || others ? [...(own ?? []), ...(others ?? [])] : [...everything, ...(matching?.(name) ?? [])];
      });
      return [...routed, ...ownRegistries(asked)];
    };
  },
  accessTo: pypiAccess,
};

function readIndexes(source: RegistrySource): Indexes {
  const { name, label, text } = source;
  const kind = variables.get(name);
  if (noIndexVariables.has(name)) return forEverything(isTrue(text) ? [{ from: label }] : []);
  if (kind !== undefined)
    return {
      ...forEverything(splitAddresses(text, label, kind === 'beside' ? registryBeside : registryAt)),
      named: indexNames(text, label),
    };
  switch (name) {
    case 'pip.conf':
    case 'pip.ini':
      return forEverything(
        readIni(text, /[=:]/).flatMap(({ key: written, value }) => {
          const key = written.replace(/^--/, '');
          if (/^no[-_]index$/i.test(key)) return isTrue(value) ? [{ from: label }] : [];
          return isIndexOption(key)
            ? splitAddresses(value, label, /^(?:index|pypi)/i.test(key) ? registryAt : registryBeside)
            : [];
        }),
      );
    case 'uv.toml':
      return readUv(parseToml(text).root, undefined, label);
    case 'pdm.toml':
    case '.pdm.toml':
      return readPdm(parseToml(text).root, label);
    case 'pyproject.toml': {
      const { root } = parseToml(text);
      const found = readPyproject(root, label);
      return {
        ...found,
        everything: [...found.everything, ...readHatchEnvironments(tomlAt(root, 'tool', 'hatch', 'envs'), label)],
      };
    }
    case 'hatch.toml':
      return forEverything(readHatchEnvironments(tomlAt(parseToml(text).root, 'envs'), label));
    case '.pip-tools.toml':
      return forEverything(readPipTools(tomlAt(parseToml(text).root, 'tool', 'pip-tools'), label));
    case 'pixi.toml':
    case 'config.toml':
      return readPixi(parseToml(text).root, label);
    case 'Pipfile':
      return readPipfile(parseToml(text).root, label);
    case 'Pipfile.lock':
      return readPipfileLock(text, label);
    default:
      return /\.(?:txt|in|requirements)$/.test(name) ? forEverything(readOptionLines(text, label)) : forEverything([]);
  }
}

function forEverything(everything: readonly Registry[]): Indexes {
  return { everything, assigned: new Map() };
}

function isIndexOption(key: string): boolean {
  return /^(?:(?:extra[-_])?index[-_]url|pypi[-_]url|find[-_]links)$/i.test(key);
}

/** As pip and uv parse it. */
function isTrue(value: string): boolean {
  return !/^\s*(?:0|no?|false|off|f|)\s*$/i.test(value);
}

/** The variables of a Hatch environment: `[tool.hatch.envs.default.env-vars] PIP_INDEX_URL = "https://…"`. */
function readHatchEnvironments(environments: TomlValue | undefined, from: string): Registry[] {
  return entriesOf(environments).flatMap(({ value }) =>
    entriesOf(tomlAt(value, 'env-vars')).flatMap((it) => {
      const name = it.key.text.toUpperCase();
      if (it.value?.kind !== 'string') return [];
      return readIndexes({
        name: variables.has(name) || noIndexVariables.has(name) ? name : '',
        label: from,
        text: it.value.text,
      }).everything;
    }),
  );
}

/** Addresses are separated by blanks; uv writes `name=https://…`. */
function splitAddresses(value: string, from: string, at: typeof registryAt): Registry[] {
  return value
    .split(/[\s,]+/)
    .map((it) => at(it.replace(/^[\w-]+=(?=[a-z]+:)/i, ''), from))
    .filter((it) => it !== undefined);
}

/** The named indexes in a variable of uv: `UV_INDEX=acme=https://…`. */
function indexNames(value: string, from: string): ReadonlyMap<string, readonly Registry[]> {
  return new Map(
    value.split(/\s+/).flatMap((it) => {
      const [, name = '', address = ''] = /^([\w-]+)=(?=[a-z]+:)(.*)/i.exec(it) ?? [];
      return name === '' ? [] : [[name.toLowerCase(), [registryAt(address, from) ?? { from }]] as const];
    }),
  );
}

function readOptionLines(text: string, from: string): Registry[] {
  const lines = [...optionLines(text), ...compileCommands(text)];
  const named = optionsIn(lines).flatMap(({ kind, url }) => {
    if (kind === 'none') return { from };
    return (kind === 'instead' ? registryAt : registryBeside)(url, from) ?? [];
  });
  const elsewhere = lines.flatMap((line) => [...line.matchAll(elsewhereOption)].map(([, address = '']) => address));
  return [...named, ...elsewhere.filter(isOwnAddress).flatMap((it) => registryBeside(it, from) ?? [])];
}

/**
 * Requirements under a name with variables may name an index, and are not read; nor are those at an address. What stands
 * at a public one is the business of everybody, as the constraints of OpenStack and Airflow are; one with a credential, or of
 * this machine, is somebody's own.
 */
const elsewhereOption = /^\s*(?:-r|--req[a-z]*)(?:\s*=\s*|\s*)["']?([a-z][a-z0-9+.-]+:[^\s"']+|[^\s"']*\$\{[^\s"']*)/g;

function isOwnAddress(address: string): boolean {
  if (!URL.canParse(address) || address.includes('${')) return true;
  const { hostname, username, password } = new URL(address);
  return username + password !== '' || isInnerHost(hostname) || ownName.test(hostname);
}

/** A host that no public name server knows: without a dot, by number, or below a name that is kept for one's own network. */
const ownName = /^[^.]*$|^\[|\.\d+$|\.(?:internal|local|lan|corp|intranet|home\.arpa)\.?$/;

/** The addresses that packages of a requirements file come from, as far as it names them itself. */
export function indexAddresses(text: string): readonly string[] {
  const named = optionsIn([...optionLines(text), ...compileCommands(text)]).map((it) => it.url);
  return [...new Set(named.filter((it) => /^https?:/i.test(it)))];
}

/**
 * The commands that a compiled file was made with: the tools write them into a comment at its head.
 *
 *     #    pip-compile --index-url=https://… --output-file=requirements.txt requirements.in
 */
function compileCommands(text: string): string[] {
  const head = text.slice(0, MAX_HEAD_LENGTH);
  return [...head.matchAll(/^#[ \t]+((?:pip-compile|uv pip compile)[ \t].*)$/gm)].map(([, command = '']) => command);
}

/** In characters. */
const MAX_HEAD_LENGTH = 4000;
/** Sources of one compiled file. Real ones have two or three. */
const MAX_COMPILED_SOURCES = 10;

/** The sources of a compiled file, relative to the directory that the tool was run in, or beside the file. */
function compiledSources(text: string): Pick<RegistrySource, 'name' | 'label'>[] {
  const named = [
    ...compileCommands(text).flatMap((it) => [...it.matchAll(/(?<=\s)(?!-)["']?([^\s"'=]+\.(?:in|txt))(?!\S)/g)]),
    ...text.matchAll(/^[ \t]*#(?:[ \t]*via)?[ \t]+-[rc] ([^\s(]+)/gm),
  ].flatMap(([, path = '']) => [path, path.slice(path.lastIndexOf('/') + 1)]);
  return [...new Set(named)].slice(0, MAX_COMPILED_SOURCES).map((label) => ({ name: 'requirements.txt', label }));
}

/**
 * The indexes that Pipenv locked packages from. A package without one comes from the first.
 *
 *     { "_meta": { "sources": [{ "name": "acme", "url": "https://…" }] },
 *       "default": { "acme-core": { "index": "acme", "version": "==1.0" } } }
 */
export function readPipfileLock(text: string, from: string): Indexes {
  const value = readPlainJson(text);
  const lock = isRecord(value) ? value : {};
  const meta = isRecord(lock._meta) ? lock._meta : {};
  const listed: readonly unknown[] = Array.isArray(meta.sources) ? meta.sources : [];
  const indexes = listed.slice(0, MAX_REGISTRIES).flatMap((it): { name: unknown; registry: Registry }[] => {
    const registry = isRecord(it) && typeof it.url === 'string' ? registryAt(it.url, from) : undefined;
    return isRecord(it) && registry ? [{ name: it.name, registry }] : [];
  });
  const assigned = new Map<string, Registry[]>();
  for (const packages of Object.values(lock)) {
    for (const [name, entry] of isRecord(packages) ? Object.entries(packages) : []) {
      if (!isRecord(entry) || typeof entry.index !== 'string') continue;
      // An index that is not listed may be any registry.
      const registry = indexes.find((it) => it.name === entry.index)?.registry ?? { from };
      const key = canonicalName('PYPI', name);
      assigned.set(key, [...(assigned.get(key) ?? []), registry]);
    }
  }
  return { everything: indexes.slice(0, 1).map((it) => it.registry), assigned };
}
