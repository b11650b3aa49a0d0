import { entriesOf, scalarAt, stringAt, type TomlValue, tomlAt } from '../../formats/toml/tree.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Manifest, PreReleases } from '../../model/manifest.ts';
import type { RegistrySource } from '../../model/registry.ts';
import { plainAt, readPlainSettings } from '../shared/cooldown-values.ts';

/*
 * Which pre-releases the package managers take. Without any setting, pip, PDM and Pipenv follow PEP 440; uv and Poetry take
 * one only where no stable version satisfies, even if the range names one. Sources: pip 26, uv 0.13, Poetry 2.5, PDM 2.29
 * and Pipenv 2026, tried.
 */

type Rules = ReadonlyMap<string, PreReleases>;

/** The modes of uv. */
const uvModes: ReadonlyMap<string, PreReleases> = new Map([
  ['allow', 'any'],
  ['disallow', 'none'],
  ['explicit', 'named'],
  ['if-necessary', 'last'],
  ['if-necessary-or-explicit', 'last'],
]);

/** The modes of uv's `resolution`: which version it takes of what a project requires itself. */
export function directOf(resolution: string | undefined): Manifest['direct'] {
  if (resolution === 'highest') return 'highest';
  return resolution === 'lowest' || resolution === 'lowest-direct' ? 'lowest' : undefined;
}

/**
 * The same of settings outside the manifest.
 * @param sources highest precedence first
 */
export function directOfSettings(format: string, sources: readonly RegistrySource[]): Manifest['direct'] {
  for (const { name, text } of sources) {
    if (name === 'UV_RESOLUTION') return directOf(text);
    if (name !== 'uv.toml' || !text.includes('resolution')) continue;
    const { root } = readPlainSettings(name, text);
    const own = format === 'requirements.txt' ? plainAt(root, 'pip', 'resolution') : undefined;
    const found = directOf(textOf(own ?? plainAt(root, 'resolution')));
    if (found) return found;
  }
  return undefined;
}

/** Options of pip, the last of which counts: `--pre`, `--all-releases flask,jinja2`, `--only-final=:all:`. */
export function readReleaseOptions(line: string, found: Map<string, PreReleases>): void {
  for (const [, option = '', names = ''] of line.matchAll(
    /(?<!\S)--(pre|(?:all-releases|only-final)(?=[=\s]))(?:(?<!pre)[=\s]\s*(\S+))?(?!\S)/g,
  )) {
    if (option === 'pre') found.set('', 'any');
    else addNames(names, option === 'only-final' ? 'none' : 'any', found);
  }
}

function addNames(names: string, taken: PreReleases, found: Map<string, PreReleases>): void {
  for (const name of names.split(',')) {
    if (name === ':none:') for (const [key, value] of found) if (value === taken) found.delete(key);
    if (name === ':all:') found.clear();
    if (name !== ':none:') found.set(name === ':all:' ? '' : canonicalName('PYPI', name), taken);
  }
}

/** The rules in a pyproject.toml, of the tool that has a table there. */
export function preReleasesOfProject(root: TomlValue): Rules {
  const [uv, poetry, pdm] = ['uv', 'poetry', 'pdm'].map((it) => tomlAt(root, 'tool', it));
  const found = new Map<string, PreReleases>();
  for (const [name, taken] of uvRules(stringAt(uv, 'prerelease')?.text, packagesOf(uv))) found.set(name, taken);
  const groups = entriesOf(tomlAt(poetry, 'group')).map(({ value }) => tomlAt(value, 'dependencies'));
  for (const table of [tomlAt(poetry, 'dependencies'), tomlAt(poetry, 'dev-dependencies'), ...groups]) {
    for (const { key, value } of entriesOf(table)) {
      const taken = taking(scalarAt(value, 'allow-prereleases'));
      if (taken) found.set(canonicalName('PYPI', key.text), taken);
    }
  }
  const taken = taking(scalarAt(pdm, 'resolution', 'allow-prereleases'));
  if (taken) found.set('', taken);
  return found;
}

function packagesOf(uv: TomlValue | undefined): [string, string][] {
  return entriesOf(tomlAt(uv, 'prerelease-package')).flatMap(({ key, value }): [string, string][] =>
    value?.kind === 'string' ? [[key.text, value.text]] : [],
  );
}

