import { mappingLimits, mappingSchema } from '@drawbridge/mapping/mapping.ts';
import { z } from 'zod';
import { profile } from '../invoices/schema.ts';
import { objectionId, objectionsMax } from './preview/schema.ts';
import { connectorId } from './schema.ts';
import { sentMapping } from './sent-mapping.ts';

const version = z
  .int32()
  .min(0)
  .describe(
    'The version of the mapping that was read; 0 when there was none. If it changed in between, the answer is 409.',
  );

export const mappingQuery = z.strictObject({
  profile: profile.optional().describe('Default: the profile of the connector.'),
});

export const mappingRequest = z
  .strictObject({ version: version.optional(), mapping: sentMapping })
  .meta({ id: 'MappingRequest' });
/** A body of `PUT …/mapping`, parsed. */
export type MappingRequest = z.output<typeof mappingRequest>;

export const approvalRequest = z
  .strictObject({
    version: version.optional(),
    targets: z.array(z.string().max(200)).min(1).max(mappingLimits.fieldsMax).optional(),
    min_confidence: z.number().min(0).max(1).optional(),
    accepted_objections: z
      .array(z.strictObject({ id: objectionId, reason: z.string().trim().min(1).max(500) }))
      .max(objectionsMax)
      .optional()
      .describe('Objections of the newest preview that do not stand against it, and why.'),
  })
  .refine(({ targets, min_confidence }) => targets === undefined || min_confidence === undefined, {
    message: 'Give "targets" or "min_confidence", or neither to approve everything.',
  })
  .meta({ id: 'MappingApproval' });

const meant = mappingSchema.shape.fields.element;

const fieldState = z.enum(['mapped', 'proposed', 'filled', 'missing', 'conditional', 'optional']);

const mappedField = z
  .looseObject({
    target: z.string(),
    status: z.enum(['proposed', 'approved']),
    sample: z.unknown().optional().describe('What the sample document gives.'),
  })
  .meta({ id: 'MappedField' });

/** Waiting documents that are counted. */
export const documentsWaitingMax = 10_000;

export const mappingView = z
  .strictObject({
    connector_id: connectorId,
    profile,
    version,
    status: z.enum(['empty', 'proposed', 'partly_approved', 'approved']),
    changed_by: z
      .string()
      .optional()
      .describe(
        'Who last changed what it says, a person or a key of nobody in particular; `approved_by` of a field tells who approved it.',
      ),
    fields: z.array(mappedField),
    lists: z.record(z.string(), z.unknown()).optional(),
    joins: z.record(z.string(), z.unknown()).optional(),
    changes: z
      .array(
        z.strictObject({
          target: z.string(),
          was: meant.optional().describe('As it was approved; none of a field that is new.'),
          now: meant.optional().describe('As it is now; none of a field that was taken out.'),
        }),
      )
      .describe('What differs from what was last approved; none where nothing was.'),
    coverage: z.strictObject({
      documents: z
        .int()
        .describe('The newest documents of the source on which the rules were tried, at most 20.'),
      counts: z.record(fieldState, z.number()),
      missing: z
        .array(z.string())
        .describe(
          'Fields without which documents are refused, each with what it means and where ERPs keep it: those that the ' +
            'profile requires always, and those that the rules found missing in the documents that were tried.',
        ),
      fields: z.array(
        z.strictObject({
          path: z.string(),
          term: z.string(),
          name: z.string(),
          help: z.string(),
          required: z.enum(['always', 'conditional', 'optional']),
          state: fieldState,
          message: z.string().optional(),
        }),
      ),
    }),
    value_maps: z
      .array(
        z.strictObject({
          target: z.string(),
          section: z.string(),
          column: z.string(),
          list: z.enum(['countries', 'currencies', 'units', 'tax categories']),
          values: z.number().int().describe('Different values that were seen.'),
          recognised: z.number().int(),
          unrecognised: z
            .array(z.string())
            .describe(
              'Values that are no codes yet: a value map (transform `map`) says what they mean.',
            ),
        }),
      )
      .describe(
        'Mapped columns that must hold codes, and which of their values in the newest documents do.',
      ),
    columns: z
      .array(
        z.strictObject({
          section: z.string(),
          origin: z.string(),
          column: z.string(),
          type: z.string(),
          samples: z.array(z.string()),
        }),
      )
      .describe('What the source offers.'),
    sample_ref: z.string().optional().describe('The document the samples are from.'),
    problems: z.array(z.string()).describe('What the sample document could not be mapped for.'),
    documents_waiting: z
      .number()
      .int()
      .describe(
        'New and changed documents of the source that are not submitted yet, such as those that wait, however ' +
          `long, for the first mapping to be approved; at most ${documentsWaitingMax} are counted.`,
      ),
    next: z.array(z.strictObject({ why: z.string(), call: z.string() })),
  })
  .meta({ id: 'Mapping' });
