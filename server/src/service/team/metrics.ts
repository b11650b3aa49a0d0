import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AnsweredRequest } from '../http-server.ts';
import type { MirrorEvent } from '../mirror/events.ts';

/*
 * Figures for Prometheus. Labels have few values: methods of the interface, statuses, outcomes. None names a package.
 */

export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
  answered(request: AnsweredRequest): void;
  observe(event: MirrorEvent): void;
}

/** In seconds. A fresh answer takes a millisecond, one from upstream some hundred. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** @param isSharedConnected undefined where nothing is shared */
export function createMetrics(isSharedConnected: () => boolean | undefined): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'insights_requests_total',
    help: 'Answered requests, by method of the interface and status',
    labelNames: ['route', 'status'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'insights_request_seconds',
    help: 'From the arrival of a request to the end of its answer',
    labelNames: ['route'],
    buckets,
    registers,
  });
  const answers = new Counter({
    name: 'insights_answers_total',
    help: 'Answered questions, by kind and by what answered: fresh or stale from the store, upstream, or none',
    labelNames: ['kind', 'by'],
    registers,
  });
  const joined = new Counter({
    name: 'insights_joined_total',
    help: 'Questions that waited for the same question of another request, here or in another instance',
    labelNames: ['where'],
    registers,
  });
  const storeSeconds = new Histogram({
    name: 'insights_store_seconds',
    help: 'Calls of the database',
    labelNames: ['call', 'outcome'],
    buckets,
    registers,
  });
  const upstreamSeconds = new Histogram({
    name: 'insights_upstream_seconds',
    help: 'Requests to the upstream service, by status or by why there is none',
    labelNames: ['outcome'],
    buckets,
    registers,
  });
  new Gauge({
    name: 'insights_shared_connected',
    help: '1 while the instances coordinate, 0 while this one continues on its own',
    registers,
    collect() {
      const isConnected = isSharedConnected();
      if (isConnected === undefined) this.reset();
      else this.set(isConnected ? 1 : 0);
    },
  });
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    answered({ route, status, seconds }) {
      requests.inc({ route, status });
      requestSeconds.observe({ route }, seconds);
    },
    observe(event) {
      switch (event.kind) {
        case 'answer':
          answers.inc({ kind: event.fact, by: event.by });
          return;
        case 'joined':
          joined.inc({ where: event.where });
          return;
        case 'store':
          storeSeconds.observe({ call: event.call, outcome: event.ok ? 'ok' : 'failed' }, event.seconds);
          return;
        case 'upstream':
          upstreamSeconds.observe({ outcome: event.outcome }, event.seconds);
          return;
      }
    },
  };
}
