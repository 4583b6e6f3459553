import { scopeOf } from '../../../platform/auth/tenant-scope.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { readIdempotencyKey } from '../../../platform/idempotency/key.ts';
import { idempotencyHeaders, madeHeaders } from '../../../platform/idempotency/once.ts';
import { tag } from '../context.ts';
import { importNotFound, params, path, showImport } from './import-view.ts';
import type { ImportContext } from './importer.ts';
import { previewRoutes } from './preview-routes.ts';
import { errorFile, problemFile } from './problem-file.ts';
import { importView, uploadQuery } from './schema.ts';
import { findImport } from './store.ts';
import { rowsMax } from './store-rows.ts';
import { uploadImport } from './upload.ts';
import { fileBytesMax } from './uploaded-file.ts';

export function importRoutes(context: ImportContext): AnyRoute[] {
  return [
    uploadRoute(context),
    ...previewRoutes(context),
    statusRoute(context),
    errorsRoute(context),
    problemsRoute(context),
  ];
}

function uploadRoute(context: ImportContext) {
  return route({
    method: 'post',
    path,
    operationId: 'importContacts',
    summary: 'Make or change many contacts by a file',
    description:
      `A form with the part \`file\` (CSV or XLSX), or a body of text/csv; at most ${fileBytesMax} ` +
      `bytes and ${rowsMax} rows. A line at its beginning names the columns: \`phone\` (or mobile, tel …) ` +
      'is the key, `name` and `segments` (separated by |) are themselves, every other column is an ' +
      'attribute. Encoding, separator and header are guessed, and told in `reading`; what is not ' +
      'certain is refused, and can be chosen in a preview. Empty fields change nothing. Rows that ' +
      'cannot be used are left out and listed. Segments that are queries are not entered: they ' +
      'find their contacts by themselves.',
    tag,
    auth: { scope: 'contacts:write' },
    limit: 'write',
    request: { query: uploadQuery, headers: idempotencyHeaders },
    upload: ['multipart/form-data', 'text/csv'],
    responses: {
      202: { description: 'The file is here and being worked on.', schema: importView },
    },
    errors: ['idempotency_payload_mismatch'],
    handler: async ({ principal, query, headers, raw: request, signal }) => {
      const { default_country: defaultCountry, segment, encoding } = query;
      const key = readIdempotencyKey(headers['idempotency-key']);
      const made = await uploadImport(context, scopeOf(principal), {
        options: { defaultCountry, segment },
        choices: { encoding },
        once: key === undefined ? undefined : { route: `POST ${path}`, key },
        request,
        signal,
      });
      const { row } = made;
      return {
        status: 202,
        body: showImport(row),
        headers: madeHeaders(`${path}${row.id}/`, made),
      };
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
      if (row === undefined) throw importNotFound(id);
      return { status: 200, body: showImport(row) };
    },
  });
}

const csvHeaders = { 'content-type': 'text/csv; charset=utf-8' };

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
      const row = await db.tenant(scope.tenantId, (tx) => findImport(tx, scope, id));
      if (row === undefined) throw importNotFound(id);
      return { status: 200, body: errorFile(db, scope, id), headers: csvHeaders };
    },
  });
}

function problemsRoute({ db }: ImportContext) {
  return route({
    method: 'get',
    path: `${path}{id}/problems/`,
    operationId: 'downloadImportProblems',
    summary: 'Download the rows that could not be used, to mend them and import them again',
    description:
      'Each row as the file had it, with what is wrong in the column `problem`, which an import leaves ' +
      'out. What a spreadsheet would run as a formula begins with an apostrophe, which an import ' +
      'takes away again.',
    tag,
    auth: { scope: 'contacts:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The rows.', mediaType: 'text/csv' } },
    errors: ['import_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const row = await db.tenant(scope.tenantId, (tx) => findImport(tx, scope, id));
      if (row === undefined) throw importNotFound(id);
      return { status: 200, body: problemFile(db, scope, id, row.reading), headers: csvHeaders };
    },
  });
}
