import { totalNames } from '@drawbridge/validation/preview/examine.ts';
import { objectionKinds } from '@drawbridge/validation/preview/objections.ts';
import { z } from 'zod';
import { errorSource, profile } from '../../invoices/schema.ts';
import { connectorId } from '../schema.ts';
import { sentMapping } from '../sent-mapping.ts';

export const previewDocumentsMax = 50;
/** Objections that are kept of a preview, and may be accepted at once: more than there are kinds of. */
export const objectionsMax = 500;

export const previewRequest = z
  .strictObject({
    documents: z
      .int32()
      .min(1)
      .max(previewDocumentsMax)
      .default(previewDocumentsMax)
      .describe('How many of the newest documents are read; some kinds of sources name fewer.'),
    mapping: sentMapping
      .optional()
      .describe('Looked at in place of the stored one; its objections are not kept.'),
  })
  .meta({ id: 'MappingPreviewRequest' });

const example = z
  .strictObject({ source_ref: z.string(), source: errorSource.optional() })
  .meta({ id: 'PreviewExample' });

/** The id of an objection. */
export const objectionId = z.string().regex(/^obj_[0-9a-f]{20}$/);

const objection = z
  .strictObject({
    id: objectionId.describe('Another one once the fields concerned are changed.'),
    kind: z.enum(objectionKinds),
    words: z.string(),
    documents: z.int().describe('How many of the documents it is of.'),
    example: example.optional(),
    accepted: z.boolean().describe('Somebody accepted it, with a reason.'),
  })
  .meta({ id: 'MappingObjection' });

export const previewView = z
  .strictObject({
    connector_id: connectorId,
    profile,
    documents: z.strictObject({
      read: z.int(),
      passed: z.int().describe('Would be submitted.'),
      refused: z.int(),
    }),
    stopped: z.string().optional().describe('Why not all of the documents were read.'),
    refusals: z
      .array(
        z
          .strictObject({
            rule: z.string(),
            field: z.string(),
            message: z.string(),
            documents: z.int(),
            example,
          })
          .meta({ id: 'PreviewRefusal' }),
      )
      .describe('Rules that would refuse documents, the most frequent first, at most 50.'),
    totals: z
      .array(
        z
          .strictObject({
            total: z.enum(totalNames),
            origin: z.string().optional(),
            column: z.string().optional().describe('Where the ERP holds it.'),
            compared: z.int().describe('Documents in which both are known.'),
            equal: z.int(),
            differences: z.array(
              z.strictObject({
                source_ref: z.string(),
                ours: z.string(),
                erp: z.string(),
                currency: z.string().optional(),
                source: errorSource.optional(),
              }),
            ),
          })
          .meta({ id: 'PreviewTotal' }),
      )
      .describe("Totals computed from the lines, beside the ERP's own where a column holds them."),
    objections: z.array(objection),
    next: z.array(z.strictObject({ why: z.string(), call: z.string() })),
  })
  .meta({ id: 'MappingPreview' });
