import { fileTrouble } from '../../engine/base/file-error.ts';
import type { PackageKey, VersionKey } from '../../engine/model/keys.ts';
import { packageId } from '../../engine/model/keys.ts';
import type { Clock } from '../../engine/model/ports.ts';
import { type Affecting, affectedBy } from '../affected.ts';
import { canonicalKey, canonicalPackage } from '../canonical.ts';
import {
  type Answer,
  type Freshness,
  found,
  mapAnswer,
  notKept,
  type QueryMatch,
  type Source,
  unknown,
  type VersionQuery,
} from '../source.ts';
import {
  type Fact,
  type FactAnswer,
  type FileMatch,
  factId,
  isPossible,
  type KeptAnswer,
  keyOf,
  type Store,
  wholeNote,
} from '../store/store.ts';
import { affectedAnswer } from '../wire.ts';
import { createCollector } from './collector.ts';
import type { Coordination } from './coordination.ts';
import type { AnsweredBy, MirrorEvent } from './events.ts';
import { packageOfVersions } from './package-of-versions.ts';
import type { Asked, Upstream } from './upstream.ts';

export interface MirrorOptions {
  readonly store: Store;
  /** Absent: the store is all that there is. */
  readonly upstream?: Upstream;
  /** Without an upstream: whether the store was filled from one, so that it is no evidence of what does not exist. */
  readonly isExcerpt?: boolean;
  readonly coordination: Coordination;
  readonly clock: Clock;
  readonly observe: (event: MirrorEvent) => void;
}

/** Questions that are read or written together: some pages of batches. */
const storeReads = { most: 500, parallel: 4, waiting: 100_000 } as const;
const storeWrites = { most: 200, parallel: 2, waiting: 100_000 } as const;

/** How long a request waits for the upstream service, in ms: with a stale answer at hand, and without one. */
const patience = { stale: 1_000, nothing: 25_000 } as const;

/** How long an instance waits for the question of another one, in ms. */
const ELSEWHERE_PATIENCE = 10_000;

/**
 * Answers from a store, and fills it from an upstream service with what the store lacks or holds stale.
 *
 *     fresh in the store ─▶ answer        stale or absent ─▶ one question upstream, however many ask ─▶ store ─▶ answer
 *                                                                    └─ failed ─▶ the stale answer, or unavailable
 */
