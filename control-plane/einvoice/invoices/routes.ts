import { eventOf, states } from '@drawbridge/lifecycle/transitions.ts';
import { profileIds } from '@drawbridge/profiles/registry.ts';
import { z } from 'zod';
import type { Db } from '../../platform/db/database.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { requestedPage } from '../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { fingerprint } from '../../platform/idempotency/fingerprint.ts';
import { readIdempotencyKey } from '../../platform/idempotency/key.ts';
import { type Clock, firstIdAt, type RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import { fail } from '../errors.ts';
import { applyTransitions } from '../pipeline/transitions.ts';
import { readDocument } from '../stored-documents/read.ts';
import { withExplanations } from './explanations.ts';
import { holdRoutes } from './hold-routes.ts';
import type { Acceptance, Intake } from './intake.ts';
import {
  accepted,
  documentQuery,
  eventPage,
  invoiceId,
  invoicePage,
  invoice as invoiceSchema,
  limits,
  listQuery,
  rejected,
  submissionHeaders,
  submissionRequest,
} from './schema.ts';
import {
  findInvoice,
  findValidationWait,
  type InvoiceRow,
  listEvents,
  listInvoices,
} from './store.ts';
import type { VerdictListener } from './verdict-listener.ts';
import { found, linksOf, showInvoice, showInvoiceInFull } from './view.ts';

export interface InvoiceRoutesContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly objects: Objects;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly intake: Intake;
  readonly verdicts: VerdictListener;
  readonly waitDefaultMs: number;
  readonly metrics: Metrics;
}

const tag = 'Invoices';
const params = z.strictObject({ id: invoiceId });

export function invoiceRoutes(context: InvoiceRoutesContext): AnyRoute[] {
  return [
    submitInvoice(context),
    listRoute(context),
    getRoute(context),
    eventsRoute(context),
    documentRoute(context),
    acknowledgeRoute(context),
    ...holdRoutes(context),
  ];
}

function submitInvoice({ db, intake, verdicts, waitDefaultMs, clock }: InvoiceRoutesContext) {
  return route({
    method: 'post',
    path: '/v1/invoices',
    operationId: 'submitInvoice',
    summary: 'Submit a source document',
    description:
      'Names a document in the ERP; it is pulled, checked and sent. Answers 202 at once when the verdict takes ' +
      'longer than the wait (5 seconds, or `Prefer: wait=N`), 422 when it was rejected within it. A document ' +
      'that is on its way or settled well is not taken again (409 `duplicate_document`), unless its ' +
      'connector says `duplicates: "warn"`.',
    tag,
    auth: { scope: 'invoices:write' },
    unaudited: 'an invoice has a timeline of its own',
    limit: 'submit',
    request: { headers: submissionHeaders, body: submissionRequest },
    responses: {
      202: { description: 'Accepted; webhooks report the rest.', schema: accepted },
      422: { description: 'The document failed its checks.', schema: rejected },
    },
    errors: [
      'connector_not_found',
      'profile_required',
      'idempotency_payload_mismatch',
      'duplicate_document',
    ],
    handler: async ({ headers, body, principal, environment, signal }) => {
      const { tenantId } = principal;
      const waitMs = waitOf(headers.prefer, waitDefaultMs);
      const newId = intake.newId();
      const submission = {
        tenantId,
        environment,
        connectorId: body.connector_id,
        profile: body.profile,
        sourceRef: body.source_ref,
        submittedBy: principal.id,
        idempotencyKey: readIdempotencyKey(headers['idempotency-key']),
        fingerprint: fingerprint(body),
      };
      const read = async (id: string) =>
        (await db.tenant(tenantId, (tx) => findInvoice(tx, tenantId, environment, id)))!;
      // Listened for from before it is accepted: its verdict cannot come in between.
      return verdicts.listen(newId, async (verdict) => {
        const acceptance = await intake.accept(submission, newId);
        const { id, replayed } = begunAs(acceptance, body, clock());
        if (replayed) {
          return verdicts.listen(id, async (earlier) => {
            const now = await read(id);
            if (!isOpen(now)) return answer(now, true);
            await earlier.wait(waitMs, signal);
            return answer(await read(id), true);
          });
        }
        if (acceptance.kind === 'created' && waitMs === 0) {
          return answer({ ...acceptance, state: 'received', errors: [], warnings: [] }, false);
        }
        await verdict.wait(waitMs, signal);
        return answer(await read(id), false);
      });
    },
  });
}

/** Whether the verdict is still to come. */
function isOpen({ state }: InvoiceRow): boolean {
  return state === 'received' || state === 'validating';
}

