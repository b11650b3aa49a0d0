import { resolve } from 'node:path';

/** Where the files of a repository come from. Paths are absolute. */
export type RepositorySource =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'archive'; readonly path: string }
  /** `branch`: a branch or tag; absent for the default branch. */
  | { readonly kind: 'git'; readonly address: string; readonly branch?: string };

/** One repository of a fleet. */
export interface Repository {
  /** As the list spells it. It identifies the repository in every run. */
  readonly name: string;
  readonly source: RepositorySource;
}

/** A line of the list that is no repository. */
export interface BadLine {
  /** From 1. */
  readonly line: number;
  /** A clause. It repeats nothing of the line, which may contain a password. */
  readonly reason: string;
}

export interface RepositoryList {
  /** Each once, in the order of the list. */
  readonly repositories: readonly Repository[];
  readonly bad: readonly BadLine[];
}

/** Chosen: twenty times the fleet of a large company. */
const MAX_REPOSITORIES = 100_000;
/** In characters. Source: PATH_MAX of Linux. */
const MAX_LINE_LENGTH = 4096;

/**
 * Reads a list of repositories, one a line. Empty lines and lines that begin with `#` are skipped.
 *
 *     services/billing
 *     https://git.example/team/shop.git
 *     ssh://git@git.example/team/shop.git#release-2
 *     git@git.example:team/app.git
 *     archives/legacy.tar.gz
 *
 * @param directory what relative paths are relative to
 */
export function readRepositoryList(text: string, directory: string): RepositoryList {
  const repositories: Repository[] = [];
  const bad: BadLine[] = [];
  const lineOf = new Map<string, number>();
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const name = raw.trim();
    const line = index + 1;
    if (name === '' || name.startsWith('#')) continue;
    const source = readSource(name, directory);
    if (typeof source === 'string') {
      bad.push({ line, reason: source });
      continue;
    }
    const place = JSON.stringify(source);
    const first = lineOf.get(place);
    if (first !== undefined) bad.push({ line, reason: `it repeats line ${first}` });
    else if (repositories.length === MAX_REPOSITORIES)
      bad.push({ line, reason: `there are more than ${MAX_REPOSITORIES} repositories` });
    else {
      lineOf.set(place, line);
      repositories.push({ name, source });
    }
  }
  return { repositories, bad };
}

/** Where a line points to, or why it is invalid, as a clause. */
export function readSource(text: string, directory: string): RepositorySource | string {
  if (text.length > MAX_LINE_LENGTH) return 'it is too long';
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) return 'it contains invisible characters';
  // git and ssh would read it as an option.
  if (text.startsWith('-')) return 'it begins with “-”';
  if (/^[a-z][\w+.-]*::/i.test(text)) return 'a transport of git that runs programs is not allowed';
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return readAddress(text);
  if (/^[\w.-]+@[\w.-]+:./.test(text)) return readShortAddress(text);
  return { kind: /\.(?:tgz|tar|tar\.gz|zip)$/i.test(text) ? 'archive' : 'directory', path: resolve(directory, text) };
}

function readAddress(text: string): RepositorySource | string {
  if (!URL.canParse(text)) return 'the address is invalid';
  const { protocol, username, password, hostname } = new URL(text);
  const isHere = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  const isAllowed = /^(?:https|ssh|file):$/.test(protocol) || (protocol === 'http:' && isHere);
  if (!isAllowed) return 'the address must begin with https, ssh or file';
  // Arguments of programs are visible to other users, and results are shared.
  if (password !== '' || (username !== '' && protocol !== 'ssh:'))
    return 'the address contains a credential; git reads it from ~/.netrc';
  if (username.startsWith('-') || hostname.startsWith('-')) return 'the address is invalid';
  return withBranch(text);
}

/** `git@git.example:team/app.git` */
function readShortAddress(text: string): RepositorySource | string {
  const [, host = '', path = ''] = /^[\w.-]+@([\w.-]+):(.*)$/.exec(text) ?? [];
  return host.startsWith('-') || path.startsWith('-') ? 'the address is invalid' : withBranch(text);
}

function withBranch(text: string): RepositorySource | string {
  const cut = text.indexOf('#');
  if (cut < 0) return { kind: 'git', address: text };
  const branch = text.slice(cut + 1);
  // Source: git-check-ref-format, without the characters that have a meaning in a refspec.
  if (!/^\w[\w./+-]{0,250}$/.test(branch) || branch.includes('..') || /(?:\.lock|[./])$/.test(branch))
    return 'the branch behind “#” is invalid';
  return { kind: 'git', address: text.slice(0, cut), branch };
}
