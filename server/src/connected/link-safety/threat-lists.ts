import type { CallOptions, ConnectionClient } from '../../engine/model/connection.ts';
import type { Clock } from '../../engine/model/ports.ts';
import type { KeptList, ListStore } from './list-store.ts';
import { checksumOf, matchesHash, updatedList } from './prefix-list.ts';
import {
  type ClientInfo,
  listName,
  listRequest,
  readLists,
  readUpdates,
  type ThreatList,
  updateRequest,
} from './protocol.ts';
import type { Waits } from './waits.ts';

/** A list proves that a link is on none of its entries for so long. In ms. */
export const MAX_LIST_AGE = 30 * 60_000;

/** A list is requested again at this age, where the service permits it. In ms. */
export const REFRESH_AGE = 25 * 60_000;

/** The lists of one connection. */
export interface ThreatLists {
  /** Reads and requests what is missing or old. Never rejects. */
  update(options: CallOptions): Promise<void>;
  /** When the oldest list was requested, in ms since the epoch; undefined while one is missing or too old. */
  freshSince(): number | undefined;
  /** Whether any list has a prefix of the hash. */
  matches(hash: Buffer): boolean;
  /** What the service sent with each list, for its other methods. */
  states(): readonly Buffer[];
}

export interface ThreatListsParts {
  readonly identity: string;
  readonly lists: readonly ThreatList[];
  /** A person wants all of them, not those among them that the service has. */
  readonly isChosen: boolean;
  readonly connection: ConnectionClient;
  readonly client: ClientInfo;
  readonly store: ListStore;
  readonly waits: Waits;
  readonly clock: Clock;
}

export function createThreatLists(parts: ThreatListsParts): ThreatLists {
  const { identity, connection, client, store, waits, clock } = parts;
  let { lists } = parts;
  let names = lists.map(listName);
  let isNarrowed = parts.isChosen;
  const known = new Map<string, KeptList>();

  /** Another process may have requested a list, and this one before its restart. */
  function readKept(): void {
    for (const name of names) {
      const kept = store.read(identity, name, known.get(name)?.at ?? 0);
      if (kept && checksumOf(kept.list).equals(kept.checksum)) known.set(name, kept);
    }
  }

  function isYoungerThan(ms: number): boolean {
    const now = clock.now();
    return names.every((name) => {
      const age = now - (known.get(name)?.at ?? Number.NEGATIVE_INFINITY);
      // After the clock was set back, the true age is unknown.
      return age >= 0 && age < ms;
    });
  }

  /** A service may not have all lists, and refuses a request for one that it does not have. */
  async function narrow(options: CallOptions): Promise<boolean> {
    isNarrowed = true;
    if (waits.until(identity, 'threatLists.list') !== undefined) return false;
    const answer = await connection.send(listRequest(), options);
    const offered = answer.kind === 'answer' && answer.status === 200 ? readLists(answer.text) : undefined;
    const some = lists.filter((it) => offered?.some((other) => listName(other) === listName(it)));
    if (some.length === 0 || some.length === lists.length) return false;
    lists = some;
    names = lists.map(listName);
    return true;
  }

  /** Returns `again` if another request may follow at once: a list was thrown away, or the service lacks one. */
  async function requestLists(options: CallOptions, isSecond: boolean): Promise<'again' | 'done'> {
    const at = clock.now();
    const states = new Map([...known].map(([name, { state }]) => [name, state]));
    const answer = await connection.send(updateRequest(client, lists, states), options);
    if (answer.kind !== 'answer' && answer.kind !== 'failure') return 'done';
    if (answer.kind === 'answer' && answer.status === 400 && !isNarrowed && (await narrow(options))) return 'again';
    const read = answer.kind === 'answer' && answer.status === 200 ? readUpdates(answer.text) : undefined;
    if (read === undefined) {
      waits.failed(identity, 'threatListUpdates.fetch');
      return 'done';
    }
    const updated = new Set<string>();
    for (const update of read.updates) {
      const name = listName(update.list);
      if (!names.includes(name) || updated.has(name)) continue;
      const before = known.get(name);
      const isApplicable = update.isPartial !== 'invalid' && (!update.isPartial || before !== undefined);
      const { removals, additions, state, checksum } = isApplicable ? update : none;
      const list = updatedList(isApplicable && update.isPartial && before ? before.list : [], removals, additions);
      if (isApplicable && list && checksumOf(list).equals(checksum)) {
        const kept = { list, state, checksum, at };
        known.set(name, kept);
        store.write(identity, name, kept);
        updated.add(name);
      } else {
        known.delete(name);
        store.remove(identity, name);
      }
    }
    const isComplete = updated.size === names.length;
    if (isComplete) waits.succeeded(identity, 'threatListUpdates.fetch', read.minimumWait);
    else if (isSecond || read.minimumWait) waits.failed(identity, 'threatListUpdates.fetch', read.minimumWait);
    else return 'again';
    return 'done';
  }

  return {
    async update(options) {
      readKept();
      if (isYoungerThan(REFRESH_AGE)) return;
      for (const isSecond of [false, true]) {
        if (waits.until(identity, 'threatListUpdates.fetch') !== undefined) return;
        if ((await requestLists(options, isSecond)) === 'done') return;
      }
    },
    freshSince: () =>
      isYoungerThan(MAX_LIST_AGE) ? Math.min(...names.map((it) => known.get(it)?.at ?? 0)) : undefined,
    matches: (hash) => [...known.values()].some((it) => matchesHash(it.list, hash)),
    states: () => [...known.values()].map((it) => it.state),
  };
}

const none = { removals: [], additions: [], state: Buffer.alloc(0), checksum: Buffer.alloc(0) };
