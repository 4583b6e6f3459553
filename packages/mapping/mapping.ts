import { profileIds } from '@drawbridge/profiles/registry.ts';
import { z } from 'zod';
import { isList, targetFault } from './targets.ts';
import { shown, transformSchema } from './transform.ts';

/** Limits of a mapping document and of its result. */
export const mappingLimits = {
  fieldsMax: 500,
  transformsMax: 8,
  listsMax: 100,
  textLengthMax: 1_000,
  /** Rows of one list; an invoice with more lines is refused, not cut. */
  listRowsMax: 10_000,
  /** Issues reported of one document. */
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
    /** How certain the proposal is, 0 to 1. */
    confidence: z.number().min(0).max(1).optional(),
    /** Why it was proposed, in plain words. */
    reason: text.optional(),
    /** Who has put it forward, where another person has to approve it. */
    proposed_by: text.optional(),
    approved_by: text.optional(),
    /** UTC instant, ISO 8601. */
    approved_at: text.optional(),
  })
  .refine((field) => (field.from === undefined) !== (field.value === undefined), {
    message: 'A field needs either a column (from) or a constant (value).',
  });

/** The rows of a list; `where` joins rows of an inner list to the row around it. */
const listSchema = z.strictObject({
  section: name,
  where: z.strictObject({ column: name, parent_column: name }).optional(),
});

/** The one row of a section that belongs to a row of another: an item's to a line's. */
const joinSchema = z.strictObject({
  parent: name,
  column: name,
  parent_column: name,
});

/** Before each of them is looked at: what is wrong with one is told for each. */
function refuseManyLists(lists: unknown, context: z.RefinementCtx): unknown {
  const { listsMax } = mappingLimits;
  if (typeof lists !== 'object' || lists === null) return lists;
  if (Object.keys(lists).length <= listsMax) return lists;
  context.addIssue({ code: 'custom', message: `A mapping has at most ${listsMax} lists.` });
  return z.NEVER;
}

/** How a source document becomes an invoice: one entry for each field of the model. */
export const mappingSchema = z
  .strictObject({
    profile: z.enum(profileIds).optional(),
    /** Lists by path (`lines[]`). Default: the section of the list's own fields. */
    lists: z.preprocess(refuseManyLists, z.record(name, listSchema)).optional(),
    /** Sections whose row is found by a column of another section's row. */
    joins: z
      .record(name, joinSchema)
      .refine((joins) => Object.keys(joins).length <= mappingLimits.listsMax, {
        message: `A mapping has at most ${mappingLimits.listsMax} joins.`,
      })
      .optional(),
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

/** A mapping document. */
export type Mapping = z.infer<typeof mappingSchema>;
/** One field of a mapping: its target, and where the value comes from. */
export type MappingField = Mapping['fields'][number];
/** How a section's row is found from another section's. */
export type Join = z.infer<typeof joinSchema>;
/** The rows of a list. */
export type ListSource = z.infer<typeof listSchema>;