export function createMirror(options: MirrorOptions): Mirror {
  const { store, clock } = options;
  const flights = createFlights(options);
  const affecting = createCollector(storeReads, (keys: readonly PackageKey[]) => loadAffecting(options, keys));

  async function imported(key: VersionKey): Promise<Imported | undefined> {
    // Advisories that cannot be read would be missing in the answer.
    const of = await affecting({ system: key.system, name: key.name }).catch(() => undefined);
    if (of === undefined) return undefined;
    const isVague = of.advisories.some(({ affected: { ranges = [], versions = [] } }) => !ranges[0] && !versions[0]);
    const ids = affectedBy(of.advisories, key.version);
    return { ids, ...(of.wholeAsOf !== undefined && !isVague && { asOf: of.wholeAsOf }) };
  }

  async function answer(fact: Fact): Promise<Answer<Kept>> {
    if (!isPossible(keyOf(fact))) return unknown;
    const flight = flights.join(fact);
    const kept = await flight.kept;
    if (kept === 'unreachable') return unreachable;
    const answered = await complete(flight.asked, kept);
    options.observe({ kind: 'answer', fact: fact.kind, by: answered.by });
    return answered.answer;
  }

  /** @param asking undefined where the kept answer is fresh, or there is no upstream */
  async function complete(
    asking: Promise<Asked> | undefined,
    kept: KeptAnswer | undefined,
  ): Promise<{ readonly answer: Answer<Kept>; readonly by: AnsweredBy }> {
    if (asking === undefined) {
      if (kept) return { answer: tell(kept, 'kept'), by: isFresh(kept, clock.now()) ? 'fresh' : 'stale' };
      return { answer: options.isExcerpt ? notKept : unknown, by: 'none' };
    }
    const asked = await within(asking, kept ? patience.stale : patience.nothing, clock);
    if (asked?.kind === 'answer') {
      const { body, lifetime } = asked;
      const answer = tell({ body, asOf: clock.now(), lifetime }, kept ? 'asked again' : 'asked');
      return { answer, by: 'upstream' };
    }
    if (kept) return { answer: tell(kept, 'kept, not to be had again'), by: 'stale' };
    if (asked?.kind === 'not kept') return { answer: notKept, by: 'none' };
    return { answer: asked ? { ...asked, kind: 'unavailable' } : late, by: 'none' };
  }

  function tell({ body, asOf, lifetime }: KeptAnswer, how: Freshness['found']): Answer<Kept> {
    const freshness = {
      age: Math.max(0, Math.floor((clock.now() - asOf) / 1000)),
      lifetime: Math.floor(lifetime / 1000),
      found: how,
    };
    return body === undefined ? { ...unknown, freshness } : { kind: 'found', body: { text: body }, freshness };
  }

  async function version(given: VersionKey): Promise<Answer<object>> {
    const key = possibleKey(given);
    if (key === undefined) return unknown;
    // Advisories that cannot be read would be missing in the answer.
    const [answered, known] = await Promise.all([answer({ kind: 'version', key }), imported(key)]);
    if (known === undefined) return unreachable;
    if (answered.kind !== 'found' && known.ids.length > 0) return onRecord(key, known, answered);
    return mapAnswer(answered, (kept) => withAdvisories(parsed(kept), known));
  }

  async function packageAnswer(given: PackageKey): Promise<Answer<object>> {
    if (!isPossible([given.name])) return unknown;
    const key = canonicalPackage(given);
    const answered = await answer({ kind: 'package', key });
    if (answered.kind === 'found') return mapAnswer(answered, parsed);
    if (options.upstream || (answered.kind === 'unknown' && answered.freshness)) return answered;
    // Versions that were imported without a list of them.
    const versions = await store.versionsOf(key);
    return versions.length === 0 ? answered : found(packageOfVersions(key, versions));
  }

  async function query({ hash, key }: VersionQuery): Promise<Answer<readonly QueryMatch[]>> {
    if (hash === undefined) {
      const one = key ? await version(key) : unknown;
      return one.kind === 'unknown' ? found([]) : mapAnswer(one, (it) => [{ version: it, artifacts: [] }]);
    }
    const answered = await answer({ kind: 'file', ...hash });
    if (answered.kind === 'unknown') return found([]);
    if (answered.kind !== 'found') return answered;
    const wanted = key && possibleKey(key);
    // Written by `readMatches` and by imports alone.
    const all = parsed(answered.body) as readonly FileMatch[];
    const matches = all.filter(({ versionKey }) => key === undefined || (wanted && isSame(versionKey, wanted)));
    const versions = await Promise.all(matches.map((it) => version(it.versionKey)));
    const failure = versions.find((it) => it.kind === 'unavailable');
    if (failure) return failure;
    const body = matches.flatMap(({ artifacts }, index) => {
      const it = versions[index];
      return it?.kind === 'found' ? { version: it.body, artifacts } : [];
    });
    return { kind: 'found', body, ...(answered.freshness && { freshness: answered.freshness }) };
  }

  /** What the records of advisories alone tell of a version, for as long as nothing else is known of it. */
  function onRecord(key: VersionKey, known: Imported, instead: Exclude<Answer<Kept>, Found>): Answer<object> {
    const body = { ...affectedAnswer(key, known.ids), ...(options.upstream && { advisoriesComplete: false }) };
    const answer = { kind: 'found', body: withAdvisories(body, known) } as const;
    if (instead.kind === 'unavailable') return { ...answer, freshness: notToBeHad };
    return { ...answer, ...('freshness' in instead && { freshness: instead.freshness }) };
  }

  const simple = async (fact: Fact): Promise<Answer<object>> => mapAnswer(answer(fact), parsed);
  return {
    imported: async (given) => {
      const key = possibleKey(given);
      return key ? imported(key) : { ids: [] };
    },
    version,
    package: packageAnswer,
    query,
    requirements: async (given) => {
      const key = possibleKey(given);
      return key ? simple({ kind: 'requirements', key }) : unknown;
    },
    similar: async (key) =>
      isPossible([key.name]) ? simple({ kind: 'similar', key: canonicalPackage(key) }) : unknown,
    advisory: (id) => simple({ kind: 'advisory', id }),
    project: (id) => simple({ kind: 'project', id: id.toLowerCase() }),
  };
}

