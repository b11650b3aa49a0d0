/** Keeps answers by identifier. An answer may be gone at any later time. No call waits. */
export interface AnswerStore {
  get(id: string): StoredAnswer | undefined;
  set(entries: readonly (readonly [id: string, answer: StoredAnswer])[]): void;
}

export interface StoredAnswer {
  /** Plain data that survives JSON. */
  readonly value: unknown;
  /** When the service answered, in ms since the epoch. */
  readonly at: number;
  /** When it is to be requested again, in ms since the epoch. */
  readonly freshUntil: number;
  /** Its approximate size. */
  readonly bytes: number;
}
