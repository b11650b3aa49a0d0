import { isRecord } from '../../base/text.ts';
import { parsePlainJson } from '../../formats/json/plain.ts';
import { readTomlPackages } from '../../formats/toml/packages.ts';

/** Finds the place from which on a lockfile is not as its tool writes it, by the names of lockfiles. */
const checks: readonly (readonly [RegExp, (text: string) => number | undefined])[] = [
  [/^Cargo\.lock$/, (text) => lineGap(text) ?? tomlGap(text, 'package', true) ?? unlisted(text, cratesRequired(text))],
  [/^uv\.lock$/, (text) => lineGap(text) ?? tomlGap(text, 'package', false) ?? unlisted(text, uvRequired(text))],
  [
    /^poetry\.lock$/,
    (text) =>
      lineGap(text) ?? tomlGap(text, 'package', true) ?? (/^\[metadata\]/m.test(text) ? undefined : text.length),
  ],
  [/^pdm\.lock$/, (text) => lineGap(text) ?? tomlGap(text, 'package', true)],
  [/^pylock/, (text) => lineGap(text) ?? tomlGap(text, 'packages', false)],
  [/^pnpm-lock\.yaml$/, (text) => lineGap(text) ?? unusualYaml(text) ?? pnpmGap(text) ?? exchangedByPnpm(text)],
  [/^yarn\.lock$/, (text) => lineGap(text) ?? yarnGap(text) ?? exchangedByYarn(text)],
  [/^(?:package-lock|npm-shrinkwrap)\.json$/, npmGap],
  [/gradle\.lockfile$/, gradleGap],
];

/**
 * The offset at which a lockfile lacks something that its tool always writes: it was cut off, or written by hand. A text that
 * is read as JSON has a syntax error where it was cut off.
 */
export function gapInLockfile(id: string, text: string): number | undefined {
  if (text.trim() === '') return undefined;
  return checks.find(([name]) => name.test(id))?.[1](text);
}

