import type { Insight } from '../model/facts.ts';
import type { Wanted } from '../model/ports.ts';
import { weigh } from '../model/weigh.ts';
import type { Identified } from './identity.ts';
import type { Shelved } from './shelf.ts';

/** Something that somebody wants, or that is being asked for. */
export interface Entry {
  readonly id: string;
  readonly wanted: Wanted;
  /** How it is asked for, which is no part of what it is. */
  readonly byPurl: boolean;
  insight: Insight<unknown>;
  /** Roughly what its facts take in memory, in bytes. */
  weight: number;
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

/** In ms, a month: no setting has answers trusted for longer, so what is due later is so by a clock that was set back. */
const latest = 31 * 24 * 3_600_000;

/** @param now in ms since the epoch */
export function isDue({ due }: Entry, now: number): boolean {
  return due <= now || due > now + latest;
}

export const pending: Insight<never> = { state: 'pending' };

/**
 * @param asked how somebody asked for it first
 * @param shelved what is known of it from before
 */
export function newEntry({ id, wanted }: Identified, asked: Wanted, shelved: Shelved | undefined): Entry {
  const { insight, due } = shelved ?? { insight: pending, due: 0 };
  const byPurl = asked.kind === 'version' && asked.by === 'purl';
  const weight = insight.state === 'ready' ? weigh(insight.value) : 0;
  return {
    id,
    wanted,
    byPurl,
    insight,
    weight,
    due,
    failures: 0,
    outage: false,
    owners: 0,
    inBackground: 0,
    at: 'rest',
  };
}

/** What it is, and how it is asked for. */
export function askedOf({ wanted, byPurl }: Entry): Wanted {
  return wanted.kind === 'version' && byPurl ? { ...wanted, by: 'purl' } : wanted;
}

export function isBackground(entry: Entry): boolean {
  return entry.owners === entry.inBackground;
}
