/** No authority that is trusted stands behind a certificate. */
export const untrusted = "the host's certificate is not trusted";

/** What the codes of connection errors mean to a person. */
const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host name cannot be looked up at the moment',
  ENETUNREACH: 'the network cannot be reached',
  EHOSTUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'the host does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
  CERT_HAS_EXPIRED: "the host's certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: "the host's certificate is for another host",
};

/** The reason of a failed request, as a clause to show: `connection refused`. */
export function describe(error: Error): string {
  const code = codeOf(error) ?? codeOf(error.cause);
  const meaning = code === undefined ? undefined : meanings[code];
  return meaning ?? (error.message === '' ? (code ?? 'the request failed') : error.message);
}

/** `ECONNREFUSED` */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Several addresses were tried, and each failed.
  if ('errors' in error && Array.isArray(error.errors)) return codeOf(error.errors[0]);
  return undefined;
}
