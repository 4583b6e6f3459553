/** The people of a broadcast as a file, each with what became of the message. */
import { Readable } from 'node:stream';
import { statuses } from '@drawbridge/messaging/status.ts';
import { z } from 'zod';
import { scopeOf } from '../../../platform/auth/tenant-scope.ts';
import { csvCell } from '../../../platform/http/csv.ts';
import { route } from '../../../platform/http/route.ts';
import { costOf } from '../../messages/message-row.ts';
import type { BroadcastContext } from '../context.ts';
import { broadcastNotFound } from '../not-found.ts';
import { broadcastId, recipientQuery } from '../schema.ts';
import { findBroadcast } from '../store.ts';
import { listRecipients, type RecipientRow } from './recipient-store.ts';

const pageSize = 1_000;

const columns = [
  'message_id',
  'contact_id',
  'name',
  'address',
  'status',
  'error_code',
  'error_detail',
  'sent_at',
  'delivered_at',
  'read_at',
  'clicked_at',
  'replied_at',
  'price',
] as const satisfies readonly (keyof RecipientRow)[];

export function recipientsRoute({ db }: BroadcastContext) {
  return route({
    method: 'get',
    path: '/broadcast/{id}/recipients/',
    operationId: 'exportBroadcastRecipients',
    summary: 'The recipients of a broadcast as a CSV file',
    description:
      `With the columns ${columns.join(', ')}. Contacts without a message are not in it: ` +
      '`skipped` of the broadcast counts them.',
    tag: 'Broadcast',
    auth: { scope: 'broadcasts:read' },
    limit: 'read',
    request: { params: z.strictObject({ id: broadcastId }), query: recipientQuery },
    responses: { 200: { description: 'The file.', mediaType: 'text/csv' } },
    errors: ['broadcast_not_found'],
    handler: async ({ params: { id }, query: { status }, principal }) => {
      const scope = scopeOf(principal);
      const row = await db.tenant(scope.tenantId, (tx) => findBroadcast(tx, scope, id));
      if (row === undefined) throw broadcastNotFound(id);
      const wanted = status === undefined ? statuses : [status];
      const page = (after: string) =>
        db.tenant(scope.tenantId, (tx) =>
          listRecipients(tx, scope, id, { statuses: wanted, after, limit: pageSize }),
        );
      const headers = {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${id}.csv"`,
      };
      return { status: 200, headers, body: Readable.from(linesOf(page), { objectMode: false }) };
    },
  });
}

/** Page by page: it holds no connection while the caller reads. */
async function* linesOf(page: (after: string) => Promise<RecipientRow[]>): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`;
  for (let after = ''; ; ) {
    const rows = await page(after);
    if (rows.length > 0) yield rows.map(lineOf).join('');
    if (rows.length < pageSize) return;
    after = rows.at(-1)!.message_id;
  }
}

function lineOf(row: RecipientRow): string {
  const shown = { ...row, price: costOf(row) };
  return `${columns.map((column) => cellOf(shown[column])).join(',')}\r\n`;
}

function cellOf(value: string | Date | null): string {
  if (value === null) return '';
  return value instanceof Date ? value.toISOString() : phoneOrText(value);
}

/** A phone number is no formula, and a file that is imported again needs it as it is. */
function phoneOrText(text: string): string {
  return /^\+\d+$/.test(text) ? text : csvCell(text);
}
