import { profileIds } from '@drawbridge/profiles/contract.ts';
import { z } from 'zod';
import { isList, targetFault } from './targets.ts';
import { shown, transformSchema } from './transform.ts';

/** Bounds of a mapping document and of what it makes. */
export const mappingLimits = {
  fieldsMax: 500,
  transformsMax: 8,
  textLengthMax: 1_000,
  /** Rows of one list: an invoice with more lines is refused, not cut. */
  listRowsMax: 10_000,
  /** Problems reported of one document; more would tell a person nothing new. */
  issuesMax: 200,
} as const;

const text = z.string().max(mappingLimits.textLengthMax);
const name = text.min(1);

/** A column of a section of the source document. */
const sourceSchema = z.strictObject({ section: name, column: name });

const targetSchema = name.superRefine((path, context) => {
  const message = targetFault(path);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

const fieldSchema = z
  .strictObject({
    target: targetSchema,
    from: sourceSchema.optional(),
    /** A constant, used when there is no `from`. */
    value: text.optional(),
    transforms: z.array(transformSchema).max(mappingLimits.transformsMax).optional(),
    status: z.enum(['proposed', 'approved']),
    /** 0 to 1: how sure the proposal is. */
    confidence: z.number().min(0).max(1).optional(),
    /** Why it was proposed, in plain words. */
    reason: text.optional(),
    approved_by: text.optional(),
    /** UTC instant, ISO 8601. */
    approved_at: text.optional(),
  })
  .refine((field) => (field.from === undefined) !== (field.value === undefined), {
    message: 'A field needs either a column (from) or a constant (value).',
  });

/** The rows that a list repeats over; `where` joins rows of an inner list to the row around it. */
const listSchema = z.strictObject({
  section: name,
  where: z.strictObject({ column: name, parent_column: name }).optional(),
});

/** How a source document becomes an invoice: one row per field of the model. */
export const mappingSchema = z
  .strictObject({
    profile: z.enum(profileIds).optional(),
    /** Lists by path (`lines[]`); left out, the section of the list's own fields is used. */
    lists: z.record(name, listSchema).optional(),
    fields: z.array(fieldSchema).max(mappingLimits.fieldsMax),
  })
  .superRefine(({ fields, lists = {} }, context) => {
    for (const path of Object.keys(lists).filter((list) => !isList(list))) {
      const message = `"${shown(path)}" is not a list of the invoice model, such as lines[].`;
      context.addIssue({ code: 'custom', message, path: ['lists', path] });
    }
    const seen = new Set<string>();
    for (const [index, { target }] of fields.entries()) {
      if (seen.has(target) && !target.endsWith('[]')) {
        const message = `"${target}" is mapped twice.`;
        context.addIssue({ code: 'custom', message, path: ['fields', index, 'target'] });
      }
      seen.add(target);
    }
  });

export type Mapping = z.infer<typeof mappingSchema>;
export type MappingField = Mapping['fields'][number];
export type ListSource = z.infer<typeof listSchema>;
