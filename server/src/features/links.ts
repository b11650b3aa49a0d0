import { webAddress } from './prose.ts';

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

/** The host of an address as a person should see it before following a link. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}
