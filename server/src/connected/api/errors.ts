import * as l10n from '@vscode/l10n';
import { detached, isRecord, oneLine } from '../../engine/base/text.ts';
import { readJson } from './json.ts';

/** An answer of a service that is no success. */
export interface ApiError {
  readonly status: number;
  /** What it means for the caller. */
  readonly kind: ApiErrorKind;
  /** The word of the service: `notFound`, `conditionNotMet`. */
  readonly reason?: string;
  /** A clause to show: `Not Found (notFound), status 404`. */
  readonly message: string;
  /** The parameters and places in the body that the service names. */
  readonly locations: readonly string[];
}

export type ApiErrorKind =
  /** 400, and any other request that the service does not accept. */
  | 'invalid'
  /** 401: without a credential, or with a wrong one. */
  | 'unauthorized'
  /** 403: the credential does not suffice. */
  | 'forbidden'
  | 'not-found'
  /** 409: it exists already, or another change is under way. */
  | 'conflict'
  /** 410: the sync token is too old, so everything must be listed anew; or the resource was deleted. */
  | 'gone'
  /** 412: the resource has changed since it was read. */
  | 'changed'
  /** 429, or 403 with a reason of a rate limit. */
  | 'limited'
  /** 3xx: the address of the service is another one. */
  | 'moved'
  | 'failed';

/** In characters, of a message of a service. */
const MAX_MESSAGE = 300;

/** Source: the reasons of the scheduling service, and the wording of the code host. */
const limited = /rateLimit|quota|dailyLimit|RESOURCE_EXHAUSTED|rate limit/i;

/**
 * Reads the body of an answer that is no success. The bodies are of different shapes:
 *
 *     {"error": {"code": 404, "message": "Not Found", "errors": [{"reason": "notFound", "location": "eventId"}]}}
 *     {"error": {"code": 400, "message": "…", "status": "INVALID_ARGUMENT", "details": [{"fieldViolations": [{"field": "…"}]}]}}
 *     {"message": "API rate limit exceeded"}
 */
export function readError(status: number, body: string): ApiError {
  const { message, reason, locations } = readBody(body);
  const kind = kindOf(status, `${reason ?? ''} ${message ?? ''}`);
  const said = [message, reason === undefined ? undefined : `(${reason})`].filter((it) => it !== undefined).join(' ');
  const counted = l10n.t('status {0}', status);
  return {
    status,
    kind,
    ...(reason !== undefined && { reason }),
    message: said === '' ? counted : `${said}, ${counted}`,
    locations,
  };
}

/** What to do about an error, as a sentence without its full stop; undefined if its message is enough. */
export function adviceFor({ kind }: ApiError): string | undefined {
  switch (kind) {
    case 'unauthorized':
      return l10n.t('The service requires a valid credential');
    case 'forbidden':
      return l10n.t('The credential does not permit this call');
    case 'conflict':
      return l10n.t('It exists already, or another change is under way');
    case 'gone':
      return l10n.t('It was deleted, or the sync token is too old: list everything again without it');
    case 'changed':
      return l10n.t('It has changed since it was read: read it again, and repeat the change with the new etag');
    case 'limited':
      return l10n.t('The service limits calls: try again later');
    case 'moved':
      return l10n.t('The address of the service leads to another one, which is not followed');
    case 'invalid':
    case 'not-found':
    case 'failed':
      return undefined;
  }
}

function kindOf(status: number, words: string): ApiErrorKind {
  switch (status) {
    case 401:
      return 'unauthorized';
    case 403:
      return limited.test(words) ? 'limited' : 'forbidden';
    case 404:
      return 'not-found';
    case 409:
      return 'conflict';
    case 410:
      return 'gone';
    case 412:
      return 'changed';
    case 429:
      return 'limited';
  }
  if (status >= 300 && status < 400) return 'moved';
  return status >= 400 && status < 500 ? 'invalid' : 'failed';
}

interface ReadBody {
  readonly message?: string;
  readonly reason?: string;
  readonly locations: readonly string[];
}

function readBody(text: string): ReadBody {
  const read = readJson(text);
  const body = read.kind === 'value' ? read.value : undefined;
  if (!isRecord(body)) return { locations: [] };
  const error = isRecord(body['error']) ? body['error'] : body;
  const details = [listOf(error['errors']), listOf(error['details'])].flat();
  const violations = details.flatMap((it) => listOf(it['fieldViolations']));
  const reasons = [...details.map((it) => it['reason']), error['status'], body['error']];
  const message = textOf(error['message']) ?? textOf(body['error_description']);
  const reason = reasons.map(textOf).find((it) => it !== undefined);
  return {
    ...(message !== undefined && { message }),
    ...(reason !== undefined && { reason }),
    locations: [...details.map((it) => it['location']), ...violations.map((it) => it['field'])].flatMap(
      (it) => textOf(it) ?? [],
    ),
  };
}

function listOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  return detached(oneLine(value, MAX_MESSAGE).trim());
}
