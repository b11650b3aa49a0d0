import type { Clock } from '../../model/ports.ts';
import { type Entry, isBackground, type Job } from './entry.ts';

/** How much is requested at a time. */
export interface Pace {
  /** Versions in a batch. */
  readonly batchSize: number;
  readonly parallelBatches: number;
  readonly parallelLookups: number;
}

export interface RequestQueueOptions {
  readonly clock: Clock;
  readonly pace: () => Pace;
  /** Sends a batch of versions, all by key or all by purl. Resolves when all have a result; never rejects. */
  readonly sendBatch: (entries: readonly Entry[], signal: AbortSignal) => Promise<void>;
  /** Sends a request for a package, an advisory or requirements. Resolves when it has a result; never rejects. */
  readonly sendLookup: (entry: Entry, signal: AbortSignal) => Promise<void>;
  /** Called when a request has ended. */
  readonly onEnd: (job: Job) => void;
}

/** Collects entries, and sends them in batches and lookups, the most urgent ones first. */
export interface RequestQueue {
  /**
   * Appends an entry to its line.
   * @param isMore whether more entries follow at once: until then only full batches are sent
   */
  add(entry: Entry, isMore: boolean): void;
  /** Sends entries in view first, then near ones, then the rest, until the next call. */
  prioritize(isInView: (entry: Entry) => boolean, isNear: (entry: Entry) => boolean): void;
  /** Whether an entry is a version, or a list of versions, in view. */
  isInView(entry: Entry): boolean;
  /** Sends full batches now, not in the next turn. */
  sendFull(): void;
  /** Removes entries without owners. A request for nothing else is aborted. */
  remove(entries: readonly Entry[]): void;
  /** Whether no entry is queued or requested. */
  isIdle(): boolean;
  /** Aborts all requests. */
  clear(): void;
}

type Kind = 'batch' | 'lookUp';

/** Queued entries, the most urgent line first. */
interface Lines {
  readonly inView: Set<Entry>;
  readonly near: Set<Entry>;
  readonly urgent: Set<Entry>;
  readonly background: Set<Entry>;
}

function newLines(): Lines {
  return { inView: new Set(), near: new Set(), urgent: new Set(), background: new Set() };
}

export function createRequestQueue({ clock, pace, sendBatch, sendLookup, onEnd }: RequestQueueOptions): RequestQueue {
  const lines = {
    batch: newLines(),
    lookUp: newLines(),
  };
  let isInView: (entry: Entry) => boolean = () => false;
  let isNear = isInView;
  const jobs = { batch: new Set<Job>(), lookUp: new Set<Job>() };
  let cancelGathering: (() => void) | undefined;
  let isMoreToCome = false;

  /** Entries of one turn are sent together, whichever owner wants them. */
  function gather(): void {
    cancelGathering ??= clock.after(0, () => {
      cancelGathering = undefined;
      sendAll();
    });
  }

  function sendAll(): void {
    const { batchSize, parallelBatches, parallelLookups } = pace();
    const { batch, lookUp } = lines;
    const isLeft = [
      fill('batch', [batch.inView, batch.near, batch.urgent], parallelBatches, batchSize, false),
      fill('lookUp', [lookUp.inView, lookUp.near, lookUp.urgent], parallelLookups, 1, false),
    ].includes(true);
    if (isLeft || isUrgentUnderWay()) return;
    // Half of the requests stay free for entries that become urgent meanwhile.
    fill('batch', [batch.background], Math.ceil(parallelBatches / 2), batchSize, true);
    fill('lookUp', [lookUp.background], Math.ceil(parallelLookups / 2), 1, true);
  }

  /** @returns whether anything is left in the lines, which are sent in their order */
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
   * While lists of versions arrive one after another, only one partial batch is sent at a time, and their versions fill
   * the next one. Versions in view wait only for the lists in view.
   */
  function isFilling(all: readonly Set<Entry>[], size: number): boolean {
    const inLine = all.reduce((sum, it) => sum + it.size, 0);
    if (inLine >= size) return false;
    if (isMoreToCome) return true;
    if (![...jobs.batch].some((it) => !it.background && it.entries.size < size)) return false;
    const lists = [...jobs.lookUp].filter((it) => !it.background);
    if (lines.batch.inView.size === 0) return lists.length > 0;
    return lists.some((it) => [...it.entries].some(isInView));
  }

  async function start(kind: Kind, entries: readonly Entry[], background: boolean): Promise<void> {
    const job: Job = { abort: new AbortController(), entries: new Set(entries), background };
    for (const entry of entries) entry.at = job;
    jobs[kind].add(job);
    const [first] = entries;
    if (kind === 'batch') await sendBatch(entries, job.abort.signal);
    else if (first) await sendLookup(first, job.abort.signal);
    jobs[kind].delete(job);
    for (const entry of entries) if (entry.at === job) entry.at = 'rest';
    onEnd(job);
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

    prioritize(inViewNow, nearNow) {
      isInView = inViewNow;
      isNear = nearNow;
      for (const { inView, near, urgent } of Object.values(lines)) {
        const waiting = [...inView, ...near, ...urgent];
        for (const line of [inView, near, urgent]) line.clear();
        for (const entry of waiting) lineOf(entry).add(entry);
      }
    },

    isInView: (entry) => (entry.wanted.kind === 'version' || entry.wanted.kind === 'package') && isInView(entry),
    sendFull() {
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
        if (![...job.entries].some((it) => it.subscribers > 0 && it.at === job)) job.abort.abort();
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