function begunAs(
  acceptance: Acceptance,
  { connector_id: connectorId, source_ref: ref }: z.infer<typeof submissionRequest>,
  now: Date,
): { id: string; replayed: boolean } {
  switch (acceptance.kind) {
    case 'created':
      return { id: acceptance.id, replayed: false };
    case 'replayed':
      return { id: acceptance.id, replayed: true };
    case 'payload-mismatch':
      throw fail(
        'idempotency_payload_mismatch',
        'This Idempotency-Key was used with another body. Send the first body again, or take a new key.',
      );
    case 'duplicate':
      throw fail(
        'duplicate_document',
        `"${ref}" was submitted through this connector before: ${acceptance.id} is ${acceptance.state}. ` +
          `${adviceOn(acceptance, now)} ` +
          'Only what was rejected, or cancelled by its authority, may be submitted again, unless the connector has duplicates: "warn".',
        { body: { duplicate_of: acceptance.id } },
      );
    case 'no-connector':
      throw fail(
        'connector_not_found',
        `There is no connector "${connectorId}". GET /v1/connectors lists yours.`,
      );
    case 'no-profile':
      throw fail(
        'profile_required',
        `Give "profile": the connector has no default profile. One of ${profileIds.join(', ')}.`,
        { body: { errors: { profile: ['is missing, and the connector has no default'] } } },
      );
  }
}

/** What whoever submits a document again can do about its earlier invoice. */
function adviceOn(
  { id, state, waits_for, cancellable_until }: Extract<Acceptance, { kind: 'duplicate' }>,
  now: Date,
): string {
  if (waits_for !== null) {
    return `It waits for a person: to send another in its place, withdraw it (POST /v1/invoices/${id}/withdraw).`;
  }
  const isCancellable = cancellable_until !== null && cancellable_until > now;
  if (state === 'cleared' || (state === 'acknowledged' && isCancellable)) {
    return (
      "If you have cancelled it on its authority's portal, submit it again in a minute: the authority is being asked." +
      (isCancellable ? ` It can be cancelled there until ${cancellable_until.toISOString()}.` : '')
    );
  }
  return state === 'delivered' || state === 'acknowledged'
    ? 'It has been sent, and is corrected by a credit note.'
    : 'It is on its way: wait for what becomes of it.';
}

/**
 * How long to wait by `Prefer`: `wait=N` in seconds, `respond-async`, or the default. Both together
 * mean an asynchronous answer once N seconds are over (RFC 7240, 4.3).
 */
function waitOf(prefer = '', defaultMs: number): number {
  const seconds = /(?:^|[,;\s])wait=(\d+)(?:$|[,;\s])/i.exec(prefer)?.[1];
  if (seconds !== undefined) return Math.min(Number(seconds), limits.waitSecondsMax) * 1_000;
  return /(^|[,;\s])respond-async($|[,;\s])/i.test(prefer) ? 0 : defaultMs;
}

function answer(
  row: Pick<InvoiceRow, 'id' | 'state' | 'checks' | 'errors' | 'warnings'>,
  replayed: boolean,
) {
  const headers = replayed ? { 'idempotency-replayed': 'true' } : {};
  if (row.state === 'rejected') {
    const errors = withExplanations(row.errors);
    const { id, warnings } = row;
    return { status: 422, headers, body: { id, status: 'rejected', errors, warnings } };
  }
  const { id, checks } = row;
  // A new invoice is received or validating (specification, "States"), also when its verdict came
  // quickly; only a replay shows a later state.
  const status = replayed || row.state === 'received' ? row.state : 'validating';
  return {
    status: 202,
    headers: { ...headers, location: linksOf(id).self },
    body: { id, status, checks, links: linksOf(id) },
  };
}

function listRoute({ db }: InvoiceRoutesContext) {
  return route({
    method: 'get',
    path: '/v1/invoices',
    operationId: 'listInvoices',
    summary: 'List submissions, newest first',
    tag,
    auth: { scope: 'invoices:read' },
    limit: 'read',
    request: { query: listQuery },
    responses: { 200: { description: 'A page of submissions.', schema: invoicePage } },
    handler: async ({ query, principal: { tenantId }, environment }) => {
      const filter = {
        ...(query.status && { state: query.status }),
        ...(query.profile && { profile: query.profile }),
        ...(query.connector_id !== undefined && { connectorId: query.connector_id }),
        ...(query.source_ref !== undefined && { sourceRef: query.source_ref }),
        ...(query.number !== undefined && { number: query.number }),
        ...(query.buyer !== undefined && { buyer: query.buyer }),
        ...(query.amount_min !== undefined && { grossMin: Number(query.amount_min) }),
        ...(query.amount_max !== undefined && { grossMax: Number(query.amount_max) }),
        ...(query.waits_for && { waitsFor: query.waits_for }),
        ...(query.since && { from: firstIdAt('inv', new Date(query.since)) }),
        ...(query.until && { to: firstIdAt('inv', new Date(query.until)) }),
      };
      const page = requestedPage(query, 'inv');
      const rows = await db.tenant(tenantId, (tx) =>
        listInvoices(tx, tenantId, environment, filter, page),
      );
      return { status: 200, body: pageOf(page, rows, (row) => row.id, showInvoice) };
    },
  });
}