export interface Mirror extends Source {
  /** Undefined while the store cannot be read. */
  imported(key: VersionKey): Promise<Imported | undefined>;
}

/** What imports say of a version. */
export interface Imported {
  readonly ids: readonly string[];
  /** Up to when no others affect it, in ms since the epoch: all advisories of its system were imported. */
  readonly asOf?: number;
}

/** A body that is not parsed yet. */
interface Kept {
  readonly text: string;
}

/** The database has failed; the next attempt may find it again. In seconds. */
export const unreachable = { kind: 'unavailable', reason: 'the store is not reachable', retryAfter: 2 } as const;
const late = { kind: 'unavailable', reason: 'the upstream service has not answered yet', retryAfter: 5 } as const;

function parsed({ text }: Kept): object {
  // Only objects and lists are written.
  return JSON.parse(text) as object;
}

/**
 * A version with the imported advisories that affect it. It may lack those that nobody knows of: then a whole archive of its
 * system says up to when it lacks none.
 */
export function withAdvisories(version: object, { ids, asOf }: Imported): object {
  const isOpen = 'advisoriesComplete' in version && version.advisoriesComplete === false;
  if (ids.length === 0 && !(isOpen && asOf !== undefined)) return version;
  const given = 'advisoryKeys' in version && Array.isArray(version.advisoryKeys) ? version.advisoryKeys : [];
  const known = new Set(given.map((it: { readonly id?: unknown }) => it?.id));
  const further = ids.filter((it) => !known.has(it)).map((id) => ({ id }));
  const advisoryKeys = [...given, ...further];
  if (!isOpen || asOf === undefined) return { ...version, advisoryKeys };
  const { advisoriesComplete: _, ...others } = version;
  return { ...others, advisoriesAsOf: new Date(asOf).toISOString(), advisoryKeys };
}

type Found = { readonly kind: 'found' };

/** What the upstream service knows besides may come with the next answer. */
const notToBeHad: Freshness = { age: 0, lifetime: 0, found: 'kept, not to be had again' };

/** An invalid key leads to no computation. */
function possibleKey(key: VersionKey): VersionKey | undefined {
  return isPossible([key.name, key.version]) ? canonicalKey(key) : undefined;
}

function isSame(a: VersionKey, b: VersionKey): boolean {
  return a.system === b.system && a.name === b.name && a.version === b.version;
}

function isFresh({ asOf, lifetime }: KeptAnswer, now: number): boolean {
  return now < asOf + lifetime;
}

/** The question for one fact, from the look into the store to the write of the answer. */
interface Flight {
  readonly kept: Promise<KeptAnswer | 'unreachable' | undefined>;
  /** Undefined until it is needed, and where it is not. */
  asked?: Promise<Asked>;
}

