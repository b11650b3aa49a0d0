import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from '../paths.ts';
import type { Bundles } from './bundles.ts';
import { startEditing } from './editing.ts';
import type { MeasuredService } from './processes.ts';
import { secureFront } from './secure-front.ts';
import { median, type Row } from './table.ts';

const RUNS = 5;

/** Load balancers end connections after 100 to 10,000 requests: nginx, keepalive_requests, has 1,000. */
const REQUESTS_PER_CONNECTION = 200;

/** Measures ranges over HTTP/2, 60 ms away, with a host that keeps connections and one that closes them. */
export async function shared({ server }: Bundles, service: MeasuredService): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [count, kept] of [
    [50, true],
    [800, true],
    [800, false],
  ] as const) {
    const front = await secureFront(service.at[60], kept ? undefined : REQUESTS_PER_CONNECTION);
    const authority = join(cache, 'bench', 'authority.pem');
    writeFileSync(authority, front.certificate);
    const [ms, connections]: [number[], number[]] = [[], []];
    for (let time = 0; time < RUNS; time++) {
      const editing = await startEditing(server, front.url, count, 'ranges', {
        ...process.env,
        NODE_EXTRA_CA_CERTS: authority,
      });
      ms.push((await editing.open()).changed);
      await editing.client.stop();
      connections.push(front.connections());
    }
    front.close();
    await service.arrived();
    const what = `${count} ranges${kept ? '' : `, a host that ends connections after ${REQUESTS_PER_CONNECTION} requests`}`;
    rows.push({ what, unit: 'ms', value: median(ms) });
    const least = kept ? { floor: 1, against: 'minimum' } : {};
    rows.push({ what: '  connections', unit: 'connections', value: median(connections), ...least });
  }
  return rows;
}
