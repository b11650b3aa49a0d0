import type { Insight } from '../model/facts.ts';
import type { Wanted } from '../model/ports.ts';

/** Something that somebody wants, or that is being asked for. */
export interface Entry {
  readonly id: string;
  readonly wanted: Wanted;
  /** How it is asked for, which is no part of what it is. */
  readonly byPurl: boolean;
  insight: Insight<unknown>;
  /** From when on it is asked again, in ms since the epoch; for what failed, too. */
  due: number;
  /** How many times in a row it failed. */
  failures: number;
  /** It failed because the service could not be asked, not because of what it answered. */
  outage: boolean;
  /** How many owners want it, and how many of them in the background alone. */
  owners: number;
  inBackground: number;
  /** Where it is on its way to the service. */
  at: 'rest' | 'queue' | Job;
}

/** A request under way. */
export interface Job {
  readonly abort: AbortController;
  readonly entries: ReadonlySet<Entry>;
  readonly background: boolean;
}

/** What it is, and how it is asked for. */
export function askedOf({ wanted, byPurl }: Entry): Wanted {
  return wanted.kind === 'version' && byPurl ? { ...wanted, by: 'purl' } : wanted;
}

export function isBackground(entry: Entry): boolean {
  return entry.owners === entry.inBackground;
}
