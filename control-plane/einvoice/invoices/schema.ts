import { holdSteps } from '@drawbridge/lifecycle/submission-policy.ts';
import { states } from '@drawbridge/lifecycle/transitions.ts';
import { profileIds } from '@drawbridge/profiles/registry.ts';
import { z } from 'zod';
import { environments } from '../../platform/auth/principal.ts';
import { pageQuery, pageSchema } from '../../platform/http/paging.ts';
import { zonedInstant } from '../../platform/http/time-input.ts';
import { idPattern } from '../../platform/ids.ts';
import { buyerStatuses } from './store.ts';

export const invoiceId = z
  .string()
  .regex(idPattern('inv'), 'must be the id of an invoice')
  .meta({
    description: 'Identifier of a submission.',
    examples: ['inv_01k9zq3v7m2n4p6r8t0w2y4a6c'],
  });

export const profile = z.enum(profileIds).meta({ id: 'ProfileId' });

export const limits = { sourceRefMax: 512, idempotencyKeyMax: 255, waitSecondsMax: 30 } as const;

export const submissionRequest = z
  .strictObject({
    connector_id: z.string().min(1).max(100).describe('The connector that reads the document.'),
    profile: profile.optional().describe('Defaults to the profile of the connector.'),
    source_ref: z
      .string()
      .min(1)
      .max(limits.sourceRefMax)
      .describe('Reference of the source document in the ERP, e.g. its number.'),
  })
  .meta({ id: 'Submission' });

export const submissionHeaders = z.object({
  'idempotency-key': z
    .string()
    .optional()
    .describe('Chosen by the caller; the same key with the same body is safe to send again.'),
  prefer: z
    .string()
    .max(200)
    .optional()
    .describe('`wait=N` (seconds, at most 30) waits for the verdict; `respond-async` does not.'),
});

export const errorSource = z
  .strictObject({
    connector: z.string(),
    origin: z.string().describe('Table or file.'),
    column: z.string(),
    key: z.string().describe('Key of the row.'),
    value: z.string().nullable(),
  })
  .meta({ id: 'ErrorSource' });

const explanation = z
  .strictObject({
    why: z.string(),
    fix: z.string(),
    erp: z.string().describe('Where the value usually stands in an ERP.'),
  })
  .meta({ id: 'Explanation' });

export const validationError = z
  .strictObject({
    field: z.string().describe('XPath of the failing element in the emitted document.'),
    rule: z.string().describe('`<PROFILE>-<rule id of the authority>`.'),
    message: z.string(),
    severity: z.enum(['fatal', 'warning']),
    source: errorSource.optional().describe('Where the value came from in the ERP.'),
    explanation: explanation.optional().describe('In plain words; left out of lists.'),
    translations: z
      .record(z.string(), z.string())
      .optional()
      .describe("The authority's own text in other languages."),
  })
  .meta({ id: 'ValidationError' });

const check = z.enum(['pending', 'passed', 'failed', 'skipped']);

export const checks = z
  .strictObject({
    schema: check,
    business_rules: check,
    authority_clearance: check.optional(),
  })
  .meta({ id: 'Checks' });

const links = z.strictObject({ self: z.string(), events: z.string() });

export const accepted = z
  .strictObject({ id: invoiceId, status: z.enum(states), checks, links })
  .meta({ id: 'Accepted' });

export const rejected = z
  .strictObject({
    id: invoiceId,
    status: z.literal('rejected'),
    errors: z.array(validationError),
    warnings: z.array(validationError).optional(),
  })
  .meta({ id: 'Rejected' });

const instant = z.iso.datetime();

const forwarding = z
  .strictObject({
    status: z
      .enum(['waiting', 'sent', 'delivered', 'refused', 'off', 'withheld'])
      .describe('`off`: this environment has no access point; `withheld`: it must not go out.'),
    reason: z.string().optional(),
    errors: z.array(z.strictObject({ code: z.string(), message: z.string() })).optional(),
    sent_at: instant.nullish(),
    at: instant,
  })
  .meta({ id: 'Forwarding' });

const buyerResponse = z
  .strictObject({
    code: z.string().describe('As the buyer gave it (UNCL4343): AB, IP, UQ, CA, RE, AP, PD.'),
    status: z.enum(buyerStatuses),
    note: z.string().optional(),
    at: instant,
  })
  .meta({ id: 'BuyerResponse' });

