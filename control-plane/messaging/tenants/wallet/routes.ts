import { pageOf } from '../../../platform/http/cursor.ts';
import { pageQuery, pageSchema, requestedPage } from '../../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { fail } from '../../errors.ts';
import { type TenantRoutesContext, tag } from '../context.ts';
import { entryView, walletPatch, walletView } from '../schema.ts';
import { listEntries, openWallet, setLowAt } from './store.ts';

const nothing = {
  currency: null,
  balance: '0',
  reserved: '0',
  available: '0',
  low_at: null,
  is_low: false,
};

export function walletRoutes({ db }: TenantRoutesContext): AnyRoute[] {
  return [
    route({
      method: 'get',
      path: '/tenants/host-wallet/',
      operationId: 'getWallet',
      summary: 'Read the wallet',
      description:
        'Credit that was paid to the host in advance; the host tops it up. That of the sandbox is ' +
        'filled from the start, and costs nothing.',
      tag,
      auth: { scope: 'wallet:read' },
      limit: 'read',
      responses: { 200: { description: 'The wallet of this environment.', schema: walletView } },
      handler: async ({ principal: { tenantId, environment } }) => {
        const row = await db.tenant(tenantId, (tx) => openWallet(tx, tenantId, environment));
        return { status: 200, body: row ?? nothing };
      },
    }),
    route({
      method: 'patch',
      path: '/tenants/host-wallet/',
      operationId: 'updateWallet',
      summary: 'Set the threshold of the low-balance event',
      description:
        'The event `wallet.low` is sent when the balance falls below it, and again after a top-up.',
      tag,
      auth: { scope: 'wallet:write' },
      limit: 'write',
      request: { body: walletPatch },
      responses: { 200: { description: 'The wallet as it is now.', schema: walletView } },
      errors: ['wallet_not_found'],
      handler: async ({ body: { low_at }, principal: { tenantId, environment }, audit }) => {
        const row = await db.tenant(tenantId, async (tx) => {
          const before = await openWallet(tx, tenantId, environment);
          const after = await setLowAt(tx, tenantId, environment, low_at);
          await audit.record(tx, tenantId, {
            subject: 'wallet',
            before: { low_at: before?.low_at },
            after: { low_at: after?.low_at },
          });
          return after;
        });
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
      summary: 'List payments and charges, newest first',
      tag,
      auth: { scope: 'wallet:read' },
      limit: 'read',
      request: { query: pageQuery },
      responses: {
        200: { description: 'A page.', schema: pageSchema(entryView, 'WalletEntryPage') },
      },
      handler: async ({ query, principal: { tenantId, environment } }) => {
        const page = requestedPage(query, 'wle');
        const rows = await db.tenant(tenantId, (tx) =>
          listEntries(tx, tenantId, environment, page),
        );
        const body = pageOf(
          page,
          rows,
          (row) => row.id,
          ({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }),
        );
        return { status: 200, body };
      },
    }),
  ];
}
