/** The messages of broadcasts with their statuses. */
import { statuses } from '@drawbridge/messaging/status.ts';
import { z } from 'zod';
import { scopeOf } from '../../../platform/auth/tenant-scope.ts';
import { pageOf } from '../../../platform/http/cursor.ts';
import { pageSchema, requestedPage } from '../../../platform/http/paging.ts';
import { route } from '../../../platform/http/route.ts';
import { invalid } from '../../errors.ts';
import { showMessage } from '../../messages/routes.ts';
import { messageView } from '../../messages/schema.ts';
import type { BroadcastContext } from '../context.ts';
import { type ClickRow, listClicks, listUrls } from '../links/store.ts';
import { clickView, messageQuery, trackingQuery, urlView } from '../schema.ts';
import { listMessages, messageKeyOf, messageKeyPattern } from '../sending/message-store.ts';

const tag = 'Broadcast';

export function messagesRoute({ db }: BroadcastContext) {
  return route({
    method: 'get',
    path: '/broadcast/messages/',
    operationId: 'listBroadcastMessages',
    summary: 'List the messages of broadcasts',
    description: 'Those of the newest broadcast first.',
    tag,
    auth: { scope: 'broadcasts:read' },
    limit: 'read',
    request: { query: messageQuery },
    responses: {
      200: { description: 'A page.', schema: pageSchema(messageView, 'BroadcastMessagePage') },
    },
    handler: async ({ query: { broadcast = null, status, ...asked }, principal }) => {
      const scope = scopeOf(principal);
      if (status !== undefined && broadcast === null) {
        throw invalid('status', 'needs a `broadcast`');
      }
      const filter = {
        broadcastId: broadcast,
        statuses: status === undefined ? statuses : [status],
      };
      const page = requestedPage(asked, messageKeyPattern);
      const rows = await db.tenant(scope.tenantId, (tx) => listMessages(tx, scope, filter, page));
      return { status: 200, body: pageOf(page, rows, messageKeyOf, showMessage) };
    },
  });
}

export function trackingRoute({ db }: BroadcastContext) {
  const schema = z.union([
    pageSchema(clickView, 'LinkClickPage'),
    pageSchema(urlView, 'TrackedUrlPage'),
  ]);
  return route({
    method: 'get',
    path: '/broadcast/url-tracking/',
    operationId: 'listLinkClicks',
    summary: 'List clicks on short links, or web addresses with their clicks',
    description: 'Newest first. Link scanners are counted apart from people.',
    tag,
    auth: { scope: 'broadcasts:read' },
    limit: 'read',
    request: { query: trackingQuery },
    responses: { 200: { description: 'A page.', schema } },
    handler: async ({ query: { broadcast = null, by, ...asked }, principal }) => {
      const scope = scopeOf(principal);
      const page = requestedPage(asked, by === 'url' ? 'url' : 'clk');
      const body = await db.tenant(scope.tenantId, async (tx) => {
        if (by === 'url') {
          const rows = await listUrls(tx, scope, broadcast, page);
          return pageOf(
            page,
            rows,
            ({ id }) => id,
            (row) => row,
          );
        }
        const rows = await listClicks(tx, scope, broadcast, page);
        return pageOf(page, rows, ({ id }) => id, showClick);
      });
      return { status: 200, body };
    },
  });
}

function showClick({ clicked_at, ...row }: ClickRow) {
  return { ...row, clicked_at: clicked_at.toISOString() };
}
