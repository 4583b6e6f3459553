import { Readable } from 'node:stream';
import type { z } from 'zod';
import {
  type AuditEventRow,
  type AuditFilter,
  listAuditEvents,
} from '../../platform/audit/store.ts';
import { plainAddress } from '../../platform/auth/address-ranges.ts';
import type { Db } from '../../platform/db/database.ts';
import { firstRows, type KeysetRange } from '../../platform/db/keyset.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { invalid } from '../../platform/http/errors.ts';
import { pageSchema, requestedPage } from '../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { csvHead, csvLine } from './csv.ts';
import { auditEvent, auditQuery, exportQuery } from './schema.ts';

/** How the log of one service is asked for. */
export interface AuditLogApi {
  readonly service: 'einvoice' | 'messaging';
  readonly path: string;
  readonly exportPath: string;
}

const tag = 'Audit log';
/** Events that are read at once for an export, and in one export at most. */
const exportBatch = 1_000;
const exportEventsMax = 1_000_000;

/** The audit log of a workspace, as one service shows it: its own events, and those of both. */
export function auditLogRoutes(api: AuditLogApi, context: { readonly db: Db }): AnyRoute[] {
  // The export first: its path must not be taken for an id.
  return [exportRoute(api, context), listRoute(api, context)];
}

function listRoute({ service, path }: AuditLogApi, { db }: { readonly db: Db }) {
  return route({
    method: 'get',
    path,
    operationId: 'listAuditEvents',
    summary: 'Who did what to which thing, from where; the newest first',
    description:
      'Changes of settings, mappings, keys, members and roles with what was there before and after; ' +
      'approvals, sign-ins and what was refused. Nobody can change an event, nor remove one.',
    tag,
    auth: { scope: 'audit:read' },
    limit: 'read',
    request: { query: auditQuery },
    responses: {
      200: { description: 'A page.', schema: pageSchema(auditEvent, 'AuditEventPage') },
    },
    handler: async ({ query, principal: { tenantId } }) => {
      const filter = filterOf(service, query);
      const page = requestedPage(query, 'aud');
      const rows = await db.tenant(tenantId, (tx) => listAuditEvents(tx, tenantId, filter, page));
      return { status: 200, body: pageOf(page, rows, (row) => row.id, show) };
    },
  });
}

function exportRoute({ service, exportPath: path }: AuditLogApi, { db }: { readonly db: Db }) {
  return route({
    method: 'get',
    path,
    operationId: 'exportAuditEvents',
    summary: 'The audit log as a file: CSV, or a line of JSON an event',
    description: `The newest first, at most ${exportEventsMax} events: narrow it by time for more.`,
    tag,
    auth: { scope: 'audit:read' },
    limit: 'read',
    request: { query: exportQuery },
    responses: {
      200: { description: 'The events.', mediaType: ['application/x-ndjson', 'text/csv'] },
    },
    handler: async ({ query: { format, ...asked }, principal: { tenantId } }) => {
      const filter = filterOf(service, asked);
      const read = (range: KeysetRange) =>
        db.tenant(tenantId, (tx) => listAuditEvents(tx, tenantId, filter, range));
      const lineOf = format === 'csv' ? csvLine : jsonLine;
      const head = format === 'csv' ? csvHead : '';
      const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
      const headers = {
        'content-type': `${type}; charset=utf-8`,
        'content-disposition': `attachment; filename="audit-log.${format}"`,
      };
      const lines = linesOf(read, head, lineOf);
      return { status: 200, headers, body: Readable.from(lines, { objectMode: false }) };
    },
  });
}

type Shown = ReturnType<typeof show>;

/** The lines of a file, batch by batch: it holds no connection while the caller reads. */
async function* linesOf(
  read: (range: KeysetRange) => Promise<AuditEventRow[]>,
  head: string,
  lineOf: (event: Shown) => string,
): AsyncGenerator<string> {
  if (head !== '') yield head;
  let range = firstRows(exportBatch);
  for (let count = 0; count < exportEventsMax; count += exportBatch) {
    const rows = await read(range);
    if (rows.length > 0) yield rows.map((row) => lineOf(show(row))).join('');
    if (rows.length < exportBatch) return;
    range = { ...range, key: rows.at(-1)!.id };
  }
}

function jsonLine(event: Shown): string {
  return `${JSON.stringify(event)}\n`;
}

type Asked = Omit<z.output<typeof exportQuery>, 'format'>;

function filterOf(service: AuditLogApi['service'], { since, until, ...asked }: Asked): AuditFilter {
  return {
    ...asked,
    service,
    fromId: since === undefined ? undefined : idAt('since', since),
    beforeId: until === undefined ? undefined : idAt('until', until),
  };
}

/** Ids are ordered by time, and an id holds no time before 1970. */
function idAt(field: string, text: string): string {
  const instant = new Date(text);
  if (instant.getTime() >= 0) return firstIdAt('aud', instant);
  throw invalid(field, 'must lie after 1970');
}

function show(row: AuditEventRow) {
  return {
    id: row.id,
    timestamp: row.happened_at.toISOString(),
    actor: { kind: row.actor_kind, id: row.actor_id },
    service: row.service,
    environment: row.environment,
    ip: row.ip === null ? null : plainAddress(row.ip),
    request_id: row.request_id,
    action: row.action,
    subject: row.subject,
    outcome: row.outcome,
    before: row.before,
    after: row.after,
  };
}
