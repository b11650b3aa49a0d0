import type { Reply } from '../../service/replies.ts';

/** Reasons of errors. Source: documentation of the errors of Google's JSON APIs. */
const reasons = {
  400: 'invalid',
  401: 'required',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
  412: 'conditionNotMet',
} as const;

export type RefusalStatus = keyof typeof reasons;

/** A request that is not served. The message is for the caller. */
export class Refusal extends Error {
  readonly status: RefusalStatus;
  readonly reason: string;
  /** The parameter, header or member of the body that is wrong. */
  readonly location: string | undefined;

  constructor(status: RefusalStatus, message: string, location?: string, reason: string = reasons[status]) {
    super(message);
    this.status = status;
    this.location = location;
    this.reason = reason;
  }
}

export function refusalReply({ status, message, reason, location }: Refusal): Reply {
  const locationType = status === 401 ? 'header' : 'parameter';
  const error = { message, domain: 'global', reason, ...(location !== undefined && { locationType, location }) };
  return { kind: 'json', status, body: { error: { code: status, message, errors: [error] } } };
}
