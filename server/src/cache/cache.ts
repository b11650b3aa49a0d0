/** An answer as it is kept. */
export interface Cached {
  /** Plain data: what survives a way through JSON. */
  readonly value: unknown;
  /** When the service answered, in ms since the epoch. */
  readonly at: number;
  /** When it is to be asked again, in ms since the epoch; it stays readable after that. */
  readonly freshUntil: number;
  /** Roughly what it takes to keep. */
  readonly bytes: number;
}

/** Keeps answers by identifier. What is put away may be gone at any later time, and never makes a caller wait. */
export interface Cache {
  get(id: string): Cached | undefined;
  /** Put away together, for one write to a disk. */
  set(entries: readonly (readonly [id: string, cached: Cached])[]): void;
  /** Counts everything as no longer fresh. */
  expire(): void;
}
