import { z } from 'zod';
import type { Principal } from '../../platform/auth/principal.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { ApiError } from '../../platform/http/errors.ts';
import {
  type AnyRoute,
  type Input,
  type RequestSchemas,
  route,
} from '../../platform/http/route.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { findConnectors } from '../connectors/store.ts';
import { fail } from '../errors.ts';
import {
  type HoldStepOutcome,
  type HoldStepRequest,
  takeHoldStep,
  withdrawHeld,
} from '../pipeline/held-invoices/hold-steps.ts';
import { invalidJobs } from '../pipeline/write-back/invalid-jobs.ts';
import {
  holdRequest,
  holdResult,
  invoiceId,
  invoice as invoiceSchema,
  withdrawRequest,
} from './schema.ts';
import { findInvoice, type InvoiceRow } from './store.ts';
import { found, showInvoice, showInvoiceInFull } from './view.ts';

interface HoldContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly metrics: Pick<Metrics, 'invoices'>;
}

type Step = HoldStepRequest['step'];

const tag = 'Invoices';
const params = z.strictObject({ id: invoiceId });
const errors = ['invoice_not_found', 'state_conflict', 'person_required', 'second_person_required'];

/** Letting held invoices go, one or many, and withdrawing them. */
export function holdRoutes(context: HoldContext): AnyRoute[] {
  return [
    oneRoute(context, 'release', {
      operationId: 'releaseInvoice',
      summary: 'Release a held invoice',
      description:
        'It is sent now, or waits for the approval of a second person where its connector asks for one; then ' +
        'only a person who has signed in may release it.',
    }),
    oneRoute(context, 'approve', {
      operationId: 'approveInvoice',
      summary: 'Approve a released invoice, as a second person',
      description: 'Only a person who has signed in, and neither submitted nor released it.',
    }),
    manyRoute(context, 'release', {
      operationId: 'releaseInvoices',
      summary: 'Release held invoices',
    }),
    manyRoute(context, 'approve', {
      operationId: 'approveInvoices',
      summary: 'Approve released invoices, as a second person',
    }),
    withdrawRoute(context),
  ];
}

interface Texts {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
}

function oneRoute(context: HoldContext, step: Step, texts: Texts) {
  return route({
    method: 'post',
    path: `/v1/invoices/{id}/${step}`,
    ...texts,
    tag,
    auth: { scope: `invoices:${step}` },
    limit: 'submit',
    request: { params },
    responses: { 200: { description: 'The submission as it is now.', schema: invoiceSchema } },
    errors,
    handler: async (input) => {
      const { id } = input.params;
      const row = await context.db.tenant(input.principal.tenantId, async (tx) => {
        const outcomes = await take(context, tx, step, [id], input);
        const refusal = refusalOf(id, outcomes.get(id)!);
        if (refusal !== undefined) throw refusal;
        return found(await findInvoice(tx, input.principal.tenantId, input.environment, id), id);
      });
      return { status: 200, body: showInvoice(row) };
    },
  });
}

function manyRoute(context: HoldContext, step: Step, texts: Texts) {
  return route({
    method: 'post',
    path: `/v1/invoices/${step}`,
    ...texts,
    description: 'Each by itself: what cannot be done with one keeps back none of the others.',
    tag,
    auth: { scope: `invoices:${step}` },
    limit: 'submit',
    request: { body: holdRequest },
    responses: { 200: { description: 'What came of each.', schema: holdResult } },
    handler: async (input) => {
      const { invoices } = input.body;
      const outcomes = await context.db.tenant(input.principal.tenantId, (tx) =>
        take(context, tx, step, invoices, input),
      );
      const results = [...outcomes].map(([id, outcome]) => resultOf(id, outcome));
      return { status: 200, body: { results } };
    },
  });
}

