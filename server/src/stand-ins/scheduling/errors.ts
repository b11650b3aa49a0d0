import type { PlainReply } from '../../service/http-server.ts';

/** A refusal in the form that clients of this kind of interface read. */
export class Refused extends Error {
  readonly status: number;
  readonly reason: string;
  readonly domain: string;
  readonly location: ErrorLocation | undefined;

  constructor(
    status: number,
    reason: string,
    message: string,
    more: { domain?: string; location?: ErrorLocation } = {},
  ) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.domain = more.domain ?? 'global';
    this.location = more.location;
  }
}

/** Where the error is: a parameter or a header. */
export interface ErrorLocation {
  readonly locationType: 'parameter' | 'header';
  readonly location: string;
}

export function notFound(): Refused {
  return new Refused(404, 'notFound', 'Not Found');
}

export function invalid(message: string, parameter?: string): Refused {
  const location: ErrorLocation | undefined = parameter
    ? { locationType: 'parameter', location: parameter }
    : undefined;
  return new Refused(400, 'invalid', message, location ? { location } : {});
}

export function required(name: string): Refused {
  return new Refused(400, 'required', `Missing required field: ${name}`);
}

export function duplicate(): Refused {
  return new Refused(409, 'duplicate', 'The requested identifier already exists.');
}

/** Of a sync token: everything is to be listed again. */
export function fullSyncRequired(): Refused {
  const location: ErrorLocation = { locationType: 'parameter', location: 'syncToken' };
  const message = 'Sync token is no longer valid, a full sync is required.';
  return new Refused(410, 'fullSyncRequired', message, { domain: 'calendar', location });
}

export function preconditionFailed(): Refused {
  const location: ErrorLocation = { locationType: 'header', location: 'If-Match' };
  return new Refused(412, 'conditionNotMet', 'Precondition Failed', { location });
}

export function unauthorized(): Refused {
  const location: ErrorLocation = { locationType: 'header', location: 'Authorization' };
  return new Refused(401, 'authError', 'Invalid Credentials', { location });
}

export function errorReply({ status, reason, domain, message, location }: Refused): PlainReply {
  const error = { code: status, message, errors: [{ domain, reason, message, ...location }] };
  const headers: Record<string, string> = { 'Content-Type': 'application/json; charset=utf-8' };
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (status === 503) headers['Retry-After'] = '1';
  return { status, headers, body: JSON.stringify({ error }) };
}
