/** `/metrics`, `/healthz` and `/readyz` on the loopback address, when a setting asks for them. */
import { createServer, type ServerResponse } from 'node:http';
import type { Health } from '../health.ts';
import type { Report } from '../log/events.ts';
import type { Store } from '../store/store.ts';
import { version } from '../version.ts';

export interface ProbesContext {
  readonly port: number;
  readonly health: Pick<Health, 'isHealthy' | 'stalled' | 'report'>;
  readonly store: Pick<Store, 'depths' | 'setAsideCounts'>;
  readonly clock: () => Date;
  readonly report: Report;
}

/** Whoever is on this host may ask; nobody else can. */
const host = '127.0.0.1';
const requestMs = 10_000;

/** Serves until it is closed; a port that is taken is reported, and the agent works without. */
export function openProbes(context: ProbesContext): { close(): void } {
  const server = createServer({ requestTimeout: requestMs }, (request, response) => {
    const [path] = (request.url ?? '').split('?');
    const answer = request.method === 'GET' ? answers[path!] : undefined;
    if (answer === undefined) return end(response, 404, 'text/plain', 'not found\n');
    try {
      answer(context, response);
    } catch (error) {
      end(response, 503, 'text/plain', `${(error as Error).message}\n`);
    }
  });
  server.on('error', (error) => context.report('probes_failed', error.message));
  server.on('listening', () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    context.report('probes', `http://${host}:${port}`);
  });
  server.listen(context.port, host);
  return {
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const answers: Readonly<
  Record<string, (context: ProbesContext, response: ServerResponse) => void>
> = {
  '/healthz'({ health }, response) {
    const stalled = health.stalled();
    endJson(response, stalled.length === 0, { stalled });
  },
  '/readyz'({ health }, response) {
    const { link, disk } = health.report();
    endJson(response, link.state === 'connected' && disk.state === 'room', {
      link: link.state,
      disk: disk.state,
    });
  },
  '/metrics'(context, response) {
    end(response, 200, 'text/plain; version=0.0.4; charset=utf-8', metricsOf(context));
  },
};

function metricsOf({ health, store, clock }: ProbesContext): string {
  const { link, disk } = health.report();
  const { pendingCommands, unsentEvents, oldestPendingAt } = store.depths();
  const age =
    oldestPendingAt === null ? 0 : (clock().getTime() - Date.parse(oldestPendingAt)) / 1_000;
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const gauges: readonly (readonly [name: string, help: string, value: number])[] = [
    [
      'linked',
      'Whether the agent is linked to its control plane.',
      Number(link.state === 'connected'),
    ],
    [
      'disk_full',
      'Whether sources are not read for want of disk space.',
      Number(disk.state === 'full'),
    ],
    ['write_backs_pending', 'Write-backs that wait to be done.', pendingCommands],
    ['write_back_age_seconds', 'Age of the oldest write-back that waits.', age],
    [
      'documents_set_aside',
      'Documents that could not be read while others of their source could; they are tried again.',
      store
        .setAsideCounts()
        .values()
        .reduce((sum, count) => sum + count, 0),
    ],
    ['events_unsent', 'Events that the control plane has not acknowledged.', unsentEvents],
    ['parts_stalled', 'Parts of the agent that do not move on.', health.stalled().length],
  ];
  const own = gauges.map(([name, help, value]) =>
    metric(`drawbridge_agent_${name}`, 'gauge', help, value),
  );
  return [
    ...own,
    metric('drawbridge_agent_info', 'gauge', 'The version that runs.', 1, `{version="${version}"}`),
    metric('process_resident_memory_bytes', 'gauge', 'Resident memory.', rss),
    metric('nodejs_heap_size_used_bytes', 'gauge', 'Memory of V8 in use.', heapUsed),
    metric('process_cpu_seconds_total', 'counter', 'CPU used.', (user + system) / 1e6),
  ].join('');
}

function metric(name: string, type: string, help: string, value: number, labels = ''): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name}${labels} ${value}\n`;
}

function endJson(response: ServerResponse, isWell: boolean, details: object): void {
  const status = isWell ? 'ok' : 'fail';
  end(
    response,
    isWell ? 200 : 503,
    'application/json',
    `${JSON.stringify({ status, ...details })}\n`,
  );
}

function end(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}
