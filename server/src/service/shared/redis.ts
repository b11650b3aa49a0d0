import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { backOff } from '../../engine/base/back-off.ts';
import { alone, type Coordination, MINUTE } from '../mirror/coordination.ts';

/*
 * What instances agree on, in Redis or Valkey. The client is loaded with this file alone, which is a bundle of its own:
 * import it late.
 */

export interface SharedCoordination extends Coordination {
  /** Whether the instances coordinate. Otherwise this one continues on its own. */
  isConnected(): boolean;
  close(): void;
}

export interface RedisOptions {
  /** `redis://host:6379`, `rediss://user:password@host` */
  readonly address: string;
  /** The address of the upstream service: services with different ones share nothing. */
  readonly upstream: string;
  /** Requests to it in a minute, of all instances together. */
  readonly budget?: number | undefined;
  readonly now: () => number;
  /** Called when the connection begins and ends, with the reason. */
  readonly onChange: (isConnected: boolean, reason: string) => void;
}

/** Lifetime of a claim whose instance was killed, in ms. Longer than the longest request. */
const CLAIM_LIFETIME = 30_000;

/** Until a command has failed, in ms. It takes less than one. */
const COMMAND_TIMEOUT = 500;

/** After a command has failed, this instance continues on its own for so many ms, so that no request waits twice. */
const PAUSE = 2_000;

/** Between two looks whether a claim is released, in ms. */
const CLAIM_WAIT = 25;

/** The longest wait before another attempt to connect, in ms. */
const MAX_RECONNECT_WAIT = 2_000;

/** Deletes a claim that is still ours. */
const releaseScript = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

export function openRedis({ address, upstream, budget, now, onChange }: RedisOptions): SharedCoordination {
  const own = alone(now, budget);
  const instance = randomUUID();
  const prefix = `insights:${digestOf(upstream)}`;
  const redis = new Redis(address, {
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT,
    connectTimeout: COMMAND_TIMEOUT * 4,
    retryStrategy: (attempt) => backOff(attempt, { first: 100, longest: MAX_RECONNECT_WAIT }),
  });
  let reason = 'not connected yet';
  let isConnected = false;
  let pausedUntil = 0;
  const change = (next: boolean): void => {
    if (next === isConnected) return;
    isConnected = next;
    onChange(next, reason);
  };
  redis.on('ready', () => change(true));
  const lost = (): void => change(false);
  redis.on('close', lost);
  // The client connects again by itself.
  redis.on('error', (error: Error) => {
    reason = error.message;
  });

  /** What Redis answers, or without it this instance alone. */
  async function shared<T>(command: () => Promise<T>, fallback: () => T | Promise<T>): Promise<T> {
    if (!isConnected || pausedUntil > now()) return fallback();
    try {
      return await command();
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
      pausedUntil = now() + PAUSE;
      return fallback();
    }
  }

  const claimKey = (id: string): string => `${prefix}:claim:${digestOf(id)}`;
  return {
    isShared: true,
    isConnected: () => isConnected && pausedUntil <= now(),
    claim: (id) =>
      shared(
        async () => (await redis.set(claimKey(id), instance, 'PX', CLAIM_LIFETIME, 'NX')) === 'OK',
        () => true,
      ),
    async release(id) {
      await shared<unknown>(
        () => redis.eval(releaseScript, 1, claimKey(id), instance),
        () => undefined,
      );
    },
    async whenReleased(id, patience) {
      const isClaimed = () =>
        shared(
          async () => (await redis.exists(claimKey(id))) > 0,
          () => false,
        );
      for (const until = now() + patience; now() < until && (await isClaimed()); ) await delay(CLAIM_WAIT);
    },
    heldUntil: () =>
      shared(
        async () => Number(await redis.get(`${prefix}:hold`)) || 0,
        () => 0,
      ),
    hold(until) {
      const left = Math.ceil(until - now());
      if (left <= 0) return;
      void shared<unknown>(
        () => redis.set(`${prefix}:hold`, String(until), 'PX', left),
        () => undefined,
      );
    },
    async spend() {
      const alsoOwn = await own.spend();
      if (budget === undefined) return 0;
      const minute = Math.floor(now() / MINUTE);
      const key = `${prefix}:spent:${minute}`;
      return shared(
        async () => {
          const spent = await redis.incr(key);
          if (spent === 1) await redis.pexpire(key, 2 * MINUTE);
          return spent > budget ? (minute + 1) * MINUTE : 0;
        },
        () => alsoOwn,
      );
    },
    close() {
      redis.off('close', lost);
      redis.disconnect();
    },
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