/** The last line lists the configurations without dependencies, if need be none. Source: Gradle, “Locking versions”. */
function gradleGap(text: string): number | undefined {
  return /^[^#\s=:]+:[^\s=]+=/m.test(text) && !/^empty=/m.test(text) ? text.length : undefined;
}

/** The end of a lockfile in which a package is missing that the project or another package requires. */
function npmGap(text: string): number | undefined {
  const root = parsePlainJson(text)?.value;
  const packages = isRecord(root) && isRecord(root.packages) ? root.packages : {};
  const nested = isRecord(root) && isRecord(root.dependencies) ? [...nestedIn(root.dependencies, '')] : [];
  const isOther = Object.keys(packages).length > 0 ? otherThan(packages) : lackingIn(nested.map(([path]) => path));
  if (nested.some(isOther)) return text.length;
  const names = new Set(Object.keys(packages).map((it) => it.slice(it.lastIndexOf(folder) + folder.length)));
  for (const [path, it] of Object.entries(packages)) {
    if (!isRecord(it)) continue;
    // npm installs what such a package has locked itself, inside of it, whatever this file says.
    const isListed = (name: string): boolean =>
      it.hasShrinkwrap === true ? Object.hasOwn(packages, `${path}/${folder}${name}`) : names.has(name);
    const optional = isRecord(it.optionalDependencies) ? it.optionalDependencies : {};
    for (const list of [it.dependencies, it.devDependencies]) {
      for (const name of isRecord(list) ? Object.keys(list) : [])
        if (!isListed(name) && !Object.hasOwn(optional, name)) return text.length;
    }
  }
  return undefined;
}

const folder = 'node_modules/';

type NestedEntry = readonly [path: string, entry: Readonly<Record<string, unknown>>];

/** The packages of version 1, which version 2 has besides, with their places in version 2. */
function* nestedIn(dependencies: object, around: string): Iterable<NestedEntry> {
  for (const [name, entry] of Object.entries(dependencies)) {
    if (!isRecord(entry)) continue;
    const path = `${around}${folder}${name}`;
    yield [path, entry];
    if (isRecord(entry.dependencies)) yield* nestedIn(entry.dependencies, `${path}/`);
  }
}

/** Whether an entry for older clients is another package or version than the one for the later clients. */
function otherThan(packages: Readonly<Record<string, unknown>>): (it: NestedEntry) => boolean {
  return ([path, { version, resolved }]) => {
    const own = Object.hasOwn(packages, path) ? packages[path] : undefined;
    if (!isRecord(own)) return true;
    if (own.link === true) return false;
    if (typeof own.resolved === 'string' && typeof resolved === 'string' && own.resolved !== resolved) return true;
    return ![own.version, `npm:${own.name}@${own.version}`, own.resolved].includes(version);
  };
}

/** Whether an entry requires what is nowhere. */
function lackingIn(paths: readonly string[]): (it: NestedEntry) => boolean {
  const names = new Set(paths.map((it) => it.slice(it.lastIndexOf(folder) + folder.length)));
  return ([, { requires }]) => isRecord(requires) && Object.keys(requires).some((it) => !names.has(it));
}

/** The last line, where it ends inside of a value. */
function lineGap(text: string): number | undefined {
  const start = text.lastIndexOf('\n') + 1;
  const line = text.slice(start);
  const isOpen = (line.match(/"/g)?.length ?? 0) % 2 === 1 || /[=,{[]\s*$/.test(line);
  return isOpen ? start : undefined;
}

/** Any beginning of an entry, in the layout of the tools or in another. */
const heads = /\[\[[^\S\n]*["']?packages?["']?[^\S\n]*\]\]|^[^\S\n]*["']?packages?["']?[^\S\n]*=[^\S\n]*\[[^\S\n]*\{/gm;

function tomlGap(text: string, array: string, hasVersions: boolean): number | undefined {
  let read = 0;
  for (const { name, version, origin } of readTomlPackages(text, array, ['source'])) {
    const isHalf = !name?.text || name.text.includes('\\') || (hasVersions && !version?.text);
    const isUnversioned = !hasVersions && !version?.text && /registry/.test(origin.get('source') ?? '');
    if (isHalf || isUnversioned) return name?.span.start ?? text.length;
    read++;
  }
  if (Array.from(text.matchAll(heads)).length !== read) return text.search(heads);
  // A list that is not closed.
  const list = text.lastIndexOf(' = [');
  return list >= 0 && !text.includes(']', list) ? list : undefined;
}

/** The end of a lockfile in which a package is missing that another one requires: entries are sorted, and the last are lost. */
function unlisted(text: string, required: Iterable<string>): number | undefined {
  const names = new Set<string>();
  for (const { name } of readTomlPackages(text, 'package', [])) names.add(name?.text ?? '');
  for (const it of required) if (!names.has(it)) return text.length;
  return undefined;
}

function* cratesRequired(text: string): Iterable<string> {
  for (const [, name = ''] of text.matchAll(/^ "([^" \r\n]+)[" ]/gm)) yield name;
}

/** What the packages of uv.lock require; what their own metadata ask for may be excluded by its marker. */
function* uvRequired(text: string): Iterable<string> {
  let table = '';
  for (const [, header, name] of text.matchAll(/^(?:\[+([\w.-]+)\]+|[^\S\n]+\{ name = "([^"]+)")/gm)) {
    if (header !== undefined) table = header;
    else if (name !== undefined && !/^(?:package\.metadata|manifest)/.test(table)) yield name;
  }
}

/** A requirement in braces, a key in escapes, a version twice: pnpm reads them, and writes none. */
function unusualYaml(text: string): number | undefined {
  const unusual =
    /^ +(?:d|devD|optionalD)ependencies:[^\S\r\n]*\{[^\S\r\n]*[^}\s]|^ *"[^"\r\n]*\\[^"\r\n]*"\s*:|^( +)version: [^\r\n]*\r?\n\1version:/m;
  return unusual.exec(text)?.index;
}

function pnpmGap(text: string): number | undefined {
  const version = Number(/^\uFEFF?lockfileVersion:\s*['"]?(\d+)/m.exec(text)?.[1] ?? Number.NaN);
  const packages = sectionOf(text, 'packages');
  if (Number.isNaN(version) || packages === undefined) return undefined;
  if (version < 9) return /\n {2}\S[^\n]*:\s*$/.test(packages) ? text.length : undefined;
  const snapshots = sectionOf(text, 'snapshots');
  const known = new Set(keysIn(snapshots ?? '').map((it) => it.replace(/\(.*$/, '')));
  return keysIn(packages).every((it) => known.has(it)) ? undefined : text.length;
}

/**
 * The first entry whose key is a version of a registry while its text names a repository or a folder, which pnpm would take;
 * or that has its text over several lines.
 *
 *     fine@1.0.0:
 *       resolution: {type: git, repo: https://…, commit: …}
 */
function exchangedByPnpm(text: string): number | undefined {
  for (const { index, 1: key = '', 2: resolution = '' } of text.matchAll(
    /^ {2}(?=\S)['"]?([^'"\r\n]+?)['"]?:\s*\r?\n {4}resolution:([^\r\n]*)/gm,
  )) {
    const isVersion = /^\/?(?:@[^/@]+\/)?[^/@]+[@/]\d[^:]*$/.test(key);
    const isElsewhere = /[{ ,](?:type|repo|commit|directory|path):|[{ ,]tarball: ['"]?(?!['"]|https?:)/.test(
      resolution,
    );
    if (isVersion && (isElsewhere || !resolution.includes('{'))) return index;
  }
  return undefined;
}

/**
 * The first entry of the later versions of yarn whose resolution is another package or version, or comes from elsewhere, than
 * its key and its version say.
 *
 *     "fine@npm:^1.0.0":
 *       version: 1.0.0
 *       resolution: "evil@npm:1.0.0"
 */
function exchangedByYarn(text: string): number | undefined {
  if (!/^\uFEFF?__metadata:/m.test(text)) return undefined;
  const bare = /^(?!#|__metadata:|:|\? ?"|"|\s|$)[^\r\n]/m.exec(text)?.index;
  if (bare !== undefined && text.charCodeAt(bare) !== 0xfeff) return bare;
  const heads = [...text.matchAll(/^(?:\? )?"([^"\r\n]+)"/gm)];
  for (const [at, { index, 1: key = '' }] of heads.entries()) {
    const entry = text.slice(index, heads[at + 1]?.index);
    const resolution = /^ {2}resolution: "([^"\r\n]*)"/m.exec(entry)?.[1];
    const version = /^ {2}version: "?([^"\s]+)/m.exec(entry)?.[1];
    const descriptors = key.split(', ');
    if (resolution === undefined) return index;
    if (!descriptors.every((it) => /^(?:@[^@]+)?[^@]+@npm:/.test(it))) continue;
    const [, name, resolved] = /^((?:@[^@/]+\/)?[^@/]+)@npm:([^:]+)/.exec(resolution) ?? [];
    const isNamed = descriptors.some((it) => it.startsWith(`${name}@npm:`) || it.includes(`@npm:${name}@`));
    if (name === undefined || resolved !== version || !isNamed) return index;
  }
  return undefined;
}

/** The lines below a key at the start of a line. */
function sectionOf(text: string, key: string): string | undefined {
  const start = text.search(new RegExp(`^${key}:`, 'm'));
  if (start < 0) return undefined;
  const end = text.slice(start).search(/\n\w/);
  return end < 0 ? text.slice(start) : text.slice(start, start + end + 1);
}

function keysIn(section: string): string[] {
  return Array.from(section.matchAll(/^ {2}(?=\S)['"]?([^'"\r\n]+?)['"]?:(?=\s|$)/gm), ([, key = '']) => key);
}

function yarnGap(text: string): number | undefined {
  const isLater = /^\uFEFF?__metadata:/m.test(text);
  let last = 0;
  let hasEnd = true;
  let isRequiring = false;
  const names = new Set<string>();
  const required = new Set<string>();
  for (const { index, 0: line } of text.matchAll(/^[^\r\n]+/gm)) {
    if (line.startsWith('#')) continue;
    if (/^\S/.test(line)) {
      if (!hasEnd) return last;
      hasEnd = line.startsWith('__metadata') || line.startsWith(':') || line.startsWith('?');
      isRequiring = false;
      last = index;
      for (const [, name = ''] of line.matchAll(/(?:^|, |["?] ?)"?((?:@[^@/\s"]+\/)?[^@\s",:]+)@/g)) names.add(name);
    } else if (/^ {2}\S/.test(line)) {
      isRequiring = /^ {2}(?:optionalD|d)ependencies:/.test(line);
      if (isLater ? /^ {2}linkType:/.test(line) : /^ {2}"?version"?[ :]/.test(line)) hasEnd = true;
    } else if (isRequiring) {
      const name = /^\s+"?([^"\s:]+)/.exec(line)?.[1];
      if (name !== undefined) required.add(name);
    }
  }
  if (!hasEnd) return last;
  for (const it of required) if (!names.has(it)) return text.length;
  return undefined;
}
