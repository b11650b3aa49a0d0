import type { OperatorPage, PlainReply } from '../http-server.ts';
import type { Store } from '../store/store.ts';
import type { Metrics } from './metrics.ts';

export interface PageOptions {
  readonly version: string;
  readonly store: Pick<Store, 'ping'>;
  readonly metrics: Metrics;
  readonly isDraining: () => boolean;
  /** Undefined where nothing is shared. */
  readonly isSharedConnected: () => boolean | undefined;
}

/** The pages for a load balancer, a process manager and Prometheus. */
export function operatorPages(options: PageOptions): Readonly<Record<string, OperatorPage>> {
  const { version, metrics } = options;
  return {
    // The process answers. Nothing else counts: a restart would repair no database.
    '/healthz': {
      isOpen: true,
      answer: async () => json(200, { status: 'ok', version, shared: sharedState(options.isSharedConnected()) }),
    },
    '/readyz': {
      isOpen: true,
      async answer() {
        if (options.isDraining()) return json(503, { status: 'draining' });
        // The schema is up to date before the first request is accepted.
        const isReachable = await answersInTime(options.store.ping());
        return isReachable ? json(200, { status: 'ready' }) : json(503, { status: 'the store is not reachable' });
      },
    },
    '/metrics': {
      isOpen: false,
      answer: async () => ({
        status: 200,
        headers: { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' },
        body: await metrics.text(),
      }),
    },
  };
}

function sharedState(isConnected: boolean | undefined): string {
  if (isConnected === undefined) return 'not used';
  return isConnected ? 'connected' : 'not reachable: this instance continues on its own';
}

function json(status: number, body: object): PlainReply {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}

/** In ms. Load balancers wait for a few seconds. */
const READY_TIMEOUT = 2_000;

function answersInTime(pinged: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), READY_TIMEOUT);
    pinged
      .then(
        () => true,
        () => false,
      )
      .then((isReachable) => {
        clearTimeout(late);
        resolve(isReachable);
      });
  });
}
