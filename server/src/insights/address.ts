/** Where a service is, ready to be sent to. */
export interface Address {
  /** `https://host:port` */
  readonly origin: string;
  /** What stands before `/v3alpha`: `''`, or `/insights`. */
  readonly prefix: string;
}

/** Reads a base URL; undefined where it is no http(s) address. */
export function readAddress(baseUrl: string): Address | undefined {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  // Who copied the address of an answer has the version of the interface in it.
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '').replace(/\/v3alpha$/, '') };
}

/** Percent-encodes a value for a path or query. Half a surrogate pair, which a hostile file can hold, is replaced. */
export function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}
