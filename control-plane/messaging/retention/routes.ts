import { scopeOf } from '../../platform/auth/tenant-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import type { Clock } from '../../platform/ids.ts';
import { type LifeTimes, readLifeTimes, setLifeTime } from '../../platform/retention/store.ts';
import { retention } from './schema.ts';

const tag = 'Retention';
const path = '/retention/';

/** What the routes work with. */
export interface RetentionRoutesContext {
  readonly db: Db;
  readonly clock: Clock;
}

/** How long a tenant's messages and contacts are kept. */
export function retentionRoutes(context: RetentionRoutesContext): AnyRoute[] {
  return [getRoute(context), putRoute(context)];
}

function getRoute({ db }: RetentionRoutesContext) {
  return route({
    method: 'get',
    path,
    operationId: 'getRetention',
    summary: 'Read how long messages and contacts are kept',
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
    summary: 'Set how long messages and contacts are kept',
    description:
      'It holds for the environment of the address, and for what is there already: the next sweep ' +
      'deletes what has outlived its time, and nothing brings it back. With a message go its files and who ' +
      'clicked or replied; with a contact its conversation, notes and place in segments. The last message of ' +
      'a conversation stays with it. Never deleted: what is of a conversation that is not closed or of ' +
      'a broadcast that is not over, opt-outs, consents, counts, and entries of the wallet.',
    tag,
    auth: { scope: 'retention:write' },
    limit: 'write',
    request: { body: retention },
    responses: { 200: { description: 'What holds now.', schema: retention } },
    handler: async ({ body, principal, audit }) => {
      const scope = scopeOf(principal);
      await db.tenant(scope.tenantId, async (tx) => {
        const before = show(await readLifeTimes(tx, scope));
        const now = clock();
        await setLifeTime(tx, scope, { kind: 'message', days: body.message_days, now });
        await setLifeTime(tx, scope, { kind: 'contact', days: body.contact_days, now });
        await audit.record(tx, scope.tenantId, { subject: 'retention', before, after: body });
      });
      return { status: 200, body };
    },
  });
}

function show({ message, contact }: LifeTimes) {
  return { message_days: message ?? null, contact_days: contact ?? null };
}
