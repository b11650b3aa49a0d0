import type { Link } from './facts.ts';

/** An http(s) address that is safe inside a markdown link, or undefined. */
export function webAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  return url.href.replace(/[()<>\\[\]*_`|]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * The web address behind what authors write as their repository:
 *
 *     git+https://github.com/lodash/lodash.git      → https://github.com/lodash/lodash
 *     git+ssh://git@github.com/a/b.git              → https://github.com/a/b
 *     git@github.com:a/b.git                        → https://github.com/a/b
 *     scm:git:https://github.com/a/b.git            → https://github.com/a/b
 *
 * Undefined for what no browser could open.
 */
export function browsable(address: string): string | undefined {
  const bare = address
    .trim()
    .replace(/^scm:(?:\w+:)?/i, '')
    .replace(/^git\+/i, '');
  const scp = /^(?:ssh:\/\/)?(?:[\w.-]+@)([\w.-]+)[:/](?!\/)(.+)$/.exec(bare);
  const web = scp ? `https://${scp[1]}/${scp[2]}` : bare.replace(/^(?:git|ssh):\/\//i, 'https://');
  const url = webAddress(web);
  return url?.replace(/\.git(?=$|[?#])/, '');
}

/** The first address under a label that a browser could open. */
export function addressOf(links: readonly Link[], label: string): string | undefined {
  for (const it of links) {
    const address = it.label === label ? browsable(it.url) : undefined;
    if (address !== undefined) return address;
  }
  return undefined;
}

/** The host of an address as a person should see it before following a link. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}
