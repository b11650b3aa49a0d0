import { domainToASCII } from 'node:url';

/*
 * The form of an address under which the lists of the lookup service (version 4) know it. Source: "URLs and Hashing" in
 * the public documentation of that service. It is older than the URL standard and differs from it, hence no `URL` here.
 *
 * Texts are strings of bytes: each character is one byte, 0 to 255.
 */

export interface CanonicalUrl {
  /** In lower case: `https`. */
  readonly scheme: string;
  /** `www.host.example`, `195.127.0.11`, `[2001:db8::1]`: without user and port. */
  readonly host: string;
  readonly isIpAddress: boolean;
  /** Begins with a slash. */
  readonly path: string;
  /** Without its question mark; absent without one. */
  readonly query?: string;
}

/** In bytes. Unescaping takes as many turns as an address has levels of escapes. */
const MAX_ADDRESS_LENGTH = 8192;

/** Undefined for an address without a host, or one that is too long. */
export function canonicalUrl(address: string | Uint8Array): CanonicalUrl | undefined {
  const bytes = typeof address === 'string' ? Buffer.from(address, 'utf8') : Buffer.from(address);
  if (bytes.length > MAX_ADDRESS_LENGTH) return undefined;
  const bare = bytes
    .toString('latin1')
    .replace(/[\t\r\n]/g, '')
    .replace(/#.*$/s, '')
    .replace(/^ +| +$/g, '');
  const text = unescapeAll(bare);
  const [, scheme, , authority = '', path = '', query] =
    /^(?:([A-Za-z][\w+.-]*):(\/\/)|(?![A-Za-z][\w+.-]*:))([^/?]*)([^?]*)(?:\?(.*))?$/s.exec(text) ?? [];
  const host = canonicalHost(authority);
  if (host === undefined) return undefined;
  return {
    scheme: (scheme ?? 'http').toLowerCase(),
    ...host,
    path: percentEncoded(canonicalPath(path)),
    ...(query !== undefined && { query: percentEncoded(query) }),
  };
}

/** `http://host.example/path?query` */
export function formatCanonicalUrl({ scheme, host, path, query }: CanonicalUrl): string {
  return `${scheme}://${host}${path}${query === undefined ? '' : `?${query}`}`;
}

function unescapeAll(text: string): string {
  for (let before = text; ; ) {
    const after = before.replace(/%([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (after === before) return after;
    before = after;
  }
}

function percentEncoded(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these bytes are the ones to escape
    /[\x00-\x20#%\x7f-\xff]/g,
    (it) => `%${it.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function canonicalHost(authority: string): Pick<CanonicalUrl, 'host' | 'isIpAddress'> | undefined {
  const named = authority.slice(authority.lastIndexOf('@') + 1);
  if (named.startsWith('[') && !named.includes(']')) return undefined;
  const bare = named
    .replace(/:\d*$/, '')
    .split('.')
    .map(asciiLabel)
    .join('.')
    .replace(/\.{2,}/g, '.')
    .replace(/^\.|\.$/g, '');
  if (bare === '') return undefined;
  const ipv4 = parseIpv4(bare);
  if (ipv4 !== undefined) return { host: ipv4, isIpAddress: true };
  return { host: percentEncoded(bare.toLowerCase()), isIpAddress: bare.startsWith('[') };
}

/** A label in Punycode; unchanged if it is no internationalized one. */
function asciiLabel(label: string): string {
  if (!/[\x80-\xff]/.test(label)) return label;
  const decoded = new TextDecoder('utf-8').decode(Buffer.from(label, 'latin1'));
  if (decoded.includes('\ufffd')) return label;
  // A last label of digits would be read as an address.
  return domainToASCII(`${decoded}.x`).replace(/\.x$/, '') || label;
}

/**
 * An IPv4 address in any form that system libraries accept: octal, hexadecimal, fewer than four parts.
 *
 *     0x12.0x43.0x44.0x01 → 18.67.68.1      3279880203 → 195.127.0.11      276.2.3 → 20.2.0.3
 */
export function parseIpv4(host: string): string | undefined {
  const parts = host.split('.');
  if (parts.length > 4) return undefined;
  const bytes: number[] = [];
  for (const [at, part] of parts.entries()) {
    const value = parseNumber(part);
    if (value === undefined) return undefined;
    const size = at === parts.length - 1 ? 5 - parts.length : 1;
    for (let shift = size - 1; shift >= 0; shift--) bytes.push(Math.floor(value / 256 ** shift) % 256);
  }
  return bytes.join('.');
}

function parseNumber(text: string): number | undefined {
  const [, hex, octal, decimal] = /^(?:0[xX]([0-9A-Fa-f]+)|0([0-7]+)|(\d+))$/.exec(text) ?? [];
  if (hex === undefined && octal === undefined && (decimal === undefined || /^0\d/.test(decimal))) return undefined;
  const value = hex ? Number.parseInt(hex, 16) : octal ? Number.parseInt(octal, 8) : Number(decimal);
  return value <= 0xffff_ffff ? value : undefined;
}

/** Resolves `/./` and `/../` and joins runs of slashes. */
function canonicalPath(path: string): string {
  const kept: string[] = [];
  const parts = path.split('/').filter((it) => it !== '');
  for (const part of parts) {
    if (part === '..') kept.pop();
    else if (part !== '.') kept.push(part);
  }
  const isDirectory = /\/\.{0,2}$/.test(path);
  return `/${kept.join('/')}${isDirectory && kept.length > 0 ? '/' : ''}`;
}
