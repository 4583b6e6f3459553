import { delimiters } from '@drawbridge/records/delimiter.ts';
import { encodings } from '@drawbridge/records/text.ts';
import { z } from 'zod';

const name = z.string().min(1).max(256);

/** How documents stand in CSV, JSON, XML and XLSX files, wherever the files come from. */
export const contentSettings = {
  delimiter: z
    .enum(delimiters)
    .optional()
    .describe('Delimiter of the CSV files; found by looking when left out'),
  encoding: z
    .enum(encodings)
    .optional()
    .describe(
      'Encoding of the files; when left out what the byte order mark or the XML declaration says, ' +
        'else UTF-8',
    ),
  headerLine: z
    .int()
    .min(0)
    .max(100)
    .default(1)
    .describe(
      'Which line of a CSV file or sheet names the columns, counting from 1; 0: none does, and ' +
        'columns are called 1, 2, …',
    ),
  sheet: name
    .optional()
    .describe('Name of the sheet in XLSX files; the first visible one when left out'),
  documentColumn: name
    .optional()
    .describe(
      'Column that tells the documents of one file apart; a document is then called ' +
        'file.csv#value. One file is one document when left out',
    ),
  rowSections: z
    .strictObject({
      column: name.describe('Column that says what a row is'),
      sections: z
        .record(name, z.string().min(1).max(64))
        .refine((sections) => Object.values(sections).includes('header'), {
          message: 'One value must stand for "header": such a row begins a document',
        })
        .describe('Section of the rows by the value in that column, as H: header, L: lines'),
    })
    .optional()
    .describe('For tables with header and line rows; each row is a line when left out'),
  documentElement: name
    .optional()
    .describe('Element that is a document in XML files of several; the root when left out'),
  listElements: z
    .array(name)
    .max(100)
    .optional()
    .describe("Elements of XML files that may repeat and become sections; UBL's when left out"),
};

const contentSchema = z.strictObject(contentSettings);
export type ContentSettings = Readonly<z.infer<typeof contentSchema>>;
