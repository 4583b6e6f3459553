import type { Express, Request } from 'express';
import { isAllowed } from '../auth/authenticator.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** How this process is; each check resolves to true or false, and never throws. */
export interface Health {
  readonly checks: Readonly<Record<string, () => Promise<boolean>>>;
  /** CIDR ranges that may read /metrics. */
  readonly metricsFrom: readonly string[];
}

/**
 * `/healthz`: the process runs. `/readyz`: it can take requests. `/metrics`: Prometheus, for those
 * allowed.
 */
export function healthRoutes(app: Express, health: Health, metrics: Metrics): void {
  app.get('/healthz', (_, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', async (_, response) => {
    const names = Object.keys(health.checks);
    const results = await Promise.all(names.map((name) => health.checks[name]!()));
    const checks = Object.fromEntries(names.map((name, at) => [name, results[at]]));
    response.status(results.every(Boolean) ? 200 : 503).json({ checks });
  });
  app.get('/metrics', async (request, response, next) => {
    if (!mayRead(request, health.metricsFrom)) return next();
    response.set('content-type', metrics.registry.contentType);
    response.end(await metrics.registry.metrics());
  });
}

function mayRead(request: Request, ranges: readonly string[]): boolean {
  return ranges.length > 0 && isAllowed(request.ip ?? '', ranges);
}
