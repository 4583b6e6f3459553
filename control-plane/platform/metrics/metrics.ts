/**
 * Prometheus metrics of one process; `metrics.registry` takes further ones, named `drawbridge_…`.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  readonly requestSeconds: Histogram<'method' | 'route' | 'status'>;
  /** What became of jobs: completed, rescheduled, returned, failed. */
  readonly jobs: Counter<'queue' | 'outcome'>;
  readonly jobsHeld: Gauge<'queue'>;
}

const secondsBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createMetrics(options: { processMetrics?: boolean } = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (options.processMetrics) collectDefaultMetrics({ register: registry });
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'drawbridge_http_request_seconds',
      help: 'Time from a request to the end of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: secondsBuckets,
      registers,
    }),
    jobs: new Counter({
      name: 'drawbridge_jobs_total',
      help: 'Jobs by queue and outcome',
      labelNames: ['queue', 'outcome'],
      registers,
    }),
    jobsHeld: new Gauge({
      name: 'drawbridge_jobs_held',
      help: 'Jobs this process works on now',
      labelNames: ['queue'],
      registers,
    }),
  };
}
