import { z } from 'zod';
import { connectorId } from '../connectors/schema.ts';
import { checks, limits, profile, validationError } from '../invoices/schema.ts';

const cim = z
  .record(z.string(), z.unknown())
  .describe('The invoice in the JSON form of the canonical model.');

/** One of three: a document of a connector, an invoice in the model, or UBL XML. */
export const validationRequest = z
  .strictObject({
    profile: profile.optional().describe('Needed unless the connector has a default profile.'),
    connector_id: connectorId.optional(),
    source_ref: z.string().min(1).max(limits.sourceRefMax).optional(),
    invoice: cim.optional(),
    xml: z.string().min(1).optional().describe('A UBL 2.1 Invoice or CreditNote.'),
    complete: z
      .boolean()
      .default(true)
      .describe(
        'Fill what the profile fixes and arithmetic gives, as a submission does; not for XML.',
      ),
  })
  .refine(
    ({ connector_id, source_ref, invoice, xml }) => {
      const isSource = connector_id !== undefined && source_ref !== undefined;
      const isPart = (connector_id !== undefined) !== (source_ref !== undefined);
      const given = [isSource, invoice !== undefined, xml !== undefined].filter(Boolean).length;
      return given === 1 && !isPart;
    },
    { message: 'Give one of: "connector_id" with "source_ref", "invoice", or "xml".' },
  )
  .meta({ id: 'ValidationRequest' });

export const validationReport = z
  .strictObject({
    valid: z.boolean(),
    profile,
    checks,
    errors: z.array(validationError),
    warnings: z.array(validationError),
    xml: z.string().optional().describe('The document as it would be emitted.'),
  })
  .meta({ id: 'ValidationReport' });
