import { logicalLines } from '../manifests/requirements-lines.ts';
import type { Registry, RegistryReader, RegistrySource } from '../model/registry.ts';
import { parseToml } from '../text/toml.ts';
import { distinct, ownRegistries, registryAt } from './address.ts';
import { readAssignments } from './ini.ts';
import { readPipfileLock } from './pipfile-lock.ts';
import { type Indexes, readPdm, readPipfile, readPyproject, readUv } from './pypi-toml.ts';

/** Variables of pip, uv, PDM and Pipenv, each with one address or several; whether they come beside the usual index. */
const variables: ReadonlyMap<string, 'instead' | 'beside'> = new Map([
  ['PIP_INDEX_URL', 'instead'],
  ['PIP_EXTRA_INDEX_URL', 'beside'],
  ['UV_DEFAULT_INDEX', 'instead'],
  ['UV_INDEX_URL', 'instead'],
  ['UV_INDEX', 'beside'],
  ['UV_EXTRA_INDEX_URL', 'beside'],
  ['PDM_PYPI_URL', 'instead'],
  ['PIPENV_PYPI_MIRROR', 'instead'],
]);

/** Where the virtual environment of a project lies; pip reads what stands in it. */
const environments: readonly string[] = ['.venv', 'venv'];

/**
 * Each tool has settings of its own, and pip asks every index for every name, so all indexes count for all names, but
 * for those that a project keeps for names that it assigns to them.
 */
export const pypiRegistries: RegistryReader = {
  above: [
    'uv.toml',
    'pyproject.toml',
    'Pipfile',
    'pdm.toml',
    '.pdm.toml',
    ...environments.flatMap((it) => [`${it}/pip.conf`, `${it}/pip.ini`]),
  ],
  parts: new Map(['pyproject.toml', 'Pipfile', 'Pipfile.lock', 'requirements.txt'].map((it) => [it, it] as const)),
  read(sources) {
    const all = sources.map((source) => {
      const found = readIndexes(source);
      return { ...found, from: source.label, everything: distinct(found.everything) };
    });
    // Those of the workspace's root and of a person's own settings, too.
    const named = new Map<string, readonly Registry[]>();
    for (const [index, it] of all.flatMap((one) => [...(one.named ?? [])]))
      named.set(index, distinct([...(named.get(index) ?? []), ...it]));
    return (asked) => {
      const { name } = asked;
      const routed = all.flatMap(({ from, everything, assigned, elsewhere, chosen }) => {
        // An index that nothing defines may be any.
        const others = elsewhere?.get(name)?.flatMap((it) => named.get(it) ?? [{ from }]);
        const own = assigned.get(name);
        return own || others ? [...(own ?? []), ...(others ?? [])] : [...everything, ...(chosen?.(name) ?? [])];
      });
      return [...routed, ...ownRegistries(asked)];
    };
  },
};

function readIndexes(source: RegistrySource): Indexes {
  const { name, label, text } = source;
  const kind = variables.get(name);
  if (kind !== undefined)
    return { ...forEverything(addresses(text, label, kind === 'beside')), named: names(text, label) };
  switch (name) {
    case 'pip.conf':
    case 'pip.ini':
      return forEverything(
        readAssignments(text).flatMap(({ key, value }) =>
          isIndexOption(key) ? addresses(value, label, /extra/.test(key)) : [],
        ),
      );
    case 'uv.toml':
      return readUv(parseToml(text).root, undefined, label);
    case 'pdm.toml':
    case '.pdm.toml':
      return readPdm(parseToml(text).root, label);
    case 'pyproject.toml':
      return readPyproject(parseToml(text).root, label);
    case 'Pipfile':
      return readPipfile(parseToml(text).root, label);
    case 'Pipfile.lock':
      return readPipfileLock(text, label);
    default:
      return /\.(?:txt|in|requirements)$/.test(name) ? forEverything(readOptions(text, label)) : forEverything([]);
  }
}

function forEverything(everything: readonly Registry[]): Indexes {
  return { everything, assigned: new Map() };
}

function isIndexOption(key: string): boolean {
  return /^(?:extra[-_])?index[-_]url$/i.test(key);
}

/** Several addresses have blanks between them; uv writes `name=https://…`. */
function addresses(value: string, from: string, beside: boolean): Registry[] {
  return value
    .split(/\s+/)
    .map((it) => registryAt(it.replace(/^[\w-]+=(?=[a-z]+:)/i, ''), from, beside))
    .filter((it) => it !== undefined);
}

/** The names that uv's indexes have in a variable: `UV_INDEX=acme=https://…`. */
function names(value: string, from: string): ReadonlyMap<string, readonly Registry[]> {
  return new Map(
    value.split(/\s+/).flatMap((it) => {
      const [, name = '', address = ''] = /^([\w-]+)=(?=[a-z]+:)(.*)/i.exec(it) ?? [];
      return name === '' ? [] : [[name.toLowerCase(), [registryAt(address, from) ?? { from }]] as const];
    }),
  );
}

/**
 * `-i https://…`, `--index-url=https://…`, `--extra-index-url https://…`; several may stand in one line, and pip takes
 * the beginning of an option for the whole: `--extra-index`.
 */
function readOptions(text: string, from: string): Registry[] {
  if (!/-i|--ext|--pypi-url/.test(text)) return [];
  return logicalLines(text).flatMap((line) => {
    if (!/^\s*-/.test(line.text)) return [];
    return [...line.text.matchAll(indexOption)].flatMap(([, extra, address = '']) => {
      const registry = registryAt(address, from, extra !== undefined);
      return registry ? [registry] : [];
    });
  });
}

const indexOption = /(?<!\S)(?:-i|--(?:(ext)[a-z-]*|ind[a-z-]*|pypi-url))(?:\s*=\s*|\s+|(?<=-i))["']?([^\s"']+)/g;