function uvRules(mode: string | undefined, packages: readonly (readonly [string, string])[]): Rules {
  const all = [...(mode === undefined ? [] : [['', mode] as const]), ...packages];
  return new Map(
    all.flatMap(([name, it]): [string, PreReleases][] => {
      const taken = uvModes.get(it);
      return taken ? [[canonicalName('PYPI', name), taken]] : [];
    }),
  );
}

function taking(allowed: string | undefined): PreReleases | undefined {
  return allowed === 'true' ? 'any' : allowed === 'false' ? 'none' : undefined;
}

/** `[pipenv] allow_prereleases = true`. False is what holds without it. */
export function preReleasesOfPipfile(root: TomlValue): Rules {
  return new Map(scalarAt(root, 'pipenv', 'allow_prereleases') === 'true' ? [['', 'any']] : []);
}

/** How a project says that uv or Poetry resolves it. */
const ofUvOrPoetry = /^\uFEFF?[ \t]*(?:\[+[ \t]*tool\.(?:uv|poetry)\b|build-backend[ \t]*=[ \t]*["']poetry)/m;

/**
 * The rules outside the manifest, of settings files and variables, and what holds without any. uv's settings come before its
 * table in a project, those of pip behind the options in a file. Undefined where PEP 440 alone holds.
 * @param format id of the manifest's
 * @param lockfiles the ids of those beside it
 * @param sources highest precedence first
 */
export function preReleasesOfSettings(
  format: string,
  lockfiles: readonly string[],
  sources: readonly RegistrySource[],
): { readonly before: Rules; readonly behind: Rules } | undefined {
  const isUv = lockfiles.includes('uv.lock');
  const isPoetry = lockfiles.includes('poetry.lock');
  const isOther = isPoetry || lockfiles.includes('pdm.lock') || format === 'Pipfile';
  const isForPip = format === 'requirements.txt';
  const isSaid = !isForPip && sources.some((it) => it.name === 'pyproject.toml' && ofUvOrPoetry.test(it.text));
  const found = new Map<string, PreReleases>();
  for (const source of [...sources].reverse()) {
    const isOfUv = /^(?:uv\.toml|UV_)/.test(source.name);
    if (isOther || (isUv && !isOfUv)) continue;
    for (const [name, taken] of rulesIn(source, isForPip)) found.set(name, taken);
  }
  const usual: Rules = new Map(isUv || isPoetry || isSaid ? [['', 'last']] : []);
  if (found.size + usual.size === 0) return undefined;
  return isForPip ? { before: new Map(), behind: found } : { before: found, behind: usual };
}

function rulesIn({ name, text }: RegistrySource, isForPip: boolean): Rules {
  switch (name) {
    case 'UV_PRERELEASE':
      return uvRules(text, []);
    case 'uv.toml': {
      if (!text.includes('prerelease')) return new Map();
      const { root } = readPlainSettings(name, text);
      const [mode, own] = [plainAt(root, 'prerelease'), isForPip ? plainAt(root, 'pip', 'prerelease') : undefined];
      const packages = Object.entries(plainAt(root, 'prerelease-package') ?? {});
      return uvRules(
        textOf(own ?? mode),
        packages.map(([key, value]) => [key, textOf(value) ?? ''] as const),
      );
    }
    case 'PIP_PRE':
    case 'PIP_ALL_RELEASES':
    case 'PIP_ONLY_FINAL':
      return pipRules([[name.slice('PIP_'.length), text]]);
    case 'pip.conf':
    case 'pip.ini': {
      const { root } = readPlainSettings(name, text);
      const options = Object.entries(root).filter(([key]) => /^(?:global|install)\./.test(key));
      return pipRules(options.map(([key, value]) => [key.slice(key.indexOf('.') + 1), textOf(value) ?? '']));
    }
    default:
      return new Map();
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The options of pip as settings. */
function pipRules(options: readonly (readonly [string, string])[]): Rules {
  const found = new Map<string, PreReleases>();
  for (const [key, value] of options) {
    const option = key.toLowerCase().replaceAll('_', '-');
    if (option === 'pre' && /^\s*(?:1|y|yes|t|true|on)\s*$/i.test(value)) found.set('', 'any');
    if (option === 'all-releases' || option === 'only-final')
      for (const it of value.trim().split(/\s+/)) addNames(it, option === 'only-final' ? 'none' : 'any', found);
  }
  return found;
}
