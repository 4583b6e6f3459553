import { z } from 'zod';
import {
  changes,
  draftTarget,
  sections,
  writeBackMeta,
  writeBackSettings,
} from '../sql/settings.ts';

const file = z.string().min(1).max(4_096);

/** Settings of a SQLite source. */
export const sqliteSettings = z.strictObject({
  file: file
    .meta({ examples: ['erp.sqlite'] })
    .describe('Path of the database file, in a folder that may be read'),
  sections,
  changes,
  writeBack: writeBackSettings({
    file: file
      .optional()
      .describe('Database file that takes the confirmations; the source itself when left out'),
  })
    .default({ mode: 'side-table' })
    .meta(writeBackMeta),
  drafts: draftTarget,
});
export type SqliteSettings = z.infer<typeof sqliteSettings>;
