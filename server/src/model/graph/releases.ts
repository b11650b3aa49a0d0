import type { AdvisoryId, VersionKey } from '../keys.ts';

/** What is known of a version that a lockfile lists: enough to find problems, on little memory. */
export type ReleaseInsight =
  | { readonly state: 'pending' | 'unknown' }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'ready'; readonly advisories: readonly AdvisoryId[]; readonly isDeprecated: boolean };

/** A requested version. Its insight changes when an answer arrives. */
export interface Release {
  readonly key: VersionKey;
  readonly insight: ReleaseInsight;
}

/**
 * The versions of whole lockfiles. They are requested in the background, after everything else has its answer, in full
 * batches and each version once for all owners. Former answers are used and kept as for every other fact.
 */
export interface Releases {
  /**
   * Replaces everything that `owner` wants.
   * @returns one for each wanted version, in the same order
   */
  request(owner: string, wanted: readonly VersionKey[]): readonly Release[];
  release(owner: string): void;
  /** Resolves when no version that `owner` wants is pending, when `patience` ms have passed, or when the signal aborts. */
  whenSettled(owner: string, patience: number, signal?: AbortSignal): Promise<void>;
  /** Called a moment after insights have changed, once for several answers. Returns a function that unsubscribes. */
  onDidChange(listener: () => void): () => void;
  /** Grows whenever an insight changes. */
  revision(): number;
}
