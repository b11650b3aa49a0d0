import * as l10n from '@vscode/l10n';
import { shortTimeOf } from '../base/dates.ts';
import type { CallPriority } from './connection.ts';
import type { Link } from './facts.ts';

/** What is known about the safety of a link. */
export type LinkState =
  /** Not checked so far, the check failed, or it is too old. Not to be followed with one click. */
  | { readonly kind: 'unchecked' }
  /** No list names it. `at`: in ms since the epoch. */
  | { readonly kind: 'checked'; readonly at: number }
  /** Lists name it: `MALWARE`, `SOCIAL_ENGINEERING`. The lists can be wrong. */
  | { readonly kind: 'suspected'; readonly threats: readonly string[]; readonly at: number };

/** Checks links before they can be followed. Where link safety is off there is no such object, and links are links. */
export interface LinkSafety {
  /**
   * Never waits and sends nothing.
   * @param url as it would be opened
   */
  stateOf(url: string): LinkState;
  /** Checks those that are unchecked. Resolves when each has a state or cannot be checked now. Never rejects. */
  request(urls: readonly string[], priority: CallPriority): Promise<void>;
  /** Called when states have changed. Returns a function that unsubscribes. */
  onDidChange(listener: () => void): () => void;
}

/** Checks nothing. For the time until link safety is ready: no link is shown as one before it is checked. */
export const nothingChecked: LinkSafety = {
  stateOf: () => ({ kind: 'unchecked' }),
  request: async () => {},
  onDidChange: () => () => {},
};

/**
 * The state of a link that is shown; undefined for a link as ever: without link safety, and to records of the database
 * of advisories, whose addresses are made here.
 */
export function shownState(url: string, links: LinkSafety | undefined): LinkState | undefined {
  return links === undefined || url.startsWith(RECORDS) ? undefined : links.stateOf(url);
}

/** Those that have to be checked before they are shown as links. */
export function uncheckedAmong(urls: readonly string[], links: LinkSafety): readonly string[] {
  return [...new Set(urls)].filter((it) => shownState(it, links)?.kind === 'unchecked');
}

/** What is known of a link, as a clause. Lists can be wrong in both directions, so the words are careful. */
export function linkNote(state: LinkState): string {
  switch (state.kind) {
    case 'unchecked':
      return l10n.t('not checked');
    case 'checked':
      return l10n.t('no known threat, {0}', shortTimeOf(state.at));
    case 'suspected':
      if (state.threats.includes('MALWARE')) return l10n.t('may lead to malware');
      if (state.threats.includes('SOCIAL_ENGINEERING')) return l10n.t('may lead to a deceptive page');
      if (state.threats.includes('UNWANTED_SOFTWARE')) return l10n.t('may lead to unwanted software');
      return l10n.t('may be unsafe');
  }
}

/** Source: osv.dev, which serves every identifier at this path. */
const RECORDS = 'https://osv.dev/vulnerability/';

/** A link to an advisory. */
export interface AdvisoryLink {
  readonly text: string;
  /** Of a page of the web. */
  readonly url: string;
}

/** The address from the service, with its host unless that is the usual one: the service alone vouches for it. */
export function advisoryLink(id: string, given: string | undefined): AdvisoryLink {
  const record = recordOf(id);
  const url = (given === undefined ? undefined : browsableAddress(given)) ?? record;
  return { text: hostOf(url) === hostOf(record) ? id : `${id} (${hostOf(url)})`, url };
}

/** The public record of an OSV identifier. */
function recordOf(id: string): string {
  // Half a surrogate pair cannot be encoded.
  return `${RECORDS}${encodeURIComponent(id.toWellFormed())}`;
}

/** An http(s) address that is safe inside a markdown link, or undefined. */
export function webAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  return url.href.replace(/[()<>\\[\]*_`|]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The beginning of a service address: a scheme and a host. */
export const servicePattern = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#\\\\]\\S*$';

/**
 * A service address without credentials; undefined if it is invalid. URL parsers accept more (`https:host`,
 * `http:/host`), which may be a mistake.
 */
export function parseServiceAddress(text: string): string | undefined {
  if (!new RegExp(servicePattern, 'u').test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username === '' && url.password === '') return text.replace(/\/+$/, '');
  // Credentials are not sent, and would appear in logs and in the cache.
  url.username = '';
  url.password = '';
  return url.href.replace(/\/+$/, '');
}

/**
 * A host or its address. A port or a path would restrict it to a part of the host. Editors compile it with and without
 * the `u` flag.
 */
export const hostPattern = '^(?:[Hh][Tt][Tt][Pp][Ss]?://)?(?:[A-Za-z0-9._\\u00a1-\\uffff-]+|\\[[0-9A-Fa-f:.]+\\])/?$';

/** The host of a registry in a setting; undefined if it is invalid. */
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

/** The first address with a label that a browser can open. */
export function addressLabeled(links: readonly Link[], label: string): string | undefined {
  for (const it of links) {
    const address = it.label === label ? browsableAddress(it.url) : undefined;
    if (address !== undefined) return address;
  }
  return undefined;
}

/** The host of an address, to show before a link is followed. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}
