import type { Environment } from '../../../platform/auth/principal.ts';
import { firstRows } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { type AppRow, listApps } from '../../apps/store.ts';
import { type TenantRoutesContext, tag } from '../context.ts';
import { wabaRequest, wabaView } from '../schema.ts';
import { findWaba, saveWaba, type WabaRow } from '../store.ts';

const path = '/tenants/waba-info/';

export function wabaRoutes({ db, clock }: TenantRoutesContext): AnyRoute[] {
  return [
    route({
      method: 'get',
      path,
      operationId: 'getWabaInfo',
      summary: 'Read the chat-app business account',
      tag,
      auth: { scope: 'waba:read' },
      limit: 'read',
      responses: { 200: { description: 'The account, if there is one.', schema: wabaView } },
      handler: async ({ principal: { tenantId, environment } }) => {
        const body = await db.tenant(tenantId, async (tx) =>
          show(await findWaba(tx, tenantId, environment), await apps(tx, tenantId, environment)),
        );
        return { status: 200, body };
      },
    }),
    route({
      method: 'put',
      path,
      operationId: 'saveWabaInfo',
      summary: 'Set the chat-app business account of this tenant',
      description: 'It replaces the earlier one. It holds no credentials.',
      tag,
      auth: { scope: 'waba:write' },
      limit: 'write',
      request: { body: wabaRequest },
      responses: { 200: { description: 'The account as it is now.', schema: wabaView } },
      handler: async ({ body, principal: { tenantId, environment }, audit }) => {
        const row = { ...body, updated_at: clock() };
        const own = await db.tenant(tenantId, async (tx) => {
          const before = await findWaba(tx, tenantId, environment);
          await saveWaba(tx, tenantId, environment, row);
          await audit.record(tx, tenantId, { subject: 'waba', before, after: row });
          return apps(tx, tenantId, environment);
        });
        return { status: 200, body: show(row, own) };
      },
    }),
  ];
}

/** More numbers than one account can have. */
const appsMax = 200;

function apps(tx: Tx, tenantId: string, environment: Environment): Promise<AppRow[]> {
  return listApps(tx, { tenantId, environment }, 'wa', firstRows(appsMax));
}

function show(row: WabaRow | undefined, own: readonly AppRow[]) {
  return {
    connected: row !== undefined,
    account_id: row?.account_id ?? null,
    name: row?.name ?? null,
    currency: row?.currency ?? null,
    time_zone: row?.time_zone ?? null,
    phone_numbers: row?.phone_numbers ?? [],
    apps: own.map(({ id, name, state, stopped_reason, health }) => ({
      app_id: id,
      name,
      state,
      stopped_reason,
      quality: health.quality ?? null,
      tier: health.tier ?? null,
    })),
    updated_at: row?.updated_at.toISOString() ?? null,
  };
}
