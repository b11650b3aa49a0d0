/*
 * The types of resources that a deployment service knows. Reading never waits and sends nothing.
 */

export const typeStates = ['supported', 'experimental', 'deprecated'] as const;
export type TypeState = (typeof typeStates)[number];

/** What is known of one type. */
export interface TypeFacts {
  readonly name: string;
  /** Absent if the service does not say. */
  readonly state?: TypeState;
  readonly title?: string;
  readonly description?: string;
  /** An address, as the service gives it. */
  readonly documentation?: string;
  /** The JSON schema of its properties; absent if the service gives none. */
  readonly input?: unknown;
  /** The JSON schema of what references to it can read. */
  readonly output?: unknown;
}

export type TypeInsight =
  | KnownType
  /** The service has listed its types, and it is not among them. */
  | { readonly kind: 'unknown'; readonly similar: readonly string[] }
  | { readonly kind: 'pending' }
  /** Nothing can be said: `reason` is a clause. */
  | { readonly kind: 'unchecked'; readonly reason: string };

export interface KnownType {
  readonly kind: 'known';
  readonly facts: TypeFacts;
  /** Set while the answer with the schema is missing. `reason` is a clause. */
  readonly withoutSchema?: { readonly kind: 'pending' } | { readonly kind: 'failed'; readonly reason: string };
  /** When it was read, in ms since the epoch, if it could not be read again. */
  readonly staleSince?: number;
}

/** A type in a completion. */
export interface TypeName {
  readonly name: string;
  readonly state?: TypeState;
  readonly title?: string;
}
