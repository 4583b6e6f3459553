/**
 * Prometheus metrics of one process; `metrics.registry` takes further ones, named `drawbridge_…`.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The counters and gauges of this process, as Prometheus reads them. */
export interface Metrics {
  readonly registry: Registry;
  readonly requestSeconds: Histogram<'method' | 'route' | 'status'>;
  /** What became of jobs: completed, rescheduled, returned, failed, parked. */
  readonly jobs: Counter<'queue' | 'outcome'>;
  readonly jobsHeld: Gauge<'queue'>;
  /** Connections closed at once because too many were open. */
  readonly connectionsRefused: Counter;
  /** What was refused for load: late, tenant_bytes, all_bytes, tenant_tasks. */
  readonly loadRefusals: Counter<'reason'>;
  readonly threadsBusy: Gauge;
  /** Tasks that wait for a thread. */
  readonly threadTasksWaiting: Gauge;
  /** From a task until it has a thread. */
  readonly threadTaskWaitSeconds: Histogram;
  /** Webhooks that keep failing while their endpoint answers others. */
  readonly webhooksSetAside: Counter;
  /** Parked jobs of all nodes. */
  readonly jobsParked: Gauge<'queue'>;
  /** One attempt to deliver a webhook: delivered, retry, failed. */
  readonly webhookAttemptSeconds: Histogram<'outcome'>;
  /** From an event until its endpoint has taken it. */
  readonly webhookDeliverySeconds: Histogram;
  /** One request to an authority; see `RequestTimes`. */
  readonly authorityRequestSeconds: Histogram<RequestLabel>;
  /** One request to a provider of messages or calls. */
  readonly providerRequestSeconds: Histogram<RequestLabel>;
  /** States that invoices have come into. */
  readonly invoices: Counter<'environment' | 'state'>;
  /** Rows whose life time is over, deleted by this process. */
  readonly rowsPruned: Counter<'kind'>;
  /** What providers answered to messages; `origin` is `broadcast` or `single`. */
  readonly messages: Counter<'environment' | 'channel' | 'origin' | 'outcome'>;
}

/** Labels of a request to others; `to` is an authority or a provider by its id. */
export type RequestLabel = 'environment' | 'to' | 'outcome';

const secondsBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** A webhook is tried again for about a day. */
const deliveryBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600, 86_400];

/** Makes the metrics; `processMetrics` adds memory, CPU and event loop. */
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
    connectionsRefused: new Counter({
      name: 'drawbridge_connections_refused_total',
      help: 'Connections closed at once because CONNECTIONS_MAX were open',
      registers,
    }),
    loadRefusals: new Counter({
      name: 'drawbridge_load_refusals_total',
      help: 'Requests and checks refused for load: late, tenant_bytes, all_bytes, tenant_tasks',
      labelNames: ['reason'],
      registers,
    }),
    threadsBusy: new Gauge({
      name: 'drawbridge_threads_busy',
      help: 'Threads that check a large document now',
      registers,
    }),
    threadTasksWaiting: new Gauge({
      name: 'drawbridge_thread_tasks_waiting',
      help: 'Large documents that wait for a thread',
      registers,
    }),
    threadTaskWaitSeconds: new Histogram({
      name: 'drawbridge_thread_task_wait_seconds',
      help: 'Time that a large document waited for a thread',
      buckets: secondsBuckets,
      registers,
    }),
    webhooksSetAside: new Counter({
      name: 'drawbridge_webhooks_set_aside_total',
      help: 'Webhooks set aside because they kept failing while their endpoint answered others',
      registers,
    }),
    jobsParked: new Gauge({
      name: 'drawbridge_jobs_parked',
      help: 'Jobs of all nodes that were lost or failed too often and are not tried again',
      labelNames: ['queue'],
      registers,
    }),
    webhookAttemptSeconds: new Histogram({
      name: 'drawbridge_webhook_attempt_seconds',
      help: 'Time of one attempt to deliver a webhook, by outcome: delivered, retry, failed',
      labelNames: ['outcome'],
      buckets: secondsBuckets,
      registers,
    }),
    webhookDeliverySeconds: new Histogram({
      name: 'drawbridge_webhook_delivery_seconds',
      help: 'Time from an event until its endpoint has taken it, with all attempts',
      buckets: deliveryBuckets,
      registers,
    }),
    authorityRequestSeconds: requestSeconds('authority', registers),
    providerRequestSeconds: requestSeconds('provider', registers),
    invoices: new Counter({
      name: 'drawbridge_invoices_total',
      help: 'Invoices that have come into a state',
      labelNames: ['environment', 'state'],
      registers,
    }),
    rowsPruned: new Counter({
      name: 'drawbridge_rows_pruned_total',
      help: 'Rows that were deleted because their life time was over',
      labelNames: ['kind'],
      registers,
    }),
    messages: new Counter({
      name: 'drawbridge_messages_total',
      help: 'Messages by what the provider made of them; of a broadcast, or single',
      labelNames: ['environment', 'channel', 'origin', 'outcome'],
      registers,
    }),
  };
}

function requestSeconds(
  whom: 'authority' | 'provider',
  registers: Registry[],
): Histogram<RequestLabel> {
  return new Histogram({
    name: `drawbridge_${whom}_request_seconds`,
    help: `Requests to each ${whom}, by outcome: class of the HTTP status, unsent, maybe_sent`,
    labelNames: ['environment', 'to', 'outcome'],
    buckets: secondsBuckets,
    registers,
  });
}
