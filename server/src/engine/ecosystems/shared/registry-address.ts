import type { Registry, RoutedPackage } from '../../model/registry.ts';

/** One entry of an INI file. */
export interface IniEntry {
  /** Its section; `''` before the first header. */
  readonly section: string;
  /** Without quotes, like the value. */
  readonly key: string;
  /** With its continuation lines, joined by spaces. */
  readonly value: string;
}

/**
 * Reads the settings files of npm, pip and Go: `key = value` below `[section]`, comments on lines of their own.
 *
 *     [global]
 *     extra-index-url =
 *         https://a.example/simple
 *         https://b.example/simple
 *
 * @param separators between a key and its value; Python also accepts a colon
 */
export function readIni(text: string, separators: RegExp = /=/): readonly IniEntry[] {
  const found: { section: string; key: string; values: string[] }[] = [];
  let section = '';
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const bare = line.trim();
    if (bare === '' || bare.startsWith('#') || bare.startsWith(';')) continue;
    const equals = bare.search(separators);
    const last = found.at(-1);
    if (bare.startsWith('[') && bare.endsWith(']') && equals < 0) section = bare.slice(1, -1).trim();
    else if (/^\s/.test(line) && last?.section === section && !/^(["']?)[\w@:.-]+\1\s*=/.test(bare))
      last.values.push(bare);
    else if (equals > 0) {
      found.push({ section, key: unquoted(bare.slice(0, equals).trim()), values: [bare.slice(equals + 1).trim()] });
    }
  }
  return found.map(({ section, key, values }) => ({ section, key, value: unquoted(values.join(' ').trim()) }));
}

function unquoted(value: string): string {
  return /^(["']).*\1$/s.test(value) ? value.slice(1, -1) : value;
}

/**
 * The registry of an address; undefined for a folder.
 *
 *     https://user:secret@npm.example:8443/path/     npm.example
 *     sparse+https://cargo.example/index/            cargo.example
 *     ${COMPANY_REGISTRY}/npm                        an unknown registry: only the tool can expand it
 *
 * Only the host is kept, since an address may contain a password.
 */
export function registryAt(address: string, from?: string): Registry | undefined {
  const bare = address.trim().replace(/^(?:sparse|registry|git)\+/i, '');
  if (bare === '' || folder.test(bare)) return undefined;
  const url = URL.canParse(bare) ? new URL(bare) : undefined;
  if (url?.protocol === 'file:') return undefined;
  const host = url?.hostname.toLowerCase();
  return { ...(host && { host }), ...(from !== undefined && { from }) };
}

/** The same of one that is asked beside others. */
export function registryBeside(address: string, from?: string): Registry | undefined {
  const found = registryAt(address, from);
  return found && { ...found, isAdditional: true };
}

/** Whether an address means a folder of this machine: what comes from there is no published package. */
export function isFolderAddress(address: string): boolean {
  // Nearly all are of this form, and a lockfile has thousands.
  return !/^(?:(?:sparse|registry)\+)?https?:/i.test(address) && registryAt(address) === undefined;
}

/** The registries that a package's own file names for it. */
export function ownRegistries({ registries = [] }: RoutedPackage): Registry[] {
  return registries.flatMap((it) => registryAt(it) ?? []);
}

/** A drive letter looks like the scheme of an address. */
const folder = /^(?:\.{0,2}(?:\/(?!\/)|\\)|[a-z]:[\\/]|~|\.{1,2}$)/i;

/** Registries of one list. Real files name a handful; of more, some are surely private, and one of those is enough. */
export const MAX_REGISTRIES = 100;
/** Patterns that names are matched against. Beyond that, each registry with a pattern may serve any name. */
export const MAX_PATTERNS = 1000;
/** Characters of a settings file that are read. Real ones have a few thousand. */
export const MAX_SETTINGS_LENGTH = 1024 * 1024;

/** Each registry once, in the order of first mention, up to MAX_REGISTRIES. */
export function distinctRegistries(registries: readonly Registry[]): readonly Registry[] {
  const found = new Map<string, Registry>();
  for (const it of registries) {
    if (found.size === MAX_REGISTRIES) break;
    const id = `${it.host} ${it.from}`;
    if (!found.has(id)) found.set(id, it);
  }
  return [...found.values()];
}
