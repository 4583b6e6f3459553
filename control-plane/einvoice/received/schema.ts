import {
  type ResponseAction,
  type ResponseReason,
  responseActions,
  responseReasons,
  responseStatuses,
} from '@drawbridge/lifecycle/supplier-response.ts';
import { z } from 'zod';
import { environments } from '../../platform/auth/principal.ts';
import { pageQuery, pageSchema } from '../../platform/http/paging.ts';
import { zonedInstant } from '../../platform/http/time-input.ts';
import { idPattern } from '../../platform/ids.ts';
import { connectorId } from '../connectors/schema.ts';
import { checks, profile, validationError } from '../invoices/schema.ts';
import { importOutcomes, receivedStatuses } from './store.ts';

const instant = z.iso.datetime();

export const receivedId = z
  .string()
  .regex(idPattern('rcv'), 'must be the id of a received document')
  .meta({ examples: ['rcv_01k9zq3v7m2n4p6r8t0w2y4a6c'] });

const status = z
  .enum(receivedStatuses)
  .describe(
    '`received`: kept, and not in the ERP; `imported`: its draft is there; `undone`: the draft was taken ' +
      'out again; `duplicate`: it repeats another; `unreadable`: it is no invoice; `cancelled`: its supplier has ' +
      'cancelled it, and nothing of it is in the ERP.',
  );

const imported = z
  .strictObject({
    outcome: z
      .enum(importOutcomes)
      .describe('`waiting`: the ERP does not answer yet; `given-up`: it did not within 30 days.'),
    action: z.enum(['import', 'undo']).optional().describe('What is waited for, or was.'),
    target: z.string().optional().describe('Table or file.'),
    reason: z.string().optional(),
    at: instant,
  })
  .meta({ id: 'Import' });

const responseState = z
  .enum(['waiting', 'sent', 'delivered', 'refused'])
  .describe('How far the answer is; `reason` says why it waits or was refused.');

const response = z
  .strictObject({
    id: z.string(),
    status: z.enum(responseStatuses),
    state: responseState,
    reason: z.string().optional(),
    at: instant,
  })
  .meta({ id: 'SupplierResponse' });

export const received = z
  .strictObject({
    id: receivedId,
    status,
    environment: z.enum(environments),
    source: z.string().describe('The network (`peppol`) or the connector that it came from.'),
    network_id: z.string().describe('Its id there: of Peppol the SBDH instance identifier.'),
    participant: z.string().optional().describe('The address that it was sent to.'),
    profile: profile
      .optional()
      .describe('As the document states it; without a known one no rules were run.'),
    checks,
    errors: z.array(validationError),
    warnings: z.array(validationError),
    document_type: z.enum(['invoice', 'credit-note']).optional(),
    supplier: z.strictObject({ id: z.string(), name: z.string() }).optional(),
    number: z.string().optional(),
    issue_date: z.string().optional(),
    currency: z.string().optional(),
    gross: z.string().optional(),
    duplicate_of: receivedId
      .optional()
      .describe(
        'What it repeats, or repeated when it came and was rejected or cancelled since; then it is no duplicate any more.',
      ),
    import_to: z.string().optional(),
    import: imported.optional(),
    response: response
      .optional()
      .describe(
        'What the supplier was last answered; `delivered` by the network, or taken by the authority.',
      ),
    rejectable_until: instant.optional(),
    cancelled_at: instant
      .optional()
      .describe(
        'When its supplier cancelled it at its authority. Its draft is taken out of the ERP; while `status` is ' +
          '`imported` it is still there, and `import` says why.',
      ),
    cancel_reason: z.string().optional(),
    received_at: instant,
    updated_at: instant,
    links: z.strictObject({ self: z.string(), document: z.string() }),
  })
  .meta({ id: 'ReceivedDocument' });

export const receivedPage = pageSchema(received, 'ReceivedPage');

export const receivedQuery = pageQuery.extend({
  status: z.enum(receivedStatuses).optional(),
  number: z.string().max(200).optional(),
  supplier: z.string().max(200).optional().describe('Its id, as `supplier.id` shows it.'),
  source: z.string().max(100).optional(),
  cancelled: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      'Only those that their supplier has cancelled, or only the others. With `status=imported`: those whose draft is still in the ERP.',
    ),
  since: zonedInstant().optional().describe('Received at this instant or later.'),
  until: zonedInstant().optional().describe('Received before this instant.'),
});

export const importRequest = z
  .strictObject({
    connector_id: connectorId
      .optional()
      .describe('Where to; needed unless its participant or connector names one.'),
  })
  .meta({ id: 'ImportRequest' });

export const participantId = z
  .string()
  .regex(/^\d{4}:\S{1,50}$/, 'must be a scheme of four digits, a colon and the address')
  .transform((id) => id.toLowerCase())
  .meta({ examples: ['0235:1008765432'] });

export const participantRequest = z
  .strictObject({
    import_to: connectorId
      .nullable()
      .default(null)
      .describe('The connector into which its documents are imported by themselves.'),
  })
  .meta({ id: 'ParticipantRequest' });

export const participant = z
  .strictObject({
    id: z.string(),
    import_to: z.string().optional(),
    status: z
      .enum(['confirmed', 'unconfirmed'])
      .describe('`unconfirmed`: the host has not yet seen to it that the address is yours.'),
    created_at: instant,
  })
  .meta({ id: 'Participant' });

export const participantList = z
  .strictObject({ results: z.array(participant), next: z.null(), previous: z.null() })
  .meta({ id: 'ParticipantList' });

const clarifications = <Code extends string>(codes: Readonly<Record<Code, string>>) =>
  z
    .array(
      z.strictObject({
        code: z.enum(Object.keys(codes) as [Code, ...Code[]]),
        text: z.string().trim().min(1).max(300).optional(),
      }),
    )
    .max(10)
    .default([])
    .describe(
      Object.entries(codes)
        .map(([code, meaning]) => `\`${code}\` ${meaning}`)
        .join(', '),
    );

/** An answer to a supplier, with the codes of Peppol's Invoice Response. */
export const respondRequest = z
  .strictObject({
    status: z.enum(responseStatuses),
    reasons: clarifications<ResponseReason>(responseReasons),
    actions: clarifications<ResponseAction>(responseActions),
    note: z.string().trim().min(1).max(1_000).optional(),
  })
  .meta({ id: 'RespondRequest' });

export const responseList = z
  .strictObject({
    results: z.array(
      z.strictObject({
        id: z.string(),
        status: z.enum(responseStatuses),
        reasons: z.array(z.strictObject({ code: z.string(), text: z.string().optional() })),
        actions: z.array(z.strictObject({ code: z.string(), text: z.string().optional() })),
        note: z.string().optional(),
        state: responseState,
        reason: z.string().optional(),
        by: z.string().describe('The user or the key that gave it.'),
        at: instant,
      }),
    ),
    next: z.null(),
    previous: z.null(),
  })
  .meta({ id: 'SupplierResponseList' });
