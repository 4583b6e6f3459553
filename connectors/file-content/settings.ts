import { delimiters } from '@drawbridge/records/delimiter.ts';
import { parseJsonPath } from '@drawbridge/records/json-path.ts';
import { encodings } from '@drawbridge/records/text.ts';
import { z } from 'zod';

const name = z.string().min(1).max(256);
const section = z.string().min(1).max(64).meta({ title: 'Section' });

/** Kinds of files, by their endings. */
export const fileKinds = ['csv', 'xlsx', 'json', 'xml', 'pdf'] as const;
export type FileKind = (typeof fileKinds)[number];

const headerLine = z.int().min(0).max(100);
const filePattern = name.regex(/^[^*/]*\*?[^*/]*$/, 'must be a name with at most one *');

/** How documents stand in files, wherever the files come from. */
export const contentSettings = {
  kinds: z
    .array(z.enum(fileKinds))
    .min(1)
    .max(fileKinds.length)
    .optional()
    .describe(
      'Kinds of files that are read; all but pdf when left out. Of a PDF the invoice is read that is ' +
        'attached to it as XML (Factur-X, ZUGFeRD)',
    ),
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
  headerLine: headerLine
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
  continuedRows: z
    .boolean()
    .optional()
    .describe(
      'Whether rows that leave documentColumn empty go on with the document above; they are refused ' +
        'when left out',
    ),
  skipRows: z
    .array(
      z.union([
        z
          .strictObject({ empty: z.array(name).min(1).max(100).meta({ title: 'Columns' }) })
          .meta({ title: 'Whose columns are empty' }),
        z
          .strictObject({ column: name, begins: z.string().min(1).max(100) })
          .meta({ title: 'In which a column begins with a text' }),
      ]),
    )
    .max(20)
    .optional()
    .describe(
      'Rows that belong to no document, such as totals: in which all the columns of "empty" are empty, ' +
        'or "column" begins with a text',
    ),
  sheets: z
    .record(
      section,
      z.strictObject({
        sheet: name.describe('Name of the sheet'),
        headerLine: headerLine.default(1).describe('Which of its lines names the columns'),
        column: name.describe('Its column that says to which document a row belongs'),
        from: name
          .optional()
          .describe(
            'The column of the first sheet with the same values; documentColumn when left out',
          ),
      }),
    )
    .refine((sheets) => Object.keys(sheets).length <= 20, { message: 'has more than 20 sheets' })
    .refine((sheets) => !Object.hasOwn(sheets, 'header'), {
      message: 'The header is the sheet that "sheet" names',
    })
    .optional()
    .describe(
      'Further sheets of XLSX files, by the section that they become: lines, customer. The first one then ' +
        'has a row for each document, and documentColumn names it',
    ),
  leaveOut: z
    .strictObject({
      column: name,
      values: z.array(z.string().min(1).max(100)).min(1).max(50),
    })
    .optional()
    .describe(
      'Documents that are left out, such as drafts and cancelled ones: those in whose header "column" holds ' +
        'one of these values, in capitals or not',
    ),
  lineColumns: z
    .array(name.regex(/^[^#]*#[^#]*$/, 'must have one # for the number of the line'))
    .min(1)
    .max(100)
    .optional()
    .describe(
      'For tables with a row for each invoice that has columns for each of its lines: their names, with # for the ' +
        'number of the line, as item#_qty for item1_qty, item2_qty, …',
    ),
  headerFiles: filePattern
    .optional()
    .describe(
      'Names of the files of headers, whose lines stand in joinedFiles; * is what both names have in common, ' +
        'such as a date',
    ),
  joinedFiles: z
    .record(
      section,
      z.strictObject({
        file: filePattern.describe(
          'Name of the file, with the * of headerFiles, as invoice_lines*.csv',
        ),
        headerLine: headerLine.default(1).describe('Which of its lines names the columns'),
        column: name.describe('Its column that says to which document a row belongs'),
        from: name
          .optional()
          .describe('The column of the headers with the same values; documentColumn when left out'),
      }),
    )
    .refine((files) => Object.keys(files).length <= 20, { message: 'has more than 20 files' })
    .refine((files) => !Object.hasOwn(files, 'header'), {
      message: 'The headers are in the files that "headerFiles" names',
    })
    .optional()
    .describe(
      'Further files that are read with each file of headers, in the same folder or message, by the section that ' +
        'they become: lines, customer. documentColumn then names the column that tells the headers apart',
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
  documentPath: z
    .string()
    .max(1_000)
    .refine((path) => parseJsonPath(path) !== undefined, {
      message: 'must be a path such as $.data.invoices',
    })
    .optional()
    .describe(
      'Where the documents stand in JSON files, as $.data.invoices; the file itself when left out',
    ),
  elementsAreRows: z
    .boolean()
    .optional()
    .describe('Whether the objects of JSON and XML files are rows of a table, as in CSV files'),
  sectionNames: z
    .record(section, name)
    .refine((names) => Object.keys(names).length <= 50, { message: 'has more than 50 names' })
    .refine((names) => !Object.hasOwn(names, 'header'), { message: 'The header is no array' })
    .optional()
    .describe('Arrays of JSON and XML files by the section that they become, as lines: data.items'),
  elementKeys: z
    .record(name, name)
    .refine((keys) => Object.keys(keys).length <= 50, { message: 'has more than 50 elements' })
    .optional()
    .describe(
      'Elements of XML files that repeat and are told apart by a value in them, as ' +
        'PartyTaxScheme: TaxScheme.ID for columns such as PartyTaxScheme[VAT].CompanyID',
    ),
  documentElement: name
    .optional()
    .describe('Element that is a document in XML files of several; the root when left out'),
  listElements: z
    .array(name)
    .max(100)
    .optional()
    .describe(
      'Elements of XML files that may repeat and become sections, by name or as parent.name; ' +
        "UBL's when left out",
    ),
};

const contentSchema = z.strictObject(contentSettings);
export type ContentSettings = Readonly<z.infer<typeof contentSchema>>;

/** Whether this is a layout that settings may have: names in files may be of any length. */
export function isLayout(layout: object): boolean {
  return contentSchema.partial().safeParse(layout).success;
}

/** Members that say how files are read; `kinds` among them, for other kinds are laid out otherwise. */
export const contentLayout: readonly string[] = Object.keys(contentSettings);

/** Settings with another layout in place of theirs; whoever takes them parses them. */
export function withLayout(settings: object, layout: object): object {
  const kept = Object.entries(settings).filter(([name]) => !contentLayout.includes(name));
  return { ...Object.fromEntries(kept), ...layout };
}

/** What kind of file a name is of; undefined for one that is never read. */
export function kindOfFile(file: string): FileKind | undefined {
  const ending = /\.([a-z]{3,4})$/i.exec(file)?.[1]?.toLowerCase();
  return fileKinds.find((kind) => kind === ending);
}

/** Whether files of that name are of a kind that is read. */
export function isReadKind(file: string, { kinds }: Pick<ContentSettings, 'kinds'>): boolean {
  const kind = kindOfFile(file);
  if (kind === undefined) return false;
  return kinds === undefined ? kind !== 'pdf' : kinds.includes(kind);
}
