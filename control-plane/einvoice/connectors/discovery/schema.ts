import { companyFields } from '@drawbridge/profiles/company.ts';
import { z } from 'zod';
import { connectorId, connectorLayout } from '../schema.ts';

/** Names of tables and columns, as the source has them. */
const placeName = z.string().min(1).max(512);

export const discoveryRequest = z
  .strictObject({
    header: placeName
      .optional()
      .describe('The table in which the invoices stand, where a person knows it.'),
  })
  .meta({ id: 'DiscoveryRequest' });

const table = z
  .strictObject({
    name: z.string(),
    rows: z.number().optional().describe('About how many; left out where nothing says so.'),
    columns: z.int(),
    key: z.array(z.string()).describe('Its declared key; empty where there is none.'),
    dates: z
      .array(z.strictObject({ column: z.string(), latest: z.iso.date() }))
      .describe('Columns of dates, each with the latest that was seen; at most five.'),
  })
  .meta({ id: 'DiscoveredTable' });

const layout = z
  .strictObject({
    title: z.string().describe('What it is taken from: a known ERP, or the tables themselves.'),
    documents: z.enum(['invoices', 'credit notes']),
    layout: connectorLayout,
    reasons: z.record(z.string(), z.string()).describe('Why, a sentence for each section.'),
    confidence: z.number().describe('0 to 1.'),
    notes: z.array(z.string()).describe('What a person should know of it.'),
    tax_codes: z
      .record(z.string(), z.string())
      .optional()
      .describe('Tax codes of the ERP → categories (UNCL5305), for a person to confirm.'),
  })
  .meta({ id: 'ProposedLayout' });

const creditNotes = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('value'), column: z.string(), value: z.string() }),
    z.strictObject({ kind: z.literal('table'), table: z.string() }),
    z.strictObject({ kind: z.literal('negative'), column: z.string() }),
    z.strictObject({ kind: z.literal('none') }),
  ])
  .describe(
    "Rows of the header's table with another value, rows of another table, or invoices whose total is negative.",
  )
  .meta({ id: 'DiscoveredCreditNotes' });

const companyAnswer = z
  .strictObject({
    field: z
      .enum(companyFields.map(({ name }) => name))
      .describe('A member of the company profile.'),
    value: z.string(),
    from: z.string().describe('Where it stands: `company.tax_no`, or `settings (tax_no)`.'),
  })
  .meta({ id: 'DiscoveredCompanyAnswer' });

const shownDocument = z
  .strictObject({
    ref: z.string().describe('As `source_ref` of a submission.'),
    number: z.string().optional(),
    date: z.string().optional(),
    customer: z.string().optional(),
    currency: z.string().optional(),
    total: z.string().optional().describe('With tax, as the source has it.'),
    lines: z
      .array(
        z.strictObject({
          name: z.string().optional(),
          quantity: z.string().optional(),
          price: z.string().optional(),
          net: z.string().optional(),
        }),
      )
      .describe('The first ten.'),
    line_count: z.int(),
    sections: z
      .record(
        z.string(),
        z.array(
          z.strictObject({
            origin: z.string(),
            key: z.string(),
            values: z.record(z.string(), z.string().nullable()),
          }),
        ),
      )
      .describe('The first ten rows of each section, as they stand in the source; values are cut.'),
  })
  .describe('A document as a person reads it, by what its columns seem to mean.')
  .meta({ id: 'DiscoveredDocument' });

export const discoveryView = z
  .strictObject({
    connector_id: connectorId,
    source: z
      .string()
      .describe('E.g. "PostgreSQL at db:5432/erp", or "outbox: 3 files: 3 CSV of one layout".'),
    product: z.string().describe('What the server says it is: "MariaDB 10.11.6"; empty for files.'),
    tables: z
      .array(table)
      .describe(
        'Those whose names may have to do with invoices, or those of the files, at most 400.',
      ),
    layouts: z
      .array(layout)
      .describe('How the documents may be read, the surest first; empty when nothing looks so.'),
    alternatives: z
      .array(z.string())
      .describe('Other tables that might hold the header, the likeliest first.'),
    credit_notes: creditNotes,
    company: z
      .array(companyAnswer)
      .describe('What a database says of the company whose books it keeps, for PUT /v1/company.'),
    documents: z
      .array(shownDocument)
      .describe('The newest documents, read as the first layout says, at most three.'),
    notes: z.array(z.string()).describe('What was left out or could not be read, and why.'),
    next: z.array(z.strictObject({ why: z.string(), call: z.string() })),
  })
  .meta({ id: 'Discovery' });