/** Takes the step, and records in the audit log with which invoices it was taken. */
async function take(
  { jobs, clock, random }: HoldContext,
  tx: Tx,
  step: Step,
  ids: readonly string[],
  {
    principal,
    environment,
    audit,
  }: Pick<Input<RequestSchemas, false>, 'principal' | 'environment' | 'audit'>,
): Promise<ReadonlyMap<string, HoldStepOutcome>> {
  const { tenantId } = principal;
  const scope: TenantScope = { tenantId, environment };
  const request = { step, ids, by: actorOf(principal), now: clock(), random };
  const outcomes = await takeHoldStep(tx, jobs, scope, request);
  for (const [id, outcome] of outcomes) {
    if (outcome.kind !== 'changed') continue;
    const { content: _, ...after } = outcome.hold;
    await audit.record(tx, tenantId, {
      subject: id,
      before: { waits_for: step === 'release' ? 'release' : 'approval' },
      after: { ...after, waits_for: outcome.waitsFor },
    });
  }
  return outcomes;
}

function actorOf({ id, sessionId }: Principal) {
  return { id, isPerson: sessionId !== undefined };
}

function resultOf(id: string, outcome: HoldStepOutcome) {
  const refusal = refusalOf(id, outcome);
  if (refusal !== undefined) {
    return { id, outcome: 'refused', code: refusal.code, detail: refusal.message };
  }
  const isFree = outcome.kind === 'changed' && outcome.waitsFor === null;
  return { id, outcome: isFree ? 'sent' : 'waits_for_approval' };
}

function refusalOf(id: string, outcome: HoldStepOutcome): ApiError | undefined {
  switch (outcome.kind) {
    case 'changed':
      return undefined;
    case 'missing':
      return fail('invoice_not_found', `There is no invoice "${id}".`);
    case 'not-held':
      return fail(
        'state_conflict',
        `The invoice does not wait for a person; it is ${outcome.state}.`,
      );
    case 'released-before':
      return fail(
        'state_conflict',
        'It was released before, and waits for the approval of a second person: POST /v1/invoices/{id}/approve.',
      );
    case 'not-released':
      return fail('state_conflict', 'It must be released first: POST /v1/invoices/{id}/release.');
    case 'person-required':
      return fail(
        'person_required',
        'It waits for two people: sign in (POST /v1/token) rather than use an API key.',
      );
    case 'second-person-required':
      return fail(
        'second_person_required',
        'You submitted or released it yourself: another person with the permission invoices:approve must approve it.',
      );
  }
}

function withdrawRoute({ db, jobs, clock, random, metrics }: HoldContext) {
  return route({
    method: 'post',
    path: '/v1/invoices/{id}/withdraw',
    operationId: 'withdrawInvoice',
    summary: 'Withdraw a held invoice: it is rejected, and never sent',
    description: 'Its document may be submitted again.',
    tag,
    auth: { scope: 'invoices:release' },
    limit: 'submit',
    request: { params, body: withdrawRequest.prefault({}) },
    responses: { 200: { description: 'The submission, rejected.', schema: invoiceSchema } },
    errors: ['invoice_not_found', 'state_conflict'],
    handler: async ({ params: { id }, body, principal, environment, audit }) => {
      const { tenantId } = principal;
      const row = await db.tenant(tenantId, async (tx) => {
        const invoice = found(await findInvoice(tx, tenantId, environment, id, true), id);
        if (invoice.waits_for === null) {
          throw refusalOf(id, { kind: 'not-held', state: invoice.state })!;
        }
        const message = `It was withdrawn before it was sent${body.reason ? `: ${body.reason}` : '.'}`;
        const withdrawal = { invoice, code: 'WITHDRAWN', message } as const;
        const at = { now: clock(), random, metrics };
        const rows = await withdrawHeld(tx, tenantId, [withdrawal], at);
        const after: InvoiceRow = rows.get(id)!;
        const [connector] = await findConnectors(tx, tenantId, [after.connector_id]);
        await jobs.enqueue(tx, tenantId, invalidJobs(connector, [after], at.now));
        await audit.record(tx, tenantId, {
          subject: id,
          before: { status: invoice.state, waits_for: invoice.waits_for },
          after: { status: after.state, reason: body.reason },
        });
        return after;
      });
      return { status: 200, body: showInvoiceInFull(row) };
    },
  });
}
