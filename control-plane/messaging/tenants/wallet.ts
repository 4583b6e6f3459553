import { pageOf } from '../../platform/http/cursor.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { fail } from '../errors.ts';
import { afterCursor, pageQuery, pageSchema } from '../paging.ts';
import { type TenantRoutesContext, tag } from './context.ts';
import { entryView, walletPatch, walletView } from './schema.ts';
import { findWallet, listEntries, setLowAt } from './wallet-store.ts';

const nothing = {
  ...{ currency: null, balance: '0', reserved: '0', available: '0' },
  ...{ low_at: null, is_low: false },
};

export function walletRoutes({ db }: TenantRoutesContext): AnyRoute[] {
  return [
    route({
      method: 'get',
      path: '/tenants/host-wallet/',
      operationId: 'getWallet',
      summary: 'Read the wallet',
      description: 'What was paid to the host in advance; the host tops it up.',
      tag,
      auth: { scope: 'wallet:read' },
      limit: 'read',
      responses: { 200: { description: 'The wallet of this environment.', schema: walletView } },
      handler: async ({ principal: { tenantId, environment } }) => {
        const row = await db.tenant(tenantId, (tx) => findWallet(tx, tenantId, environment));
        return { status: 200, body: row ?? nothing };
      },
    }),
    route({
      method: 'patch',
      path: '/tenants/host-wallet/',
      operationId: 'updateWallet',
      summary: 'Say when the wallet is low',
      description: 'The event `wallet.low` is told once it falls below, and anew after a top-up.',
      tag,
      auth: { scope: 'wallet:write' },
      limit: 'write',
      request: { body: walletPatch },
      responses: { 200: { description: 'The wallet as it is now.', schema: walletView } },
      errors: ['wallet_not_found'],
      handler: async ({ body: { low_at }, principal: { tenantId, environment } }) => {
        const row = await db.tenant(tenantId, (tx) => setLowAt(tx, tenantId, environment, low_at));
        if (row === undefined) {
          throw fail('wallet_not_found', 'There is no wallet before the first top-up.');
        }
        return { status: 200, body: row };
      },
    }),
    route({
      method: 'get',
      path: '/tenants/host-wallet/entries/',
      operationId: 'listWalletEntries',
      summary: 'List what was paid in and spent, newest first',
      tag,
      auth: { scope: 'wallet:read' },
      limit: 'read',
      request: { query: pageQuery },
      responses: {
        200: { description: 'A page.', schema: pageSchema(entryView, 'WalletEntryPage') },
      },
      handler: async ({ query: { cursor, limit }, principal: { tenantId, environment } }) => {
        const before = afterCursor(cursor, 'wle');
        const rows = await db.tenant(tenantId, (tx) =>
          listEntries(tx, tenantId, environment, before, limit + 1),
        );
        const body = pageOf(
          rows,
          limit,
          (row) => row.id,
          ({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }),
        );
        return { status: 200, body };
      },
    }),
  ];
}
