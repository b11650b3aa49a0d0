import * as l10n from '@vscode/l10n';
import type { HttpLimits, Refused } from './types.ts';

type Failure = Extract<Refused, { readonly kind: 'failure' }>;

/** The reason for a certificate without a trusted authority. */
export function untrusted(): string {
  return l10n.t("the host's certificate is not trusted");
}

/** The reason for an incomplete answer. */
export function brokeOff(): string {
  return l10n.t('the host aborted its answer');
}

/** The reason for an address of this machine, its link or a metadata service. */
export function innerAddress(): string {
  return l10n.t('the address leads to this machine or its network');
}

/** The code of a connection error as a clause. */
function meaningOf(code: string): string | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return l10n.t('connection refused');
    case 'ECONNRESET':
    case 'EPIPE':
      return l10n.t('the connection was reset');
    case 'UND_ERR_SOCKET':
    case 'ERR_HTTP2_SESSION_ERROR':
      return l10n.t('the connection was closed');
    case 'ERR_HTTP2_STREAM_ERROR':
    // The code of undici for a canceled stream.
    case 'UND_ERR_INFO':
      return brokeOff();
    case 'ENOTFOUND':
      return l10n.t('unknown host');
    case 'EAI_AGAIN':
      return l10n.t('the host name cannot be resolved at the moment');
    case 'ENETUNREACH':
      return l10n.t('the network cannot be reached');
    case 'EHOSTUNREACH':
      return l10n.t('the host cannot be reached');
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return l10n.t('the host does not answer');
    case 'CERT_HAS_EXPIRED':
      return l10n.t("the host's certificate has expired");
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return untrusted();
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return l10n.t("the host's certificate belongs to another host");
    // An open port, or a proxy, that answers a TLS handshake in plain text.
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return l10n.t('the host does not speak TLS');
    default:
      return undefined;
  }
}

/** Whether the host closed an HTTP/2 connection, or refused a stream. Source: RFC 9113, 6.8 and 8.7. */
export function isCutOff(error: Error): boolean {
  const code = codeOf(error);
  return code === 'UND_ERR_SOCKET' || (code === 'ERR_HTTP2_STREAM_ERROR' && error.message.includes('REFUSED_STREAM'));
}

/** The reason of a failed request, as a clause to show: `connection refused`. */
export function describe(error: Error): string {
  // An error of the HTTP/1 parser, which does not always have a code.
  if (error.name === 'HTTPParserError') return l10n.t('the host does not speak HTTP');
  const code = codeOf(error) ?? codeOf(error.cause);
  const meaning = code === undefined ? undefined : meaningOf(code);
  return meaning ?? (error.message === '' ? (code ?? l10n.t('the request failed')) : error.message);
}

/** `ECONNREFUSED` */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // All addresses of the host failed.
  if ('errors' in error && Array.isArray(error.errors)) return codeOf(error.errors[0]);
  return undefined;
}

/** @param limit in ms */
export function noAnswer(limit: number): Failure {
  return { kind: 'failure', reason: l10n.t('no answer within {0} s', Math.round(limit / 1000)), isRetryable: true };
}

/** @param limit in ms */
export function noEnd(limit: number): Failure {
  const reason = l10n.t('the answer did not end within {0} s', Math.round(limit / 1000));
  return { kind: 'failure', reason, isRetryable: true };
}

export function tooMuch({ underWayBytes }: HttpLimits): Failure {
  const reason = l10n.t('the pending answers exceed {0} MiB', Math.round(underWayBytes / 1024 / 1024));
  return { kind: 'failure', reason, isRetryable: true };
}

export function tooLong({ bodyBytes }: HttpLimits): Failure {
  return {
    kind: 'failure',
    reason: l10n.t('the answer exceeds {0} MiB', Math.round(bodyBytes / 1024 / 1024)),
    isRetryable: false,
  };
}
