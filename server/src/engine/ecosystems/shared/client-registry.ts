import { isLoopback } from '../../base/loopback.ts';
import type {
  AccessInputs,
  AccessSource,
  Addition,
  AskedRegistry,
  Refusal,
  RegistryProtocol,
} from '../../model/registries/access.ts';
import { Credential, type CredentialParts } from '../../model/registries/credential.ts';
import { isInnerHost } from '../../model/registries/inner-host.ts';

/** The value of a setting, with its variables replaced. */
export interface Setting {
  readonly text: string;
  readonly source: AccessSource;
  /** A variable that is not replaced: the workspace names it, or it has no value. */
  readonly variable?: string;
}

/** What a client would ask and send, before the rules are applied. */
export interface ClientRegistry {
  readonly address: Setting;
  readonly credential?: ClientCredential | undefined;
  /** What was found while the address was put together. */
  readonly refusal?: Refusal | undefined;
}

export type ClientCredential =
  | ReadCredential
  /** Encrypted, or kept by a program. `detail`: the program's name. */
  | { readonly unreadable: Setting; readonly detail?: string }
  | { readonly refusal: Refusal };

export interface ReadCredential {
  readonly parts: CredentialParts;
  readonly settings: readonly Setting[];
  /** Absent if its settings name the address that it is for. */
  readonly keptFor?: KeptFor | undefined;
  /** Where people put one of their own. */
  readonly place?: Addition;
}

/**
 * What a credential without an address is for. Its client sends it to any address with the name, and a workspace could
 * give the name another address: that of the machine goes only where settings of the machine give the name this address.
 */
export interface KeptFor {
  /** `acme`; the name of the setting if it is for any registry. */
  readonly name: string;
  /** What settings of the machine give to the name; absent if every address that they name counts. */
  readonly addresses?: readonly string[];
  /** What gives the name its address. */
  readonly add: Addition;
}

/** The addresses that a source names, to compare them with `sameAddress`. */
export type NamedBy = (source: AccessSource) => readonly string[];

/** The registry with its credential, or with the rule that keeps it from being asked. */
export function askedRegistry(
  protocol: RegistryProtocol,
  { address, credential, refusal: found }: ClientRegistry,
  inputs: AccessInputs,
  namedBy: NamedBy,
): AskedRegistry {
  const url = addressOf(address.text);
  const isMachine =
    address.source.owner === 'machine' ||
    inputs.sources.some((it) => it.owner === 'machine' && names(it, address.text, namedBy));
  const asked = {
    protocol,
    address: bareAddress(address.text) ?? withoutSecrets(address.text),
    from: address.source.label,
    namedBy: isMachine ? 'machine' : 'workspace',
  } as const;
  const refusal =
    found ??
    addressRefusal(address, url, isMachine, inputs.isTrusted) ??
    (credential && credentialRefusal(credential, address.text, isMachine, inputs.isTrusted, namedBy));
  if (refusal) return { ...asked, refusal };
  if (credential === undefined || !('parts' in credential)) return asked;
  const last = credential.settings.at(-1);
  return { ...asked, credential: new Credential(credential.parts, last?.source.label ?? asked.from) };
}

function addressRefusal(
  address: Setting,
  url: URL | undefined,
  isMachine: boolean,
  isTrusted: boolean,
): Refusal | undefined {
  const from = address.source.label;
  if (address.variable !== undefined) {
    const rule = address.source.owner === 'workspace' ? 'variable-in-workspace' : 'unusable-address';
    return { rule, from, detail: address.variable };
  }
  if (url === undefined) return { rule: 'unusable-address', from };
  if (isMachine) return undefined;
  if (address.source.foundIn === 'PATH') return { rule: 'only-on-path', from };
  if (!isTrusted) return { rule: 'untrusted', from };
  return isInnerHost(url.hostname) ? { rule: 'inner-address', from, detail: url.hostname } : undefined;
}

