import type { AskedRegistry, Owner, Refusal, RegistryProtocol } from '../../model/registries/access.ts';
import { Credential } from '../../model/registries/credential.ts';
import { isInnerHost, isLoopback } from '../../model/registries/inner-host.ts';

/** A registry as a text names it. */
export interface NamedRegistry {
  readonly protocol: RegistryProtocol;
  /** The address as written, with its variables replaced. */
  readonly address: string;
  readonly from: string;
  readonly namedBy: Owner;
  /** Whether the workspace is trusted, or the machine names the address, too. */
  readonly isTrusted: boolean;
  /** The credential that its client finds for it, or why it cannot be used. */
  readonly credential?: Credential | Refusal | undefined;
  /** Set if its client sends a user and password of the address, as they are written there: `p%40w`. */
  readonly sendsUser?: true;
  /** What was found while its address was put together. */
  readonly refusal?: Refusal | undefined;
}

/** A registry with the rules that its address alone decides. */
export function withRules(named: NamedRegistry): AskedRegistry {
  const { protocol, from, namedBy } = named;
  const isWhole = named.refusal === undefined && URL.canParse(named.address.trim());
  const url = isWhole ? new URL(named.address.trim()) : undefined;
  const inAddress = named.sendsUser && url && credentialIn(url, from);
  if (url) {
    url.username = '';
    url.password = '';
    url.search = '';
    url.hash = '';
  }
  const address = (url?.href ?? withoutUser(named.address.trim())).replace(/\/+$/, '');
  const found = named.credential ?? inAddress;
  const credential = found instanceof Credential ? found : undefined;
  const refusal = named.refusal ?? ofAddress(named, url, address) ?? ofCredential(found, url, from);
  return { protocol, address, from, namedBy, ...(refusal ? { refusal } : credential && { credential }) };
}

function ofAddress(
  { namedBy, isTrusted, from }: NamedRegistry,
  url: URL | undefined,
  address: string,
): Refusal | undefined {
  if (!url || !/^https?:$/.test(url.protocol)) return { rule: 'unusable-address', from, detail: address };
  if (namedBy === 'machine') return undefined;
  if (!isTrusted) return { rule: 'untrusted', from, detail: url.host };
  return isInnerHost(url.hostname) ? { rule: 'inner-address', from, detail: url.host } : undefined;
}

function ofCredential(
  found: Credential | Refusal | undefined,
  url: URL | undefined,
  from: string,
): Refusal | undefined {
  if (found === undefined) return undefined;
  if (!(found instanceof Credential)) return found;
  const isOpen = url?.protocol === 'http:' && !isLoopback(url.hostname);
  return isOpen ? { rule: 'plain-http', from, detail: url.host } : undefined;
}

function credentialIn({ username, password }: URL, from: string): Credential | undefined {
  if (username === '' && password === '') return undefined;
  return new Credential({ kind: 'basic', user: username, password }, from);
}

/** An address that cannot be parsed may contain a password all the same. */
function withoutUser(address: string): string {
  return address.replace(/\/\/[^/]*@/, '//').replace(/[?#].*$/s, '');
}
