import type { Clock } from '../../model/ports.ts';
import { type Entry, isBackground, type Job } from './entry.ts';

/** How much is asked at a time. */
export interface Pace {
  /** Versions in a batch. */
  readonly batchSize: number;
  readonly parallelBatches: number;
  readonly parallelLookUps: number;
}

export interface Asking {
  readonly clock: Clock;
  readonly pace: () => Pace;
  /** Ask for versions together, all by key or all by purl, and for one package or advisory. They resolve when all has been said, and never reject. */
  readonly batch: (entries: readonly Entry[], signal: AbortSignal) => Promise<void>;
  readonly lookUp: (entry: Entry, signal: AbortSignal) => Promise<void>;
  /** Called when a request has ended, with what it was for. */
  readonly ended: (job: Job) => void;
}

/** Gathers what is wanted, and sends it out in batches and look-ups, the most urgent first. */
export interface Collector {
  /**
   * Puts an entry at the end of its line.
   * @param isMore whether more is about to be added: until it is, batches wait until they are full
   */
  add(entry: Entry, isMore: boolean): void;
  /**
   * What is in view goes out before everything else, and what is near before the rest, until something else is said.
   */
  prefer(isInView: (entry: Entry) => boolean, isNear: (entry: Entry) => boolean): void;
  /** Whether it is a version of something in view. */
  isInView(entry: Entry): boolean;
  /** Sends what fills a request now, and not in the next turn. */
  sendWhole(): void;
  /** Takes off what nobody wants any more. A request in which nobody wants anything is aborted. */
  remove(entries: readonly Entry[]): void;
  /** Whether nothing is in line or under way. */
  isIdle(): boolean;
  /** Aborts everything. */
  clear(): void;
}

type Kind = 'batch' | 'lookUp';

/** What waits, the most urgent first. */
interface Lines {
  readonly inView: Set<Entry>;
  readonly near: Set<Entry>;
  readonly urgent: Set<Entry>;
  readonly background: Set<Entry>;
}

function newLines(): Lines {
  return { inView: new Set(), near: new Set(), urgent: new Set(), background: new Set() };
}

export function createCollector({ clock, pace, batch, lookUp, ended }: Asking): Collector {
  const lines = {
    batch: newLines(),
    lookUp: newLines(),
  };
  let isInView: (entry: Entry) => boolean = () => false;
  let isNear = isInView;
  const jobs = { batch: new Set<Job>(), lookUp: new Set<Job>() };
  let cancelGathering: (() => void) | undefined;
  let isMoreToCome = false;

  /** What is wanted in one turn, by whomever, goes out together. */
  function gather(): void {
    cancelGathering ??= clock.after(0, () => {
      cancelGathering = undefined;
      sendAll();
    });
  }

  function sendAll(): void {
    const { batchSize, parallelBatches, parallelLookUps } = pace();
    const { batch, lookUp } = lines;
    const isLeft = [
      fill('batch', [batch.inView, batch.near, batch.urgent], parallelBatches, batchSize, false),
      fill('lookUp', [lookUp.inView, lookUp.near, lookUp.urgent], parallelLookUps, 1, false),
    ].includes(true);
    if (isLeft || isUrgentUnderWay()) return;
    // Half of the places stay free for what becomes urgent meanwhile.
    fill('batch', [batch.background], Math.ceil(parallelBatches / 2), batchSize, true);
    fill('lookUp', [lookUp.background], Math.ceil(parallelLookUps / 2), 1, true);
  }

  /** @returns whether anything is left in the lines, of which the first goes first */
  function fill(kind: Kind, all: readonly Set<Entry>[], places: number, size: number, background: boolean): boolean {
    const isLeft = (): boolean => all.some((it) => it.size > 0);
    while (isLeft() && jobs[kind].size < Math.max(1, places) && !(kind === 'batch' && isFilling(all, size))) {
      const entries: Entry[] = [];
      for (const line of all) {
        for (const entry of line) {
          if (entries.length >= Math.max(1, size)) break;
          if (entries[0] && entries[0].byPurl !== entry.byPurl) continue;
          line.delete(entry);
          entries.push(entry);
        }
      }
      start(kind, entries, background);
    }
    return isLeft();
  }

  /**
   * While lists of versions arrive one after another, only one batch that is not full is under way at a time: what they
   * lead to meanwhile fills the next. What is in view does not wait.
   */
  function isFilling(all: readonly Set<Entry>[], size: number): boolean {
    const inLine = all.reduce((sum, it) => sum + it.size, 0);
    if (inLine >= size) return false;
    if (isMoreToCome) return true;
    if (lines.batch.inView.size > 0 || jobs.lookUp.size === 0) return false;
    return [...jobs.batch].some((it) => !it.background && it.entries.size < size);
  }

  async function start(kind: Kind, entries: readonly Entry[], background: boolean): Promise<void> {
    const job: Job = { abort: new AbortController(), entries: new Set(entries), background };
    for (const entry of entries) entry.at = job;
    jobs[kind].add(job);
    const [first] = entries;
    if (kind === 'batch') await batch(entries, job.abort.signal);
    else if (first) await lookUp(first, job.abort.signal);
    jobs[kind].delete(job);
    for (const entry of entries) if (entry.at === job) entry.at = 'rest';
    ended(job);
    sendAll();
  }

  function isUrgentUnderWay(): boolean {
    return [...jobs.batch, ...jobs.lookUp].some((it) => !it.background);
  }

  function linesOf(entry: Entry): Lines {
    return entry.wanted.kind === 'version' ? lines.batch : lines.lookUp;
  }

  function lineOf(entry: Entry): Set<Entry> {
    const { inView, near, urgent, background } = linesOf(entry);
    if (isBackground(entry)) return background;
    return isInView(entry) ? inView : isNear(entry) ? near : urgent;
  }

  function takeOff(entry: Entry): void {
    for (const line of Object.values(linesOf(entry))) line.delete(entry);
  }

  return {
    add(entry, isMore) {
      isMoreToCome = isMore;
      if (entry.at === 'queue') takeOff(entry);
      lineOf(entry).add(entry);
      entry.at = 'queue';
      gather();
    },

    prefer(inViewNow, nearNow) {
      isInView = inViewNow;
      isNear = nearNow;
      for (const { inView, near, urgent } of Object.values(lines)) {
        const waiting = [...inView, ...near, ...urgent];
        for (const line of [inView, near, urgent]) line.clear();
        for (const entry of waiting) lineOf(entry).add(entry);
      }
    },

    isInView: (entry) => entry.wanted.kind === 'version' && isInView(entry),
    sendWhole() {
      if (isMoreToCome) sendAll();
    },

    remove(entries) {
      const touched = new Set<Job>();
      for (const entry of entries) {
        takeOff(entry);
        if (entry.at === 'queue') entry.at = 'rest';
        else if (entry.at !== 'rest') touched.add(entry.at);
      }
      for (const job of touched) {
        if (![...job.entries].some((it) => it.owners > 0 && it.at === job)) job.abort.abort();
      }
    },

    isIdle: () =>
      jobs.batch.size + jobs.lookUp.size === 0 &&
      Object.values(lines).every((it) => Object.values(it).every((line) => line.size === 0)),

    clear() {
      cancelGathering?.();
      cancelGathering = undefined;
      for (const all of Object.values(lines)) for (const line of Object.values(all)) line.clear();
      for (const job of [...jobs.batch, ...jobs.lookUp]) job.abort.abort();
    },
  };
}
