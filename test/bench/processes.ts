import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The service, in a process of its own. */
export interface MeasuredService {
  readonly near: string;
  /** 60 ms away. */
  readonly far: string;
  /** The requests that arrived since the last call. */
  arrived(): Promise<{ readonly GET: number; readonly POST: number }>;
  stop(): void;
}

export async function startMeasuredService(): Promise<MeasuredService> {
  const child = fork(join(import.meta.dirname, 'service.ts'), { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const [{ near, far }] = await once(child, 'message');
  return {
    near,
    far,
    async arrived() {
      child.send('how many');
      const [seen] = await once(child, 'message');
      return seen;
    },
    stop: () => child.disconnect(),
  };
}

/** The ms that a bare client takes for the same facts. */
export async function floorOf(url: string, count: number, kind: 'pins' | 'ranges'): Promise<number> {
  const child = fork(join(import.meta.dirname, 'floor.ts'), [url, String(count), kind], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [[ms]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
  return ms;
}

/** The memory that a process holds, in MB of 1,000,000 bytes; undefined where the system does not tell it so. */
export function residentMemory(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux' || pid === undefined) return undefined;
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return kilobytes === undefined ? undefined : (Number(kilobytes) * 1024) / 1e6;
}