function credentialRefusal(
  credential: ClientCredential,
  address: string,
  isMachine: boolean,
  isTrusted: boolean,
  namedBy: NamedBy,
): Refusal | undefined {
  if ('refusal' in credential) return credential.refusal;
  if ('unreadable' in credential) {
    const { unreadable, detail } = credential;
    return { rule: 'unreadable-credential', from: unreadable.source.label, ...(detail !== undefined && { detail }) };
  }
  const { settings, keptFor, place } = credential;
  const url = addressOf(address);
  for (const { source, variable } of settings) {
    const from = source.label;
    if (variable !== undefined) {
      return source.owner === 'workspace'
        ? { rule: 'variable-in-workspace', from, detail: variable, ...(place && { add: place }) }
        : { rule: 'unreadable-credential', from, detail: variable };
    }
    if (source.owner === 'machine') continue;
    if (source.foundIn === 'PATH') return { rule: 'only-on-path', from };
    if (!names(source, address, namedBy)) return { rule: 'credential-of-another', from, detail: url?.host ?? '' };
    if (!isTrusted) return { rule: 'untrusted', from };
  }
  const own = settings.find(({ source }) => source.owner === 'machine');
  if (keptFor && own) {
    const { name, addresses, add } = keptFor;
    const isOwn = addresses === undefined ? isMachine : addresses.some((it) => sameAddress(it, address));
    if (!isOwn) return { rule: 'credential-of-another', from: own.source.label, detail: name, add };
  }
  const from = settings.at(-1)?.source.label ?? '';
  return url?.protocol === 'http:' && !isLoopback(url.hostname)
    ? { rule: 'plain-http', from, detail: url.host }
    : undefined;
}

/** Whether a credential of the workspace names variables, so that one of the person's own takes its place. */
export function isClosed(credential: ClientCredential | undefined): boolean {
  if (credential === undefined || !('parts' in credential)) return false;
  return credential.settings.some(({ source, variable }) => source.owner === 'workspace' && variable !== undefined);
}

function names(source: AccessSource, address: string, namedBy: NamedBy): boolean {
  return namedBy(source).some((it) => sameAddress(it, address));
}

/** Whether both lead to one registry, with or without a final slash. */
export function sameAddress(a: string, b: string): boolean {
  const bare = bareAddress(a);
  return bare !== undefined && bare === bareAddress(b);
}

/** Whether both have one host and port. */
export function sameHost(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).host === new URL(b).host;
}

/** `https://user:secret@npm.example/team/?x` → `https://npm.example/team`; undefined without http. */
export function bareAddress(text: string): string | undefined {
  const url = addressOf(text);
  return url && `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`;
}

/** In characters. Longer ones are not asked: clients compare them part by part. Source: URLs of browsers and proxies */
const MAX_ADDRESS = 2000;

/** The address of a registry over http. */
export function addressOf(text: string): URL | undefined {
  if (text.length > MAX_ADDRESS) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** Of an address that cannot be parsed. Whatever could be a password in it goes. */
function withoutSecrets(text: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][\w+.-]*:\/\/)?(.*)$/is.exec(text.slice(0, MAX_ADDRESS)) ?? [];
  return scheme + rest.slice(rest.lastIndexOf('@') + 1).replace(/[?#].*$/s, '');
}

/**
 * Replaces the variables of a text: those of a machine's source by their values, those of a workspace's not at all.
 *
 * @param pattern of a variable, global, with the group `name`; the groups `fallback` (a value for a variable that has
 *   none) and `escapes` (backslashes in front of it) are optional
 */
export function settingOf(
  text: string,
  source: AccessSource,
  pattern: RegExp,
  environment: AccessInputs['variable'],
): Setting {
  let variable: string | undefined;
  const replaced = text.replace(pattern, (...matched) => {
    const whole = String(matched[0]);
    const { name = '', fallback, escapes = '' }: Record<string, string | undefined> = matched.at(-1);
    if (escapes.length % 2 === 1) return whole.slice((escapes.length + 1) / 2);
    const value = source.owner === 'machine' ? (environment(name) ?? fallback) : undefined;
    if (value === undefined) variable ??= name;
    return value === undefined ? whole : escapes.slice(escapes.length / 2) + value;
  });
  return { text: replaced, source, ...(variable !== undefined && { variable }) };
}

/**
 * The user and password in an address: `https://user:secret@npm.example/`.
 * @param form whether the client sends `%40` as it is
 */
export function credentialIn(address: Setting, form: 'encoded' | 'decoded' = 'decoded'): ReadCredential | undefined {
  const url = URL.canParse(address.text) ? new URL(address.text) : undefined;
  if (url === undefined || (url.username === '' && url.password === '')) return undefined;
  const read = form === 'decoded' ? percentDecoded : String;
  return {
    parts: { kind: 'basic', user: read(url.username), password: read(url.password) },
    settings: [address],
  };
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
