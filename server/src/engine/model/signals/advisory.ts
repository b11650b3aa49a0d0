import type { AdvisoryFacts, Insight } from '../facts.ts';
import type { AdvisoryId } from '../keys.ts';

/** One vulnerability with all its identifiers. */
export interface Advisory {
  /** The identifier to show: GHSA before the others. */
  readonly id: AdvisoryId;
  /** Its other identifiers. */
  readonly aliases: readonly AdvisoryId[];
  readonly facts: Insight<AdvisoryFacts>;
}
