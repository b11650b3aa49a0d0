import type {
  ApiAnswer,
  ApiRequest,
  ConnectionAddress,
  ConnectionName,
  Credential,
  HttpVerb,
} from '../../engine/model/connection.ts';
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

/** In bytes. A shorter part in base64 is a part of many words. */
const MIN_ENCODED_LENGTH = 9;

/** Named characters of HTML that a credential may contain. */
const named: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/**
 * A character in every way in which JSON, addresses and HTML write it, also escaped twice: `/`, `\/`, `\u002f`, `%2F`,
 * `%252f`, `&#x2F;`. Each repetition is bounded, so that no text takes long.
 */
function characterPattern(character: string): string {
  // These are escaped by none of them without need.
  if (/\w/.test(character)) return character;
  const code = character.charCodeAt(0);
  const hex = code.toString(16).replace(/[a-f]/g, (it) => `[${it}${it.toUpperCase()}]`);
  const entity = named[character] === undefined ? '' : `${named[character]}|`;
  const inHtml = `&(?:amp;){0,2}(?:${entity}#0{0,4}${code}|#[xX]0{0,4}${hex});`;
  return `(?:\\\\{0,3}\\${character}|%(?:25){0,2}${hex}|\\\\{1,4}(?:u00|x)${hex}|${inHtml})`;
}

/** Of characters that are escaped; with more, a pattern would be too large. No service gives such credentials. */
const MAX_ESCAPED = 500;

function patternOf(text: string): string {
  const isPlain = text.replace(/\w/g, '').length > MAX_ESCAPED;
  return isPlain ? text.replace(/\W/g, '\\$&') : [...text].map(characterPattern).join('');
}

/** The base64 of a credential in the middle of other bytes: it begins at one of three places. */
function base64Forms(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((at) => {
    const whole = Buffer.from(secret.slice(at, at + 3 * Math.floor((secret.length - at) / 3)));
    return whole.length < MIN_ENCODED_LENGTH ? [] : [whole.toString('base64'), whole.toString('base64url')];
  });
}

let last: { readonly secret: string; readonly pattern: RegExp } | undefined;

function formsOf(secret: string): RegExp {
  if (last?.secret === secret) return last.pattern;
  const hex = Buffer.from(secret).toString('hex');
  const forms = new Set([secret, hex, hex.toUpperCase(), ...base64Forms(secret)]);
  const pattern = new RegExp([...forms].map(patternOf).join('|'), 'g');
  last = { secret, pattern };
  return pattern;
}

/** A text without the credential, plain or encoded. */
export function redact(text: string, credential: Credential | undefined): string {
  if (credential === undefined || credential.secret.length < MIN_SECRET_LENGTH) return text;
  return text.replace(formsOf(credential.secret), REDACTED);
}

/** A body without the credential. JSON can escape every character. */
function redactBody(text: string, credential: Credential | undefined): string {
  const clean = redact(text, credential);
  if (credential === undefined || !clean.includes('\\u')) return clean;
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
