import type {
  AccessInputs,
  AccessSource,
  AskedRegistry,
  Refusal,
  RegistryProtocol,
} from '../../model/registries/access.ts';
import { Credential, type CredentialParts } from '../../model/registries/credential.ts';
import { isInnerHost, isLoopback } from '../../model/registries/inner-host.ts';

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
  readonly credential?: ClientCredential;
}

export type ClientCredential =
  | {
      readonly parts: CredentialParts;
      readonly settings: readonly Setting[];
      /** It names no host, so its client sends it to any: that of the machine counts where the machine names the address. */
      readonly isForAny?: true;
    }
  /** Encrypted, or kept by a program. `detail`: the program's name. */
  | { readonly unreadable: Setting; readonly detail?: string };

/** The addresses that a source names, to compare them with `sameAddress`. */
export type NamedBy = (source: AccessSource) => readonly string[];

/** The registry with its credential, or with the rule that keeps it from being asked. */
export function askedRegistry(
  protocol: RegistryProtocol,
  { address, credential }: ClientRegistry,
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
    addressRefusal(address, url, isMachine, inputs.isTrusted) ??
    (credential && credentialRefusal(credential, address.text, inputs.isTrusted, namedBy));
  if (refusal) return { ...asked, refusal };
  if (credential === undefined || 'unreadable' in credential) return asked;
  if (credential.isForAny && !isMachine && credential.settings.every((it) => it.source.owner === 'machine'))
    return asked;
  const [first] = credential.settings;
  return { ...asked, credential: new Credential(credential.parts, first?.source.label ?? asked.from) };
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
  if (!isTrusted) return { rule: 'untrusted', from };
  return isInnerHost(url.hostname) ? { rule: 'inner-address', from, detail: url.hostname } : undefined;
}

function credentialRefusal(
  credential: ClientCredential,
  address: string,
  isTrusted: boolean,
  namedBy: NamedBy,
): Refusal | undefined {
  if ('unreadable' in credential) {
    const { unreadable, detail } = credential;
    return { rule: 'unreadable-credential', from: unreadable.source.label, ...(detail !== undefined && { detail }) };
  }
  for (const { source, variable } of credential.settings) {
    const from = source.label;
    if (variable !== undefined) {
      const rule = source.owner === 'workspace' ? 'variable-in-workspace' : 'unreadable-credential';
      return { rule, from, detail: variable };
    }
    if (source.owner === 'machine') continue;
    if (!names(source, address, namedBy)) return { rule: 'credential-of-another', from };
    if (!isTrusted) return { rule: 'untrusted', from };
  }
  const url = addressOf(address);
  const from = credential.settings[0]?.source.label ?? '';
  return url?.protocol === 'http:' && !isLoopback(url.hostname)
    ? { rule: 'plain-http', from, detail: url.host }
    : undefined;
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
export function credentialIn(address: Setting, form: 'encoded' | 'decoded' = 'decoded'): ClientCredential | undefined {
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
