import { z } from 'zod';
import { environments } from '../../platform/auth/principal.ts';
import { idPattern } from '../../platform/ids.ts';
import { connectorId } from '../connectors/schema.ts';
import { checks, profile, validationError } from '../invoices/schema.ts';
import { receivedStatuses } from './store.ts';

const instant = z.iso.datetime();

export const receivedId = z
  .string()
  .regex(idPattern('rcv'), 'must be the id of a received document')
  .meta({ examples: ['rcv_01k9zq3v7m2n4p6r8t0w2y4a6c'] });

const status = z
  .enum(receivedStatuses)
  .describe(
    '`received`: kept, and not in the ERP; `imported`: its draft is there; `undone`: the draft was taken ' +
      'out again; `duplicate`: it repeats another; `unreadable`: it is no invoice.',
  );

const imported = z
  .strictObject({
    outcome: z.enum(['waiting', 'written', 'already', 'undone', 'conflict', 'unsupported']),
    target: z.string().optional().describe('Table or file.'),
    reason: z.string().optional(),
    at: instant,
  })
  .meta({ id: 'Import' });

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
    duplicate_of: receivedId.optional(),
    import_to: z.string().optional(),
    import: imported.optional(),
    rejectable_until: instant.optional(),
    received_at: instant,
    updated_at: instant,
    links: z.strictObject({ self: z.string(), document: z.string() }),
  })
  .meta({ id: 'ReceivedDocument' });

export const receivedPage = z
  .strictObject({
    results: z.array(received),
    next: z.string().nullable(),
    previous: z.string().nullable(),
  })
  .meta({ id: 'ReceivedPage' });

export const receivedQuery = z.strictObject({
  status: z.enum(receivedStatuses).optional(),
  number: z.string().max(200).optional(),
  supplier: z.string().max(200).optional().describe('Its id, as `supplier.id` shows it.'),
  source: z.string().max(100).optional(),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
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
