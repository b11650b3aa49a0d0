import type { Registry } from '../model/registry.ts';

/** What a host may look like where an address cannot be read whole: a name, a variable. No part of a password is shown. */
const hostLike = /^(?:[a-z+]+:)?\/\/(?:[^/@]*@)?([\w.${}-]{1,100})(?=[:/?#]|$)/i;

/**
 * The registry that an address names; undefined for a folder, which is none.
 *
 *     https://user:secret@npm.example:8443/path/     npm.example
 *     sparse+https://cargo.example/index/            cargo.example
 *     ${COMPANY_REGISTRY}                            is not known, and no public one
 */
export function registryAt(address: string, from?: string, beside = false): Registry | undefined {
  const bare = address.trim().replace(/^(?:sparse|registry|git)\+/i, '');
  if (bare === '' || isFolder(bare)) return undefined;
  const web = URL.canParse(bare) ? new URL(bare) : undefined;
  if (web?.protocol === 'file:') return undefined;
  const host = web?.hostname || hostLike.exec(bare)?.[1] || scpHost.exec(bare)?.[1] || unreadable;
  return { host: host.toLowerCase(), ...(from !== undefined && { from }), ...(beside && { beside }) };
}

/** `git@git.example:team/index.git` */
const scpHost = /^[\w.-]+@([\w.-]+):/;

/** No host has such a name, so that it is never taken for a public one. */
const unreadable = '?';

function isFolder(address: string): boolean {
  // A drive letter looks like the scheme of an address.
  return /^(?:\.{0,2}[\\/]|[a-z]:[\\/]|~|\.{1,2}$)/i.test(address);
}
