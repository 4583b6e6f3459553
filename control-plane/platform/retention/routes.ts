import type { z } from 'zod';
import { scopeOf } from '../auth/tenant-scope.ts';
import type { Db } from '../db/database.ts';
import { type AnyRoute, route } from '../http/route.ts';
import type { Clock } from '../ids.ts';
import type { lifeDays } from './life-days.ts';
import { type LifeTimes, readLifeTimes, setLifeTime } from './store.ts';

/** What the routes work with. */
export interface RetentionRoutesContext {
  readonly db: Db;
  readonly clock: Clock;
}

/** Where a service's life times are read and set, and what they are of. */
export interface RetentionApi {
  readonly path: string;
  /** What is kept, in words: "settled invoices". */
  readonly things: string;
  /** What setting them does. */
  readonly description: string;
  /** The members of the body, each with the kind that it is of. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly schema: z.ZodObject<Record<string, typeof lifeDays>>;
}

type Days = Readonly<Record<string, number | null>>;

/** How long what a tenant has is kept. */
export function retentionRoutes(api: RetentionApi, context: RetentionRoutesContext): AnyRoute[] {
  return [getRoute(api, context), putRoute(api, context)];
}

const tag = 'Retention';

function getRoute({ path, things, schema, kinds }: RetentionApi, { db }: RetentionRoutesContext) {
  return route({
    method: 'get',
    path,
    operationId: 'getRetention',
    summary: `Read how long ${things} are kept`,
    tag,
    auth: { scope: 'retention:read' },
    limit: 'read',
    responses: { 200: { description: 'What holds in this environment.', schema } },
    handler: async ({ principal }) => {
      const scope = scopeOf(principal);
      const lifeTimes = await db.tenant(scope.tenantId, (tx) => readLifeTimes(tx, scope));
      return { status: 200, body: show(kinds, lifeTimes) };
    },
  });
}

function putRoute(
  { path, things, description, schema, kinds }: RetentionApi,
  { db, clock }: RetentionRoutesContext,
) {
  return route({
    method: 'put',
    path,
    operationId: 'setRetention',
    summary: `Set how long ${things} are kept`,
    description,
    tag,
    auth: { scope: 'retention:write' },
    limit: 'write',
    request: { body: schema },
    responses: { 200: { description: 'What holds now.', schema } },
    handler: async ({ body, principal, audit }) => {
      const scope = scopeOf(principal);
      const now = clock();
      await db.tenant(scope.tenantId, async (tx) => {
        const before = show(kinds, await readLifeTimes(tx, scope));
        for (const [member, kind] of Object.entries(kinds)) {
          await setLifeTime(tx, scope, { kind, days: body[member] ?? null, now });
        }
        await audit.record(tx, scope.tenantId, { subject: 'retention', before, after: body });
      });
      return { status: 200, body };
    },
  });
}

function show(kinds: RetentionApi['kinds'], lifeTimes: LifeTimes): Days {
  return Object.fromEntries(
    Object.entries(kinds).map(([member, kind]) => [member, lifeTimes[kind] ?? null]),
  );
}