function getRoute(context: InvoiceRoutesContext) {
  return route({
    method: 'get',
    path: '/v1/invoices/{id}',
    operationId: 'getInvoice',
    summary: 'Read a submission',
    tag,
    auth: { scope: 'invoices:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The submission.', schema: invoiceSchema } },
    errors: ['invoice_not_found'],
    handler: async ({ params: { id }, principal: { tenantId }, environment }) => {
      const { row, wait } = await context.db.tenant(tenantId, async (tx) => {
        const invoice = found(await findInvoice(tx, tenantId, environment, id), id);
        const isWaiting = invoice.state === 'validating';
        return {
          row: invoice,
          wait: isWaiting ? await findValidationWait(tx, tenantId, id) : undefined,
        };
      });
      const waiting =
        wait === undefined
          ? null
          : { ...wait, next_attempt_at: wait.next_attempt_at.toISOString() };
      return {
        status: 200,
        body: { ...showInvoiceInFull(row), ...(waiting === null ? {} : { waiting }) },
      };
    },
  });
}

function eventsRoute({ db }: InvoiceRoutesContext) {
  return route({
    method: 'get',
    path: '/v1/invoices/{id}/events',
    operationId: 'listInvoiceEvents',
    summary: 'The timeline of a submission, oldest first',
    tag,
    auth: { scope: 'invoices:read' },
    limit: 'read',
    request: { params },
    responses: {
      200: {
        description: 'Every transition, and `stalled` where the service has stopped trying.',
        schema: eventPage,
      },
    },
    errors: ['invoice_not_found'],
    handler: async ({ params: { id }, principal: { tenantId }, environment }) => {
      const { row, events } = await db.tenant(tenantId, async (tx) => ({
        row: await findInvoice(tx, tenantId, environment, id),
        events: await listEvents(tx, tenantId, environment, id),
      }));
      const begun = found(row, id).created_at.getTime();
      const results = events.toSorted(byState).map((each) => ({
        id: each.id,
        event: each.type,
        status: each.type.replace('invoice.', ''),
        timestamp: each.created_at.toISOString(),
        elapsed_ms: each.created_at.getTime() - begun,
      }));
      return { status: 200, body: { results, next: null, previous: null } };
    },
  });
}

/**
 * Orders transitions: two of one transaction have the same time, so the order of states decides.
 */
function byState(one: { type: string; created_at: Date }, other: typeof one): number {
  const rank = ({ type }: typeof one) => {
    const at = states.findIndex((state) => eventOf(state) === type);
    // What is no state follows the state that it is told of.
    return at === -1 ? states.length : at;
  };
  return one.created_at.getTime() - other.created_at.getTime() || rank(one) - rank(other);
}

function documentRoute({ db, objects }: InvoiceRoutesContext) {
  return route({
    method: 'get',
    path: '/v1/invoices/{id}/document',
    operationId: 'getInvoiceDocument',
    summary: 'The emitted XML, for each stage it had',
    tag,
    auth: { scope: 'invoices:read' },
    limit: 'read',
    request: { params, query: documentQuery },
    responses: {
      200: {
        description: 'The bytes as they were sent; the model is JSON.',
        mediaType: ['application/xml', 'application/json'],
      },
    },
    errors: ['invoice_not_found', 'document_not_found'],
    handler: async ({ params: { id }, query, principal: { tenantId }, environment }) => {
      const row = await db.tenant(tenantId, (tx) => findInvoice(tx, tenantId, environment, id));
      found(row, id);
      const body = await readDocument({ db, objects }, tenantId, id, query.stage);
      const { stage = 'document' } = query;
      if (body === undefined) {
        throw fail('document_not_found', `This invoice has no document of the stage "${stage}".`);
      }
      const type = stage === 'cim' ? 'application/json' : 'application/xml';
      return { status: 200, headers: { 'content-type': `${type}; charset=utf-8` }, body };
    },
  });
}

function acknowledgeRoute({ db, clock, random, metrics }: InvoiceRoutesContext) {
  return route({
    method: 'post',
    path: '/v1/invoices/{id}/acknowledge',
    operationId: 'acknowledgeInvoice',
    summary: 'Acknowledge an invoice: its business outcome is known',
    description: 'For markets where no business answer comes back over the network.',
    tag,
    auth: { scope: 'invoices:write' },
    limit: 'submit',
    request: { params },
    responses: { 200: { description: 'The submission, acknowledged.', schema: invoiceSchema } },
    errors: ['invoice_not_found', 'state_conflict'],
    handler: async ({ params: { id }, principal: { tenantId }, environment, audit }) => {
      const row = await db.tenant(tenantId, async (tx) => {
        const before = found(await findInvoice(tx, tenantId, environment, id, true), id);
        if (before.state === 'acknowledged') return before;
        if (before.state !== 'delivered' && before.state !== 'cleared') {
          throw fail(
            'state_conflict',
            `Only a delivered or cleared invoice can be acknowledged; this one is ${before.state}.`,
          );
        }
        const move = { invoice: before, trigger: 'acknowledge' as const };
        const at = { now: clock(), random, metrics };
        const moved = await applyTransitions(tx, tenantId, [move], at);
        const after = moved.get(id)!;
        await audit.record(tx, tenantId, {
          subject: id,
          before: { status: before.state },
          after: { status: after.state },
        });
        return after;
      });
      return { status: 200, body: showInvoice(row) };
    },
  });
}
