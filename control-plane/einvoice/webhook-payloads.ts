import { holdSteps } from '@drawbridge/lifecycle/submission-policy.ts';
import { eventOf, type State } from '@drawbridge/lifecycle/transitions.ts';
import { z } from 'zod';
import { commonPayloads, type PayloadEntry, payloadRows } from '../webhooks/payload-schema.ts';

const invoiceId = 'inv_01k3w9v2x4m6n8p0q2r4s6t8v0';
const profile = z.string();
const ofInvoice = { id: invoiceId, more: { profile }, exampleMore: { profile: 'PINT-AE' } };

const stateSummaries: Readonly<Record<State, string>> = {
  received: 'An invoice was submitted',
  validating: 'An invoice is being checked',
  validated: 'An invoice keeps all rules',
  submitted: 'An invoice was sent to its authority or network',
  cleared: 'The authority has cleared an invoice',
  delivered: 'An invoice has arrived at its buyer',
  acknowledged: 'An invoice is settled',
  rejected: 'An invoice breaks a rule, or was refused',
};

const stateEntries = Object.fromEntries(
  Object.entries(stateSummaries).map(([state, summary]) => [
    eventOf(state as State),
    state === 'cleared'
      ? {
          ...ofInvoice,
          summary,
          more: { profile, uin: z.string().optional().describe("The authority's own identifier.") },
          exampleMore: { profile: 'PINT-MY', uin: 'F9D425P6DS7D8IU' },
        }
      : { ...ofInvoice, summary },
  ]),
);

/** What each event of a document of a supplier says of it. */
const told = {
  supplier: z.strictObject({ id: z.string().nullable(), name: z.string().nullable() }),
  number: z.string().nullable(),
  gross: z.string().nullable(),
  currency: z.string().nullable(),
  links: z.strictObject({ self: z.string() }),
};
const toldExample = {
  supplier: { id: 'C20830570210', name: 'Kedai Buku Sentosa' },
  number: 'INV-2026-0117',
  gross: '530.00',
  currency: 'MYR',
  links: { self: '/v1/received/rcv_01k3w9v2x4m6n8p0q2r4s6t8v0' },
};

