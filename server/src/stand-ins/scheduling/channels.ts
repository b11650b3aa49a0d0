import { createHash } from 'node:crypto';
import { isRecord } from '../../engine/base/text.ts';
import { type Answer, bodyOf, type Call, requiredText, textIn } from './call.ts';
import { isOnThisMachine } from './callbacks.ts';
import { invalid, Refused } from './errors.ts';
import type { Message } from './message.ts';
import { exclusiveOfEvents, refuseWithSyncToken } from './pages.ts';
import { openCalendar, roleOf } from './roles.ts';
import type { Channel } from './store.ts';

const limits = {
  /** Of a channel without an expiration, in ms. */
  usual: 7 * 86_400_000,
  most: 30 * 86_400_000,
  /** Of one user. */
  channels: 100,
  id: 64,
  token: 256,
} as const;

export function watchRules(call: Call): Answer {
  const { id } = openCalendar(call, call.values[0] ?? '', 'writer');
  return watch(call, `acl/${id}`);
}

export function watchEntries(call: Call): Answer {
  refuseWithSyncToken(call, ['minAccessRole']);
  return watch(call, `list/${call.caller}`);
}

export function watchEvents(call: Call): Answer {
  refuseWithSyncToken(call, exclusiveOfEvents);
  const { id } = openCalendar(call, call.values[0] ?? '', 'freeBusyReader');
  return watch(call, `events/${id}`);
}

export function watchSettings(call: Call): Answer {
  return watch(call, `settings/${call.caller}`);
}

function watch(call: Call, collection: string): Answer {
  const { store, now, caller } = call;
  const body = bodyOf(call);
  const id = requiredText(body, 'id');
  const type = requiredText(body, 'type');
  const address = requiredText(body, 'address');
  const token = textIn(body, 'token');
  if (!/^[\w\-+/=]+$/.test(id) || id.length > limits.id) throw invalid('Invalid channel id.');
  if (type !== 'web_hook' && type !== 'webhook') throw invalid('Invalid channel type: expected web_hook.');
  if ((token?.length ?? 0) > limits.token || /[^\x20-\x7e]/.test(token ?? '')) throw invalid('Invalid channel token.');
  if (!isOnThisMachine(address)) {
    const message = 'Only http and https addresses of this machine are called back.';
    throw new Refused(400, 'push.webhookUrlNotHttps', message);
  }
  const expires = expirationOf(body, now);
  store.removeChannels(now);
  if (store.channel(id)) throw new Refused(400, 'channelIdNotUnique', `Channel id ${id} not unique`);
  if (store.channelsOf(caller) >= limits.channels)
    throw new Refused(403, 'quotaExceeded', 'There are too many channels.', { domain: 'usageLimits' });
  const resourceId = createHash('sha256')
    .update(`${store.id} ${collection} ${caller}`)
    .digest('base64url')
    .slice(0, 27);
  const uri = `${call.base}${call.target.slice('/v3'.length).replace(/\/watch(?=\?|$)/, '')}`;
  const channel: Channel = { id, resourceId, user: caller, collection, address, token, uri, expires };
  store.addChannel(channel);
  call.messages.push(messageOf(channel, 'sync', store.nextMessage(id)));
  return {
    body: {
      kind: 'api#channel',
      id,
      resourceId,
      resourceUri: uri,
      ...(token !== undefined && { token }),
      expiration: String(expires),
    },
  };
}

/** `expiration` in ms since the epoch, or `params.ttl` in seconds; both as texts. */
function expirationOf({ expiration, params }: Readonly<Record<string, unknown>>, now: number): number {
  const ttl = isRecord(params) ? params['ttl'] : undefined;
  for (const it of [expiration, ttl]) {
    if (it !== undefined && it !== null && !/^\d{1,15}$/.test(String(it))) throw invalid('Invalid channel expiration.');
  }
  const wanted =
    expiration !== undefined && expiration !== null
      ? Number(expiration)
      : now + (ttl === undefined || ttl === null ? limits.usual : Number(ttl) * 1000);
  if (wanted <= now) throw invalid('The expiration of the channel has passed.');
  return Math.min(wanted, now + limits.most);
}

export function stopChannel(call: Call): Answer {
  const body = bodyOf(call);
  const [id, resourceId] = [requiredText(body, 'id'), requiredText(body, 'resourceId')];
  const channel = call.store.channel(id);
  if (!channel || channel.resourceId !== resourceId || channel.user !== call.caller)
    throw new Refused(404, 'notFound', `Channel '${id}' not found`);
  call.store.removeChannel(id);
  return {};
}

/** The messages about what a call has changed, each under its number. */
export function announce({ store, now, changed, messages }: Call): void {
  for (const collection of changed) {
    for (const channel of store.channels(collection)) {
      if (channel.expires <= now || !mayKnow(store, channel)) continue;
      messages.push(messageOf(channel, 'exists', store.nextMessage(channel.id)));
    }
  }
}

/** A user who has lost access learns of no further change. */
function mayKnow(store: Call['store'], { collection, user }: Channel): boolean {
  const [, kind = '', calendar = ''] = /^([a-z]+)\/(.*)$/s.exec(collection) ?? [];
  return (kind !== 'events' && kind !== 'acl') || roleOf(store, calendar, user) !== 'none';
}

function messageOf({ id, token, resourceId, uri, address, expires }: Channel, state: string, number: number): Message {
  return {
    address,
    headers: {
      'X-Goog-Channel-ID': id,
      ...(token !== undefined && { 'X-Goog-Channel-Token': token }),
      'X-Goog-Channel-Expiration': new Date(expires).toUTCString(),
      'X-Goog-Resource-ID': resourceId,
      'X-Goog-Resource-URI': uri,
      'X-Goog-Resource-State': state,
      'X-Goog-Message-Number': String(number),
    },
  };
}
