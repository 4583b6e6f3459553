import { z } from 'zod';
import { contentSettings } from '../file-content/settings.ts';

const path = z.string().min(1).max(4_096);

/** Settings of a folder of CSV, JSON, XML and XLSX files. */
export const filesSettings = z
  .strictObject({
    folder: path
      .meta({ examples: ['outbox'] })
      .describe('Folder that holds the documents, in a place that may be read'),
    subfolders: z
      .boolean()
      .default(false)
      .meta({ title: 'Read subfolders too' })
      .describe('Whether folders inside it are read too'),
    ...contentSettings,
    settleSeconds: z
      .int()
      .min(0)
      .max(3_600)
      .default(2)
      .meta({ title: 'Seconds until a file is whole', advanced: true })
      .describe(
        'Files changed less than this many seconds ago are not listed: still being written',
      ),
    marker: z
      .string()
      .regex(/^\.[A-Za-z0-9_-]{1,20}$/, 'must be an ending such as .ready')
      .optional()
      .meta({ title: 'Ending of marker files', examples: ['.ready'], advanced: true })
      .describe(
        'Ending of an empty file that says that a file is whole: with .ready, a.csv is taken once ' +
          'a.csv.ready is there',
      ),
    share: z
      .boolean()
      .default(false)
      .meta({ title: 'Network share', advanced: true })
      .describe(
        'For network shares: changes are noticed by looking, and a file is whole once its size and ' +
          'time stand still by the clock of this host',
      ),
    move: z
      .boolean()
      .default(false)
      .meta({ title: 'Move files that are done', advanced: true })
      .describe(
        'Whether files are moved: to claimed/ when they are taken, then to processed/, or to ' +
          'rejected/ with the reason beside',
      ),
    reader: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,40}$/, 'must be letters, digits, - and _')
      .default('drawbridge')
      .meta({ title: 'Name of this reader', advanced: true })
      .describe(
        'Folder in claimed/; connectors that take files from one folder need different ones',
      ),
    writeBack: z
      .discriminatedUnion('mode', [
        z.strictObject({ mode: z.literal('none') }),
        z.strictObject({ mode: z.literal('file') }),
      ])
      .default({ mode: 'file' })
      .meta({ title: 'Confirmations', advanced: true })
      .describe(
        'file: a JSON file a confirmation, in the folder "status" (sandbox: its own); or none',
      ),
    drafts: z
      .discriminatedUnion('mode', [
        z.strictObject({ mode: z.literal('none') }),
        z.strictObject({ mode: z.literal('file') }),
      ])
      .default({ mode: 'file' })
      .meta({ title: 'Drafts of suppliers’ documents', advanced: true })
      .describe(
        'file: suppliers\' documents as drafts, a JSON file each, in the folder "received" (sandbox: its own); ' +
          'or none',
      ),
  })
  .refine(({ move, subfolders }) => !(move && subfolders), {
    message: 'Files in subfolders are not moved: leave out one of move and subfolders',
    path: ['move'],
  })
  .refine(({ move, joinedFiles }) => !(move && joinedFiles !== undefined), {
    message: 'Files that are read together are not moved: leave out one of move and joinedFiles',
    path: ['move'],
  })
  .refine(({ move, writeBack }) => !(move && writeBack.mode === 'none'), {
    message: 'Whether a file is done is told by its confirmations: with move, writeBack is file',
    path: ['writeBack'],
  });
export type FilesSettings = z.infer<typeof filesSettings>;
