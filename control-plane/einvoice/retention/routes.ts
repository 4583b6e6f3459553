import { scopeOf } from '../../platform/auth/tenant-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import type { Clock } from '../../platform/ids.ts';
import { type LifeTimes, readLifeTimes, setLifeTime } from '../../platform/retention/store.ts';
import { retention } from './schema.ts';

const tag = 'Retention';
const path = '/v1/retention';

/** What the routes work with. */
export interface RetentionRoutesContext {
  readonly db: Db;
  readonly clock: Clock;
}

/** How long a tenant's settled invoices are kept. */
export function retentionRoutes(context: RetentionRoutesContext): AnyRoute[] {
  return [getRoute(context), putRoute(context)];
}

function getRoute({ db }: RetentionRoutesContext) {
  return route({
    method: 'get',
    path,
    operationId: 'getRetention',
    summary: 'Read how long settled invoices are kept',
    tag,
    auth: { scope: 'retention:read' },
    limit: 'read',
    responses: { 200: { description: 'What holds in this environment.', schema: retention } },
    handler: async ({ principal }) => {
      const scope = scopeOf(principal);
      const lifeTimes = await db.tenant(scope.tenantId, (tx) => readLifeTimes(tx, scope));
      return { status: 200, body: show(lifeTimes) };
    },
  });
}

function putRoute({ db, clock }: RetentionRoutesContext) {
  return route({
    method: 'put',
    path,
    operationId: 'setRetention',
    summary: 'Set how long settled invoices are kept',
    description:
      'It holds for the environment of the address, and for invoices that are there already: the next ' +
      'sweep deletes those whose time is over, with their documents, timeline, webhook deliveries ' +
      'and idempotency keys, and nothing brings them back. An invoice that is on its way, may still be cancelled, ' +
      'or has a webhook that is still to be sent is never deleted. The audit log stays.',
    tag,
    auth: { scope: 'retention:write' },
    limit: 'write',
    request: { body: retention },
    responses: { 200: { description: 'What holds now.', schema: retention } },
    handler: async ({ body, principal, audit }) => {
      const scope = scopeOf(principal);
      await db.tenant(scope.tenantId, async (tx) => {
        const before = show(await readLifeTimes(tx, scope));
        await setLifeTime(tx, scope, { kind: 'invoice', days: body.invoice_days, now: clock() });
        await audit.record(tx, scope.tenantId, { subject: 'retention', before, after: body });
      });
      return { status: 200, body };
    },
  });
}

function show(lifeTimes: LifeTimes) {
  return { invoice_days: lifeTimes.invoice ?? null };
}
