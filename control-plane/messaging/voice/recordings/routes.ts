import { fileNameOf } from '@drawbridge/messaging/inbox/file-name.ts';
import { z } from 'zod';
import { scopeOf } from '../../../platform/auth/tenant-scope.ts';
import { rangeHeaders, wantedOf } from '../../../platform/http/byte-range.ts';
import { pageOf } from '../../../platform/http/cursor.ts';
import { pageQuery, pageSchema, requestedPage } from '../../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { utcInstant } from '../../../platform/http/time-input.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../../platform/idempotency/once.ts';
import { firstIdAt, newId } from '../../../platform/ids.ts';
import { fail, invalid } from '../../errors.ts';
import { callNotFound } from '../calls/schema.ts';
import { findCall } from '../calls/store.ts';
import { type CallingContext, tag } from '../context.ts';
import { numberAt } from '../e164-number.ts';
import { transcriptionView } from '../transcription/schema.ts';
import { findTranscriptions } from '../transcription/store.ts';
import { showTranscription } from '../transcription/transcribe.ts';
import {
  findRecordingConsent,
  insertRecordingConsent,
  listRecordingConsents,
  type RecordingConsentRow,
} from './consent-store.ts';
import { removeRecording } from './removal.ts';
import {
  callId,
  consentRequest,
  consentView,
  recordingId,
  recordingStates,
  recordingView,
} from './schema.ts';
import { findRecording, listRecordings, type RecordingRow } from './store.ts';

const path = '/voice/api/recordings/';
const consentPath = '/voice/api/recording-consents/';
const params = z.strictObject({ id: recordingId });

/** Recordings, and the consents to them. */
export function recordingRoutes(context: CallingContext): AnyRoute[] {
  return [
    listRoute(context),
    getRoute(context),
    downloadRoute(context),
    transcriptionRoute(context),
    deleteRoute(context),
    listConsentsRoute(context),
    consentRoute(context),
  ];
}

function listRoute({ db }: CallingContext) {
  return route({
    method: 'get',
    path,
    operationId: 'listRecordings',
    summary: 'List recordings, newest first',
    tag,
    auth: { scope: 'calls:read' },
    limit: 'read',
    request: {
      query: pageQuery.extend({
        call_id: callId.optional(),
        to: z.string().max(32).optional().describe('The number that was called, in E.164'),
        state: z.enum(recordingStates).optional(),
        since: utcInstant().optional().describe('Made from this instant on.'),
        until: utcInstant().optional().describe('Made before this instant.'),
      }),
    },
    responses: {
      200: { description: 'A page.', schema: pageSchema(recordingView, 'RecordingPage') },
    },
    handler: async ({ query, principal }) => {
      const scope = scopeOf(principal);
      const { call_id: callId, to, state, since, until } = query;
      const filter = {
        callId,
        to: to && numberAt('to', to),
        state,
        fromId: since && firstIdAt('rec', new Date(since)),
        untilId: until && firstIdAt('rec', new Date(until)),
      };
      const page = requestedPage(query, 'rec');
      const rows = await db.tenant(scope.tenantId, (tx) => listRecordings(tx, scope, filter, page));
      return { status: 200, body: pageOf(page, rows, (row) => row.id, showRecording) };
    },
  });
}

function getRoute({ db }: CallingContext) {
  return route({
    method: 'get',
    path: `${path}{id}/`,
    operationId: 'getRecording',
    summary: 'Read a recording',
    tag,
    auth: { scope: 'calls:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The recording.', schema: recordingView } },
    errors: ['recording_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const row = await db.tenant(scope.tenantId, (tx) => findRecording(tx, scope, id));
      if (row === undefined) throw recordingNotFound(id);
      return { status: 200, body: showRecording(row) };
    },
  });
}

