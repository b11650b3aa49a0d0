/*
 * The rate limits of the code host's REST interface, as the service enforces them. Source of every figure: the accounting
 * contract, C, Limits. The client has its own reading of them.
 */

/** Who calls. Its kind decides on the primary limit. */
export type Caller =
  | { readonly kind: 'anonymous' }
  /** With a personal access token, or through an app that acts for the user. */
  | { readonly kind: 'user' }
  /** An app that an enterprise organization owns or has approved, acting for one of its members. */
  | { readonly kind: 'enterprise-app' }
  /** An installation of an app on an enterprise organization. */
  | { readonly kind: 'enterprise-installation' }
  /** An installation of an app elsewhere. `users`: those of the organization. */
  | { readonly kind: 'installation'; readonly repositories: number; readonly users: number }
  /** A user access token of an app. */
  | { readonly kind: 'app-user' }
  /** An OAuth app with its client identifier and secret. */
  | { readonly kind: 'oauth-app'; readonly isEnterprise: boolean }
  /** The token that a workflow run gets. `isEnterprise`: for resources of an enterprise account. */
  | { readonly kind: 'workflow'; readonly isEnterprise: boolean };

export interface PrimaryLimit {
  /** Requests an hour. */
  readonly perHour: number;
  /** What the limit counts for. */
  readonly per: 'address' | 'user' | 'member' | 'installation' | 'app' | 'repository';
  /** Other apps and the personal tokens of the user count against the same limit. */
  readonly isShared?: true;
}

const ANONYMOUS = 60;
const USER = 5_000;
const ENTERPRISE = 15_000;
const WORKFLOW = 1_000;

/** Of an installation outside an enterprise. */
const INSTALLATION = { least: 5_000, most: 12_500, included: 20, perFurther: 50 } as const;

export function primaryLimit(caller: Caller): PrimaryLimit {
  switch (caller.kind) {
    case 'anonymous':
      return { perHour: ANONYMOUS, per: 'address' };
    case 'user':
      return { perHour: USER, per: 'user' };
    case 'enterprise-app':
      return { perHour: ENTERPRISE, per: 'member' };
    case 'enterprise-installation':
      return { perHour: ENTERPRISE, per: 'installation' };
    case 'installation':
      return { perHour: installationLimit(caller.repositories, caller.users), per: 'installation' };
    case 'app-user':
      return { perHour: USER, per: 'user', isShared: true };
    case 'oauth-app':
      return { perHour: caller.isEnterprise ? ENTERPRISE : USER, per: 'app' };
    case 'workflow':
      return { perHour: caller.isEnterprise ? ENTERPRISE : WORKFLOW, per: 'repository' };
  }
}

function installationLimit(repositories: number, users: number): number {
  const { least, most, included, perFurther } = INSTALLATION;
  const further = (count: number): number => perFurther * Math.max(0, count - included);
  return Math.min(most, least + further(repositories) + further(users));
}

/** Of one caller and resource, beside the primary limit. */
export const POINTS_PER_MINUTE = 900;

/** The points of a request. */
export function pointsOf(verb: string): number {
  return ['GET', 'HEAD', 'OPTIONS'].includes(verb) ? 1 : 5;
}
