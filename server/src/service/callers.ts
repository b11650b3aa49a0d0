import { createHash, timingSafeEqual } from 'node:crypto';

/** A user of the services of `serve`. */
export interface ServedUser {
  /** `me@package-insights.example` */
  readonly email: string;
  /** The bearer token that names this user. */
  readonly token: string;
}

/** The address of the user that a request is from; undefined without a valid bearer token. */
export type CallerOf = (headers: Readonly<Record<string, string | undefined>>) => string | undefined;

/** The user of the token that `serve` prints. */
export const ownUser = 'me@package-insights.example';

export function callersOf(users: readonly ServedUser[]): CallerOf {
  return ({ authorization = '' }) => {
    const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
    if (token === undefined) return undefined;
    // All are compared, so that the time of an answer does not depend on the user.
    return users.filter((it) => isSameSecret(token, it.token))[0]?.email;
  };
}

/** Compares in a time that does not depend on where two secrets differ. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(secret));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
