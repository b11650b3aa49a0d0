import type { AdvisoryId, VersionKey } from '../keys.ts';

/** What is known of a version that a lockfile lists: enough to find problems, on little memory. */
export type ReleaseInsight =
  | { readonly state: 'pending' | 'unknown' }
  | { readonly state: 'failed'; readonly reason: string }
  | {
      readonly state: 'ready';
      readonly advisories: readonly AdvisoryId[];
      readonly isDeprecated: boolean;
      /** As that of the facts of a version. */
      readonly areAdvisoriesUnknown?: true;
    };

/** A requested version. Its insight changes when an answer arrives. */
export interface Release {
  readonly key: VersionKey;
  readonly insight: ReleaseInsight;
  /** Set while the answer is past its freshness and there is no newer one. */
  readonly old?: { /** When it was given, in ms since the epoch. */ readonly at: number; readonly failed?: string };
}

/**
 * The versions of whole lockfiles. They are requested in the background, after everything else has its answer, in full
 * batches and each version once for all owners. Former answers are used and kept as for every other fact.
 */
export interface Releases {
  /** Begins to replace everything that `owner` wants. A version costs some microseconds: the caller makes pauses. */
  begin(owner: string): ReleaseRequest;
  /** While an owner is held, nothing is sent for anyone: what it wants may have become private. */
  hold(owner: string, isHeld: boolean): void;
  release(owner: string): void;
  /** Resolves when no request for `owner` is left, when `patience` ms have passed, or when the signal aborts. */
  whenSettled(owner: string, patience: number, signal?: AbortSignal): Promise<void>;
  /** Called a moment after insights have changed, once for several answers. Returns a function that unsubscribes. */
  onDidChange(listener: () => void): () => void;
  /** Grows whenever an insight changes. */
  revision(): number;
}

export interface ReleaseRequest {
  add(key: VersionKey): Release;
  /** Nothing that was not added is wanted any more. */
  end(): void;
  /** Instead of `end`: everything stays as it was before. */
  cancel(): void;
}
