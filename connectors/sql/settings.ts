import { z } from 'zod';
import { draftFields, draftLineFields } from './draft-values.ts';

const identifierLengthMax = 256;
const identifier = z.string().min(1).max(identifierLengthMax);

/** Whether settings and the link can name a table or column: SQLite takes names without end, and empty ones. */
export function isNameable(name: string): boolean {
  return name !== '' && name.length <= identifierLengthMax;
}

const column = identifier.describe('A column name, exactly as the database spells it');
const columnName = column.meta({ title: 'Column' });
/** How forms show what few sections need. */
const rare = { advanced: true };

/** A section read from one table or view. */
const tableSection = z.strictObject({
  table: identifier.describe('Table or view, with its schema in front where needed: sales.invoice'),
  columns: z
    .array(column)
    .min(1)
    .max(500)
    .optional()
    .meta(rare)
    .describe('Columns to read; all that are not binary when left out'),
  key: column.describe('Column that identifies a row of this table'),
  match: column.describe(
    'Column that is compared: in the header with the source_ref, elsewhere with `matchFrom`',
  ),
  matchFrom: column
    .optional()
    .describe('Header column whose value is compared with `match`; the source_ref when left out'),
  of: z
    .string()
    .max(64)
    .optional()
    .meta({ ...rare, title: 'Parent section' })
    .describe(
      'The section that `matchFrom` is a column of, e.g. lines for the items sold; the header when left out',
    ),
  orderBy: column
    .optional()
    .meta(rare)
    .describe('Column the rows are ordered by; the key when left out'),
  repeats: z
    .literal(true)
    .optional()
    .meta({ ...rare, title: 'A row for each line' })
    .describe(
      'In the header: the table has a row for each line, of which the first says what is said of the document',
    ),
  where: z
    .record(
      columnName,
      z.union([
        z.string().max(4_000).meta({ title: 'Value' }),
        z.null().meta({ title: 'No value (NULL)' }),
      ]),
    )
    .optional()
    .meta({ ...rare, title: 'Only rows with' })
    .describe('Fixed filters: what these columns hold in the rows that are read'),
});
export type TableSection = z.infer<typeof tableSection>;

/** A section read by a SELECT that an administrator wrote. */
const querySection = z.strictObject({
  query: z
    .string()
    .max(20_000)
    .refine((text) => splitAtRef(text).length === 2, 'must hold the placeholder :ref once')
    .describe(
      'One SELECT with the placeholder :ref once, where the compared value is bound; the database ' +
        'itself refuses what writes',
    ),
  key: column.describe('Result column that identifies a row'),
  matchFrom: column
    .optional()
    .describe('Header column whose value is bound to :ref; the source_ref when left out'),
  sampleRef: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .meta({ ...rare, title: 'Document to look at' })
    .describe('In a header: the source_ref of a document that shows what the columns hold'),
});
export type QuerySection = z.infer<typeof querySection>;

/** How one section of a document is read. */
const section = z.union([
  tableSection.meta({ title: 'Table or view' }),
  querySection.meta({ title: 'Query' }),
]);

/** The sections of a document by name; `header` is needed as soon as there is one. */
export const sections = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/)
      .meta({ title: 'Section' }),
    section,
  )
  .default({})
  .refine((all) => Object.keys(all).length === 0 || all.header !== undefined, {
    message: 'must name the section "header"',
  })
  .refine((all) => all.header?.matchFrom === undefined, {
    message: 'the header is compared with the source_ref: it takes no matchFrom',
  })
  .refine((all) => Object.keys(all).length <= 20, { message: 'at most 20 sections' })
  .superRefine((all, context) => {
    const before = new Set<string>();
    for (const [name, each] of Object.entries(all)) {
      const parent = 'of' in each ? each.of : undefined;
      const isKnown = parent === undefined || (before.has(parent) && each.matchFrom !== undefined);
      const message = '`of` names a section that stands before this one, and needs `matchFrom`';
      if (!isKnown) context.addIssue({ code: 'custom', message, path: [name, 'of'] });
      before.add(name);
    }
  })
  .meta({ title: 'Tables and queries' })
  .describe('What a document consists of: header (one row), lines, taxes, customer, …');
export type Sections = z.infer<typeof sections>;

/** How changed documents are found. */
export const changes = z
  .strictObject({
    column: column.describe('Header column that grows whenever a document changes'),
    key: column.describe('Header column, unique, that orders documents changed at the same moment'),
  })
  .optional()
  .meta({ title: 'How changes are found' })
  .describe('Lets new and changed documents be listed; in order of key when left out');