function downloadRoute({ db, objects }: CallingContext) {
  return route({
    method: 'get',
    path: `${path}{id}/download/`,
    operationId: 'downloadRecording',
    summary: 'Download the sound of a recording, or a part of it',
    description: '`ETag` is the SHA-256 of the whole; a part is asked for by `Range`.',
    tag,
    auth: { scope: 'calls:read' },
    limit: 'read',
    request: { params, headers: rangeHeaders },
    responses: {
      200: { description: 'The file.', mediaType: 'audio/*' },
      206: { description: 'The bytes that were asked for.', mediaType: 'audio/*' },
      304: { description: 'Not modified.' },
    },
    errors: ['recording_not_found', 'recording_not_stored', 'range_beyond_end'],
    handler: async ({ params: { id }, headers, principal }) => {
      const scope = scopeOf(principal);
      const row = await db.tenant(scope.tenantId, (tx) => findRecording(tx, scope, id));
      if (row === undefined) throw recordingNotFound(id);
      const file = fileOf(row);
      const wanted = wantedOf(headers, file);
      const common = { etag: file.etag, 'accept-ranges': 'bytes' };
      if (wanted.kind === 'unchanged') return { status: 304, headers: common };
      if (wanted.kind === 'beyond') throw rangeBeyondEnd(file.bytes);
      const part = wanted.kind === 'part' ? wanted : undefined;
      const found = await objects.get(file.key, part);
      if (found === undefined) throw notStored(row);
      const range = part && { 'content-range': `bytes ${part.first}-${part.last}/${file.bytes}` };
      const answered = { ...common, ...range, ...headersOf(row, found.bytes) };
      return { status: part === undefined ? 200 : 206, body: found.stream, headers: answered };
    },
  });
}

function transcriptionRoute({ db }: CallingContext) {
  return route({
    method: 'get',
    path: `${path}{id}/transcription/`,
    operationId: 'getRecordingTranscription',
    summary: 'Read what was said on a recording',
    tag,
    auth: { scope: 'calls:read' },
    limit: 'read',
    request: { params },
    responses: {
      200: { description: 'The text, or why there is none.', schema: transcriptionView },
    },
    errors: ['recording_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const rows = await db.tenant(scope.tenantId, async (tx) => {
        if ((await findRecording(tx, scope, id)) === undefined) throw recordingNotFound(id);
        return findTranscriptions(tx, scope, [id]);
      });
      return { status: 200, body: showTranscription(rows) };
    },
  });
}

function deleteRoute(context: CallingContext) {
  return route({
    method: 'delete',
    path: `${path}{id}/`,
    operationId: 'deleteRecording',
    summary: 'Delete a recording before its time',
    description:
      'Its file and its text go, also where the file is still being fetched; that there was one stays ' +
      'known. What its provider keeps is not touched.',
    tag,
    auth: { scope: 'recordings:delete' },
    limit: 'write',
    request: { params },
    responses: { 204: { description: 'It is deleted.' } },
    errors: ['recording_not_found'],
    handler: async ({ params: { id }, principal, audit }) => {
      const scope = scopeOf(principal);
      const { tenantId } = scope;
      const row = await context.db.tenant(tenantId, (tx) => findRecording(tx, scope, id));
      if (row === undefined) throw recordingNotFound(id);
      const isDeleted = await removeRecording(context, tenantId, row, async (tx) => {
        const after = await findRecording(tx, scope, id);
        const views = { before: showRecording(row), after: after && showRecording(after) };
        await audit.record(tx, tenantId, { subject: id, ...views });
      });
      if (!isDeleted) throw recordingNotFound(id);
      return { status: 204 };
    },
  });
}

/** The stored audio; its hash is the ETag. Throws when there is none. */
function fileOf(row: RecordingRow) {
  const { state, object_key: key, bytes, sha256 } = row;
  if (state !== 'stored' || key === null || bytes === null) throw notStored(row);
  return { key, bytes, etag: `"${sha256}"` };
}

function headersOf({ id, media_type, sha256 }: RecordingRow, bytes: number) {
  const type = media_type ?? 'application/octet-stream';
  return {
    'content-type': type,
    'content-length': String(bytes),
    // A browser downloads it and never runs it.
    'content-disposition': `attachment; filename="${fileNameOf(id, type)}"`,
    digest: `sha-256=${Buffer.from(sha256 ?? '', 'hex').toString('base64')}`,
  };
}

