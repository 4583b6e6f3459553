import { delimiters } from '@drawbridge/records/delimiter.ts';
import { z } from 'zod';

const path = z.string().min(1).max(4_096);

/** Settings of a folder of CSV and JSON files. */
export const filesSettings = z.strictObject({
  folder: path.describe('Folder that holds the documents, in a place that may be read'),
  subfolders: z.boolean().default(false).describe('Whether folders inside it are read too'),
  delimiter: z
    .enum(delimiters)
    .optional()
    .describe('Delimiter of the CSV files; found by looking when left out'),
  documentColumn: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'Column that tells the documents of one file apart; a document is then called ' +
        'file.csv#value. One file is one document when left out',
    ),
  settleSeconds: z
    .int()
    .min(0)
    .max(3_600)
    .default(2)
    .describe('Files changed less than this many seconds ago are not listed: still being written'),
  writeBack: z
    .discriminatedUnion('mode', [
      z.strictObject({ mode: z.literal('none') }),
      z.strictObject({ mode: z.literal('file') }),
    ])
    .default({ mode: 'file' })
    .describe(
      'file: a JSON file a confirmation, in the folder "status" (sandbox: its own); or none',
    ),
});
export type FilesSettings = z.infer<typeof filesSettings>;