const entries: Readonly<Record<string, PayloadEntry>> = {
  ...stateEntries,
  'invoice.stalled': {
    ...ofInvoice,
    summary: 'The service has stopped trying to work on an invoice, which keeps its state',
    data: z.strictObject({ reason: z.string(), queue: z.string() }),
    example: {
      reason:
        'The service could not work on this invoice and has stopped trying; its operator was told.',
      queue: 'write-back',
    },
  },
  'invoice.held': {
    ...ofInvoice,
    summary: 'A valid document waits for a person; only for endpoints that name it',
    data: z.strictObject({ waits_for: z.enum(holdSteps), reason: z.string() }),
    example: {
      waits_for: 'release',
      reason:
        'When it was checked its connector had valid documents wait. Release it (POST /v1/invoices/{id}/release) to have it sent.',
    },
  },
  'invoice.source_changed': {
    ...ofInvoice,
    summary:
      'The source holds a document otherwise than it was sent; only for endpoints that name it',
    data: z.strictObject({ reason: z.string() }),
    example: {
      reason:
        'The document changed in its source after it was sent: the total was 1050.00 and is 1260.00. What was sent stays as ' +
        'it was. Correct it by a credit note, or have it cancelled by its authority and submit it again.',
    },
  },
  'invoice.cancelled': {
    ...ofInvoice,
    summary:
      'The authority says that a document which it had cleared was cancelled; only for endpoints that name it',
  },
  'document.received': {
    summary: 'A document of a supplier has come in; only for endpoints that name it',
    id: 'rcv_01k3w9v2x4m6n8p0q2r4s6t8v0',
    more: { profile: profile.optional() },
    exampleMore: { profile: 'BIS-3.0' },
    data: z.strictObject({
      source: z.string().describe('The network or the connector that it came from.'),
      document_type: z.string().nullable(),
      supplier: z.strictObject({ id: z.string().nullable(), name: z.string().nullable() }),
      number: z.string().nullable(),
      issue_date: z.string().nullable(),
      currency: z.string().nullable(),
      gross: z.string().nullable(),
      valid: z.boolean(),
      links: z.strictObject({ self: z.string(), document: z.string() }),
    }),
    example: {
      source: 'peppol',
      document_type: 'invoice',
      supplier: { id: '0208:0884303369', name: 'Papeterie Dubois SA' },
      number: 'F-2026-0117',
      issue_date: '2026-02-27',
      currency: 'EUR',
      gross: '1210.00',
      valid: true,
      links: {
        self: '/v1/received/rcv_01k3w9v2x4m6n8p0q2r4s6t8v0',
        document: '/v1/received/rcv_01k3w9v2x4m6n8p0q2r4s6t8v0/document',
      },
    },
  },
  'document.rejection_ends': {
    summary:
      'A document of a supplier can soon no longer be rejected; only for endpoints that name it',
    id: 'rcv_01k3w9v2x4m6n8p0q2r4s6t8v0',
    data: z.strictObject({ rejectable_until: z.iso.datetime(), ...told }),
    example: { rejectable_until: '2026-03-02T08:15:30.000Z', ...toldExample },
  },
  'document.rejection_unanswered': {
    summary:
      'A supplier has not cancelled a document that was rejected, so that it stands; only for endpoints that name it',
    id: 'rcv_01k3w9v2x4m6n8p0q2r4s6t8v0',
    data: z.strictObject({ rejectable_until: z.iso.datetime(), ...told }),
    example: { rejectable_until: '2026-03-02T08:15:30.000Z', ...toldExample },
  },
  'document.unreadable': {
    summary:
      'Something that is no invoice, or cannot be read, has come in as a document of a supplier; only for endpoints that name it',
    id: 'rcv_01k3w9v2x4m6n8p0q2r4s6t8v0',
    data: z.strictObject({
      source: z.string().describe('The network or the connector that it came from.'),
      network_id: z.string().describe('Its id there.'),
      reason: z.string(),
      links: z.strictObject({ self: z.string(), document: z.string() }),
    }),
    example: {
      source: 'cnx_01k3w9v2x4m6n8p0q2r4s6t8v0',
      network_id: '<cafe@supplier.example>/logo.png#0123456789abcdef',
      reason: 'It has no number, without which it is no invoice.',
      links: {
        self: '/v1/received/rcv_01k3w9v2x4m6n8p0q2r4s6t8v0',
        document: '/v1/received/rcv_01k3w9v2x4m6n8p0q2r4s6t8v0/document',
      },
    },
  },
  'document.cancelled': {
    summary:
      'A supplier has cancelled a document at its authority; only for endpoints that name it',
    id: 'rcv_01k3w9v2x4m6n8p0q2r4s6t8v0',
    data: z.strictObject({
      cancelled_at: z.iso.datetime(),
      reason: z.string().nullable(),
      in_erp: z.boolean().describe('A draft of it is in the ERP, and is taken out.'),
      ...told,
    }),
    example: {
      cancelled_at: '2026-03-01T08:15:30.000Z',
      reason: 'wrong buyer',
      in_erp: true,
      ...toldExample,
    },
  },
  'document.draft_kept': {
    summary:
      'The draft of a cancelled document stays in the ERP, and a person must take it out there; only for endpoints that name it',
    id: 'rcv_01k3w9v2x4m6n8p0q2r4s6t8v0',
    data: z.strictObject({ reason: z.string(), ...told }),
    example: {
      reason:
        'einv_received: somebody has gone on with the draft of rcv_01k3w9v2x4m6n8p0q2r4s6t8v0, for status is "posted" and not "draft"',
      ...toldExample,
    },
  },
  ...commonPayloads,
};

/** What e-invoicing tells by webhooks. */
export const einvoicePayloads = payloadRows(entries);
