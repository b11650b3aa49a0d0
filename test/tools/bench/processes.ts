import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReceivedRequest } from '../../../server/src/service/http-server.ts';

const execArgv = ['--disable-warning=ExperimentalWarning'];

/** Round trips to the service, in ms. */
export const distances = [0, 60, 100] as const;

/** The service, in a process of its own. */
export interface MeasuredService {
  /** Its address by how far away it is. */
  readonly at: Readonly<Record<(typeof distances)[number], string>>;
  /** The requests that arrived since the last call. */
  arrived(): Promise<readonly ReceivedRequest[]>;
  stop(): void;
}

export async function startMeasuredService(): Promise<MeasuredService> {
  const child = fork(join(import.meta.dirname, 'service.ts'), { execArgv });
  const [at] = await once(child, 'message');
  return {
    at,
    async arrived() {
      child.send('which');
      const [seen] = await once(child, 'message');
      return seen;
    },
    stop: () => child.disconnect(),
  };
}

/** The cost of the same requests for a minimal client. */
export interface Replayed {
  readonly ms: number;
  /** Processor time of all threads, in ms. */
  readonly used: number;
  /** Bytes of the bodies, as they went over the wire. */
  readonly sent: number;
  readonly received: number;
}

export async function replay(
  url: string,
  requests: readonly ReceivedRequest[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Replayed> {
  const child = fork(join(import.meta.dirname, 'replay.ts'), [url], { execArgv, env });
  child.send(requests);
  const [[replayed]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
  return replayed;
}

/** The resident memory of a process, in MB of 1,000,000 bytes; undefined where the system does not report it. */
export function residentMemory(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux' || pid === undefined) return undefined;
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return kilobytes === undefined ? undefined : (Number(kilobytes) * 1024) / 1e6;
}

/** In ms. Linux counts in hundredths of a second for programs. Source: `man 5 proc_pid_stat`, USER_HZ. */
const TICK = 10;

/** What all threads of a process have used so far, in ms; not a number where the system does not report it. */
export function processorTime(pid: number | undefined): number {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}