/** Targets of a confirmation in the ERP's own header table. */
const confirmationColumns = z.strictObject({
  invoice_id: column.describe('Holds the id of the invoice; never overwritten'),
  status: column.optional(),
  profile: column.optional(),
  uin: column.optional(),
  validation_url: column.optional(),
  settled_at: column.optional(),
  cancellable_until: column.optional(),
});
export type ConfirmationTargetColumns = z.infer<typeof confirmationColumns>;

/** How forms show where confirmations go. */
export const writeBackMeta = { title: 'Confirmations', advanced: true };

/**
 * The write-back settings of a database kind; `credentials` are the kind's own fields for a
 * separate writer, so that reading can stay with a read-only user.
 */
export function writeBackSettings<Credentials extends z.ZodRawShape>(credentials: Credentials) {
  const schema = identifier
    .optional()
    .describe('Schema or database of the table einv_status; the default one when left out');
  return z
    .discriminatedUnion('mode', [
      z.strictObject({ mode: z.literal('none') }),
      z.strictObject({ mode: z.literal('side-table'), schema, ...credentials }),
      z.strictObject({
        mode: z.literal('columns'),
        columns: confirmationColumns.describe(
          'Columns of the header table that take the confirmation',
        ),
        schema,
        ...credentials,
      }),
    ])
    .describe(
      'Where confirmations go: side-table (einv_status, made if missing), columns of the header ' +
        'table (live only; the sandbox uses its side table), or none',
    );
}

/** What a column of a draft's own table is filled with: a value of the draft, or always the same. */
function filledColumns<Field extends string>(fields: readonly [Field, ...Field[]]) {
  const filling = z.union([
    z.enum(fields).meta({ title: 'Value of the document' }),
    z.strictObject({ value: z.string().max(1_000) }).meta({ title: 'Always the same' }),
  ]);
  return z.record(columnName, filling).refine((all) => Object.keys(all).length <= 100, {
    message: 'at most 100 columns',
  });
}

/** Where drafts of suppliers' documents go. */
export const draftTarget = z
  .discriminatedUnion('mode', [
    z.strictObject({ mode: z.literal('none') }),
    z.strictObject({
      mode: z.literal('side-table'),
      schema: identifier
        .optional()
        .describe('Schema or database of the tables einv_received and einv_received_line'),
    }),
    z.strictObject({
      mode: z.literal('insert'),
      header: z.strictObject({
        table: identifier,
        columns: filledColumns(draftFields).refine(
          (all) => Object.values(all).filter((filling) => filling === 'document_id').length === 1,
          { message: 'must fill one column with document_id, by which the draft is found again' },
        ),
      }),
      lines: z
        .strictObject({
          table: identifier,
          columns: filledColumns([...draftFields, ...draftLineFields]),
          parent: z
            .strictObject({ column, from: column })
            .optional()
            .describe("Line column that holds the header's key, and that key in the header"),
        })
        .refine(
          ({ columns, parent }) =>
            parent !== undefined || Object.values(columns).includes('document_id'),
          { message: 'needs "parent", or a column that is filled with document_id' },
        )
        .optional(),
    }),
  ])
  .optional()
  .meta({ title: 'Drafts of suppliers’ documents', advanced: true })
  .describe(
    "Where suppliers' documents go as drafts: side-table (einv_received, made if missing; what happens " +
      'where writeBack is not none), insert (rows of your own tables, live only), or none',
  );
export type DraftTarget = z.infer<typeof draftTarget>;

/** Members of the settings of a database kind that say how documents are read. */
export const sqlLayout = ['sections', 'changes'] as const;

/** What the shared engine needs of a kind's settings. */
export interface SqlSettings {
  readonly sections: Sections;
  readonly changes?: z.infer<typeof changes>;
  readonly writeBack:
    | { readonly mode: 'none' }
    | { readonly mode: 'side-table'; readonly schema?: string | undefined }
    | {
        readonly mode: 'columns';
        readonly columns: ConfirmationTargetColumns;
        readonly schema?: string | undefined;
      };
  readonly drafts?: DraftTarget;
}

/** The text before and after each `:ref`; a cast such as `::ref` is not one. */
export function splitAtRef(query: string): string[] {
  return query.split(/(?<![:\w]):ref\b/);
}
