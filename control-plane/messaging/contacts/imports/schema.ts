import { columnFields } from '@drawbridge/messaging/contact-file/columns.ts';
import { hasNumbers } from '@drawbridge/messaging/phone.ts';
import { delimiters } from '@drawbridge/records/delimiter.ts';
import { encodings } from '@drawbridge/records/text.ts';
import { z } from 'zod';
import { segmentName } from '../schema.ts';
import { columnsMax } from './file-reader.ts';

const encoding = z.enum(encodings);
const separator = z.enum(delimiters);
const field = z.enum(columnFields);
const headerRow = z
  .number()
  .int()
  .min(0)
  .max(50)
  .describe('The line that names the columns, from 1; 0: none does.');
const countryCode = z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters');
const defaultCountry = countryCode
  .refine(hasNumbers, 'must be a country with telephone numbers, as AE')
  .describe('For numbers that are written without one.');
const segment = segmentName.describe('All contacts of the file enter it.');

/** What can be said of a file beside it. */
export const uploadQuery = z.strictObject({
  default_country: defaultCountry.optional(),
  segment: segment.optional(),
  encoding: encoding.optional().describe('Default: guessed.'),
});

const fileColumn = z.strictObject({
  column: z.number().int().describe('From 1.'),
  name: z.string().describe('As the file has it.'),
  field,
  attribute: z.string().nullable().describe('The name of the attribute.'),
  issue: z
    .enum(['unnamed', 'duplicate', 'too_long', 'unusable'])
    .optional()
    .describe('Why it is ignored though nobody chose so; a row with a value in it is a problem.'),
});

const reading = z
  .strictObject({
    format: z.enum(['csv', 'xlsx']),
    encoding: encoding.nullable(),
    encoding_certain: z
      .boolean()
      .describe('False where Windows-1252 was guessed and the text does not look like it.'),
    separator: separator.nullable(),
    sheet: z.string().nullable().describe('The sheet of a workbook that is read.'),
    sheets: z.array(z.string()),
    header_row: headerRow,
    columns: z.array(fileColumn),
  })
  .meta({ id: 'ContactFileReading' });

export const importView = z
  .strictObject({
    id: z.string(),
    state: z
      .enum(['uploading', 'preview', 'reading', 'running', 'done'])
      .describe('`preview`: it waits to be started; `reading`: its file is being read.'),
    rows: z.number().int(),
    created: z.number().int(),
    updated: z.number().int(),
    failed: z.number().int(),
    reading: reading.nullable().describe('How the file was read.'),
    errors_url: z.string(),
    problems_url: z.string(),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ContactImport' });

const problem = z.strictObject({ field: z.string(), problem: z.string() });

export const previewView = z
  .strictObject({
    id: z.string(),
    filename: z.string().nullable(),
    bytes: z.number().int(),
    reading,
    samples: z.array(z.array(z.string())).describe('Some values of each column.'),
    default_country: countryCode.nullable(),
    segment: z.string().nullable(),
    notes: z.array(z.string()).describe('What a person should look at, in sentences.'),
    rows: z
      .array(
        z.strictObject({
          line: z.number().int(),
          cells: z.array(z.string()),
          problems: z.array(problem),
        }),
      )
      .describe('The first 20.'),
    counts: z.strictObject({
      rows: z.number().int(),
      usable: z.number().int(),
      problems: z.number().int().describe('Rows that would be left out.'),
    }),
    problems: z
      .array(problem.extend({ rows: z.number().int(), first_line: z.number().int() }))
      .describe('What is wrong, and in how many rows; the most frequent first.'),
    expires_at: z.iso.datetime().describe('Then it is deleted.'),
  })
  .meta({ id: 'ContactImportPreview' });

const columnChoice = z
  .strictObject({
    column: z.number().int().min(1).max(columnsMax),
    field,
    attribute: z.string().trim().min(1).max(64).optional(),
  })
  .refine(({ field, attribute }) => attribute === undefined || field === 'attribute', {
    message: 'only a column of the field "attribute" has one',
    path: ['attribute'],
  });

export const previewPatch = z
  .strictObject({
    encoding: encoding.nullable().optional(),
    separator: separator.nullable().optional(),
    sheet: z.string().max(100).nullable().optional(),
    header_row: headerRow.nullable().optional(),
    columns: z
      .array(columnChoice)
      .max(columnsMax)
      .optional()
      .describe('Replaces what was chosen before; the columns that are not named are guessed.'),
    default_country: defaultCountry.nullable().optional(),
    segment: segment.nullable().optional(),
  })
  .meta({
    id: 'ContactImportPreviewPatch',
    description: 'What is left out stays; null lets it be guessed again.',
  })
  .superRefine(({ columns = [] }, context) => {
    const problem = (message: string) =>
      context.addIssue({ code: 'custom', path: ['columns'], message });
    if (new Set(columns.map(({ column }) => column)).size < columns.length) {
      problem('a column is named twice');
    }
    for (const once of ['phone', 'segments'] as const) {
      if (columns.filter((column) => column.field === once).length > 1) {
        problem(`only one column can be "${once}"`);
      }
    }
  });
