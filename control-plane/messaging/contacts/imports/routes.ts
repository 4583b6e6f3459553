import { z } from 'zod';
import { scopeOf } from '../../../platform/auth/tenant-scope.ts';
import { quotedCsvCell } from '../../../platform/http/csv.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { readIdempotencyKey } from '../../../platform/idempotency/key.ts';
import { idempotencyHeaders, madeHeaders } from '../../../platform/idempotency/once.ts';
import { fail } from '../../errors.ts';
import { tag } from '../context.ts';
import { segmentName } from '../schema.ts';
import { fileBytesMax } from './csv-file.ts';
import type { ImportContext } from './importer.ts';
import { findImport, type ImportRow, listErrors } from './store.ts';
import { rowsMax, uploadImport } from './upload.ts';

const path = '/contacts/bulk-import/';
const errorsShownMax = 100_000;

const importView = z
  .strictObject({
    id: z.string(),
    state: z.enum(['uploading', 'running', 'done']),
    rows: z.number().int(),
    created: z.number().int(),
    updated: z.number().int(),
    failed: z.number().int(),
    errors_url: z.string(),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ContactImport' });

const query = z.strictObject({
  default_country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be two capital letters')
    .optional()
    .describe('For numbers that are written without one.'),
  segment: segmentName.optional().describe('All contacts of the file enter it.'),
});
const params = z.strictObject({ id: z.string().max(100) });

export function importRoutes(context: ImportContext): AnyRoute[] {
  return [uploadRoute(context), statusRoute(context), errorsRoute(context)];
}

function uploadRoute(context: ImportContext) {
  return route({
    method: 'post',
    path,
    operationId: 'importContacts',
    summary: 'Make or change many contacts by a CSV file',
    description:
      `A form with the part \`file\`, or a body of text/csv; at most ${fileBytesMax} bytes and ` +
      `${rowsMax} lines. The first line names the columns: \`phone\` is the key, \`name\` and ` +
      '`segments` (separated by |) are themselves, every other column is an attribute. Empty ' +
      'fields change nothing. Lines that cannot be used are left out and listed. Segments that ' +
      'are queries are not entered: they find their contacts by themselves.',
    tag,
    auth: { scope: 'contacts:write' },
    limit: 'write',
    request: { query, headers: idempotencyHeaders },
    upload: ['multipart/form-data', 'text/csv'],
    responses: {
      202: { description: 'The file is here and being worked on.', schema: importView },
    },
    errors: ['idempotency_payload_mismatch'],
    handler: async ({ principal, query, headers, raw: request, signal }) => {
      const { default_country: defaultCountry, segment } = query;
      const key = readIdempotencyKey(headers['idempotency-key']);
      const once = key === undefined ? undefined : { route: `POST ${path}`, key };
      const given = { options: { defaultCountry, segment }, once, request, signal };
      const made = await uploadImport(context, scopeOf(principal), given);
      const { row } = made;
      return { status: 202, body: show(row), headers: madeHeaders(`${path}${row.id}/`, made) };
    },
  });
}

function statusRoute({ db }: ImportContext) {
  return route({
    method: 'get',
    path: `${path}{id}/`,
    operationId: 'getContactImport',
    summary: 'See how far an import is',
    tag,
    auth: { scope: 'contacts:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The import.', schema: importView } },
    errors: ['import_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const row = await db.tenant(scope.tenantId, (tx) => findImport(tx, scope, id));
      if (row === undefined) throw notFound(id);
      return { status: 200, body: show(row) };
    },
  });
}

function errorsRoute({ db }: ImportContext) {
  return route({
    method: 'get',
    path: `${path}{id}/errors/`,
    operationId: 'downloadImportErrors',
    summary: 'Download which lines could not be used, and why',
    tag,
    auth: { scope: 'contacts:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'line, field and problem.', mediaType: 'text/csv' } },
    errors: ['import_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const errors = await db.tenant(scope.tenantId, async (tx) => {
        if (!(await findImport(tx, scope, id))) throw notFound(id);
        return listErrors(tx, scope.tenantId, id, errorsShownMax);
      });
      const lines = errors.map(({ line, field, problem }) => {
        return `${line},${quotedCsvCell(field)},${quotedCsvCell(problem)}\r\n`;
      });
      const headers = { 'content-type': 'text/csv; charset=utf-8' };
      return { status: 200, body: `line,field,problem\r\n${lines.join('')}`, headers };
    },
  });
}

function notFound(id: string) {
  return fail('import_not_found', `There is no import "${id}".`);
}

function show({ created_at, finished_at, ...row }: ImportRow) {
  return {
    ...row,
    errors_url: `${path}${row.id}/errors/`,
    created_at: created_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  };
}
