import type { z } from 'zod';
import { scopeOf, type TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { readIdempotencyKey } from '../../../platform/idempotency/key.ts';
import { idempotencyHeaders, madeHeaders } from '../../../platform/idempotency/once.ts';
import { tag } from '../context.ts';
import { importNotFound, params, path, showImport } from './import-view.ts';
import type { ImportContext } from './importer.ts';
import { lookAgain, startPreview, uploadPreview } from './preview.ts';
import { type Choices, deletePreview, findPreview, type PreviewRow } from './preview-store.ts';
import { importView, previewPatch, previewView, uploadQuery } from './schema.ts';
import { previewMs } from './upload.ts';
import { fileBytesMax } from './uploaded-file.ts';

/** The endpoints of a file that is looked at before it is imported. */
export function previewRoutes(context: ImportContext): AnyRoute[] {
  return [
    uploadRoute(context),
    getRoute(context),
    patchRoute(context),
    startRoute(context),
    deleteRoute(context),
  ];
}

function uploadRoute(context: ImportContext) {
  return route({
    method: 'post',
    path: `${path}preview/`,
    operationId: 'previewContactImport',
    summary: 'Look at a file of contacts before it is imported',
    description:
      `A form with the part \`file\` (CSV or XLSX), or a body of text/csv; at most ${fileBytesMax} bytes. ` +
      'The answer shows how the file is read (encoding, separator, header, what each column becomes), its ' +
      'first rows, and how many rows cannot be used and why. Nothing is imported before ' +
      '`POST …/start/`. A preview is kept for a day.',
    tag,
    auth: { scope: 'contacts:write' },
    unaudited: 'contacts are data, written by the thousand',
    limit: 'write',
    request: { query: uploadQuery, headers: idempotencyHeaders },
    upload: ['multipart/form-data', 'text/csv'],
    responses: { 201: { description: 'The preview.', schema: previewView } },
    errors: ['too_many_previews', 'idempotency_payload_mismatch'],
    handler: async ({ principal, query, headers, raw: request, signal }) => {
      const { default_country: defaultCountry, segment, encoding } = query;
      const key = readIdempotencyKey(headers['idempotency-key']);
      const made = await uploadPreview(context, scopeOf(principal), {
        choices: { defaultCountry, segment, encoding },
        once: key === undefined ? undefined : { route: `POST ${path}preview/`, key },
        request,
        signal,
      });
      const location = `${path}${made.row.id}/preview/`;
      return { status: 201, body: show(made.row), headers: madeHeaders(location, made) };
    },
  });
}

function getRoute({ db }: ImportContext) {
  return route({
    method: 'get',
    path: `${path}{id}/preview/`,
    operationId: 'getContactImportPreview',
    summary: 'See the preview of a file again',
    tag,
    auth: { scope: 'contacts:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The preview.', schema: previewView } },
    errors: ['import_not_found'],
    handler: async ({ params: { id }, principal }) => {
      return { status: 200, body: show(await previewOf(db, scopeOf(principal), id)) };
    },
  });
}

function patchRoute(context: ImportContext) {
  return route({
    method: 'patch',
    path: `${path}{id}/preview/`,
    operationId: 'updateContactImportPreview',
    summary: 'Choose how a file is read, and look at it again',
    tag,
    auth: { scope: 'contacts:write' },
    unaudited: 'contacts are data, written by the thousand',
    limit: 'write',
    request: { params, body: previewPatch },
    responses: { 200: { description: 'The preview as it is now.', schema: previewView } },
    errors: ['import_not_found'],
    handler: async ({ params: { id }, body, principal }) => {
      const scope = scopeOf(principal);
      const row = await previewOf(context.db, scope, id);
      const isThere = await lookAgain(context, scope, row, changed(row.choices, body));
      if (!isThere) throw importNotFound(id);
      return { status: 200, body: show(await previewOf(context.db, scope, id)) };
    },
  });
}

function changed(before: Choices, patch: z.output<typeof previewPatch>): Choices {
  const given = {
    encoding: patch.encoding,
    separator: patch.separator,
    sheet: patch.sheet,
    headerRow: patch.header_row,
    columns: patch.columns,
    defaultCountry: patch.default_country,
    segment: patch.segment,
  };
  const kept = Object.entries(given).filter(([, value]) => value !== undefined);
  const all = { ...before, ...Object.fromEntries(kept) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

function startRoute(context: ImportContext) {
  return route({
    method: 'post',
    path: `${path}{id}/start/`,
    operationId: 'startContactImport',
    summary: 'Import a file as its preview shows it',
    description: 'What is started already is not started again.',
    tag,
    auth: { scope: 'contacts:write' },
    limit: 'write',
    request: { params },
    responses: {
      202: { description: 'The import, which is being worked on.', schema: importView },
    },
    errors: ['import_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const row = await startPreview(context, scopeOf(principal), id);
      if (row === undefined) throw importNotFound(id);
      return { status: 202, body: showImport(row), headers: { location: `${path}${id}/` } };
    },
  });
}

function deleteRoute({ db }: ImportContext) {
  return route({
    method: 'delete',
    path: `${path}{id}/preview/`,
    operationId: 'deleteContactImportPreview',
    summary: 'Delete a file that was not started',
    tag,
    auth: { scope: 'contacts:write' },
    unaudited: 'contacts are data, written by the thousand',
    limit: 'write',
    request: { params },
    responses: { 204: { description: 'It is deleted.' } },
    errors: ['import_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const gone = await db.tenant(scope.tenantId, (tx) => deletePreview(tx, scope, id));
      if (gone === 0) throw importNotFound(id);
      return { status: 204 };
    },
  });
}

async function previewOf(
  db: ImportContext['db'],
  scope: TenantScope,
  id: string,
): Promise<PreviewRow> {
  const row = await db.tenant(scope.tenantId, (tx) => findPreview(tx, scope, id));
  if (row === undefined) throw importNotFound(id);
  return row;
}

function show({ id, filename, bytes, choices, preview, created_at }: PreviewRow) {
  return {
    id,
    filename,
    bytes,
    ...preview,
    default_country: choices.defaultCountry ?? null,
    segment: choices.segment ?? null,
    expires_at: new Date(created_at.getTime() + previewMs).toISOString(),
  };
}