/** All who ask for a fact at the same time share one look into the store, and one question upstream. */
function createFlights(options: MirrorOptions): { join(fact: Fact): Flight } {
  const { store, upstream, clock, coordination, observe } = options;
  const flights = new Map<string, Flight>();
  const read = createCollector(
    storeReads,
    timed('read', (facts: readonly Fact[]) => store.read(facts), options),
  );
  const write = createCollector(
    storeWrites,
    timed(
      'write',
      async (parts: readonly (readonly FactAnswer[])[]) => {
        await store.write(parts.flat());
        return parts;
      },
      options,
    ),
  );

  function begin(fact: Fact, id: string): Flight {
    const flight: Flight = {
      kept: read(fact).then(
        (kept) => {
          if (upstream && !(kept && isFresh(kept, clock.now()))) {
            flight.asked = ask(upstream, fact, id, kept).finally(() => flights.delete(id));
          } else flights.delete(id);
          return kept;
        },
        () => {
          flights.delete(id);
          return 'unreachable';
        },
      ),
    };
    return flight;
  }

  async function ask(of: Upstream, fact: Fact, id: string, kept: KeptAnswer | undefined): Promise<Asked> {
    const isOurs = await coordination.claim(id);
    if (!isOurs) {
      observe({ kind: 'joined', where: 'elsewhere' });
      await coordination.whenReleased(id, ELSEWHERE_PATIENCE);
    }
    // Another instance may have answered since this one looked.
    const other = coordination.isShared ? await freshFromStore(fact) : undefined;
    const asked = other ?? keeping(kept, fact, await of.ask(fact));
    if (asked !== other && asked.kind === 'answer') {
      const { body, lifetime, also = [] } = asked;
      // Without a store the answer is right, and asked again next time.
      await write([{ fact, answer: { body, asOf: clock.now(), lifetime } }, ...also]).catch(() => undefined);
    }
    if (isOurs) await coordination.release(id);
    return asked;
  }

  async function freshFromStore(fact: Fact): Promise<Asked | undefined> {
    const kept = await read(fact).catch(() => undefined);
    if (kept === undefined || !isFresh(kept, clock.now())) return undefined;
    return { kind: 'answer', body: kept.body, lifetime: kept.asOf + kept.lifetime - clock.now() };
  }

  return {
    join(fact) {
      const id = factId(fact);
      const known = flights.get(id);
      if (known) {
        observe({ kind: 'joined', where: 'here' });
        return known;
      }
      const flight = begin(fact, id);
      flights.set(id, flight);
      return flight;
    },
  };
}

/** What an instance may serve no method for, so that its 404 says nothing about the fact. Source: the contract. */
const mayBeUnserved: ReadonlySet<Fact['kind']> = new Set(['advisory', 'project', 'similar']);

/** An imported advisory outlives an upstream service that has none. */
function keeping(kept: KeptAnswer | undefined, { kind }: Fact, asked: Asked): Asked {
  if (asked.kind !== 'answer' || asked.body !== undefined || !mayBeUnserved.has(kind)) return asked;
  return { ...asked, body: kept?.body };
}

interface PackageAdvisories {
  readonly advisories: readonly Affecting[];
  /** In ms since the epoch. */
  readonly wholeAsOf: number | undefined;
}

async function loadAffecting(
  options: MirrorOptions,
  keys: readonly PackageKey[],
): Promise<readonly PackageAdvisories[]> {
  const { store } = options;
  const load = timed('affecting', (it: readonly PackageKey[]) => store.affecting(it), options);
  // An archive is whole once all of it is there, so this is read before what is in it.
  const systems = [...new Set(keys.map((it) => it.system))];
  const wholes = new Map(await Promise.all(systems.map(async (it) => [it, await store.note(wholeNote(it))] as const)));
  const all = await load(keys);
  const byPackage = new Map<string, Affecting[]>();
  for (const it of all) {
    const id = packageId(it.affected);
    const others = byPackage.get(id);
    if (others) others.push(it);
    else byPackage.set(id, [it]);
  }
  return keys.map((it) => {
    const whole = wholes.get(it.system);
    return {
      advisories: byPackage.get(packageId(it)) ?? [],
      wholeAsOf: whole === undefined ? undefined : Number(whole),
    };
  });
}

function timed<T, R>(
  call: (MirrorEvent & { readonly kind: 'store' })['call'],
  load: (items: T) => Promise<R>,
  { clock, observe }: Pick<MirrorOptions, 'clock' | 'observe'>,
): (items: T) => Promise<R> {
  return async (items) => {
    const started = clock.now();
    const ended = (how: { readonly ok: true } | { readonly ok: false; readonly reason: string }) =>
      observe({ kind: 'store', call, ...how, seconds: (clock.now() - started) / 1000 });
    try {
      const result = await load(items);
      ended({ ok: true });
      return result;
    } catch (error) {
      ended({ ok: false, reason: fileTrouble(error) });
      throw error;
    }
  };
}

/** Undefined if it has not resolved after `ms`. */
export function within<T>(promise: Promise<T>, ms: number, clock: Clock): Promise<T | undefined> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(undefined));
    promise
      .catch(() => undefined)
      .then((it) => {
        cancel();
        resolve(it);
      });
  });
}
