import type { Files } from '../../engine/model/ports.ts';
import type { Failure } from '../../engine/report/report.ts';

/** The files of a repository on this disk. */
export interface Checkout {
  /** Absolute path. Results have paths relative to it. */
  readonly directory: string;
  /** The commit; absent where it is not known. */
  readonly revision?: string;
  /** What is not on the disk because it exceeds a limit. Clauses. */
  readonly left: readonly Failure[];
  /** The files, some of which may be brought when they are first read. Absent where all are on the disk. */
  readonly bringing?: (files: Files) => Files;
  /** Removes what was created for it. */
  close(): Promise<void>;
}

export type CheckoutResult =
  | { readonly kind: 'checkout'; readonly checkout: Checkout }
  /** `reason`: a clause. `isTransient`: another try may succeed. */
  | { readonly kind: 'refused'; readonly reason: string; readonly isTransient: boolean };

/**
 * The limits of what is read of a repository. Chosen: ten times what the largest public monorepos have in manifests and
 * lockfiles.
 */
export const checkoutLimits = {
  /** Files that are brought. */
  files: 20_000,
  /** Of one file, in bytes: what `platform/files.ts` reads. */
  fileBytes: 32 * 1024 * 1024,
  /** Of all files that are brought, in bytes. */
  bytes: 512 * 1024 * 1024,
  /** Levels of folders. Source: a path of PATH_MAX of Linux with names of a few letters. */
  depth: 500,
  /** In bytes. Source: PATH_MAX of Linux. */
  path: 4096,
} as const;
