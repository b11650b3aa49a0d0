import { randomBytes } from 'node:crypto';
import { isRecord } from '../../engine/base/text.ts';
import type { CallOptions } from '../../engine/model/connection.ts';
import type { Clock } from '../../engine/model/ports.ts';
import type { Scheduled } from '../model/scheduling/schedule.ts';
import type { Calls } from './calls.ts';
import type { EventStore } from './event-store.ts';
import { openReceiver, type Receiver } from './receiver.ts';

/** Keeps a channel for changes of a calendar, where a person has set an address for them. All windows share it. */
export interface Notifications {
  /**
   * Makes a channel, renews it before it ends, or stops it.
   * @param address empty for none
   */
  ensure(identity: string, calendar: string, address: string, options: CallOptions): Promise<Scheduled<void>>;
  /** Whether this process learns of changes. */
  isListening(): boolean;
  /** Does not listen any more, while no calendar is connected. */
  release(): void;
  close(): void;
}

/** A channel as it is kept. */
interface Channel {
  readonly id: string;
  readonly resourceId: string;
  readonly calendar: string;
  readonly address: string;
  readonly token: string;
  /** In ms since the epoch. */
  readonly expires: number;
}

/** Of a channel, in ms. */
const LIFETIME = 7 * 24 * 3_600_000;
/** How long before its end a channel is renewed, in ms. */
const MARGIN = 24 * 3_600_000;
/** Under which the channel is kept. */
const CHANNEL = 'channel';

export function createNotifications({
  calls,
  store,
  clock,
  onChange,
}: {
  readonly calls: Calls;
  readonly store: EventStore;
  readonly clock: Clock;
  readonly onChange: () => void;
}): Notifications {
  let receiver: { readonly address: string; readonly of: Receiver } | undefined;
  let isClosed = false;

  function letGo(): void {
    receiver?.of.close();
    receiver = undefined;
  }

  async function stop({ id, resourceId }: Channel, options: CallOptions): Promise<Scheduled<void>> {
    const done = await calls.call('channels.stop', { body: { id, resourceId }, about: 'calendar' }, options);
    // A channel that is gone has stopped.
    return done.ok || done.status === 404 ? { ok: true, value: undefined } : { ok: false, trouble: done.trouble };
  }

  async function listen(address: string): Promise<void> {
    if (receiver?.address === address) return;
    letGo();
    const of = await openReceiver(address, onChange);
    if (of && isClosed) of.close();
    else if (of) receiver = { address, of };
  }

  return {
    isListening: () => receiver !== undefined,
    release: letGo,
    async ensure(identity, calendar, address, options) {
      const now = clock.now();
      const kept = readChannel(store.choice(identity, CHANNEL));
      const isRight = kept?.address === address && kept.calendar === calendar;
      if (address === '') letGo();
      else await listen(address);
      // A later end comes from a clock that was wrong.
      if (kept && isRight && kept.expires - MARGIN > now && kept.expires <= now + 2 * LIFETIME) {
        receiver?.of.expect(kept);
        return { ok: true, value: undefined };
      }
      let made: Channel | undefined;
      if (address !== '') {
        const id = randomBytes(16).toString('hex');
        const token = randomBytes(24).toString('base64url');
        receiver?.of.expect({ id, token });
        const body = { id, type: 'web_hook', address, token, params: { ttl: `${LIFETIME / 1000}` } };
        const given = { parameters: { calendarId: calendar }, body, about: 'calendar' } as const;
        const done = await calls.call('events.watch', given, options);
        if (!done.ok) return { ok: false, trouble: done.trouble };
        const { resourceId, expiration } = isRecord(done.value) ? done.value : {};
        const expires = Number(expiration ?? now + LIFETIME);
        made = { id, resourceId: String(resourceId), calendar, address, token, expires };
        store.choose(identity, CHANNEL, JSON.stringify(made));
      }
      const stopped = kept ? await stop(kept, options) : undefined;
      if (stopped && !stopped.ok) return stopped;
      if (made === undefined && kept) store.choose(identity, CHANNEL, undefined);
      return { ok: true, value: undefined };
    },
    close() {
      isClosed = true;
      letGo();
    },
  };
}

function readChannel(text: string | undefined): Channel | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && typeof value['id'] === 'string' ? (value as unknown as Channel) : undefined;
  } catch {
    return undefined;
  }
}
