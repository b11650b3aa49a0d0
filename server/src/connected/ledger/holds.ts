import type { ConnectionName, Hold, Holds } from '../../engine/model/connection.ts';
import type { Clock } from '../../engine/model/ports.ts';
import type { SharedFile } from '../../engine/storage/shared-file.ts';
import type { HoldRow, LedgerStore } from './ledger-store.ts';

/** Clocks of one machine differ by less, in ms. A hold that was set later than that from now was set by a wrong clock. */
const CLOCK_TOLERANCE = 60_000;

/** Holds in the shared file, which this process remembers where the file is locked or cannot be written. */
export function createHolds(file: SharedFile<LedgerStore>, clock: Clock): Holds {
  const known = new Map<string, HoldRow>();
  let isUnwritten = false;

  function remember(row: HoldRow): void {
    const id = JSON.stringify([row.connection, row.identity, row.scope]);
    const before = known.get(id);
    if (before === undefined || before.until < row.until) known.set(id, row);
  }

  /** A clock that is set back must not lengthen a hold of an hour to a year. */
  function restart(now: number): void {
    const latest = now + CLOCK_TOLERANCE;
    for (const [id, row] of known) {
      if (row.at > latest) known.set(id, { ...row, until: row.until - row.at + now, at: now });
    }
    if (file.state === 'on') file.use((store) => store.restartHolds(latest, now));
  }

  function write(now: number): void {
    for (const [id, { until }] of known) if (until <= now) known.delete(id);
    const rows = [...known.values()];
    if (file.state !== 'on') return;
    isUnwritten = file.use((store) => store.setHolds(rows, now)) === undefined;
  }

  return {
    inForce(connection: ConnectionName, identity: string): readonly Hold[] {
      const now = clock.now();
      if (isUnwritten) write(now);
      const found = file.read((store) => store.holds(connection, identity));
      for (const it of found?.done ?? []) remember(it);
      if ([...known.values()].some((it) => it.at > now + CLOCK_TOLERANCE)) restart(now);
      return [...known.values()]
        .filter((it) => it.connection === connection && it.identity === identity && it.until > now)
        .map(({ scope, until, reason }) => ({ scope, until, reason }));
    },
    set(connection, identity, { scope, until, reason }) {
      const now = clock.now();
      if (!(until > now)) return;
      remember({ connection, identity, scope, until: Math.min(until, Number.MAX_SAFE_INTEGER), reason, at: now });
      write(now);
    },
  };
}
