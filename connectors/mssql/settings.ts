import { z } from 'zod';
import { addressMissing, hasAddress, serverFields } from '../sql/server.ts';

const { sections, changes, writeBack, ...server } = serverFields(['mssql', 'sqlserver'], 1_433);

/** Settings of a Microsoft SQL Server source. */
export const mssqlSettings = z
  .strictObject({
    ...server,
    instance: z
      .string()
      .regex(/^[A-Za-z_][\w$#]{0,15}$/, 'must be the name of an instance, without the host')
      .optional()
      .meta({ examples: ['SQLEXPRESS'], advanced: true })
      .describe('Named instance, whose port the SQL Server Browser tells (UDP 1434)'),
    domain: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .meta({ title: 'Windows domain', advanced: true })
      .describe('Windows domain of the user, who then logs in by NTLM'),
    sections,
    changes,
    writeBack,
  })
  .refine(hasAddress, addressMissing);
export type MssqlSettings = z.infer<typeof mssqlSettings>;
