import { totalOf } from '@drawbridge/messaging/call-rate.ts';
import { z } from 'zod';
import { scopeOf, type TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { firstRows } from '../../../platform/db/keyset.ts';
import { pageOf } from '../../../platform/http/cursor.ts';
import { pageQuery, pageSchema, requestedPage } from '../../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { idempotencyHeaders, madeHeaders, onceOf } from '../../../platform/idempotency/once.ts';
import { firstIdAt } from '../../../platform/ids.ts';
import { fail } from '../../errors.ts';
import { type CallingContext, tag } from '../context.ts';
import { numberAt } from '../e164-number.ts';
import { findLegs, type LegRow } from '../legs/store.ts';
import { openProvider } from '../providers/account.ts';
import type { CallRateTerms } from '../rates/price.ts';
import { showRecording } from '../recordings/routes.ts';
import { listRecordings } from '../recordings/store.ts';
import { findTranscriptions, type TranscriptionRow } from '../transcription/store.ts';
import { showTranscription } from '../transcription/transcribe.ts';
import { ownCost } from './call-updates.ts';
import { createCalls } from './create.ts';
import { hangUp, requestHangUp } from './hang-up.ts';
import {
  callEventView,
  callId,
  callItem,
  callNotFound,
  callQuery,
  callRequest,
  callView,
} from './schema.ts';
import { type CallRow, eventKinds, findCall, listCallEvents, listCalls } from './store.ts';

const path = '/voice/api/calls/';
const params = z.strictObject({ id: callId });
const recordingsShown = 50;

/** Calls and their events. */
export function callRoutes(context: CallingContext): AnyRoute[] {
  return [
    listRoute(context),
    createRoute(context),
    getRoute(context),
    hangUpRoute(context),
    listEventsRoute(context),
  ];
}

function listRoute({ db }: CallingContext) {
  return route({
    method: 'get',
    path,
    operationId: 'listCalls',
    summary: 'List calls with status and duration, newest first',
    tag,
    auth: { scope: 'calls:read' },
    limit: 'read',
    request: { query: callQuery },
    responses: { 200: { description: 'A page.', schema: pageSchema(callItem, 'CallPage') } },
    handler: async ({ query, principal }) => {
      const scope = scopeOf(principal);
      const filter = {
        status: query.status,
        to: query.to === undefined ? undefined : numberAt('to', query.to),
        providerId: query.provider_config,
        fromId: query.since === undefined ? undefined : firstIdAt('call', new Date(query.since)),
        untilId: query.until === undefined ? undefined : firstIdAt('call', new Date(query.until)),
      };
      const page = requestedPage(query, 'call');
      const rows = await db.tenant(scope.tenantId, (tx) => listCalls(tx, scope, filter, page));
      return { status: 200, body: pageOf(page, rows, (row) => row.id, showItem) };
    },
  });
}

function createRoute(context: CallingContext) {
  const createCall = createCalls(context);
  return route({
    method: 'post',
    path,
    operationId: 'createCall',
    summary: 'Place a call',
    description:
      'At most 50 a second by provider configuration, also counting those refused with 400; a 429 tells ' +
      'to the millisecond when the next is taken (`Retry-After-Ms`). The wallet must hold what the longest call ' +
      'that the flow allows would cost; the rest is released when the call ends.',
    tag,
    auth: { scope: 'calls:write' },
    unaudited: 'a call has events of its own',
    limit: 'write',
    request: { body: callRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The call, queued.', schema: callView } },
    errors: [
      'opted_out',
      'insufficient_funds',
      'no_rate',
      'no_recording_consent',
      'invalid_flow',
      'idempotency_payload_mismatch',
    ],
    handler: async ({ body, headers, principal }) => {
      const scope = scopeOf(principal);
      const made = await createCall(scope, body, onceOf(`POST ${path}`, headers, body));
      const shown = made.isReplay
        ? await show(context, scope, made.row)
        : showWith(made.row, [], [], []);
      return { status: 201, body: shown, headers: madeHeaders(`${path}${made.row.id}/`, made) };
    },
  });
}

function getRoute(context: CallingContext) {
  return route({
    method: 'get',
    path: `${path}{id}/`,
    operationId: 'getCall',
    summary: 'Read a call: its detail record, recordings, transcription and cost',
    tag,
    auth: { scope: 'calls:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The call.', schema: callView } },
    errors: ['call_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const call = await context.db.tenant(scope.tenantId, (tx) => findCall(tx, scope, id));
      if (call === undefined) throw callNotFound(id);
      return { status: 200, body: await show(context, scope, call) };
    },
  });
}

function hangUpRoute(context: CallingContext) {
  return route({
    method: 'post',
    path: `${path}{id}/hangup/`,
    operationId: 'hangUpCall',
    summary: 'End a call',
    description:
      'The provider is asked to end it; the status changes when the provider reports the end.',
    tag,
    auth: { scope: 'calls:write' },
    unaudited: 'a call has events of its own',
    limit: 'write',
    request: { params },
    responses: { 202: { description: 'The call as it stands.', schema: callView } },
    errors: ['call_not_found', 'call_over'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const asked = await requestHangUp(context, scope, id);
      if (asked.kind === 'missing') throw callNotFound(id);
      if (asked.kind === 'over') throw fail('call_over', 'The call has ended.');
      const open = asked.isPlaced
        ? await openProvider(context, scope, asked.call.provider_id)
        : undefined;
      if (open !== undefined) await hangUp(context, open, asked.call);
      return { status: 202, body: await show(context, scope, asked.call) };
    },
  });
}

function listEventsRoute({ db }: CallingContext) {
  return route({
    method: 'get',
    path: '/voice/api/call-events/',
    operationId: 'listCallEvents',
    summary: 'List events of calls, newest first: answer, DTMF, transfer, hang-up',
    tag,
    auth: { scope: 'calls:read' },
    limit: 'read',
    request: {
      query: pageQuery.extend({
        call_id: callId.optional(),
        kind: z.enum(eventKinds).optional(),
      }),
    },
    responses: {
      200: { description: 'A page.', schema: pageSchema(callEventView, 'CallEventPage') },
    },
    handler: async ({ query, principal }) => {
      const scope = scopeOf(principal);
      const { call_id = null, kind = null } = query;
      const filter = { callId: call_id, kind };
      const page = requestedPage(query, 'cev');
      const rows = await db.tenant(scope.tenantId, (tx) => listCallEvents(tx, scope, filter, page));
      const body = pageOf(
        page,
        rows,
        (row) => row.id,
        ({ at, ...row }) => ({ ...row, at: at.toISOString() }),
      );
      return { status: 200, body };
    },
  });
}

function showItem(call: CallRow) {
  return {
    id: call.id,
    status: call.status,
    direction: 'outbound' as const,
    to: call.to_number,
    from: call.from_number,
    provider_config: call.provider_id,
    template_id: call.template_id,
    duration_seconds: call.duration_seconds,
    cost: call.cost === null ? null : { amount: call.cost, currency: call.currency },
    created_at: call.created_at.toISOString(),
    answered_at: call.answered_at?.toISOString() ?? null,
    ended_at: call.ended_at?.toISOString() ?? null,
  };
}

async function show(context: CallingContext, scope: TenantScope, call: CallRow) {
  const filter = { callId: call.id };
  return context.db.tenant(scope.tenantId, async (tx) => {
    const recordings = await listRecordings(tx, scope, filter, firstRows(recordingsShown));
    const legs = await findLegs(tx, scope, call.id);
    const ids = recordings.map(({ id }) => id);
    return showWith(call, recordings, legs, await findTranscriptions(tx, scope, ids));
  });
}

function showWith(
  call: CallRow,
  recordings: Awaited<ReturnType<typeof listRecordings>>,
  legs: readonly LegRow[],
  transcriptions: readonly TranscriptionRow[],
) {
  const { error_code, error_detail, rate, currency } = call;
  const shown = [showFirst(call), ...legs.map((leg) => showLeg(leg, currency))];
  return {
    ...showItem(call),
    cost: costOf(call, legs),
    variables: call.variables,
    record: call.is_recorded,
    machine_detection: call.machine_detection,
    provider_call_id: call.provider_call_id,
    rang_at: call.rang_at?.toISOString() ?? null,
    answered_by: call.answered_by,
    hangup_cause: call.hangup_cause,
    error: error_code === null ? null : { code: error_code, detail: error_detail ?? '' },
    billed_seconds: call.billed_seconds,
    rate: showRate(rate, currency),
    reserved: { amount: call.reserved, currency },
    legs: shown,
    recordings: recordings.map(showRecording),
    transcription: showTranscription(transcriptions),
  };
}

/**
 * The legs were read after the call, and may have cost more since: shows the cost of the legs
 * shown.
 */
function costOf(call: CallRow, legs: readonly LegRow[]) {
  const own = ownCost(call);
  if (own === null) return null;
  const amount = totalOf([own, ...legs.map(({ cost }) => cost ?? '0')]);
  return { amount, currency: call.currency };
}

function showRate(rate: CallRateTerms, currency: string) {
  return {
    prefix: rate.prefix,
    per_minute: rate.perMinute,
    connection_fee: rate.connectionFee,
    increment: `${rate.firstSeconds}/${rate.stepSeconds}`,
    currency,
  };
}

function showLeg(leg: LegRow, currency: string) {
  const { number, to_address: to, node, provider_leg_id, status, cause, rate, cost } = leg;
  return {
    number,
    to,
    node,
    provider_leg_id,
    status,
    cause,
    started_at: leg.started_at.toISOString(),
    answered_at: leg.answered_at?.toISOString() ?? null,
    ended_at: leg.ended_at?.toISOString() ?? null,
    duration_seconds: leg.duration_seconds,
    billed_seconds: leg.billed_seconds,
    rate: rate === null ? null : showRate(rate, currency),
    cost: cost === null ? null : { amount: cost, currency },
  };
}

/** The call itself in the form of a leg, as the first one. */
function showFirst(call: CallRow) {
  const { status, hangup_cause: cause, provider_call_id: provider_leg_id, currency } = call;
  const cost = ownCost(call);
  return {
    number: 1,
    to: call.to_number,
    node: null,
    provider_leg_id,
    status,
    cause,
    started_at: call.created_at.toISOString(),
    answered_at: call.answered_at?.toISOString() ?? null,
    ended_at: call.ended_at?.toISOString() ?? null,
    duration_seconds: call.duration_seconds,
    billed_seconds: call.billed_seconds,
    rate: showRate(call.rate, currency),
    cost: cost === null ? null : { amount: cost, currency },
  };
}
