import type { Express, Request } from 'express';
import { isAllowed } from '../auth/address-ranges.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { isFromUntrustedProxy } from './untrusted-proxy.ts';

/** The health of this process; each check resolves to true or false and never throws. */
export interface Health {
  readonly checks: Readonly<Record<string, () => Promise<boolean>>>;
  /** Why this process cannot work any more and should be started again; undefined when it can. */
  readonly fault?: () => string | undefined;
  /** CIDR ranges that may read /metrics. */
  readonly metricsFrom: readonly string[];
}

/**
 * `/healthz`: the process runs, and has no fault that only a restart mends. `/readyz`: it can take
 * requests. `/metrics`: Prometheus, for the addresses in `metricsFrom`.
 */
export function healthRoutes(app: Express, health: Health, metrics: Metrics): void {
  app.get('/healthz', (_, response) => {
    const detail = health.fault?.();
    if (detail === undefined) response.json({ status: 'ok' });
    else response.status(503).json({ status: 'failing', detail });
  });
  app.get('/readyz', async (_, response) => {
    const names = Object.keys(health.checks);
    const results = await Promise.all(names.map((name) => health.checks[name]!()));
    const checks = Object.fromEntries(names.map((name, at) => [name, results[at]]));
    response.status(results.every(Boolean) ? 200 : 503).json({ checks });
  });
  app.get('/metrics', async (request, response, next) => {
    if (!mayRead(request, health)) return next();
    response.set('content-type', metrics.registry.contentType);
    response.end(await metrics.registry.metrics());
  });
}

function mayRead(request: Request, { metricsFrom }: Health): boolean {
  if (isFromUntrustedProxy(request)) return false;
  return metricsFrom.length > 0 && isAllowed(request.ip ?? '', metricsFrom);
}
