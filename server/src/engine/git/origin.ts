import { resolve } from 'node:path';
import { gitConfig, gitDirectory } from './git-directory.ts';

/**
 * The address of the remote `origin` of a repository, the same for all who cloned it in one way or another:
 *
 *     https://name:token@Code.example/a/b.git  →  code.example/a/b
 *     git@code.example:a/b.git                 →  code.example/a/b
 *     ssh://git@code.example:2222/a/b          →  code.example/a/b
 *     /srv/git/b.git                           →  /srv/git/b
 *
 * @returns without credentials; undefined if the repository has no such remote
 */
export async function originOf(repository: string): Promise<string | undefined> {
  const place = await gitDirectory(repository);
  const address = place === undefined ? undefined : originIn(await gitConfig(place));
  return address === undefined ? undefined : canonicalOrigin(address, repository);
}

/** The address of `origin` in the settings of a repository. Source: git-config, "Syntax". */
export function originIn(config: string): string | undefined {
  let isOrigin = false;
  let found: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    const section = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (section) isOrigin = section[1]?.toLowerCase() === 'remote' && section[2] === 'origin';
    const [, value] = (isOrigin && /^(?:\s*\[[^\]]*\])?\s*url\s*=\s*(.*)$/i.exec(line)) || [];
    // `git fetch` uses the first of several.
    if (value !== undefined) found ??= unquoted(value);
  }
  return found === '' ? undefined : found;
}

/** A value without its quotes and its comment. */
function unquoted(value: string): string {
  const [text = ''] = /^(?:"(?:[^"\\]|\\.)*"|\\.|[^"\\#;])*/.exec(value.trim()) ?? [];
  return text
    .trim()
    .replace(/"((?:[^"\\]|\\.)*)"/g, '$1')
    .replace(/\\(.)/g, '$1');
}

/** @param directory what the path of a repository on this machine is relative to */
export function canonicalOrigin(address: string, directory: string): string | undefined {
  const bare = (path: string): string => path.replace(/\/+$/, '').replace(/\.git$/, '');
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(address)) {
    // Hosts are compared as those of web addresses are.
    const web = address.replace(/^[a-z\d+.-]+:/i, 'https:');
    if (/^file:/i.test(address)) return bare(address.replace(/^file:\/\/[^/]*/i, ''));
    if (!URL.canParse(web)) return undefined;
    const { hostname, pathname } = new URL(web);
    return `${hostname}${bare(pathname)}`;
  }
  const [, host, path] = /^(?:[^@/\\]+@)?([^:/\\@]{2,}|\[[^\]]+\]):(?!\/\/)(.*)$/.exec(address) ?? [];
  if (host !== undefined && path !== undefined) return `${host.toLowerCase()}/${bare(path.replace(/^\/+/, ''))}`;
  return bare(resolve(directory, address));
}
