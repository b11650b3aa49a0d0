/** What is known about the safety of a link. */
export type LinkState =
  /** Not checked so far, the check failed, or it is too old. Not to be followed with one click. */
  | { readonly kind: 'unchecked' }
  /** No list names it. `at`: in ms since the epoch. */
  | { readonly kind: 'checked'; readonly at: number }
  /** Lists name it: `MALWARE`, `SOCIAL_ENGINEERING`. The lists can be wrong. */
  | { readonly kind: 'suspected'; readonly threats: readonly string[]; readonly at: number };

/** Checks links before they can be followed. Where link safety is off there is no such object, and links are links. */
export interface LinkSafety {
  /**
   * Never waits and sends nothing.
   * @param url as it would be opened
   */
  stateOf(url: string): LinkState;
  /** Checks those that are unchecked. Resolves when each has a state or cannot be checked now. Never rejects. */
  request(urls: readonly string[]): Promise<void>;
  /** Called when states have changed. Returns a function that unsubscribes. */
  onDidChange(listener: () => void): () => void;
}
