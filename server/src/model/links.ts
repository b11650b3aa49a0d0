import type { Link } from './facts.ts';

/** Where this program is at home. */
export const homepage = 'https://github.com/package-insights/package-insights';

/** The page that explains a finding, below the home of the program that found it. */
export function findingPage(home: string, code: string): string {
  return `${home}/blob/main/docs/findings.md#${code}`;
}

/** A link to what is known of a flaw. */
export interface AdvisoryLink {
  readonly text: string;
  /** Of a page of the web. */
  readonly url: string;
}

/** The address that the service gives, with its host where that is not the usual one: it is the service's word alone. */
export function advisoryLink(id: string, given: string | undefined): AdvisoryLink {
  const record = recordOf(id);
  const url = (given === undefined ? undefined : browsableAddress(given)) ?? record;
  return { text: hostOf(url) === hostOf(record) ? id : `${id} (${hostOf(url)})`, url };
}

/** Where the public record of an OSV identifier is shown. Source: osv.dev, which serves every identifier at this path. */
function recordOf(id: string): string {
  // Half a surrogate pair cannot be encoded.
  return `https://osv.dev/vulnerability/${encodeURIComponent(id.toWellFormed())}`;
}

/** An http(s) address that is safe inside a markdown link, or undefined. */
export function webAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  return url.href.replace(/[()<>\\[\]*_`|]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** What the address of a service begins with: a scheme and a host, written out. */
export const servicePattern = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#\\\\]\\S*$';

/**
 * The address of a service without what is not sent, or undefined where it is none. A parser of addresses takes more
 * (`https:host`, `http:/host`), which may not be what was meant.
 */
export function parseServiceAddress(text: string): string | undefined {
  if (!new RegExp(servicePattern, 'u').test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username === '' && url.password === '') return text.replace(/\/+$/, '');
  // They are not sent, and would be written into logs and beside kept answers.
  url.username = '';
  url.password = '';
  return url.href.replace(/\/+$/, '');
}

/**
 * A host, or the address of one. With a port or a path it would be of less than all that the host serves. Editors read it
 * with the `u` flag and without.
 */
export const hostPattern = '^(?:[Hh][Tt][Tt][Pp][Ss]?://)?(?:[A-Za-z0-9._\\u00a1-\\uffff-]+|\\[[0-9A-Fa-f:.]+\\])/?$';

/** The host that a person names as that of a registry, or undefined where it is none. */
export function parseRegistryHost(text: string): string | undefined {
  if (!new RegExp(hostPattern, 'u').test(text)) return undefined;
  const address = /^https?:/i.test(text) ? text : `http://${text}`;
  return URL.canParse(address) ? new URL(address).hostname : undefined;
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
export function browsableAddress(address: string): string | undefined {
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
export function addressLabeled(links: readonly Link[], label: string): string | undefined {
  for (const it of links) {
    const address = it.label === label ? browsableAddress(it.url) : undefined;
    if (address !== undefined) return address;
  }
  return undefined;
}

/** The host of an address as a person should see it before following a link. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}