function notStored({ state }: RecordingRow) {
  return fail('recording_not_stored', `The recording is ${state}: there is no file.`);
}

function rangeBeyondEnd(bytes: number) {
  return fail('range_beyond_end', `The recording has ${bytes} bytes.`, {
    headers: { 'content-range': `bytes */${bytes}` },
  });
}

function listConsentsRoute({ db }: CallingContext) {
  return route({
    method: 'get',
    path: consentPath,
    operationId: 'listRecordingConsents',
    summary: 'List consents to recording, newest first',
    tag,
    auth: { scope: 'calls:read' },
    limit: 'read',
    request: {
      query: pageQuery.extend({
        phone: z.string().max(32).optional(),
        call_id: callId.optional(),
      }),
    },
    responses: {
      200: { description: 'A page.', schema: pageSchema(consentView, 'RecordingConsentPage') },
    },
    handler: async ({ query, principal }) => {
      const scope = scopeOf(principal);
      const filter = {
        phone: query.phone === undefined ? null : numberAt('phone', query.phone),
        callId: query.call_id ?? null,
      };
      const page = requestedPage(query, 'rcn');
      const rows = await db.tenant(scope.tenantId, (tx) =>
        listRecordingConsents(tx, scope, filter, page),
      );
      return { status: 200, body: pageOf(page, rows, (row) => row.id, showConsent) };
    },
  });
}

function consentRoute({ db, clock, random }: CallingContext) {
  return route({
    method: 'post',
    path: consentPath,
    operationId: 'logRecordingConsent',
    summary: 'Log a consent to recording, or its withdrawal',
    description:
      'Nothing that was logged is ever changed. What the person said last (`given_at`) holds, in ' +
      'whatever order it is logged; all can be shown.',
    tag,
    auth: { scope: 'calls:write' },
    unaudited: 'consents keep a history of their own',
    limit: 'write',
    request: { body: consentRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The consent.', schema: consentView } },
    errors: ['call_not_found', 'idempotency_payload_mismatch'],
    handler: async ({ body, headers, principal }) => {
      const scope = scopeOf(principal);
      const now = clock();
      const given = body.given_at === undefined ? now : new Date(body.given_at);
      if (given > now) throw invalid('given_at', 'lies ahead');
      const row: RecordingConsentRow = {
        id: newId('rcn', () => now, random),
        phone: numberAt('phone', body.phone),
        call_id: body.call_id ?? null,
        state: body.state,
        method: body.method,
        evidence: body.evidence,
        recorded_by: principal.id,
        given_at: given,
        created_at: now,
      };
      const made = await db.tenant(scope.tenantId, async (tx) => {
        const { call_id } = row;
        if (call_id !== null) {
          const call = await findCall(tx, scope, call_id);
          if (call === undefined) throw callNotFound(call_id);
          if (call.to_number !== row.phone) throw invalid('phone', 'is not the number called');
        }
        return makeOnce(tx, scope, onceOf(`POST ${consentPath}`, headers, body), {
          id: row.id,
          make: async () => {
            await insertRecordingConsent(tx, scope, row);
            return row;
          },
          find: (known) => findRecordingConsent(tx, scope, known),
        });
      });
      return {
        status: 201,
        body: showConsent(made.row),
        headers: madeHeaders(undefined, made),
      };
    },
  });
}

function recordingNotFound(id: string) {
  return fail('recording_not_found', `There is no recording "${id}".`);
}

/** A recording in the form of the API, without its location. */
export function showRecording(row: RecordingRow) {
  const { source_url: _, object_key: __, provider_recording_id: ___, ...shown } = row;
  const { to_number: to, transcription_state, ...rest } = shown;
  return {
    ...rest,
    to,
    transcription_status: transcription_state ?? ('not_configured' as const),
    created_at: row.created_at.toISOString(),
    stored_at: row.stored_at?.toISOString() ?? null,
    delete_after: row.delete_after.toISOString(),
  };
}

function showConsent(row: RecordingConsentRow) {
  return {
    ...row,
    given_at: row.given_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