const hold = z
  .strictObject({
    waits_for: z
      .enum(holdSteps)
      .optional()
      .describe('Who must act before it is sent; left out when it was let go, or withdrawn.'),
    reason: z.string().optional().describe('Why it waits, and what to do.'),
    since: instant,
    released_by: z.string().optional(),
    released_at: instant.optional(),
    approved_by: z.string().optional(),
    approved_at: instant.optional(),
  })
  .meta({ id: 'Hold' });

const waiting = z
  .strictObject({ reason: z.string(), since: instant, next_attempt_at: instant })
  .meta({ id: 'ValidationWait' });

export const invoice = z
  .strictObject({
    id: invoiceId,
    status: z.enum(states),
    environment: z.enum(environments),
    profile,
    connector_id: z.string(),
    source_ref: z.string(),
    number: z.string().optional().describe('Invoice number, once the document was read.'),
    buyer: z.string().optional().describe("The buyer's name, once the document was read."),
    currency: z.string().optional(),
    gross: z.string().optional().describe('The total with tax, in the currency of the document.'),
    checks,
    errors: z.array(validationError),
    warnings: z.array(validationError),
    duplicate_of: z.string().optional(),
    waiting: waiting
      .optional()
      .describe(
        'Why it is not validated yet: its source gave no document, or the invoice that it corrects has no ' +
          'verdict. Shown of one invoice, not in lists.',
      ),
    uin: z.string().optional().describe('Identifier given by the clearance authority.'),
    validation_url: z.string().optional(),
    authority_status: z.string().optional().describe('The last answer of the authority.'),
    cancellable_until: instant.optional(),
    write_back: z.record(z.string(), z.unknown()).optional(),
    forwarding: forwarding
      .optional()
      .describe('How a cleared document, with its identifier, came to the buyer over Peppol.'),
    buyer_response: buyerResponse
      .optional()
      .describe('The last answer of the buyer; accepted or paid makes the invoice `acknowledged`.'),
    hold: hold
      .optional()
      .describe(
        'A valid document that was not sent at once, because its connector asks for a release.',
      ),
    created_at: instant,
    updated_at: instant,
    links,
  })
  .meta({ id: 'Invoice' });

export const invoicePage = pageSchema(invoice, 'InvoicePage');

const amount = z
  .string()
  .regex(/^-?\d{1,12}(\.\d{1,6})?$/, 'must be a decimal with at most six places, such as 1050.00')
  .optional();

export const listQuery = pageQuery.extend({
  status: z.enum(states).optional(),
  profile: profile.optional(),
  connector_id: z.string().max(100).optional(),
  source_ref: z.string().max(limits.sourceRefMax).optional(),
  number: z.string().max(200).optional(),
  buyer: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe("How the buyer's name begins; small and capital letters are the same."),
  amount_min: amount.describe('Of the total with tax, in the currency of each document.'),
  amount_max: amount.describe('The same, at most.'),
  waits_for: z.enum(holdSteps).optional().describe('Only those that wait for this.'),
  since: zonedInstant().optional().describe('Submitted at this instant or later.'),
  until: zonedInstant().optional().describe('Submitted before this instant.'),
});

const event = z
  .strictObject({
    id: z.string(),
    event: z.string(),
    status: z.string(),
    timestamp: instant,
    elapsed_ms: z.number().int().describe('Time since the submission was accepted.'),
  })
  .meta({ id: 'InvoiceEvent' });

export const eventPage = z.strictObject({
  results: z.array(event),
  next: z.null(),
  previous: z.null(),
});

export const documentQuery = z.strictObject({
  stage: z
    .enum(['document', 'clearance', 'final', 'cim'])
    .optional()
    .describe(
      'The validated document; what a clearance authority was sent; the document with its identifier; the model. ' +
        'Default: final where there is one, else document.',
    ),
});

/** Invoices that one request lets go. */
export const holdRequest = z
  .strictObject({ invoices: z.array(invoiceId).min(1).max(500) })
  .meta({ id: 'HoldRequest' });

export const holdResult = z
  .strictObject({
    results: z.array(
      z.strictObject({
        id: invoiceId,
        outcome: z
          .enum(['sent', 'waits_for_approval', 'refused'])
          .describe(
            '`sent`: it goes to the authority now; `refused`: `code` and `detail` say why.',
          ),
        code: z.string().optional(),
        detail: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'HoldResult' });

export const withdrawRequest = z
  .strictObject({ reason: z.string().trim().min(1).max(300).optional() })
  .meta({ id: 'WithdrawRequest' });
