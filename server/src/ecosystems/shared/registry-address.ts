import type { AskedPackage, Registry } from '../../model/registry.ts';

/** One assignment of a file of settings. */
export interface Assignment {
  /** The section it stands in; `''` before the first. */
  readonly section: string;
  /** Without quotes, like the value. */
  readonly key: string;
  /** The lines that continue it are joined by a space. */
  readonly value: string;
}

/**
 * Reads what npm, pip and Go write alike: `key = value` below `[section]`, comments on lines of their own.
 *
 *     [global]
 *     extra-index-url =
 *         https://a.example/simple
 *         https://b.example/simple
 *
 * @param separators those between a key and its value; Python knows a colon, too
 */
export function readAssignments(text: string, separators: RegExp = /=/): readonly Assignment[] {
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
 * The registry that an address names; undefined for a folder, which is none.
 *
 *     https://user:secret@npm.example:8443/path/     npm.example
 *     sparse+https://cargo.example/index/            cargo.example
 *     ${COMPANY_REGISTRY}/npm                        some registry: only the tool knows which
 *
 * Nothing of an address is told but its host, since there may be passwords in it.
 */
export function registryAt(address: string, from?: string, beside = false): Registry | undefined {
  const bare = address.trim().replace(/^(?:sparse|registry|git)\+/i, '');
  if (bare === '' || folder.test(bare)) return undefined;
  const url = URL.canParse(bare) ? new URL(bare) : undefined;
  if (url?.protocol === 'file:') return undefined;
  const host = url?.hostname.toLowerCase();
  return { ...(host && { host }), ...(from !== undefined && { from }), ...(beside && { beside }) };
}

/** Those that a package's own file names for it. */
export function ownRegistries({ registries = [] }: AskedPackage): Registry[] {
  return registries.flatMap((it) => registryAt(it) ?? []);
}

/** A drive letter looks like the scheme of an address. */
const folder = /^(?:\.{0,2}(?:\/(?!\/)|\\)|[a-z]:[\\/]|~|\.{1,2}$)/i;

/** Bounds of what a stranger's configuration may cost. Source: real ones name a handful of registries. */
export const limits = {
  /** Registries of one list. Of more than that some is surely private, and one of them is enough. */
  registries: 100,
  /** Patterns that names are held against. Where there are more, the registries that they belong to may serve any name. */
  patterns: 1000,
  /** Characters of a file that are read. */
  length: 1024 * 1024,
} as const;

/** Each registry once, as it is named first; no more than anybody could name. */
export function distinct(registries: readonly Registry[]): readonly Registry[] {
  const found = new Map<string, Registry>();
  for (const it of registries) {
    if (found.size === limits.registries) break;
    const id = `${it.host} ${it.from}`;
    if (!found.has(id)) found.set(id, it);
  }
  return [...found.values()];
}
