import { isTimeZone } from '@drawbridge/messaging/inbox/business-hours.ts';
import type { Logger } from 'pino';
import { z } from 'zod';
import { scopeOf, type TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { idPattern, newId } from '../../../platform/ids.ts';
import type { Objects } from '../../../platform/objects/objects.ts';
import { fail, invalid } from '../../errors.ts';
import { type InboxContext, tag } from '../context.ts';
import { conversationNotFound } from '../conversations/actions.ts';
import { findConversations } from '../conversations/store.ts';
import { anInstant, conversationId } from '../schema.ts';
import { findSettings } from '../settings/store.ts';
import { type DocumentRequest, readDocument } from './conversation-document.ts';
import { exportPdf, type PdfExport } from './pdf/export.ts';
import { pdfSignature } from './pdf/signing/signature.ts';
import type { PdfSigners } from './pdf/signing/signer.ts';
import { type PdfWorker, PdfWorkerError } from './pdf/worker/pdf-worker.ts';
import { findExport, insertExport } from './store.ts';

export interface ExportContext extends InboxContext {
  readonly objects: Objects;
  readonly pdfWorker: PdfWorker;
  readonly signers: PdfSigners;
}

const path = '/team-inbox/api/export-pdf/';

const exportRequest = z
  .strictObject({
    conversation_id: conversationId,
    since: anInstant.optional(),
    until: anInstant.optional(),
    include_notes: z
      .boolean()
      .default(false)
      .describe('Internal notes, and files of the team, too.'),
    time_zone: z
      .string()
      .max(64)
      .refine(isTimeZone, 'must be an IANA time zone')
      .optional()
      .describe('Default: that of the settings.'),
  })
  .meta({ id: 'InboxExportRequest' });

const params = z.strictObject({
  id: z.string().regex(idPattern('exp'), 'must be the id of an export'),
});

export function exportRoutes(context: ExportContext): AnyRoute[] {
  return [exportRoute(context), signatureRoute(context)];
}

function exportRoute(context: ExportContext) {
  return route({
    method: 'post',
    path,
    operationId: 'exportConversation',
    summary: 'Print a conversation as a signed PDF',
    description:
      'The same state of a conversation gives the same bytes. One of more than 5,000 entries is a ' +
      'zip of parts. `X-Signature-Ed25519` is a detached signature over the whole answer, ' +
      '`X-Signature-Key-Id` the SHA-256 of the key, `Location` where the signature file is.',
    tag,
    auth: { scope: 'inbox:read' },
    limit: 'write',
    request: { body: exportRequest },
    responses: {
      200: {
        description: 'The file, or a zip of several.',
        mediaType: ['application/pdf', 'application/zip'],
      },
    },
    errors: ['conversation_not_found', 'conversation_too_large', 'unavailable'],
    handler: async ({ body, principal, signal, log }) => {
      const scope = scopeOf(principal);
      const { conversation_id: id, include_notes: includeNotes } = body;
      const [since, until] = [body.since, body.until].map((at) => at && new Date(at));
      if (since && until && since >= until) throw invalid('since', 'must come before until');
      const asked = { since: since || undefined, until: until || undefined, includeNotes };
      const document = await context.db.tenant(scope.tenantId, async (tx) => {
        const [row] = await findConversations(tx, scope, [id]);
        if (row === undefined) throw conversationNotFound(id);
        const timeZone = body.time_zone ?? (await findSettings(tx, scope))?.time_zone ?? 'UTC';
        const request: DocumentRequest = { ...asked, timeZone, by: principal.id };
        return readDocument(tx, scope, row, request);
      });
      const printed = await exportPdf(
        document,
        await context.signers.current(),
        context.pdfWorker,
        {
          signal,
          pictureAt: async (key) => {
            const object = await context.objects.get(key);
            return object && Buffer.concat(await object.stream.toArray());
          },
        },
      ).catch((error: unknown) => failAs(error, log));
      const exportId = await keep(context, scope, id, principal.id, printed);
      return { status: 200, body: printed.file, headers: headersOf(id, exportId, printed) };
    },
  });
}

function signatureRoute({ db }: ExportContext) {
  return route({
    method: 'get',
    path: '/team-inbox/api/exports/{id}/signature/',
    operationId: 'getExportSignature',
    summary: 'The detached signature of an export',
    description: 'Kept as `FILE.sig` beside the file: `verify-pdf FILE` reads it.',
    tag,
    auth: { scope: 'inbox:read' },
    limit: 'read',
    request: { params },
    responses: {
      200: { description: 'The signature.', schema: pdfSignature.meta({ id: 'PdfSignature' }) },
    },
    errors: ['export_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const row = await db.tenant(scope.tenantId, (tx) => findExport(tx, scope, id));
      if (row === undefined) throw fail('export_not_found', `There is no export "${id}".`);
      return { status: 200, body: row.signature };
    },
  });
}

async function keep(
  { db, clock, random }: ExportContext,
  scope: TenantScope,
  conversation_id: string,
  author: string,
  { file, contentType: content_type, signature }: PdfExport,
): Promise<string> {
  const created_at = clock();
  const id = newId('exp', () => created_at, random);
  const row = { id, conversation_id, author, content_type, bytes: file.length };
  await db.tenant(scope.tenantId, (tx) =>
    insertExport(tx, scope, { ...row, signature, created_at }),
  );
  return id;
}

function headersOf(conversation: string, id: string, { contentType, signature }: PdfExport) {
  const extension = contentType === 'application/pdf' ? 'pdf' : 'zip';
  return {
    'content-type': contentType,
    'content-disposition': `attachment; filename="${conversation}.${extension}"`,
    'x-signature-ed25519': signature.signature,
    'x-signature-key-id': signature.key_id,
    location: `/team-inbox/api/exports/${id}/signature/`,
  };
}

/** The error that the caller can act on; the reason goes into the log. */
function failAs(error: unknown, log: Logger): never {
  if (!(error instanceof PdfWorkerError) || error.code === 'refused') throw error;
  log.warn({ err: error }, 'a conversation was not exported');
  const { code } = error;
  if (code === 'too_large' || code === 'timeout' || code === 'memory') {
    throw fail(
      'conversation_too_large',
      `${tooLargeDetails[code]}: ask for less by since and until.`,
    );
  }
  const headers = { 'retry-after': '10' };
  throw fail('unavailable', `${unavailableDetails[code]}: try again in a moment.`, { headers });
}

const tooLargeDetails = {
  too_large: 'It is too large for one answer',
  timeout: 'It takes too long to print',
  memory: 'It takes too much memory to print',
} as const;
const unavailableDetails = {
  busy: 'Too many conversations are being printed',
  crashed: 'The typesetter crashed twice',
  closed: 'The service is stopping',
} as const;
