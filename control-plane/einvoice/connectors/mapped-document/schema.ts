import { z } from 'zod';
import { profile } from '../../invoices/schema.ts';
import { mappingQuery } from '../mapping-schema.ts';
import { connectorId } from '../schema.ts';

export const mappedDocumentQuery = mappingQuery.extend({
  source_ref: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe('The document to look at. Default: the newest one.'),
});

const place = z.strictObject({ section: z.string(), key: z.string(), column: z.string() });

export const mappedDocument = z
  .strictObject({
    connector_id: connectorId,
    profile,
    source_refs: z.array(z.string()).describe('The newest documents, at most 50.'),
    source_ref: z.string().optional().describe('The document that is shown; none where none is.'),
    sections: z
      .array(
        z.strictObject({
          section: z.string(),
          origin: z.string().describe('The table, file or sheet.'),
          rows_total: z.int(),
          rows: z
            .array(z.strictObject({ key: z.string(), values: z.record(z.string(), z.string()) }))
            .describe('At most 20, without empty columns; long values are cut.'),
        }),
      )
      .describe('As the source holds it.'),
    values: z
      .array(
        z.strictObject({
          path: z.string().describe('Field of the model, positions counted from 1.'),
          target: z.string().describe('The field of the mapping.'),
          value: z.string(),
          by: z.enum(['column', 'constant', 'company']),
          from: place.optional(),
          status: z.enum(['proposed', 'approved']),
        }),
      )
      .describe('As the mapping and the company profile make it; of a list the first 20 entries.'),
    problems: z.array(z.string()).describe('What could not be mapped.'),
  })
  .meta({ id: 'MappedDocument' });
