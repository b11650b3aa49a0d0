import type {
  ApiAnswer,
  ApiRequest,
  ConnectionAddress,
  ConnectionName,
  Credential,
  HttpVerb,
} from '../model/connection.ts';
import { readJson } from './json.ts';

/** Where a service takes its credential: in the `Authorization` header, or as a parameter of the query. */
export type CredentialPlace = { readonly kind: 'bearer' } | { readonly kind: 'query'; readonly name: string };

export const credentialPlaces = {
  'code-host': { kind: 'bearer' },
  'link-safety': { kind: 'query', name: 'key' },
  scheduling: { kind: 'bearer' },
  deployments: { kind: 'bearer' },
  'token-audit': { kind: 'query', name: 'access_token' },
} as const satisfies Readonly<Record<ConnectionName, CredentialPlace>>;

/** Whether a credential can be sent. A line end would begin another header. */
export function isSendable({ secret }: Credential): boolean {
  return /^[\x21-\x7e]{1,8192}$/.test(secret);
}

/** A request as the HTTP client takes it, with the credential. */
export interface AuthorizedRequest {
  readonly method: HttpVerb;
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Completes a request with the address of its service and the credential. Its path must not be logged. */
export function authorize(
  { connection, verb, path, headers = {}, body }: ApiRequest,
  { origin, prefix }: Extract<ConnectionAddress, { readonly kind: 'valid' }>,
  credential: Credential | undefined,
): AuthorizedRequest {
  const place: CredentialPlace = credentialPlaces[connection];
  const inQuery = credential && place.kind === 'query';
  const query = inQuery
    ? `${path.includes('?') ? '&' : '?'}${place.name}=${encodeURIComponent(credential.secret)}`
    : '';
  return {
    method: verb,
    origin,
    path: `${prefix}/${path}${query}`,
    headers: {
      ...headers,
      ...(credential && place.kind === 'bearer' && { authorization: `Bearer ${credential.secret}` }),
    },
    ...(body !== undefined && { body }),
  };
}

/** Takes the place of a credential in a text. */
const REDACTED = '[credential]';

/** In characters. No service gives shorter credentials, and a shorter text is a part of many words. */
const MIN_SECRET_LENGTH = 6;

/** A text without the credential, plain, percent-encoded or as a string of JSON. */
export function redact(text: string, credential: Credential | undefined): string {
  if (credential === undefined || credential.secret.length < MIN_SECRET_LENGTH) return text;
  const { secret } = credential;
  const encoded = encodeURIComponent(secret);
  const strictly = encoded.replace(/[!'()*]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`);
  const inLowerCase = [encoded, strictly].map((all) => all.replace(/%\w\w/g, (it) => it.toLowerCase()));
  // In JSON, quotes and backslashes are escaped.
  const forms = new Set([secret, encoded, strictly, ...inLowerCase, JSON.stringify(secret).slice(1, -1)]);
  let clean = text;
  for (const it of [...forms].sort((a, b) => b.length - a.length)) clean = clean.replaceAll(it, REDACTED);
  return clean;
}

/** A body without the credential. JSON can write every character in several ways: `/`, `\/` and `\u002f`. */
function redactBody(text: string, credential: Credential | undefined): string {
  const clean = redact(text, credential);
  if (credential === undefined || !clean.includes('\\')) return clean;
  const read = readJson(clean);
  if (read.kind !== 'value') return clean;
  const canonical = JSON.stringify(read.value);
  const cleaned = redact(canonical, credential);
  return cleaned === canonical ? clean : cleaned;
}

/** An answer without the credential: a service may repeat it in an error. */
export function redactAnswer(answer: ApiAnswer, credential: Credential | undefined): ApiAnswer {
  switch (answer.kind) {
    case 'answer':
      return {
        ...answer,
        headers: Object.fromEntries(Object.entries(answer.headers).map(([name, it]) => [name, redact(it, credential)])),
        text: redactBody(answer.text, credential),
      };
    case 'aborted':
      return answer;
    case 'held':
    case 'over-budget':
    case 'not-connected':
    case 'failure':
      return { ...answer, reason: redact(answer.reason, credential) };
  }
}
