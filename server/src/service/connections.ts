import type { Server, Socket } from 'node:net';

export interface ConnectionLimits {
  /** Of all addresses together. */
  readonly all: number;
  /** Of one address. */
  readonly ofOne: number;
}

/** The connections of a server. */
export interface Connections {
  /** Keeps a connection while a request of it is answered. Returns a function that ends that. */
  hold(socket: Socket): () => void;
}

/** Those of one address. */
interface Group {
  /** Nothing is answered on them: they are new, idle, or send a request. The one that waits longest is the first. */
  readonly waiting: Map<string, Socket>;
  readonly answered: Map<string, Held>;
}

interface Held {
  readonly socket: Socket;
  requests: number;
}

/**
 * Bounds the connections of a server. Beyond, the one that waits longest makes room, of the same address or else of the one
 * with the most: whoever opens many and sends nothing, or sends slowly, pushes out its own.
 */
export function boundConnections(server: Server, limits: ConnectionLimits): Connections {
  const groups = new Map<string, Group>();
  let all = 0;

  function remove(name: string, key: string): void {
    const group = groups.get(name);
    if (group === undefined || !(group.waiting.delete(key) || group.answered.delete(key))) return;
    all--;
    if (sizeOf(group) === 0) groups.delete(name);
  }

  function makeRoom(name: string): void {
    const [oldest] = groups.get(name)?.waiting ?? [];
    if (oldest === undefined) return;
    const [key, socket] = oldest;
    remove(name, key);
    socket.destroy();
  }

  server.on('connection', (socket: Socket) => {
    const [name, key] = namesOf(socket);
    const group = groups.get(name) ?? { waiting: new Map(), answered: new Map() };
    groups.set(name, group);
    group.waiting.set(key, socket);
    all++;
    socket.once('close', () => remove(name, key));
    if (sizeOf(group) > limits.ofOne) makeRoom(name);
    else if (all > limits.all) makeRoom(largestOf(groups));
  });
  return {
    hold(socket) {
      // Of an encrypted connection this is another socket with the same addresses.
      const [name, key] = namesOf(socket);
      const group = groups.get(name);
      const waiting = group?.waiting.get(key);
      if (group && waiting) {
        group.waiting.delete(key);
        group.answered.set(key, { socket: waiting, requests: 0 });
      }
      const held = group?.answered.get(key);
      if (group === undefined || held === undefined) return () => {};
      held.requests++;
      return () => {
        held.requests--;
        if (held.requests > 0 || group.answered.get(key) !== held) return;
        group.answered.delete(key);
        group.waiting.set(key, held.socket);
      };
    },
  };
}

function sizeOf({ waiting, answered }: Group): number {
  return waiting.size + answered.size;
}

function largestOf(groups: ReadonlyMap<string, Group>): string {
  let [largest, size] = ['', 0];
  for (const [name, group] of groups) if (sizeOf(group) > size) [largest, size] = [name, sizeOf(group)];
  return largest;
}

function namesOf({ remoteAddress = '', remotePort }: Socket): readonly [group: string, key: string] {
  return [holderOf(remoteAddress), `${remoteAddress} ${remotePort}`];
}

/**
 * Whom an address belongs to: itself, or its network of 64 bits. Source: RFC 4291, 2.5.1: a network has as many addresses
 * as anyone wants.
 */
export function holderOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groups = head.split(':').filter((it) => it !== '');
  const zeros = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter((it) => it !== '').length;
  return [...groups, ...Array.from({ length: zeros }, () => '0'), ...(tail ?? '').split(':')].slice(0, 4).join(':');
}
